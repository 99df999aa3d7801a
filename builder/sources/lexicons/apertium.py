"""Monolingual dictionaries of Apertium: as XML (`.dix`), and compiled, as packages of translation pairs hold them.

    <e lm="abertura"><i>abertura</i><par n="casa__n"/></e>    in `apertium-glg.glg.dix`
    aberturas → abertura<n><f><pl>                             a path through `gl-es.automorf.bin`

Both are spelt out into form and analysis; an analysis becomes the entry that the other readers make of theirs. Words
with a space and expressions that stand for any number of words (addresses, numbers) are left out, and so are verbs of
the first and second person with a pronoun joined to them, and those with several.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ncimp.builder.records import Gender, Number
from ncimp.builder.sources.lexicons.readers import PARTICIPLE, PERSONS, PROPER, Entry, Line, by_tag, join_feats
from ncimp.schemas import Place, SourceError

Pair = tuple[str, str]  # a form, or a part of one, with its analysis

COMPILED = b"LTTB"  # first bytes of a compiled dictionary (lttoolbox 3.6 and later)
WEIGHTED = b"LTTD"  # first bytes of a transducer in it that may have weights
SECTION = "main"  # begins the name of the sections with words; the others hold marks, apostrophes and expressions
ANALYSIS = re.compile(r"([^<+#]+)((?:<[^<>]+>)+)(?:\+([^<+]+)<([^<>]+)>[^+]*)?")
MARKS = frozenset("-'’·")  # that may stand in a word
RARE = re.compile(r"<p[12]>.*\+|\+.*\+")  # two thirds of a dictionary: verbs with pronouns
POS = by_tag(noun="n np", adj="adj", verb="vblex vbser vbhaver vbmod vaux vbdo", num="num", det="det", adv="adv preadv")
GENDERS: dict[str, Gender] = {"m": "m", "f": "f", "nt": "n", "ut": "c"}
NUMBERS: dict[str, Number] = {"sg": "sg", "pl": "pl"}
FEATS = {f"p{person}": feature for person, feature in PERSONS.items()} | {
    "np": PROPER, "pp": PARTICIPLE, "inf": "VerbForm=Inf", "ger": "VerbForm=Ger", "cni": "Mood=Cnd", "imp": "Mood=Imp",
    "pri": "Mood=Ind|Tense=Pres", "pii": "Mood=Ind|Tense=Imp", "ifi": "Mood=Ind|Tense=Past",
    "pmp": "Mood=Ind|Tense=Pqp", "fti": "Mood=Ind|Tense=Fut",
    "prs": "Mood=Sub|Tense=Pres", "pis": "Mood=Sub|Tense=Imp", "fts": "Mood=Sub|Tense=Fut",
    "comp": "Degree=Cmp", "sup": "Degree=Sup", "dim": "Degree=Dim", "aug": "Degree=Aug",
    **{case: f"Case={case.capitalize()}" for case in ("nom", "gen", "dat", "acc")},
}  # fmt: skip
"""Tags of Apertium as features of Universal Dependencies; further ones are left out."""


def read_compiled(path: Path) -> Iterator[Entry]:
    """Yield the entries of a compiled dictionary (`….automorf.bin`)."""
    try:
        yield from _entries(_paths(path.read_bytes()))
    except (LookupError, ValueError) as error:
        what = f"cannot be read as a compiled dictionary ({error})"
        raise SourceError(what, fix="give an `automorf.bin` as Debian has it", place=Place(str(path))) from None


def read_dix(lines: Iterable[Line], file: str) -> Iterator[Entry]:
    """Yield the entries of a dictionary in XML."""
    try:
        root = fromstring("\n".join(line for _, line in lines))
        paradigms: dict[str, list[Pair]] = {}
        for paradigm in root.iterfind("pardefs/pardef"):
            pairs = (pair for entry in paradigm.iterfind("e") for pair in _expanded(entry, paradigms))
            paradigms[paradigm.attrib["n"]] = list(dict.fromkeys(pairs))
        sections = [section for section in root.iterfind("section") if section.get("id", "").startswith(SECTION)]
        rows = [entry for section in sections for entry in section.iterfind("e")]
    except (ET.ParseError, DefusedXmlException, LookupError) as error:
        what = f"not a dictionary of Apertium ({error!r})"
        raise SourceError(what, fix="give a monolingual `.dix`", place=Place(file)) from None
    for entry in rows:
        try:
            yield from _entries(_expanded(entry, paradigms))
        except LookupError as error:
            what = f"the entry {entry.get('lm')!r} has the paradigm {error}, which is not there"
            raise SourceError(what, fix="define it above, or remove the entry", place=Place(file)) from None


def _expanded(entry: ET.Element, paradigms: dict[str, list[Pair]]) -> list[Pair]:
    """Return form and analysis of *entry* with each ending of its paradigms; none where it is for generation only."""
    if entry.get("r") == "RL" or entry.get("i") == "yes" or entry.find("re") is not None:
        return []
    choices = []
    for part in entry:
        if part.tag == "par":
            choices.append(paradigms[part.attrib["n"]])
        elif part.tag == "p":
            choices.append([(_side(part.find("l")), _side(part.find("r")))])
        else:  # the same on both sides
            choices.append([(_side(part), _side(part))])
    return [("".join(form for form, _ in row), "".join(tags for _, tags in row)) for row in product(*choices)]


def _side(element: ET.Element | None) -> str:
    if element is None:
        return ""
    marks = {"b": " ", "j": "+"}
    inner = (marks.get(part.tag) or (f"<{part.get('n')}>" if part.tag == "s" else _side(part)) for part in element)
    texts = (f"{mark}{part.tail or ''}" for mark, part in zip(inner, element, strict=True))
    return ("#" if element.tag == "g" else "") + (element.text or "") + "".join(texts)


def _entries(pairs: Iterable[Pair]) -> Iterator[Entry]:
    for form, analysis in pairs:
        match = ANALYSIS.fullmatch(analysis)
        if match is None or not form or " " in form + analysis:
            continue
        lemma, tags, joined = match[1], match[2][1:-1].split("><"), match[3]
        pos = POS.get(tags[0], "other")
        if joined and not (pos == "verb" and match[4] == "prn"):  # a contraction
            yield Entry(form, form, "other", None, None)
            continue
        feats = join_feats([*(FEATS.get(tag, "") for tag in tags), f"Clitic={joined}" if joined else ""])
        gender = next((GENDERS[tag] for tag in tags if tag in GENDERS), None)
        number = next((NUMBERS[tag] for tag in tags if tag in NUMBERS), None)
        agrees = PARTICIPLE in feats and not joined and (gender or number)
        yield Entry(form, lemma, "adj" if agrees else pos, gender, number, feats)


class _Bytes:
    """The numbers and strings of a compiled dictionary, read one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def skips(self, mark: bytes) -> int | None:
        """Return the number behind *mark*, or None where something else stands."""
        if not self._data.startswith(mark, self._at):
            return None
        self._at += len(mark) + 8
        return int.from_bytes(self._data[self._at - 8 : self._at], "little")

    def number(self) -> int:
        """Return the next number: the first two bits say how many bytes follow the first."""
        first, size = self._data[self._at] & 0x3F, self._data[self._at] >> 6
        self._at += size + 1
        return int.from_bytes(bytes([first]) + self._data[self._at - size : self._at], "big")

    def string(self) -> str:
        """Return the next string."""
        return "".join(chr(self.number()) for _ in range(self.number()))


def _paths(data: bytes) -> Iterator[Pair]:
    """Yield form and analysis of each path through the sections with words."""
    stream = _Bytes(data)
    stream.skips(COMPILED)
    stream.string()  # its letters
    tags = [f"<{stream.string()}>" for _ in range(stream.number())]
    text = {-place: tag for place, tag in enumerate(tags, start=1)} | {0: ""}
    sides = [stream.number() - len(tags) for _ in range(2 * stream.number())]
    names = [text[side] if side <= 0 else chr(side) for side in sides]
    pairs = list(zip(names[::2], names[1::2], strict=True))
    for _ in range(stream.number()):
        name, (initial, finals, arrows) = stream.string(), _transducer(stream)
        if name.startswith(SECTION):
            yield from _walk(initial, finals, arrows, pairs)


def _transducer(stream: _Bytes) -> tuple[int, set[int], list[list[tuple[int, int]]]]:
    """Return the first state, the last ones, and of each state the pairs of symbols with the state they lead to."""
    weights = 2 * ((stream.skips(WEIGHTED) or 0) & 1)  # numbers that make a weight
    initial, finals, final = stream.number(), set[int](), 0
    for _ in range(stream.number()):
        final += stream.number()
        finals.add(final)
        _ = [stream.number() for _ in range(weights)]
    size, arrows = stream.number(), []
    for state in range(size):
        row, symbol = [], 0
        for _ in range(stream.number()):
            symbol += stream.number()
            row.append((symbol, (stream.number() + state) % size))
            _ = [stream.number() for _ in range(weights)]
        arrows.append(row)
    return initial, finals, arrows


def _walk(initial: int, finals: set[int], arrows: list[list[tuple[int, int]]], pairs: list[Pair]) -> Iterator[Pair]:
    waiting: list[tuple[int, str, str, frozenset[int]]] = [(initial, "", "", frozenset())]
    while waiting:
        state, form, analysis, passed = waiting.pop()
        if RARE.search(analysis):
            continue
        if state in finals:
            yield form, analysis
        for symbol, target in arrows[state] if state not in passed else ():  # no circle, or there is no end
            letter, other = pairs[symbol]
            if letter == "" or letter.isalpha() or letter in MARKS:  # no addresses and numbers
                waiting.append((target, form + letter, analysis + other, passed | {state}))
