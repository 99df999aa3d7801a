"""How tools that are called from the shell do the tasks of `counting.py`; see `counting_peers.py`."""

from __future__ import annotations

MAWK_T1 = """LC_ALL=C mawk -F'\\t' 'BEGIN {{ printf "" > "{folder}/words"; printf "" > "{folder}/pairs" }}
NF == 1 {{ p = ""; next }}
{{ w[$1]++; if (p != "") n[p "\\t" $1]++; p = $1 }}
END {{ for (k in w) if (w[k] >= {least}) print k "\\t" w[k] > "{folder}/words"
      for (k in n) if (n[k] >= {least}) print k "\\t" n[k] > "{folder}/pairs" }}' '{corpus}'"""

MAWK_T2 = """LC_ALL=C mawk -F'\\t' 'BEGIN {{ printf "" > "{folder}/words"; printf "" > "{folder}/pairs" }}
NF == 1 {{ p = ""; next }}
{{ w[$3]++; if (p != "" && ($2 == "NN" || $2 == "NNS")) n[p "\\t" $3]++
   p = $2 == "JJ" ? $3 "\\tJ" : $2 == "NN" || $2 == "NNS" ? $3 "\\tN" : "" }}
END {{ for (k in w) if (w[k] >= {least}) print k "\\t" w[k] > "{folder}/words"
      for (k in n) if (n[k] >= {least}) print k "\\t" n[k] > "{folder}/pairs" }}' '{corpus}'"""

SORT = """set -o errexit
export LC_ALL=C
count() {{ sort --parallel=2 -S 1G -T '{folder}' | uniq -c | mawk '$1 >= {least} {{ sub(/^ +/, "")
    at = index($0, " "); print substr($0, at + 1) "\\t" substr($0, 1, at - 1) }}'; }}
"""

SORT_T1 = (
    SORT
    + """
mawk -F'\\t' 'NF > 1 {{ print $1 }}' '{corpus}' | count > '{folder}/words'
mawk -F'\\t' 'NF == 1 {{ p = ""; next }} {{ if (p != "") print p "\\t" $1; p = $1 }}' '{corpus}' |
    count > '{folder}/pairs'
"""
)

SORT_T2 = (
    SORT
    + """
mawk -F'\\t' 'NF > 1 {{ print $3 }}' '{corpus}' | count > '{folder}/words'
mawk -F'\\t' 'NF == 1 {{ p = ""; next }} {{ if (p != "" && ($2 == "NN" || $2 == "NNS")) print p "\\t" $3
    p = $2 == "JJ" ? $3 "\\tJ" : $2 == "NN" || $2 == "NNS" ? $3 "\\tN" : "" }}' '{corpus}' | count > '{folder}/pairs'
"""
)

TEXT = """mawk -F'\\t' 'NF > 1 {{ printf "%s ", $1; next }} $1 == "</s>" {{ print "" }}' '{corpus}'"""
"""A sentence a line, for the tools that read nothing else."""

KENLM_T1 = (
    '''
import subprocess
import numpy as np
subprocess.run(["bash", "-o", "pipefail", "-c", r"""'''
    + TEXT
    + ''' |
count_ngrams -o 2 -S 1G -T '{folder}/' --write_vocab_list '{folder}/vocabulary' > '{folder}/counts'
"""], check=True)
words = open({folder!r} + "/vocabulary", "rb").read().split(b"\\0")
pairs = np.memmap({folder!r} + "/counts", [("a", "<u4"), ("b", "<u4"), ("n", "<u8")], "r")
marks = 3  # unknown, begin of a sentence, and its end; every word stands second, if only after the begin
singles = np.bincount(pairs["b"], pairs["n"], len(words)).astype(np.int64)
with open({folder!r} + "/words", "wb") as stream:
    kept = marks + np.flatnonzero(singles[marks:] >= {least})
    stream.writelines(b"%s\\t%d\\n" % (words[w], n) for w, n in zip(kept.tolist(), singles[kept].tolist()))
with open({folder!r} + "/pairs", "wb") as stream:
    kept = pairs[(pairs["n"] >= {least}) & (pairs["a"] >= marks) & (pairs["b"] >= marks)]
    stream.writelines(b"%s\\t%s\\t%d\\n" % (words[a], words[b], n) for a, b, n in kept.tolist())
'''
)
"""A program of Python that calls KenLM's counting and gives its numbers their words back."""

COLIBRI_T1 = (
    TEXT
    + """ > '{folder}/c' && colibri-classencode -d '{folder}/' '{folder}/c' >&2 &&
colibri-patternmodeller -u -t {least} -l 2 -P -f '{folder}/c.colibri.dat' -c '{folder}/c.colibri.cls' \\
    > '{folder}/model' && mawk -F'\\t' 'BEGIN {{ printf "" > "{folder}/words"; printf "" > "{folder}/pairs" }}
NR == 1 {{ next }}
{{ if (sub(" ", "\\t", $1)) print $1 "\\t" $2 > "{folder}/pairs"
   else print $1 "\\t" $2 > "{folder}/words" }}' '{folder}/model'"""
)

PIGZ = "pigz -dc '{corpus}' > /dev/null"
