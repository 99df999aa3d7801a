"""A pack's `lexicon.xml` as a table that a person can edit, and back.

One row per component in one sense; its synonyms follow, closest first, `~` before a near-synonym and
`^` before a hypernym. A row without a gloss and synonyms is a word of the pool only, from which random
compounds are composed:

    lemma	pos	gloss	synonyms
    beaver	noun	a large furry animal that builds dams	~muskrat; ~otter; ^rodent; ^animal
    kettle	noun	_	_
"""

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from ncimp.builder.records import Relation
from ncimp.schemas import Place, SourceError, read_tsv, write_text, write_tsv

COLUMNS = ("lemma", "pos", "gloss", "synonyms")
TAGS = {"noun": "n", "adj": "a"}
PARTS = {tag: pos for pos, tag in TAGS.items()}
MARKS: dict[Relation, str] = {"synonym": "", "similar": "~", "hypernym": "^"}
DOCTYPE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">\n'
)
SEPARATOR = "; "
HEADER = ("id", "label", "language", "email", "license", "version", "citation")  # attributes of a lexicon


@dataclass(frozen=True, slots=True)
class LexiconRow:
    """A component in one sense: its synonyms by relation, each group closest first; no gloss for a pool word."""

    lemma: str
    pos: str
    gloss: str | None
    synonyms: dict[Relation, tuple[str, ...]]


def read_table(path: Path) -> list[LexiconRow]:
    """Return the rows of the table *path*, or raise `SchemaError` or `SourceError` at the offending line."""
    rows: list[LexiconRow] = []
    keys: set[tuple[str, str]] = set()
    for number, row in read_tsv(path, COLUMNS):
        place = Place(str(path), number)
        if row["lemma"] is None or row["pos"] not in TAGS:
            what = f"no lemma, or part of speech {row['pos']!r}"
            raise SourceError(what, fix=f"the part of speech is one of {', '.join(TAGS)}", place=place)
        if (row["gloss"] is None) != (row["synonyms"] is None):
            raise SourceError("a gloss or synonyms alone", fix="give both, or _ for both (a pool word)", place=place)
        if (row["lemma"], row["pos"]) in keys:
            raise SourceError(f"{row['lemma']!r} has a row already", fix="keep one", place=place)
        keys.add((row["lemma"], row["pos"]))
        rows.append(LexiconRow(row["lemma"], row["pos"], row["gloss"], _split(row["synonyms"])))
    return rows


def _split(cell: str | None) -> dict[Relation, tuple[str, ...]]:
    marked = {mark: relation for relation, mark in MARKS.items() if mark}
    groups: dict[Relation, list[str]] = {relation: [] for relation in MARKS}
    for word in cell.split(SEPARATOR) if cell else ():
        groups[marked.get(word[:1], "synonym")].append(word.lstrip("~^"))
    return {relation: tuple(group) for relation, group in groups.items()}


def write_table(path: Path, rows: Iterable[LexiconRow]) -> None:
    """Write *rows* to the table *path*."""
    cells = []
    for row in rows:
        words = [f"{mark}{word}" for relation, mark in MARKS.items() for word in row.synonyms[relation]]
        cells.append({**asdict(row), "synonyms": SEPARATOR.join(words) or None})
    write_tsv(path, cells, COLUMNS)


def write_lexicon(path: Path, header: dict[str, str], rows: Iterable[LexiconRow]) -> None:
    """Write *rows* as the WN-LMF file *path*: a synset per row and one each for its similar words and hypernyms."""
    rows = list(rows)
    root = ET.Element("LexicalResource", {"xmlns:dc": "https://globalwordnet.github.io/schemas/dc/"})
    lexicon = ET.SubElement(root, "Lexicon", header)
    senses: defaultdict[tuple[str, str], list[str]] = defaultdict(list)  # of every word, that of its own row first
    for row in rows:
        senses[row.lemma, row.pos] += [_synset_id(header["id"], row, "synonym")] if row.gloss else []
    for row in rows:
        for relation, words in row.synonyms.items():
            for word in words:
                senses[word, row.pos].append(_synset_id(header["id"], row, relation))
    for (lemma, pos), synsets in sorted(senses.items()):
        entry = ET.SubElement(lexicon, "LexicalEntry", {"id": _entry_id(header["id"], lemma, pos)})
        ET.SubElement(entry, "Lemma", {"writtenForm": lemma, "partOfSpeech": TAGS[pos]})
        for number, synset in enumerate(synsets, start=1):
            ET.SubElement(entry, "Sense", {"id": f"{entry.get('id')}-{number}", "synset": synset})
    for row in sorted(rows, key=lambda row: (row.lemma, row.pos)):
        if row.gloss:
            _add_synsets(lexicon, row, header["id"])
    ET.indent(root)
    write_text(path, DOCTYPE + ET.tostring(root, encoding="unicode") + "\n")


def _entry_id(lexicon: str, lemma: str, pos: str) -> str:
    return f"{lexicon}-e-{lemma}-{TAGS[pos]}"


def _synset_id(lexicon: str, row: LexiconRow, relation: Relation) -> str:
    return f"{lexicon}-{row.lemma}-{TAGS[row.pos]}{'' if relation == 'synonym' else f'-{relation}'}"


def _add_synsets(lexicon: ET.Element, row: LexiconRow, lexicon_id: str) -> None:
    groups = {relation: words for relation, words in row.synonyms.items() if words or relation == "synonym"}
    for relation, words in groups.items():
        member_ids = (row.lemma, *words) if relation == "synonym" else words
        attributes = {
            "id": _synset_id(lexicon_id, row, relation),
            "ili": "",
            "partOfSpeech": TAGS[row.pos],
            "members": " ".join(_entry_id(lexicon_id, word, row.pos) for word in member_ids),
        }
        synset = ET.SubElement(lexicon, "Synset", attributes)
        if relation == "synonym":
            ET.SubElement(synset, "Definition").text = row.gloss
            for other in groups:
                if other != "synonym":
                    target = _synset_id(lexicon_id, row, other)
                    ET.SubElement(synset, "SynsetRelation", {"relType": other, "target": target})


def read_lexicon(path: Path) -> tuple[dict[str, str], list[LexiconRow]]:
    """Return the header and the rows of a lexicon that `write_lexicon` made, or raise `SourceError`."""
    try:
        lexicon = ET.parse(path).getroot().find("Lexicon")  # noqa: S314 (a file of the user's own pack)
    except (ET.ParseError, OSError) as error:
        raise SourceError(f"not XML ({error})", fix="give a lexicon.xml", place=Place(str(path))) from None
    if lexicon is None:
        raise SourceError("no lexicon in this file", fix="give a WN-LMF file", place=Place(str(path)))
    header = {name: lexicon.get(name, "") for name in HEADER}
    try:
        rows = _rows(lexicon)
    except (LookupError, ValueError):
        what = "not a lexicon of one synset per component"
        raise SourceError(what, fix="edit a WN-LMF file of another kind as XML", place=Place(str(path))) from None
    return header, sorted(rows, key=lambda row: (row.lemma, row.pos))


def _rows(lexicon: ET.Element) -> list[LexiconRow]:
    lemmas = {entry.attrib["id"]: entry[0].attrib for entry in lexicon.iterfind("LexicalEntry")}
    members = {synset.attrib["id"]: synset.attrib["members"].split() for synset in lexicon.iterfind("Synset")}
    words = {name: tuple(lemmas[entry]["writtenForm"] for entry in member_ids) for name, member_ids in members.items()}
    rows = []
    for synset in lexicon.iterfind("Synset[Definition]"):
        lemma, *synonyms = words[synset.attrib["id"]]
        groups: dict[Relation, tuple[str, ...]] = {"synonym": tuple(synonyms), "similar": (), "hypernym": ()}
        for link in synset.iterfind("SynsetRelation"):
            groups["similar" if link.get("relType") == "similar" else "hypernym"] = words[link.attrib["target"]]
        rows.append(LexiconRow(lemma, PARTS[synset.attrib["partOfSpeech"]], synset.findtext("Definition"), groups))
    used = {entry for member_ids in members.values() for entry in member_ids}
    pool = (lemma for entry, lemma in lemmas.items() if entry not in used)
    return rows + [LexiconRow(word["writtenForm"], PARTS[word["partOfSpeech"]], None, _split(None)) for word in pool]


def component_words(path: Path) -> list[tuple[str, str]]:
    """Return lemma and part of speech of each noun and adjective of a pack's lexicon."""
    try:
        lemmas = [lemma.attrib for lemma in ET.parse(path).iterfind(".//LexicalEntry/Lemma")]  # noqa: S314
    except (ET.ParseError, OSError) as error:
        raise SourceError(f"not XML ({error})", fix="give a lexicon.xml", place=Place(str(path))) from None
    return [(row["writtenForm"], PARTS[row["partOfSpeech"]]) for row in lemmas if row["partOfSpeech"] in PARTS]
