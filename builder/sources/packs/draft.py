"""Drafts of the forms of a pack: every form that its tables and sentences ask for, from lexicons and rules.

What a person wrote stands. A cell (a gender and number of an adjective, a number of a noun) that has no form yet gets
those of the first lexicon that has any; without one, that of the rules, which is a guess.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from ncimp.builder.ports import FrequencyTable, Morphology
from ncimp.builder.records import (
    ATTESTED,
    Compound,
    Form,
    Gender,
    Language,
    LanguagePack,
    Number,
    PackSense,
    PoolEntry,
    TrueSynonym,
)
from ncimp.builder.sources.lexicons.readers import PARTICIPLE, PROPER, Entry
from ncimp.builder.sources.lexicons.store import FormStore
from ncimp.builder.sources.packs.forms import PackMorphology, fits, is_for

Word = tuple[str, str]  # a lemma and its part of speech
Cell = tuple[Gender | None, Number, tuple[str, ...]]  # with the values of other features of the sentence: a case
NUMBERS: tuple[Number, ...] = ("sg", "pl")
INFLECTED = ("noun", "adj")  # the parts of speech of which every form is asked for
USUAL = 0.02  # least share of the counts of a form that makes a part of speech usual: *est* is a verb, not the east
AMBIGUOUS = 0.2  # most of the counts of a word of the pool that may be of another part of speech
RARE_PLURAL = 0.03  # least frequency of the plural to that of a noun that is a form of a verb, too: *son*, *decir*
SHORT = 2  # letters of a word that the pool leaves out: most are abbreviations
OTHER_WORD = re.compile("Degree=|Clitic=")  # features of what is not a plain form of a lemma


@dataclass
class FormDraft:
    """The rows that a pack lacks: found in lexicons, guessed by rule or of two genders, and what nobody knows."""

    forms: list[Form] = field(default_factory=list)
    guesses: list[Form] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    two_genders: list[str] = field(default_factory=list)


def components(row: Compound | TrueSynonym | PackSense, language: Language) -> Iterator[tuple[str, str, Gender | None]]:
    """Yield lemma, part of speech and, of the head, gender of each component of *row*, which has a pattern."""
    pattern = language.patterns[str(row.pattern)]
    yield str(row.head), pattern.parts[pattern.head], row.gender
    if row.modifier and len(pattern.parts) > 1:
        yield row.modifier, pattern.parts[1 - pattern.head], None


class FormDrafter:
    """Finds forms in *stores*, the most trusted first, and guesses by *rules*."""

    def __init__(
        self,
        pack: LanguagePack,
        stores: Sequence[FormStore],
        rules: Morphology,
        frequencies: FrequencyTable | None = None,
    ) -> None:
        self._pack, self._language, self._stores, self._rules = pack, pack.language, stores, rules
        self._frequencies = frequencies
        features = dict(pack.language.features)
        gender, _ = features.pop("gender", None), features.pop("number", None)
        self._genders: tuple[Gender | None, ...] = tuple(gender.values) if gender else (None,)  # type: ignore[arg-type]
        further = {name: row for name, row in features.items() if row.source in ("slot", "determiner")}
        self._slots = list(product(*(row.values for row in further.values() if row.source == "slot")))
        self._adjective_slots = list(product(*(row.values for row in further.values())))
        self._values = {value: name for name, row in further.items() for value in row.values}

    def draft(self, words: Iterable[Word], reviewed: Sequence[Form] = ()) -> FormDraft:
        """Return the forms that the pack lacks of its own words, of *words*, and of the words of its sentences.

        Rows of *reviewed*, guesses of another time that a person may be reading, are not guessed again.
        """
        lemmas: dict[Word, set[Gender]] = defaultdict(set)
        rows: tuple[Compound | TrueSynonym, ...] = (*self._pack.compounds, *self._pack.synonyms)
        parts = [each for row in rows for each in components(row, self._language)]
        parts += [
            each for row in self._pack.senses if row.head and row.pattern for each in components(row, self._language)
        ]
        pool = ((row.lemma, row.pos, row.gender) for row in self._pack.pool)
        for lemma, pos, gender in (*parts, *pool, *((lemma, pos, None) for lemma, pos in words)):
            lemmas[lemma, pos] |= {gender} if gender and pos == "noun" else set()
        result, present = FormDraft(), defaultdict[Word, list[Form]](list)
        for row in self._pack.forms:
            present[row.lemma, row.pos].append(row)
        listed = {row.form.lower() for row in (*self._pack.forms, *reviewed)}
        for word, where in self._unlisted(listed):
            readings = self._readings(word)
            result.forms += [row for row in readings if row.pos != "adj"]
            for row in readings:
                if row.pos == "adj":  # an adjective may have to agree with another phrase
                    lemmas[row.lemma, "adj"] |= set()
            if not readings:
                result.unknown.append(f"{word}\tin {where}")
        waiting = defaultdict[Word, list[Form]](list)
        for row in reviewed:
            waiting[row.lemma, row.pos].append(row)
        for key in sorted(lemmas):
            if key[1] in INFLECTED and " " not in key[0]:
                self._add(key, lemmas[key], present[key], waiting[key], result)
        result.forms = list(dict.fromkeys(row for row in result.forms if row not in present[row.lemma, row.pos]))
        return result

    def _add(
        self, key: Word, genders: set[Gender], present: list[Form], waiting: list[Form], result: FormDraft
    ) -> None:
        """Add the forms of the lemma *key* in the cells for which *present* has none to *result*."""
        if not (present or genders) and len(both := self._own_genders(key)) > 1:
            if not waiting:
                for gender in both:
                    several = (self._forms(store, *key, {gender}) for store in self._stores)
                    of_gender = ([row for row in rows if row.gender == gender] for rows in several)
                    result.guesses += next(filter(None, of_gender), [])
                result.two_genders.append(f"{key[0]}\tnoun\t{' or '.join(both)}")
            return
        rows = list(present)
        for store in self._stores:
            offered = self._forms(store, *key, {row.gender for row in rows if row.gender} or set(genders))
            gaps = self._gaps(key, rows, offered, genders)
            rows += [row for row in offered if any(_fills(row, cell) for cell in gaps)]
        result.forms += rows[len(present) :]
        rows += waiting
        gaps = self._gaps(key, rows, rows, genders)
        guesses = [(cell, self._rules.inflect(*key, gender=cell[0], number=cell[1])) for cell in gaps]
        result.guesses += [
            Form(form, *key, gender, number, None, " ".join(slot) or None)
            for (gender, number, slot), form in guesses
            if form
        ]
        missing = [" ".join(filter(None, (*cell[:2], *cell[2]))) for cell, form in guesses if not form]
        if missing:
            result.unknown.append(f"{key[0]}\t{key[1]}\tno form {', '.join(missing)}")

    def _own_genders(self, key: Word) -> list[Gender]:
        """Return the genders that lexicons give a noun; none of what the language lists as a noun for men and women."""
        if key[1] != "noun" or self._genders == (None,) or _is_common(key[0], self._language):
            return []
        lexicons = [store for store in self._stores if not store.counted] or self._stores
        rows = (row for store in lexicons for row in self._forms(store, *key, ()) if row.form == key[0])
        return sorted({row.gender for row in rows if row.gender})

    def _gaps(self, key: Word, rows: list[Form], offered: list[Form], genders: set[Gender]) -> list[Cell]:
        """Return the cells of the lemma *key* that *rows* do not fill; a noun has the genders of *offered*, or else."""
        lemma, pos = key
        values: Collection[Gender | None] = self._genders
        if pos == "noun" and self._genders != (None,):
            first = next((row.gender for row in rows if row.gender), None)  # whoever wrote a second one wrote enough
            possible = {first} if first else {row.gender for row in offered if row.gender} or genders
            values = sorted(possible) or [self._rules.gender(lemma)]
        cells = product(values, NUMBERS, self._adjective_slots if pos == "adj" else self._slots)
        return [cell for cell in cells if not any(_fills(row, cell) for row in rows)]

    def _forms(self, store: FormStore, lemma: str, pos: str, genders: Collection[Gender | None]) -> list[Form]:
        """Return the forms that *store* has of a lemma: singular first, the lemma first, the usual before the rare."""
        entries = [
            entry
            for entry in _entries(store, lemma, pos)
            if not OTHER_WORD.search(entry.feats) and (PROPER in entry.feats) <= lemma[:1].isupper()
            if entry.number or self._slots == [()]  # *groß*, of a predicate, stands beside no noun
        ]
        if pos == "noun":
            entries = _of_genders(entries, lemma, genders, self._genders)
        if self._genders == (None,):
            entries = [entry._replace(gender=None) for entry in entries]
        counts: dict[tuple[str, Number | None], int] = defaultdict(int)
        for entry in entries:
            counts[entry.form, entry.number] += entry.times

        def order(entry: Entry) -> tuple[object, ...]:
            frequency = self._frequencies.frequency(entry.form) if self._frequencies else 0
            cell = (entry.number == "pl", self._genders.index(entry.gender) if entry.gender in self._genders else 0)
            return (*cell, entry.form != lemma, -counts[entry.form, entry.number], -frequency, entry.form, entry.feats)

        return self._rows(sorted(entries, key=order))

    def _rows(self, entries: Iterable[Entry]) -> list[Form]:
        """Return *entries* as rows of forms.tsv, each form once, with the values of further features that it is for."""
        rows: dict[Form, list[dict[str, set[str]]]] = defaultdict(list)
        for entry in entries:
            cells: dict[str, set[str]] = {}
            for feature in entry.feats.split("|"):
                value = feature.partition("=")[2].lower() or feature.lower()
                if value in self._values:
                    cells.setdefault(self._values[value], set()).add(value)
            rows[Form(entry.form, entry.lemma, entry.pos, entry.gender, entry.number, None)].append(cells)
        return [
            replace(row, further=further)
            for row, several in rows.items()
            for further in dict.fromkeys(map(self._further, _joined(several, self._values.values())))
        ]

    def _further(self, cells: Mapping[str, set[str]]) -> str | None:
        """Return *cells* as the column `further` has them, without features of which every value is there."""
        rows = ((self._language.features[name].values, some) for name, some in cells.items())
        return (
            " ".join("/".join(one for one in every if one in some) for every, some in rows if {*every} != some) or None
        )

    def _unlisted(self, listed: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield every word of the sentences outside the NC that no table lists, with the first place of it."""
        paradigms = {form.lower() for paradigm in self._language.paradigms for form in paradigm.words}
        names = {word for name in self._language.content.names for word in re.findall(self._language.token, name)}
        passed = set(listed) | paradigms
        for (compound, context), marked in self._pack.marked.items():
            if context in ATTESTED:  # nobody can mend the sentences of a corpus
                continue
            for text in (marked.text[: marked.span[0]], marked.text[marked.span[1] :]):
                for word in re.findall(self._language.token, text):
                    if not word[0].isalpha() or word in names or word.lower() in passed:
                        continue
                    passed.add(word.lower())
                    yield word, f"{self._pack.compound_id(compound)}/{context}"

    def _readings(self, word: str) -> list[Form]:
        """Return the readings of *word* as usual parts of speech, each by the first lexicon that has it."""
        forms = {word, word.lower()}
        by_store = [[entry for entry in store.readings(word) if entry.form in forms] for store in self._stores]
        is_name = word[:1].isupper() and all(PROPER in entry.feats for some in by_store for entry in some)
        by_store = [[entry for entry in some if is_name or PROPER not in entry.feats] for some in by_store]
        entries = [entry for some in by_store for entry in some]
        counts = Counter[str]()
        for entry in entries:
            counts[entry.pos] += entry.times
        usual = [entry for entry in entries if counts[entry.pos] >= USUAL * counts.total()]
        first = {entry.pos: some for some in reversed(by_store) for entry in some}
        usual = [entry for entry in usual if entry in first[entry.pos]]
        rows = self._rows(entry._replace(lemma=_lemma(entry, self._stores)) for entry in usual)
        # of two, the one that says more
        return [row for row in rows if not any(row != other and _says_less(row, other) for other in rows)]


def _fills(row: Form, cell: Cell) -> bool:
    gender, number, slot = cell
    return fits(row, gender, number) and is_for(row, slot)


def _entries(store: FormStore, lemma: str, pos: str) -> list[Entry]:
    """Return the forms of *lemma*; of the feminine of a noun, or of a participle, which have another lemma there."""
    entries = [entry for entry in store.inflected(lemma, pos) if PARTICIPLE not in entry.feats]
    for reading in () if entries else store.readings(lemma):
        if reading.pos == pos and reading.number != "pl" and (pos == "noun" or PARTICIPLE in reading.feats):
            others = store.inflected(reading.lemma, pos)
            same = (other for other in others if other.feats == reading.feats)
            return [one._replace(lemma=lemma) for one in same if pos == "adj" or one.gender == reading.gender]
    return entries


def _of_genders(
    entries: list[Entry], lemma: str, genders: Collection[Gender | None], every: Sequence[Gender | None]
) -> list[Entry]:
    """Return the forms of a noun in *genders* or, where it has none of these, in those of its singular.

    A noun that serves two genders is listed in each.
    """
    possible = {entry.gender for entry in entries if entry.form == lemma} or {entry.gender for entry in entries}
    possible &= set(genders) or possible
    both = [gender for gender in every if gender in (genders or ("m", "f"))]
    entries = [entry for entry in entries if not possible or entry.gender in possible]
    return [one for e in entries for one in ([e] if e.gender else [e._replace(gender=each) for each in both])]


def _joined(rows: Iterable[dict[str, set[str]]], names: Iterable[str]) -> list[dict[str, set[str]]]:
    """Return *rows* of values by feature, joined where they differ in one feature only."""
    joined = [row for row in rows if row] or [{}]
    for name in dict.fromkeys(names):
        others: dict[str, dict[str, set[str]]] = {}
        for row in joined:
            key = repr(sorted((other, sorted(some)) for other, some in row.items() if other != name))
            target = others.setdefault(key, {**row, name: set()} if name in row else row)
            if name in row:
                target[name] = target.get(name, set()) | row[name]
        joined = list(others.values())
    return joined


def _lemma(entry: Entry, stores: Sequence[FormStore]) -> str:
    """Return the lemma of *entry*, of a participle its masculine singular."""
    if entry.pos != "adj" or PARTICIPLE not in entry.feats:
        return entry.lemma
    forms = (form for store in stores for form in store.inflected(entry.lemma, "adj") if form.feats == entry.feats)
    return next((form.form for form in forms if form.gender in ("m", None) and form.number in ("sg", None)), entry.form)


def _says_less(row: Form, other: Form) -> bool:
    same = (row.form.lower(), row.lemma, row.pos) == (other.form.lower(), other.lemma, other.pos)
    return same and row.gender in (None, other.gender) and row.number in (None, other.number) and row.further is None


def missing_forms(pack: LanguagePack, words: Iterable[Word]) -> list[str]:
    """Return the words of *pack*, and of *words*, without all forms in forms.tsv, a line for each."""
    return [line.replace("\t", " ") for line in FormDrafter(pack, (), PackMorphology()).draft(words).unknown]


def with_two_genders(pack: LanguagePack, words: Iterable[Word]) -> list[str]:
    """Return the heads of compounds and synonyms, and the nouns of the pool and *words*, that have two in forms.tsv.

    What the language lists as nouns for men and women is left out.
    """
    genders: dict[str, set[Gender]] = defaultdict(set)
    for row in pack.forms:
        if row.pos == "noun" and row.gender:
            genders[row.lemma].add(row.gender)
    rows: tuple[Compound | TrueSynonym, ...] = (*pack.compounds, *pack.synonyms)
    pool = ((row.lemma, row.pos) for row in pack.pool)
    heads = {row.head for row in rows} | {lemma for lemma, pos in (*words, *pool) if pos == "noun"}
    listed = sorted(lemma for lemma in heads if len(genders[lemma]) > 1 and not _is_common(lemma, pack.language))
    return [f"{lemma} {' '.join(sorted(genders[lemma]))}" for lemma in listed]


def _is_common(noun: str, language: Language) -> bool:
    endings = tuple(language.words.get("common gender ending", ()))
    return noun in language.words.get("common gender", ()) or noun.endswith(endings)


def merge_forms(old: Iterable[Form], new: Iterable[Form]) -> list[Form]:
    """Return all rows by lemma and part of speech, those of *old* first and in their order."""
    return sorted(dict.fromkeys((*old, *new)), key=lambda row: (row.lemma, row.pos))


def draft_pool(
    pack: LanguagePack, stores: Sequence[FormStore], frequencies: FrequencyTable, size: int
) -> Iterator[PoolEntry]:
    """Yield the *size* most frequent words that the pool of *pack* lacks, three nouns for each adjective.

    They are words of one usual part of speech with a plural, nouns of one gender, no names, nothing profane, and no
    components of a compound.
    """
    genders: dict[Word, set[Gender | None]] = defaultdict(set)
    parts: dict[str, Counter[str]] = defaultdict(Counter)
    plurals: dict[Word, set[str]] = defaultdict(set)  # of words that have one: no months
    lexicons = [store for store in stores if not store.counted] or stores
    for store in stores:
        for entry in store.entries():
            name = entry.pos == "noun" and (PROPER in entry.feats or entry.lemma[:1].isupper())
            parts[entry.form.lower() if name else entry.form]["name" if name else entry.pos] += entry.times
            if entry.number != "sg":
                plurals[entry.lemma, entry.pos].add(entry.form)
            if entry.form == entry.lemma and entry.number != "pl" and not entry.feats and store in lexicons:
                genders[entry.lemma, entry.pos].add(entry.gender)
    others = {lemma for row in pack.compounds for lemma, *_ in components(row, pack.language)}
    others |= {row.lemma for row in pack.pool}
    gendered = "gender" in pack.language.features
    profane = re.compile("|".join(re.escape(word).replace(r"\*", ".*") for word in pack.language.content.profanity))
    for pos, share in (("noun", size - size // 4), ("adj", size // 4)):
        words = [
            lemma
            for (lemma, kind), some in genders.items()
            if kind == pos
            and plurals[lemma, pos]
            and lemma not in others
            and lemma.isalpha()
            and lemma.islower()
            and len(lemma) > SHORT
            and not profane.fullmatch(lemma)
            if _is_usual(parts[lemma], pos) and (pos == "adj" or not gendered or (len(some) == 1 and None not in some))
            if pos == "adj" or not _is_verb(lemma, parts[lemma], plurals[lemma, pos], frequencies)
        ]
        for lemma in sorted(words, key=lambda word: (-frequencies.frequency(word), word))[:share]:
            (gender, *_) = genders[lemma, pos] if pos == "noun" and gendered else (None,)
            yield PoolEntry(lemma, "noun" if pos == "noun" else "adj", gender, None, "both")


def _is_usual(parts: Counter[str], pos: str) -> bool:
    """Tell whether a word is nearly always a *pos* where it was counted, and elsewhere never anything but a verb."""
    if pos == "adj":  # a name may be one (Blanco)
        parts = Counter({part: times for part, times in parts.items() if part != "name"})
    if parts.total():
        return parts[pos] >= (1 - AMBIGUOUS) * parts.total()
    return parts.keys() <= {pos, "verb"}


def _is_verb(lemma: str, parts: Counter[str], plurals: Iterable[str], frequencies: FrequencyTable) -> bool:
    """Tell whether a noun that nobody counted is mostly a form of a verb: its plural is rare beside it."""
    if parts.total() or "verb" not in parts:
        return False
    return max(map(frequencies.frequency, plurals)) < RARE_PLURAL * frequencies.frequency(lemma)
