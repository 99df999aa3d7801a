"""Readers of full-form lexicons: each gives the same entries, whatever the notation of the file.

    MorphoBr    aberturas<TAB>abertura+N+F+PL
    UniMorph    abrir<TAB>abriam<TAB>V;IND;PST;IPFV;3;PL
    CoNLL-U     3<TAB>aberturas<TAB>abertura<TAB>NOUN<TAB>_<TAB>Gender=Fem|Number=Plur<TAB>…
    forms.tsv   aberturas<TAB>abertura<TAB>noun<TAB>f<TAB>pl<TAB>_

Features other than gender and number are written as in Universal Dependencies, sorted, so that a form
and its counterpart can be told to have "everything else the same" across lexicons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ncimp.builder.records import Form, Gender, Number
from ncimp.builder.sources.lexicons.lines import Line
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import NOT_APPLICABLE
from ncimp.schemas.records import from_row
from ncimp.schemas.tables import columns

PARTICIPLE = "VerbForm=Part"
"""The feature of an adjective that is a form of the verb in its lemma."""


class Entry(NamedTuple):
    """One form in one reading, and how often the file has it (0 where it does not count)."""

    form: str
    lemma: str
    pos: str
    gender: Gender | None
    number: Number | None
    feats: str = ""
    times: int = 0


Reader = Callable[[Iterable[Line], str], Iterator[Entry]]
"""Takes the lines of a file and its name; raises `SourceError` at a line it does not understand."""


MORPHOBR_POS = {"N": "noun", "A": "adj", "V": "verb", "ADV": "adv"}
MORPHOBR_GENDERS: dict[str, Gender] = {"M": "m", "F": "f"}
MORPHOBR_NUMBERS: dict[str, Number] = {"SG": "sg", "PL": "pl"}
MORPHOBR_FEATS = {
    "INF": "VerbForm=Inf",
    "GRD": "VerbForm=Ger",
    "PTPST": PARTICIPLE,
    "PTPASS": PARTICIPLE,
    "PRS": "Mood=Ind|Tense=Pres",
    "IMPF": "Mood=Ind|Tense=Imp",
    "PRF": "Mood=Ind|Tense=Past",
    "FUT": "Mood=Ind|Tense=Fut",
    "PQP": "Mood=Ind|Tense=Pqp",
    "SBJR": "Mood=Sub|Tense=Pres",
    "SBJP": "Mood=Sub|Tense=Imp",
    "SBJF": "Mood=Sub|Tense=Fut",
    "IMP": "Mood=Imp",
    "COND": "Mood=Cnd",
    "1": "Person=1",
    "2": "Person=2",
    "3": "Person=3",
    "SUPER": "Degree=Sup",
    "DIM": "Degree=Dim",
    "AUG": "Degree=Aug",
    "NEG": "",
}
"""MorphoBr's features (its TAGSET.org) as those of Universal Dependencies."""


def read_morphobr(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield the entries of a MorphoBr dictionary (https://github.com/LR-POR/MorphoBr)."""
    for number, line in lines:
        form, tab, analysis = line.partition("\t")
        lemma, *tags = analysis.split("+")
        if not (form and tab and lemma and tags):
            raise _problem("not `form<TAB>lemma+CLASS+FEATURE…`", file, number)
        # a verb with a pronoun joined to it: V.ele.ACC.3.M.SG, in places without the V
        cls, _, clitic = tags[0].removeprefix("nós").partition(".")
        pos, features = MORPHOBR_POS.get(cls or "V"), tags[1:]
        known = MORPHOBR_GENDERS | MORPHOBR_NUMBERS | MORPHOBR_FEATS
        if pos is None or not known.keys() >= set(features):
            raise _problem(f"the tags {'+'.join(tags)!r} are not of MorphoBr's tag set", file, number)
        gender = next((MORPHOBR_GENDERS[tag] for tag in features if tag in MORPHOBR_GENDERS), None)
        plurality = next((MORPHOBR_NUMBERS[tag] for tag in features if tag in MORPHOBR_NUMBERS), None)
        feats = join_feats([*(MORPHOBR_FEATS.get(tag, "") for tag in features), f"Clitic={clitic}" if clitic else ""])
        yield Entry(form, lemma, _agreeing(pos, feats), gender, plurality, feats)


UNIMORPH_POS = {
    "N": "noun",
    "PROPN": "noun",
    "ADJ": "adj",
    "V": "verb",
    "V.PTCP": "verb",
    "V.CVB": "verb",
    "V.MSDR": "verb",
    "AUX": "verb",
    "NUM": "num",
    "DET": "det",
    "ART": "det",
    "ADV": "adv",
    "PRO": "other",
    "ADP": "other",
    "CONJ": "other",
    "COMP": "other",
    "PART": "other",
    "INTJ": "other",
    "CLF": "other",
}
UNIMORPH_GENDERS: dict[str, Gender] = {"MASC": "m", "FEM": "f", "NEUT": "n"}
UNIMORPH_NUMBERS: dict[str, Number] = {"SG": "sg", "PL": "pl"}
UNIMORPH_FEATS = {
    "V.PTCP": PARTICIPLE,
    "V.CVB": "VerbForm=Ger",
    "V.MSDR": "VerbForm=Ger",
    "NFIN": "VerbForm=Inf",
    "IND": "Mood=Ind",
    "SBJV": "Mood=Sub",
    "IMP": "Mood=Imp",
    "COND": "Mood=Cnd",
    "PRS": "Tense=Pres",
    "FUT": "Tense=Fut",
    "1": "Person=1",
    "2": "Person=2",
    "3": "Person=3",
    "CMPR": "Degree=Cmp",
    "SPRL": "Degree=Sup",
    "FIN": "",
}
"""UniMorph's features as those of Universal Dependencies; any other is kept as it is."""

UNIMORPH_PAST = {"IPFV": "Tense=Imp", "PRF": "Tense=Pqp"}
"""What the aspect makes of `PST`, which is `Tense=Past` otherwise."""


def read_unimorph(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield the entries of a UniMorph file (https://unimorph.github.io); a fourth column is not read."""
    for number, line in lines:
        if not line.strip():
            continue
        cells = line.split("\t")
        tags = re.split(r"[;|]", cells[2]) if len(cells) in (3, 4) else []
        pos = UNIMORPH_POS.get(tags[0]) if tags else None
        if pos is None or not (cells[0] and cells[1]):
            raise _problem("not `lemma<TAB>form<TAB>POS;FEATURE…`", file, number)
        gender = next((UNIMORPH_GENDERS[tag] for tag in tags if tag in UNIMORPH_GENDERS), None)
        plurality = next((UNIMORPH_NUMBERS[tag] for tag in tags if tag in UNIMORPH_NUMBERS), None)
        feats = _unimorph_feats(tags)
        proper = "Proper=Yes" if tags[0] == "PROPN" else ""
        yield Entry(cells[1], cells[0], _gendered(pos, feats, gender), gender, plurality, join_feats((feats, proper)))


def _unimorph_feats(tags: list[str]) -> str:
    """Return the features of *tags*: a tense without a mood is indicative, and the aspect tells pasts apart."""
    known = UNIMORPH_POS.keys() | UNIMORPH_GENDERS.keys() | UNIMORPH_NUMBERS.keys() | UNIMORPH_PAST.keys()
    parts = {UNIMORPH_FEATS.get(tag, tag) for tag in tags if tag in UNIMORPH_FEATS or tag not in known}
    finite = not any(part.startswith("VerbForm=") for part in parts)
    if finite and "PST" in parts:
        parts.add(next((UNIMORPH_PAST[tag] for tag in tags if tag in UNIMORPH_PAST), "Tense=Past"))
    if finite and any(part.startswith("Tense=") for part in parts) and not any(part[:5] == "Mood=" for part in parts):
        parts.add("Mood=Ind")
    return join_feats(parts - {"PST", "PFV"})


def read_forms(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield the entries of a table of the shape of a pack's `forms.tsv`."""
    names = tuple(columns("form"))
    for number, line in lines:
        cells = tuple(line.split("\t"))
        if cells == names:
            continue
        if len(cells) != len(names):
            raise _problem(f"{len(cells)} cells where the header has {len(names)}", file, number)
        row = {name: None if cell == NOT_APPLICABLE else cell for name, cell in zip(names, cells, strict=True)}
        form = from_row(Form, row, table="form", place=Place(file, number))
        yield Entry(form.form, form.lemma, form.pos, form.gender, form.number)


def join_feats(parts: Iterable[str]) -> str:
    """Return the features of *parts*, sorted, each once."""
    return "|".join(sorted({feat for part in parts for feat in part.split("|") if feat}))


def _agreeing(pos: str, feats: str) -> str:
    """Return `adj` for a participle, which agrees as an adjective does."""
    return "adj" if pos == "verb" and PARTICIPLE in feats else pos


def _gendered(pos: str, feats: str, gender: Gender | None) -> str:
    """Return `adj` for a participle that has a gender; one without (*has opened*) is a form of the verb."""
    return _agreeing(pos, feats) if gender else pos


def _problem(what: str, file: str, number: int) -> SourceError:
    return SourceError(what, fix="mend or remove the line", place=Place(file, number))
