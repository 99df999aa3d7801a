"""Small lexicons in every format that is read, written for the tests."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

from ncimp.builder.records import Form
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.lexicons.store import open_lexicon
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language

MORPHOBR = """\
aberta\taberto+A+F+SG
abertas\taberto+A+F+PL
aberto\taberto+A+M+SG
abertos\taberto+A+M+PL
aceita\taceitar+V+PTPST+F+SG
aceitada\taceitar+V+PTPST+F+SG
aceitadas\taceitar+V+PTPST+F+PL
aceitado\taceitar+V+PTPST+M+SG
aceitados\taceitar+V+PTPST+M+PL
aceitas\taceitar+V+PTPST+F+PL
aceito\taceitar+V+PTPST+M+SG
aceitos\taceitar+V+PTPST+M+PL
artista\tartista+N+SG
artistas\tartista+N+PL
caixa\tcaixa+N+SG
caixas\tcaixa+N+PL
carta\tcarta+N+F+SG
cartas\tcarta+N+F+PL
gata\tgato+N+F+SG
gatas\tgato+N+F+PL
gato\tgato+N+M+SG
gatos\tgato+N+M+PL
grande\tgrande+A+SG
grandes\tgrande+A+PL
lápis\tlápis+N+M
tartaruga\ttartaruga+N+SG
tinha\ttinha+N+F+SG
tinham\tter+V+IMPF+3+PL
tinha\tter+V+IMPF+1+SG
tinha\tter+V+IMPF+3+SG
tenha\tter+V+SBJR+3+SG
tenham\tter+V+SBJR+3+PL
tem\tter+V+PRS+3+SG
têm\tter+V+PRS+3+PL
"""

UNIMORPH = """\
walk\twalks\tV;PRS;3;SG
walk\twalked\tV;PST
walk\twalked\tV.PTCP;PST
walk\twalking\tV.PTCP;PRS
wolf\twolves\tN;PL
wolf\twolf\tN;SG
big\tbig\tADJ
big\tbigger\tADJ;CMPR
"""

FORMS = """\
form\tlemma\tpos\tgender\tnumber\tonset
barco\tbarco\tnoun\tm\tsg\t_
barcos\tbarco\tnoun\tm\tpl\t_
"""

DIX = """\
<?xml version="1.0" encoding="UTF-8"?>
<dictionary>
  <pardefs>
    <pardef n="nov/o__adj">
      <e><p><l>os</l><r>o<s n="adj"/><s n="m"/><s n="pl"/></r></p></e>
      <e><p><l>a</l><r>o<s n="adj"/><s n="f"/><s n="sg"/></r></p></e>
    </pardef>
    <pardef n="enclitics">
      <e><i></i></e>
      <e><p><l>lle</l><r><j/>lle<s n="prn"/><s n="enc"/></r></p></e>
    </pardef>
  </pardefs>
  <section id="main" type="standard">
    <e lm="novo"><i>nov</i><par n="nov/o__adj"/></e>
    <e lm="artista"><p><l>artista</l><r>artista<s n="n"/><s n="mf"/><s n="sg"/></r></p></e>
    <e lm="dicir"><p><l>dixo</l><r>dicir<s n="vblex"/><s n="ifi"/><s n="p3"/><s n="sg"/></r></p><par n="enclitics"/></e>
    <e lm="dicir"><p><l>dita</l><r>dicir<s n="vblex"/><s n="pp"/><s n="f"/><s n="sg"/></r></p></e>
    <e lm="do"><p><l>do</l><r>de<s n="pr"/><j/>o<s n="det"/><s n="def"/></r></p></e>
    <e lm="nova" r="RL"><p><l>noba</l><r>nova<s n="n"/></r></p></e>
    <e lm="a lúa"><p><l>a<b/>lúa</l><r>a<b/>lúa<s n="n"/></r></p></e>
    <e><re>[0-9]+</re><p><l></l><r><s n="num"/></r></p></e>
  </section>
  <section id="final" type="inconditional"><e><i>!</i></e></section>
</dictionary>
"""

WORDS = (
    ("A", "o", "DET", "Definite=Def|Gender=Fem|Number=Sing|PronType=Art"),
    ("caixa", "caixa", "NOUN", "Gender=Fem|Number=Sing"),
    ("grande", "grande", "ADJ", "Gender=Fem|Number=Sing"),
    ("foi", "ser", "AUX", "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"),
    ("aberta", "abrir", "VERB", "Gender=Fem|Number=Sing|VerbForm=Part|Voice=Pass"),
    (".", ".", "PUNCT", "_"),
)


def conllu(*sentences: tuple[tuple[str, str, str, str], ...]) -> str:
    """Return *sentences* of (form, lemma, upos, feats) as CoNLL-U; `_` as upos: a contraction of the next two."""
    lines: list[str] = []
    for sentence in sentences:
        number = 0
        for form, lemma, upos, feats in sentence:
            if upos == "_":
                lines.append("\t".join([f"{number + 1}-{number + 2}", form, "_", "_", "_", "_", "_", "_", "_", "_"]))
                continue
            number += 1
            lines.append("\t".join([str(number), form, lemma, upos, "_", feats, "0", "_", "_", "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


def write(folder: Path, name: str, text: str) -> Path:
    """Write *text* to the file *name* in *folder*, compressed as its suffix says."""
    path = folder / name
    data = text.encode("utf-8")
    packers: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
    path.write_bytes(packers.get(path.suffix, bytes)(data))
    return path


def layered(folder: Path, packs: Path, *texts: str, forms: tuple[Form, ...] = ()) -> LayeredMorphology:
    """Return *forms* and the lexicons *texts* as one morphology, with the Portuguese of the mini packs."""
    paths = [write(folder, f"lexicon-{number}", text) for number, text in enumerate(texts)]
    pack = PackMorphology(forms, read_language(packs / "pt" / "pack.toml"))
    return LayeredMorphology(pack, [open_lexicon(path, data=folder / "data") for path in paths])
