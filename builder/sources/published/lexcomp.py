"""Read the published files of lexcomp into one table, with splits by word beside the published ones.

    diagnostic_classifiers/data/nc_literality/train.jsonl            one object a line
    diagnostic_classifiers/data/vpc_classification/ids_train.jsonl   an id of the BNC instead of a sentence

Sentences of the BNC are read from a copy of its XML edition, whose words have lemmas (hw):

    Texts/G/GV/GV8.xml:   <s n="2256"><w c5="VVB" hw="take" pos="VERB">Take </w><w ...>a </w> ... <c c5="PUN">.</c></s>

A task whose files the copy lacks, or that has ids and no BNC, is a gap, which is named; so is a sentence without its
phrase. Anything else that is not as expected is an error.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError

import msgspec
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import parse

from ncimp.builder.records import lexical_splits
from ncimp.builder.sources.published.audit import Tree
from ncimp.builder.sources.published.audit_suites import DATA, LEXCOMP_COPY, PARTS, TASKS, read_objects
from ncimp.schemas import Place, SourceError
from ncimp.schemas.records import Span
from ncimp.schemas.suites import CompositionItem, CompositionTask, SuiteSplit, SuiteTables

VERSION = "1.0.0"  # of the table; the published files have none
LICENCE = "Apache-2.0"  # of the repository and its labels
LICENCES: Mapping[CompositionTask, str] = {
    **dict.fromkeys(("vpc", "lvc"), "LicenseRef-BNC-User-Licence"),
    **dict.fromkeys(("nc_literality", "nc_relations", "an_attributes"), "CC-BY-SA-3.0"),  # of Wikipedia, January 2018
    "phrase_type": "CC-BY-SA-4.0",  # of STREUSLE, which has the reviews of the English Web Treebank
}
"""Licence of the sentences of each task: that of the repository cannot be theirs."""
NAMES: Mapping[str, CompositionTask] = {
    "vpc_classification": "vpc",
    "lvc_classification": "lvc",
    "nc_literality": "nc_literality",
    "nc_relations": "nc_relations",
    "an_attribute_selection": "an_attributes",
    "mwe_type": "phrase_type",
}
SPLIT_OF: Mapping[str, SuiteSplit] = dict(zip(PARTS, ("train", "validation", "test"), strict=True))
LABELS = {"true": 1, "false": 0, "LITERAL": 1, "NON-LITERAL": 0}
TYPES = (  # of phrases: those of STREUSLE, and COMP for its weak ones
    *("ADJ", "ADV", "AUX", "CCONJ", "COMP", "DET", "DISC", "IAV", "INF", "INTJ", "LVC", "N", "NUM", "P", "PART"),
    *("POSS", "PP", "PRON", "SCONJ", "V", "VID", "VPC"),
)
FURTHER = 5  # words that may stand between those of a phrase of the BNC
TEXTS = ("", "Texts", "download/Texts")  # folders of the documents in a copy of the BNC


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A line of a file; each task has some of the fields."""

    label: str = ""
    sentence: str = ""
    start: int = 0
    end: int = 0
    span: str = ""
    paraphrase: str | None = None
    nc: str = ""
    target_index: int | None = None
    target_word: str = ""
    bnc_id: str = ""
    span_text: str = ""
    sentence_words: tuple[str, ...] = ()
    sentence_tags: tuple[str, ...] = ()


def read_lexcomp(root: Tree, bnc: Path | None = None) -> SuiteTables:
    """Return the items of the lexcomp files in *root*, or raise `SourceError` at the line that is not as expected."""
    base = root / DATA if (root / DATA).is_dir() else root
    gaps, items, texts = list[str](), list[CompositionItem](), None if bnc is None else BncTexts(bnc)
    for name, task in TASKS.items():
        ids = "bnc_id" in task.fields
        for part in PARTS:
            file = f"{name}/{'ids_' if ids else ''}{part}.jsonl"
            if not (base / file).is_file():
                gaps.append(file)
            elif ids and texts is None:
                gaps.append(f"{file}: its sentences, which are in the BNC (--bnc)")
            else:
                rows = list(_items(base / file, name, part, texts))
                items += (item for item in rows if item is not None)
                if absent := rows.count(None):
                    gaps.append(f"{file}: {absent} of {len(rows)} phrases, which their sentences do not have")
    if not items:
        raise SourceError("no items of lexcomp in it", fix=f"give {LEXCOMP_COPY}", place=Place(str(root)))
    of_task = defaultdict(list)
    for item in items:
        of_task[item.task].append(item)
    lexical = {name: split for part in of_task.values() for name, split in lexical_splits(part).items()}
    return SuiteTables(composition=tuple(replace(item, lexical=lexical.get(item.id)) for item in items), gaps=(*gaps,))


def _items(path: Tree, name: str, part: str, texts: "BncTexts | None") -> Iterator[CompositionItem | None]:
    """Yield the item of each line; None where a sentence of the BNC does not have its phrase."""
    for number, cells in enumerate(read_objects(path, TASKS[name].fields), start=1):
        place = Place(str(path), number)
        try:
            row = msgspec.convert(cells, PublishedRow)
        except msgspec.ValidationError as error:
            raise _fault(f"a value of another type ({error})", place) from None
        words, span = tuple(row.sentence_words or row.sentence.split()), None
        if texts is not None and row.bnc_id:
            sentence = texts.sentence(row.bnc_id, place)
            words, span = tuple(word.form for word in sentence), phrase_span(row.span_text, sentence)
            if span is None:
                yield None
                continue
        question = _tags(row, place) if row.sentence_words else _question(row, cells, name, words, span, place)
        yield CompositionItem(
            id=f"en/{NAMES[name]}/{part}-{number}", lang="en", task=NAMES[name], words=words,
            **dict.fromkeys(("span", "phrase", "target", "paraphrase", "label", "tags", "word")) | question,
            split=SPLIT_OF[part], lexical=None, source="lexcomp",
            licence=LICENCES[NAMES[name]], release=VERSION,
        )  # fmt: skip


def _fault(what: str, place: Place, fix: str = f"give {LEXCOMP_COPY}") -> SourceError:
    return SourceError(what, fix=fix, place=place)


def _question(
    row: PublishedRow, cells: Mapping[str, Any], name: str, words: Sequence[str], span: Span | None, place: Place
) -> dict[str, Any]:
    """Return the columns of an item about a phrase."""
    label = row.label if name == "nc_literality" else row.label.lower()
    if label not in LABELS or (name == "nc_literality") != label.isupper():
        allowed = ("LITERAL", "NON-LITERAL") if name == "nc_literality" else ("true", "false")
        raise _fault(f"the label {row.label!r} is not of this task", place, f"write {' or '.join(allowed)}")
    first, *_, last = TASKS[name].split(cells) * 2
    target = row.target_index
    if target is not None:
        start = target - (row.target_word != first)
        span = start, start + 2
        if row.target_word not in (first, last) or tuple(map(str.lower, words[slice(*span)])) != (first, last):
            raise _fault(f"{row.nc!r} with {row.target_word!r} as word {target} is not in the sentence", place)
    span = span or (row.start, row.end + 1)
    if not 0 <= span[0] < span[1] <= len(words):
        raise _fault(f"words {row.start} to {row.end} are not in a sentence of {len(words)}", place)
    citation = f"{first} {last}" if name == "an_attribute_selection" else cells[TASKS[name].phrase].replace("_", " ")
    word = last if name.startswith("nc_") else first
    return {
        "span": span, "phrase": citation, "target": target, "paraphrase": row.paraphrase, "label": LABELS[label],
        "word": word,
    }  # fmt: skip


def _tags(row: PublishedRow, place: Place) -> dict[str, Any]:
    """Return the column of tags, after a check that they are as many as words and that inside follows a beginning."""
    tags, before = row.sentence_tags, ("O", *row.sentence_tags)
    if len(tags) != len(row.sentence_words):
        raise _fault(f"{len(tags)} tags of {len(row.sentence_words)} words", place)
    for tag, previous in zip(tags, before, strict=False):
        if tag not in ("O", "I") and not (tag.startswith("B-") and tag[2:] in TYPES):
            raise _fault(f"the tag {tag!r} is unknown", place, "write O, I, or B- and a type such as N")
        if tag == "I" and previous == "O":
            raise _fault("the tag I follows O, so it is inside nothing", place, "let B- and a type begin the phrase")
    return {"tags": tags}


class BncWord(NamedTuple):
    """A word of the BNC as it is written, and its lemma."""

    form: str
    lemma: str


class BncTexts:
    """A copy of the BNC, XML edition; the document that was asked for last is in memory."""

    def __init__(self, folder: Path) -> None:
        bases = (folder / name for name in TEXTS)
        self._base = next((base for base in bases if any(base.glob("[A-K]/*/*.xml"))), None)
        if self._base is None:
            fix = "give --bnc the folder of the BNC, XML edition, that has Texts/A/A0/A00.xml"
            raise SourceError("no documents of the BNC in it", fix=fix, place=Place(str(folder)))
        self._document, self._sentences = "", dict[str, list[BncWord]]()

    def sentence(self, name: str, place: Place) -> list[BncWord]:
        """Return the words of the sentence *name*, such as G/GV/GV8.xml/2256, that the row at *place* asks for."""
        document, _, number = name.rpartition("/")
        path = Path(str(self._base), document)
        if document != self._document:
            if ".." in path.parts or not path.is_file():
                what = f"the BNC in {self._base} has no document {document!r}"
                raise _fault(what, place, "give --bnc a whole copy of the BNC, XML edition")
            self._document, self._sentences = document, dict(_bnc_sentences(path))
        if not self._sentences.get(number):
            what = f"the document {document!r} has no sentence {number!r}"
            raise _fault(what, place, "give --bnc the BNC, XML edition (2007)")
        return self._sentences[number]


def _bnc_sentences(path: Path) -> Iterator[tuple[str, list[BncWord]]]:
    """Yield number and words of each sentence of a document; its words and marks are the elements w and c."""
    try:
        root = parse(path).getroot()
    except (ParseError, DefusedXmlException, ValueError, OSError) as error:
        what, fix = f"not a document of the BNC ({error or type(error).__name__})", "copy it again"
        raise SourceError(what, fix=fix, place=Place(str(path))) from None
    for sentence in root.iter("s"):
        words = ((part.get("hw"), (part.text or "").strip()) for part in sentence.iter() if part.tag in ("w", "c"))
        yield sentence.get("n", ""), [BncWord(form, lemma or form) for lemma, form in words if form]


def phrase_span(phrase: str, sentence: Sequence[BncWord]) -> Span | None:
    """Return the shortest span of *sentence* with the words of *phrase* in their order, as lemmas or as written.

    >>> phrase_span("take a step", [BncWord(*pair) for pair in [("He", "he"), ("took", "take"), ("a", "a"),
    ...     ("big", "big"), ("step", "step")]])
    (1, 5)
    """
    lemmas, spans = phrase.lower().split(), list[Span]()
    for start in range(len(sentence)):
        place, end = 0, start
        while place < len(lemmas) and end < min(len(sentence), start + len(lemmas) + FURTHER):
            same = lemmas[place] in (sentence[end].form.lower(), sentence[end].lemma.lower())
            if not same and not place:
                break
            place, end = place + same, end + 1
        if lemmas and place == len(lemmas):
            spans.append((start, end))
    return min(spans, key=lambda span: (span[1] - span[0], span), default=None)
