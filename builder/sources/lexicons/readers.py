"""Readers of full-form lexicons and treebanks: the lines of each format become the same entries.

    MorphoBr    aberturas<TAB>abertura+N+F+PL
    UniMorph    abrir<TAB>abriam<TAB>V;IND;PST;IPFV;3;PL
    CoNLL-U     3<TAB>aberturas<TAB>abertura<TAB>NOUN<TAB>_<TAB>Gender=Fem|Number=Plur<TAB>…
    forms.tsv   aberturas<TAB>abertura<TAB>noun<TAB>f<TAB>pl<TAB>_
    counts      aberturas<TAB>abertura<TAB>noun<TAB>f<TAB>pl<TAB>_<TAB>3

Features other than gender and number are written as in Universal Dependencies, sorted, so that a form and its
counterpart in another lexicon compare equal in everything else.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ncimp.builder.records import Form, Gender, Number
from ncimp.corpus_stats.readers.conllu import word_lines
from ncimp.schemas import NOT_APPLICABLE, Place, SourceError
from ncimp.schemas.records import columns, from_row, is_header

PARTICIPLE = "VerbForm=Part"  # the feature of an adjective that is a form of the verb in its lemma
PROPER = "Proper=Yes"  # the feature of a name
FIX = "mend or remove the line"
PERSONS = {"1": "Person=1", "2": "Person=2", "3": "Person=3"}


class Entry(NamedTuple):
    """One form in one reading, and how often the file has it (0 where it does not count)."""

    form: str
    lemma: str
    pos: str
    gender: Gender | None
    number: Number | None
    feats: str = ""
    times: int = 0


Line = tuple[int, str]  # a line's number (from 1) and its text without line end


def by_tag(**tags: str) -> dict[str, str]:
    """Return the part of speech of each tag, from the tags of each."""
    return {tag: pos for pos, names in tags.items() for tag in names.split()}


MORPHOBR_POS = {"N": "noun", "A": "adj", "V": "verb", "ADV": "adv"}
MORPHOBR_GENDERS: dict[str, Gender] = {"M": "m", "F": "f"}
MORPHOBR_NUMBERS: dict[str, Number] = {"SG": "sg", "PL": "pl"}
MORPHOBR_FEATS = PERSONS | {
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
        tag_set = MORPHOBR_GENDERS | MORPHOBR_NUMBERS | MORPHOBR_FEATS
        if pos is None or not tag_set.keys() >= set(features):
            raise _problem(f"the tags {'+'.join(tags)!r} are not of MorphoBr's tag set", file, number)
        gender = next((MORPHOBR_GENDERS[tag] for tag in features if tag in MORPHOBR_GENDERS), None)
        plurality = next((MORPHOBR_NUMBERS[tag] for tag in features if tag in MORPHOBR_NUMBERS), None)
        feats = join_feats([*(MORPHOBR_FEATS.get(tag, "") for tag in features), f"Clitic={clitic}" if clitic else ""])
        yield Entry(form, lemma, _agreeing(pos, feats), gender, plurality, feats)


UNIMORPH_POS = by_tag(
    noun="N PROPN",
    adj="ADJ",
    verb="V V.PTCP V.CVB V.MSDR AUX",
    num="NUM",
    det="DET ART",
    adv="ADV",
    other="PRO ADP CONJ COMP PART INTJ CLF",
)
UNIMORPH_GENDERS: dict[str, Gender] = {"MASC": "m", "FEM": "f", "NEUT": "n"}
UNIMORPH_NUMBERS: dict[str, Number] = {"SG": "sg", "PL": "pl"}
UNIMORPH_FEATS = PERSONS | {
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
    "CMPR": "Degree=Cmp",
    "SPRL": "Degree=Sup",
    "FIN": "",
}
"""UniMorph's features as those of Universal Dependencies; any other stays as it is."""

UNIMORPH_PAST = {"IPFV": "Tense=Imp", "PRF": "Tense=Pqp"}  # tense of `PST` by aspect; `Tense=Past` otherwise


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
        proper = PROPER if tags[0] == "PROPN" else ""
        # a participle without a gender (*has opened*) is a form of the verb
        agreeing = _agreeing(pos, feats) if gender else pos
        yield Entry(cells[1], cells[0], agreeing, gender, plurality, join_feats((feats, proper)))


def _unimorph_feats(tags: list[str]) -> str:
    """Return the features of *tags*: a tense without a mood is indicative, and the aspect tells pasts apart."""
    tag_set = UNIMORPH_POS.keys() | UNIMORPH_GENDERS.keys() | UNIMORPH_NUMBERS.keys() | UNIMORPH_PAST.keys()
    parts = {UNIMORPH_FEATS.get(tag, tag) for tag in tags if tag in UNIMORPH_FEATS or tag not in tag_set}
    finite = not any(part.startswith("VerbForm=") for part in parts)
    if finite and "PST" in parts:
        parts.add(next((UNIMORPH_PAST[tag] for tag in tags if tag in UNIMORPH_PAST), "Tense=Past"))
    if finite and any(part.startswith("Tense=") for part in parts) and not any(part[:5] == "Mood=" for part in parts):
        parts.add("Mood=Ind")
    return join_feats(parts - {"PST", "PFV"})


def read_forms(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield the entries of a table of the shape of a pack's `forms.tsv`."""
    names = columns("form")
    for number, line in lines:
        cells = line.split("\t")
        if is_header(cells, "form"):
            names = tuple(cells)
            continue
        if len(cells) != len(names):
            raise _problem(f"{len(cells)} cells where the header has {len(names)}", file, number)
        row = {name: None if cell == NOT_APPLICABLE else cell for name, cell in zip(names, cells, strict=True)}
        form = from_row(Form, row, table="form", place=Place(file, number))
        yield Entry(form.form, form.lemma, form.pos, form.gender, form.number)


COUNTED_COLUMNS = ("form", "lemma", "pos", "gender", "number", "feats", "count")


def read_counts(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield the entries of a table of counts, made of treebanks by `scripts/make_morphology.py`."""
    genders: dict[str, Gender | None] = {NOT_APPLICABLE: None, **{gender: gender for gender in GENDERS.values()}}
    numbers: dict[str, Number | None] = {NOT_APPLICABLE: None, "sg": "sg", "pl": "pl"}
    for number, line in lines:
        cells = line.split("\t")
        if tuple(cells) == COUNTED_COLUMNS:
            continue
        if len(cells) != len(COUNTED_COLUMNS) or not cells[-1].isdecimal():
            raise _problem(f"not the columns {' '.join(COUNTED_COLUMNS)}", file, number)
        form, lemma, pos, gender, plurality, feats, times = cells
        if pos not in UPOS.values() or gender not in genders or plurality not in numbers:
            raise _problem(f"{pos} {gender} {plurality} is not a part of speech, a gender and a number", file, number)
        features = "" if feats == NOT_APPLICABLE else feats
        yield Entry(form, lemma, pos, genders[gender], numbers[plurality], features, int(times))


def join_feats(parts: Iterable[str]) -> str:
    """Return the features of *parts*, sorted, each once."""
    return "|".join(sorted({feat for part in parts for feat in part.split("|") if feat}))


def _agreeing(pos: str, feats: str) -> str:
    """Return `adj` for a participle, which agrees as an adjective does."""
    return "adj" if pos == "verb" and PARTICIPLE in feats else pos


def _problem(what: str, file: str, number: int) -> SourceError:
    return SourceError(what, fix=FIX, place=Place(file, number))


UPOS = by_tag(
    noun="NOUN PROPN",
    adj="ADJ",
    verb="VERB AUX",
    num="NUM",
    det="DET",
    adv="ADV",
    other="PRON ADP CCONJ SCONJ PART INTJ",
)
"""Part of speech by that of UD, for those that are words of the language."""

NO_WORD = frozenset({"X", "SYM", "PUNCT", "_"})  # foreign words, symbols, or withheld

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

INHERENT = ("Case", "Degree", "Mood", "Person", "Tense", "VerbForm")  # kept when gender and number change
UNMARKED = frozenset({"Degree=Pos", "VerbForm=Fin"})  # values that other lexicons leave out


def read_conllu(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield one entry for each word of a treebank, with count 1, or 0 for a word inside a contraction.

    A multiword token (`4-5 das`, then `4 de` and `5 as`) was written as one word, so the range is counted, as
    `other`: the Portuguese *pelo* is nearly always the contraction, hardly ever the noun. The words it covers
    are readings too (*as* is a determiner, feminine and plural), but they were not written and add no count.
    """
    for sentence in word_lines(lines, file):
        covered = 0
        for word in sentence:
            if word.last is not None:
                covered = word.last
                form = word.cells[1].lower()
                yield Entry(form, form, "other", None, None, "", 1)
            elif not word.empty:
                yield from _word(word.cells, 0 if word.first <= covered else 1, word.place)


def _word(cells: list[str], count: int, place: Place) -> Iterator[Entry]:
    tagged = PENN.get(cells[4]) if cells[3] == "_" else None
    form, (upos, described) = cells[1], tagged or (cells[3], cells[5])
    pairs = [pair.split("=") for pair in described.split("|")] if described != "_" else []
    if any(len(pair) != 2 for pair in pairs):
        raise SourceError(f"the features {described!r} are not NAME=VALUE|…", fix=FIX, place=place)
    feats = dict(pairs)
    if upos in NO_WORD or form == "_" or feats.get("Typo") == "Yes":
        return
    if upos not in UPOS:
        raise SourceError(f"{upos!r} is not a part of speech of UD", fix=FIX, place=place)
    gender, plurality = GENDERS.get(feats.get("Gender", "")), NUMBERS.get(feats.get("Number", ""))
    lemma = form if cells[2] == "_" else cells[2]
    # a capital at the beginning of a sentence belongs to the sentence, not to the word
    surface = form if lemma != lemma.lower() else form.lower()
    features = {f"{name}={feats[name]}" for name in INHERENT if name in feats} - UNMARKED
    if upos == "PROPN":
        features.add(PROPER)
    pos = UPOS[upos]
    if PARTICIPLE in features:
        features.discard("Tense=Past")
        pos = "adj" if gender and pos == "verb" else pos
    yield Entry(surface, lemma, pos, gender, plurality, join_feats(features), count)
