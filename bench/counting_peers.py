"""How other tools do the two tasks of `counting.py`: the shortest way that counts the same.

`{corpus}`, `{folder}` and `{least}` are filled in. Each writes `words` and `pairs` with tab-separated rows.
KenLM is `count_ngrams` of its folder `lm/builder`, colibri-core its two programs of C++.
"""

from __future__ import annotations

from dataclasses import dataclass

import counting_peers_shell as shell

POLARS = """
import polars as pl
lines = pl.scan_csv({corpus!r}, has_header=False, separator="\\t", quote_char=None, truncate_ragged_lines=True,
    missing_columns="insert", schema={{"w": pl.String, "t": pl.String, "l": pl.String}})
"""

POLARS_T1 = (
    POLARS
    + """
lines = lines.select("w").filter(~pl.col("w").str.starts_with("<") | (pl.col("w") == "</s>"))
words = lines.filter(pl.col("w") != "</s>").group_by("w").len()
pairs = lines.select(pl.col("w").alias("a"), pl.col("w").shift(-1).alias("b"))
pairs = pairs.filter((pl.col("a") != "</s>") & (pl.col("b") != "</s>")).group_by("a", "b").len()
"""
)

POLARS_T2 = (
    POLARS
    + """
words = lines.filter(pl.col("l").is_not_null()).group_by("l").len()
pairs = lines.select(pl.col("l").alias("a"), "t", pl.col("l").shift(-1).alias("b"), pl.col("t").shift(-1).alias("u"))
pairs = pairs.filter(pl.col("t").is_in(["NN", "NNS", "JJ"]) & pl.col("u").is_in(["NN", "NNS"]))
kind = pl.when(pl.col("t") == "JJ").then(pl.lit("J")).otherwise(pl.lit("N")).alias("k")
pairs = pairs.group_by("a", kind, "b").len()
"""
)

POLARS_END = """
for table, name in ((words, "words"), (pairs, "pairs")):
    kept = table.filter(pl.col("len") >= {least})
    kept.sink_csv({folder!r} + "/" + name, separator="\\t", include_header=False, engine="streaming")
"""

DUCKDB = """
import duckdb
base = duckdb.connect()
base.execute("SET preserve_insertion_order = true")
base.execute('''CREATE VIEW tokens AS SELECT * FROM read_csv('{corpus}', header = false,
    delim = '\\t', quote = '', escape = '', null_padding = true, parallel = true, auto_detect = false, strict_mode = false,
    columns = {{'w': 'VARCHAR', 't': 'VARCHAR', 'l': 'VARCHAR'}})''')
def write(name, query):
    base.execute(f"COPY ({{query}}) TO '{folder}/{{name}}' (HEADER false, DELIMITER '\\t', QUOTE '')")
"""
# read twice, as a stream: a table of all tokens needs 15 GB at 100 million, and a window in a stated order four times as
# long as one in the order of the file, which DuckDB keeps

DUCKDB_T1 = (
    DUCKDB
    + """
write("words", "SELECT w, count(*) AS c FROM tokens WHERE l IS NOT NULL GROUP BY w HAVING c >= {least}")
write("pairs", '''SELECT w, b, count(*) AS c FROM (SELECT w, l, lead(w) OVER () AS b, lead(l) OVER () AS m FROM tokens)
    WHERE l IS NOT NULL AND m IS NOT NULL GROUP BY w, b HAVING c >= {least}''')
"""
)

DUCKDB_T2 = (
    DUCKDB
    + """
write("words", "SELECT l, count(*) AS c FROM tokens WHERE l IS NOT NULL GROUP BY l HAVING c >= {least}")
write("pairs", '''SELECT l, CASE WHEN t = 'JJ' THEN 'J' ELSE 'N' END AS k, b, count(*) AS c
    FROM (SELECT l, t, lead(l) OVER () AS b, lead(t) OVER () AS u FROM tokens)
    WHERE t IN ('NN', 'NNS', 'JJ') AND u IN ('NN', 'NNS') GROUP BY l, k, b HAVING c >= {least}''')
"""
)

SENTENCES = """
def sentences():
    words = []
    with open({corpus!r}, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("</s>"):
                yield words
                words = []
            elif line[0] != "<":
                words.append(line.split("\\t", 1)[0])
def write(words, pairs):
    with open({folder!r} + "/words", "w") as stream:
        stream.writelines(f"{{w}}\\t{{c}}\\n" for w, c in words if c >= {least})
    with open({folder!r} + "/pairs", "w") as stream:
        stream.writelines(f"{{a}}\\t{{b}}\\t{{c}}\\n" for (a, b), c in pairs if c >= {least})
"""

NLTK_T1 = (
    SENTENCES
    + """
from nltk.collocations import BigramCollocationFinder
from nltk.probability import FreqDist
from nltk.util import bigrams
words, pairs = FreqDist(), FreqDist()
for sentence in sentences():
    words.update(sentence)
    pairs.update(bigrams(sentence))
finder = BigramCollocationFinder(words, pairs)
write(finder.word_fd.items(), finder.ngram_fd.items())
"""
)

GENSIM_T1 = (
    SENTENCES
    + """
from gensim.models.phrases import Phrases
model = Phrases(sentences(), min_count=1, threshold=1e-9, delimiter="\\t", max_vocab_size=10**9)
counts = model.vocab
write(((w, c) for w, c in counts.items() if "\\t" not in w),
      ((tuple(w.split("\\t")), c) for w, c in counts.items() if "\\t" in w))
"""
)

SKLEARN_T1 = (
    SENTENCES
    + """
from sklearn.feature_extraction.text import CountVectorizer
import itertools
model = CountVectorizer(analyzer=lambda s: itertools.chain(zip(s), itertools.pairwise(s)))
counts = model.fit_transform(sentences()).sum(axis=0).A1
items = [(key, counts[number]) for key, number in model.vocabulary_.items()]
write(((key[0], c) for key, c in items if len(key) == 1), ((key, c) for key, c in items if len(key) == 2))
"""
)


@dataclass(frozen=True, slots=True)
class Peer:
    """One tool."""

    tasks: dict[str, str]
    """By task: a program of Python, or of the shell where `by_shell` says so."""
    programs: tuple[str, ...] = ()
    """What it needs on the path."""
    modules: tuple[str, ...] = ()
    """What it needs to import."""
    by_shell: bool = False


PEERS: dict[str, Peer] = {
    "polars": Peer({"t1": POLARS_T1 + POLARS_END, "t2": POLARS_T2 + POLARS_END}, modules=("polars",)),
    "duckdb": Peer({"t1": DUCKDB_T1, "t2": DUCKDB_T2}, modules=("duckdb",)),
    "kenlm": Peer({"t1": shell.KENLM_T1}, programs=("count_ngrams", "mawk", "bash")),
    "mawk": Peer({"t1": shell.MAWK_T1, "t2": shell.MAWK_T2}, programs=("mawk",), by_shell=True),
    "sort": Peer({"t1": shell.SORT_T1, "t2": shell.SORT_T2}, programs=("sort", "uniq", "mawk"), by_shell=True),
    "colibri": Peer(
        {"t1": shell.COLIBRI_T1}, programs=("colibri-classencode", "colibri-patternmodeller", "mawk"), by_shell=True
    ),
    "nltk": Peer({"t1": NLTK_T1}, modules=("nltk",)),
    "gensim": Peer({"t1": GENSIM_T1}, modules=("gensim",)),
    "sklearn": Peer({"t1": SKLEARN_T1}, modules=("sklearn",)),
    "pigz": Peer({"packed": shell.PIGZ}, programs=("pigz",), by_shell=True),
}
