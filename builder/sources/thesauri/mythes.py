"""MyThes thesauri: the `.dat` files of LibreOffice and of Debian's mythes-* packages (a `SynonymSource`).

The first line names the encoding. Then, for each word, a line `word|meanings`, and a line for each meaning: a
label, and the words that share it, each with what it is when it is no synonym:

    UTF-8
    kettle|2
    (noun)|boiler|pot (generic term)|lid (related term)
    (Sinônimo)pan|pan|saucepan

A label names a part of speech, or the meaning by one of its words, as in the last line: that word is the
synonym, and the others are its neighbours (`sibling`). Nothing ranks the words of a meaning; meanings are
taken as ranked unless words name them, for then they stand in the order of the alphabet. A synonym is one in
both directions, so a word is looked for in the meanings of others, too. The `.idx` file is not needed.
"""

import codecs
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ncimp.builder.records import Relation, SynonymCandidate
from ncimp.schemas import Place, SourceError, file_hash

LABELS = {
    "noun": "noun", "n": "noun", "s": "noun", "subst": "noun", "sust": "noun", "nom": "noun", "sost": "noun",
    "adj": "adj", "adjective": "adj", "a": "adj", "agg": "adj",
    "verb": "verb", "v": "verb", "verbe": "verb",
    "adv": "adverb", "adverb": "adverb", "r": "adverb", "avv": "adverb",
}  # fmt: skip
"""Part of speech by label, without dots and in lower case; any other label leaves it open."""

QUALIFIERS: dict[str, Relation | None] = {"generic term": "hypernym", "similar term": "similar", "related term": None}
"""Relation by what stands in brackets behind a word, None to leave the word out; any other remark is passed over."""
ANTONYM = re.compile(r"ant[oòóô]n", re.IGNORECASE)  # the same in many languages: *antònim*, *Antonym*, *antônimo*

TURNED: dict[Relation, Relation] = {"hypernym": "hyponym"}  # a relation as seen from the other word, if it differs
ENCODINGS = {"microsoft-cp1251": "cp1251", "tis620-2533": "tis-620"}  # Python's names of encodings
NAME = re.compile(r"th_([a-z]{2,3})(?:_|$)")  # the stem of a file: `th_pt_BR`
START = re.compile(rb"[A-Za-z0-9_-]{3,20}\r?\n[^\n|]+\|[0-9]+\r?\n")  # the encoding, a word and its number of meanings
LABEL = re.compile(r"\s*\(([^)]*)\)\s*(.*?)\s*")
QUALIFIED = re.compile(r"(.*?)\s*\(([^()]*)\)")
FIX = "give the .dat file of a MyThes thesaurus"


class Meaning(NamedTuple):
    """One line of a word: its part of speech, the word that names it, and (word, relation) for the rest."""

    pos: str | None
    label_word: str | None
    words: tuple[tuple[str, Relation], ...]


class MythesSource:
    """Synonyms out of one thesaurus (a `SynonymSource`)."""

    def __init__(self, path: Path) -> None:
        self._lines = read_thesaurus(path)
        self.name = f"{path.stem}:{file_hash(path)[:8]}"
        """The name of the file with the first eight digits of its hash, for these files have no version."""
        self._users: dict[str, list[str]] = defaultdict(list)
        for word, lines in self._lines.items():
            for other in {other for line in lines for other in _synonyms(line)}:
                self._users[other].append(word)

    def candidates(self, lemma: str, pos: str) -> Sequence[SynonymCandidate]:
        """Return the words of the meanings of *lemma*, then the words in whose meanings *lemma* stands."""
        candidates = [candidate for candidate in self._own(lemma, pos) if candidate.lemma != lemma]
        lemmas = {lemma, *(candidate.lemma for candidate in candidates if candidate.relation != "sibling")}
        for word in self._users.get(lemma, ()):
            near = (one for one in self._own(word, pos) if one.lemma == lemma and one.relation != "sibling")
            if word not in lemmas and (first := next(near, None)):
                relation = TURNED.get(first.relation, first.relation)
                candidates.append(SynonymCandidate(word, pos, first.synset, relation, 0, 0, first.synset))
        return tuple(candidates)

    def words(self, pos: str) -> Sequence[str]:
        """Return every single word that has a meaning of part of speech *pos*, or of none, sorted."""
        single = ((word, lines) for word, lines in self._lines.items() if " " not in word)
        return sorted(word for word, lines in single if any(_meaning(line).pos in (None, pos) for line in lines))

    def _own(self, lemma: str, pos: str) -> Iterator[SynonymCandidate]:
        ranks: Counter[str | None] = Counter()
        for line in self._lines.get(lemma, ()):
            meaning = _meaning(line)
            ranks[meaning.pos] += 1
            if meaning.pos in (None, pos):
                sense = 0 if meaning.label_word else ranks[meaning.pos]
                place = f"{lemma}/{meaning.label_word or meaning.pos or 'any'}{sense or ''}"
                for word, relation in meaning.words:
                    yield SynonymCandidate(word, pos, place, relation, sense, 0, place)


def read_thesaurus(path: Path) -> dict[str, list[str]]:
    """Return the lines of the meanings of every word of *path*, or raise `SourceError` at the offending line."""
    meanings: dict[str, list[str]] = defaultdict(list)
    lines = _lines(path)
    for number, line in lines:
        word, bar, count = line.rpartition("|")
        if not bar or not count.strip().isdecimal() or not word.strip():
            what = f"{line[:40]!r} is no word with the number of its meanings"
            raise SourceError(what, fix=FIX, place=Place(str(path), number))
        for _ in range(int(count)):
            place, text = next(lines, (number, None))
            if text is None:
                what = f"the file ends before the {count.strip()} meanings of {word!r}"
                raise SourceError(what, fix="get the file again: it is cut short", place=Place(str(path), number))
            if "|" not in text:
                what = f"a meaning without words ({text[:40]!r})"
                raise SourceError(what, fix=FIX, place=Place(str(path), place))
            meanings[word.strip()].append(text)
    return dict(meanings)


def _synonyms(line: str) -> Iterator[str]:
    """Yield the words of which the word of *line* is a synonym, or more: what `_meaning` finds, but quickly."""
    label, *words = line.split("|")
    label_word = label.rpartition(")")[2].strip() if "(" in label else ""
    if label_word:
        yield from (word for word in words if word.strip() == label_word)
    else:
        yield from (word.split(" (", 1)[0].strip() for word in words)


def _meaning(line: str) -> Meaning:
    label, *texts = line.split("|")
    match = LABEL.fullmatch(label)
    tag, label_word = (match[1], match[2]) if match else (label, "")
    words: list[tuple[str, Relation]] = []
    for text in filter(None, map(str.strip, texts)):
        qualified = QUALIFIED.fullmatch(text) if text.endswith(")") else None
        if qualified is None:
            words.append((text, "sibling" if label_word not in ("", text) else "synonym"))
        elif not ANTONYM.match(qualified[2]) and (relation := QUALIFIERS.get(qualified[2], "synonym")):
            words.append((qualified[1], relation))
    return Meaning(LABELS.get(tag.strip(" .").lower()), label_word or None, tuple(words))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, text) for each line that is not blank, behind the line of the encoding."""
    try:
        first, *rows = path.read_bytes().split(b"\n")
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise SourceError(what, fix="check the path", place=Place(str(path))) from None
    name = first.removeprefix(codecs.BOM_UTF8).strip().decode("ascii", "replace")
    try:
        encoding = codecs.lookup(ENCODINGS.get(name.lower(), name)).name
    except (LookupError, ValueError):  # ValueError: a byte zero
        what = f"the first line names no encoding ({name[:40]!r})"
        raise SourceError(what, fix=FIX, place=Place(str(path), 1)) from None
    for number, row in enumerate(rows, start=2):
        try:
            text = row.decode(encoding).rstrip("\r")
        except UnicodeDecodeError:
            what = f"a byte that is not {encoding}"
            raise SourceError(what, fix=FIX, place=Place(str(path), number)) from None
        if text.strip():
            yield number, unicodedata.normalize("NFC", text)
