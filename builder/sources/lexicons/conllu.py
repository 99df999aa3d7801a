"""Treebanks of Universal Dependencies (CoNLL-U) as lexicons that count: each word is one reading, once.

A multiword token (`4-5 das`, then `4 de` and `5 as`) was written as one word, so the range is counted, as
`other`: the Portuguese *pelo* is nearly always the contraction, hardly ever the noun. The words it covers
are readings too (*as* is a determiner, feminine and plural), but they were not written and add no count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ncimp.builder.records import Gender, Number
from ncimp.builder.sources.lexicons.entries import PARTICIPLE, Entry, join_feats
from ncimp.builder.sources.lexicons.lines import Line
from ncimp.schemas.errors import Place, SourceError

UPOS = {
    "NOUN": "noun",
    "PROPN": "noun",
    "ADJ": "adj",
    "NUM": "num",
    "DET": "det",
    "VERB": "verb",
    "AUX": "verb",
    "ADV": "adv",
    "PRON": "other",
    "ADP": "other",
    "CCONJ": "other",
    "SCONJ": "other",
    "PART": "other",
    "INTJ": "other",
}
"""Our part of speech for each of UD's that is a word of the language."""

NO_WORD = frozenset({"X", "SYM", "PUNCT", "_"})
"""Parts of speech that are no words of the language, or withheld."""

PENN = {
    "NN": ("NOUN", "Number=Sing"),
    "NNS": ("NOUN", "Number=Plur"),
    "NNP": ("PROPN", "Number=Sing"),
    "NNPS": ("PROPN", "Number=Plur"),
    "JJ": ("ADJ", "Degree=Pos"),
    "JJR": ("ADJ", "Degree=Cmp"),
    "JJS": ("ADJ", "Degree=Sup"),
    "CD": ("NUM", "_"),
    "DT": ("DET", "_"),
    "PDT": ("DET", "_"),
    "RB": ("ADV", "_"),
    "MD": ("AUX", "_"),
    "VB": ("VERB", "VerbForm=Inf"),
    "VBP": ("VERB", "Mood=Ind|Tense=Pres|VerbForm=Fin"),
    "VBZ": ("VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
    "VBD": ("VERB", "Mood=Ind|Tense=Past|VerbForm=Fin"),
    "VBG": ("VERB", "Tense=Pres|VerbForm=Part"),
    "VBN": ("VERB", "Tense=Past|VerbForm=Part"),
    "IN": ("ADP", "_"),
    "TO": ("ADP", "_"),
    "CC": ("CCONJ", "_"),
    "PRP": ("PRON", "_"),
}
"""UPOS and features of the Penn tags, for corpora that have XPOS only, as taggers of English write them."""

GENDERS: dict[str, Gender] = {"Masc": "m", "Fem": "f", "Neut": "n", "Com": "c"}
NUMBERS: dict[str, Number] = {"Sing": "sg", "Plur": "pl", "Ptan": "pl"}

KEPT = ("Case", "Degree", "Mood", "Person", "Tense", "VerbForm")
"""Features that a form keeps when its gender and number change."""

UNMARKED = frozenset({"Degree=Pos", "VerbForm=Fin"})
"""Values that other lexicons leave out."""

_ID = re.compile(r"(?P<first>[0-9]+)(?:-(?P<last>[0-9]+)|(?P<empty>\.[0-9]+))?")


def read_conllu(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield one entry for each word of a treebank, with count 1, or 0 for a word inside a contraction."""
    covered = 0
    for number, line in lines:
        if not line or line.startswith("#"):
            covered = 0 if not line else covered
            continue
        place = Place(file, number)
        cells = line.split("\t")
        identity = _ID.fullmatch(cells[0])
        if len(cells) != 10 or identity is None:
            raise SourceError("not a word line of CoNLL-U", fix="mend or remove the line", place=place)
        if identity["last"]:
            covered = int(identity["last"])
            yield Entry(cells[1].lower(), cells[1].lower(), "other", None, None, "", 1)
        elif not identity["empty"]:
            yield from _word(cells, 0 if int(identity["first"]) <= covered else 1, place)


def _word(cells: list[str], count: int, place: Place) -> Iterator[Entry]:
    tagged = PENN.get(cells[4]) if cells[3] == "_" else None
    form, (upos, described) = cells[1], tagged or (cells[3], cells[5])
    feats = _feats(described, place)
    if upos in NO_WORD or form == "_" or feats.get("Typo") == "Yes":
        return
    if upos not in UPOS:
        raise SourceError(f"{upos!r} is not a part of speech of UD", fix="mend or remove the line", place=place)
    gender, plurality = GENDERS.get(feats.get("Gender", "")), NUMBERS.get(feats.get("Number", ""))
    lemma = form if cells[2] == "_" else cells[2]
    # a capital at the beginning of a sentence belongs to the sentence, not to the word
    written = form if lemma != lemma.lower() else form.lower()
    kept = _kept(feats, proper=upos == "PROPN")
    agrees = PARTICIPLE in kept and gender is not None and UPOS[upos] in ("verb", "adj")
    yield Entry(written, lemma, "adj" if agrees else UPOS[upos], gender, plurality, join_feats(kept), count)


def _kept(feats: dict[str, str], *, proper: bool) -> set[str]:
    """Return the features that a form keeps, written as in the other lexicons."""
    kept = {f"{name}={feats[name]}" for name in KEPT if name in feats} - UNMARKED
    if PARTICIPLE in kept:
        kept.discard("Tense=Past")
    return kept | ({"Proper=Yes"} if proper else set())


def _feats(cell: str, place: Place) -> dict[str, str]:
    pairs = [pair.split("=") for pair in cell.split("|")] if cell != "_" else []
    if any(len(pair) != 2 for pair in pairs):
        raise SourceError(f"the features {cell!r} are not NAME=VALUE|…", fix="mend or remove the line", place=place)
    return dict(pairs)
