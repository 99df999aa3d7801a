"""The features that a form may stand for, of all that the language has, and those that the words of a phrase share.

A determiner, the adjectives and the noun share gender, number, case and whatever else a pack names; the form that a
determiner asks of the words behind it (*der kalte, ein kalter*) and the next sound (*mon amie, ma femme*) count, too.
Each word is looked up in the tables of the pack from its form; no form is made.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ncimp.builder.ports import Forms
from ncimp.builder.records import Form, Language
from ncimp.builder.validation.agreement.phrase import Finding, Passage
from ncimp.builder.validation.agreement.sound import SoundChecker, plain

Box = Mapping[str, frozenset[str]]  # the values that are possible in each feature; in any other, all are
NOMINAL = ("gender", "number")


@dataclass(frozen=True, slots=True)
class SpanWord:
    """A component of the span that inflects, by the index of its last token."""

    index: int
    text: str
    pos: str
    lemma: str | None
    demands: Box  # of it, by the item


class Bundles:
    """The features of forms of one language."""

    def __init__(self, language: Language, forms: Forms) -> None:
        self._forms, self._sounds = forms, SoundChecker(language, forms)
        features = language.features
        agreeing = {name for name, row in features.items() if row.source in ("head", "slot", "determiner")}
        self._names = {value: name for name, feature in features.items() for value in feature.values}
        self._unasked = {name: frozenset({row.usual}) for name, row in features.items() if row.source == "determiner"}
        self.is_needed = language.agrees and (bool(language.sound) or bool(agreeing - set(NOMINAL)))
        """Whether there is more than gender and number to it."""
        self._closed: defaultdict[str, list[tuple[Box, Mapping[str, str]]]] = defaultdict(list)
        self._adjectives: defaultdict[str, list[tuple[str, Box]]] = defaultdict(list)
        for paradigm in language.paradigms:
            for cell in paradigm.cells:
                for form in map(plain, cell.forms):
                    if paradigm.kind == "adj":
                        self._adjectives[form].append((paradigm.id, cell.values))
                    else:
                        self._closed[form].append((cell.values, paradigm.governs))

    def findings(
        self, tokens: Sequence[str], passage: Passage, members: Sequence[int], demands: Box, inside: Sequence[SpanWord]
    ) -> Iterator[Finding]:
        """Yield the *members* of the chain left of the span, and words of the span, that do not meet the *demands*."""
        phrase = " ".join(tokens[passage.start : passage.end])
        for index in members:
            is_closed = bool(passage.words[index].kinds)
            governed = {**self._governed(tokens, [one for one in members if one < index], demands), **demands}
            boxes = self.closed(tokens, index) if is_closed else self.adjective(tokens, index)
            if boxes and not any(meet(box, governed) for box in boxes):
                what = f"{tokens[index]!r} before {phrase!r} is not {_listed(governed)}; write the form that is"
                what += f", or mark it {{={tokens[index]}}} if it belongs to another word"
                yield Finding("A102" if is_closed else "A104", index, what)
        behind = {**self._governed(tokens, members, demands), **demands}
        for word in inside:
            yield from self._in_span(tokens, word, {**behind, **word.demands})

    def _in_span(self, tokens: Sequence[str], word: SpanWord, demands: Box) -> Iterator[Finding]:
        nouns = [form for form in self._forms.readings(word.text) if form.pos == "noun"]
        listed = [(form.lemma, box) for form in nouns if (box := self._box(form)) is not None]
        rows = self._rows(tokens, word.index, word.text) if word.pos == "adj" else listed
        boxes = [box for lemma, box in rows if lemma == word.lemma]
        near = {name: values for name, values in demands.items() if name in NOMINAL}
        if not boxes or any(meet(box, demands) for box in boxes):
            return
        if any(meet(box, near) for box in boxes):
            yield Finding("A113", word.index, f"{word.text!r} is not {_listed(demands)}; inflect it")
        elif word.pos == "adj":  # of a noun in another number, A108 speaks
            yield Finding(
                "A103", word.index, f"{word.text!r} is not {_listed(demands)} before the next word; inflect it"
            )

    def closed(self, tokens: Sequence[str], index: int) -> list[Box]:
        """Return the features that the determiner at *index* may stand for before the next sound."""
        return self._sounding((box for box, _ in self._closed.get(plain(tokens[index]), ())), tokens, index)

    def adjective(self, tokens: Sequence[str], index: int) -> list[Box]:
        """Return the features that the adjective at *index* may stand for before the next sound."""
        return [box for _, box in self._rows(tokens, index, tokens[index])]

    def _rows(self, tokens: Sequence[str], index: int, word: str) -> list[tuple[str, Box]]:
        """Return the adjectives that *word* may be a form of, and what it stands for; by a paradigm, if one has it."""
        rows = self._adjectives.get(plain(word), [])
        tabled = {lemma for lemma, _ in rows}
        forms = (form for form in self._forms.readings(word) if form.pos == "adj" and form.lemma not in tabled)
        boxes = ((form.lemma, self._box(form)) for form in forms)
        listed = [(lemma, box) for lemma, box in boxes if box is not None]
        return [(lemma, box) for lemma, box in (*rows, *listed) if self._sounding([box], tokens, index)]

    def _sounding(self, boxes: Iterable[Box], tokens: Sequence[str], index: int) -> list[Box]:
        name, onset = self._sounds.name, self._sounds.onset(tokens, index + 1)
        return [box for box in boxes if onset is None or onset in box.get(name, (onset,))]

    def _box(self, form: Form) -> Box | None:
        """Return the features of *form*, or None for one that stands in no sentence by itself (*Esels-*)."""
        box: dict[str, frozenset[str]] = {}
        box |= {name: frozenset({value}) for name in NOMINAL if (value := getattr(form, name)) not in (None, "c")}
        for choice in (form.further or "").split():
            values = choice.split("/")
            if values[0] not in self._names:
                return None
            box[self._names[values[0]]] = frozenset(values)
        return box

    def _governed(self, tokens: Sequence[str], members: Sequence[int], demands: Box) -> Box:
        """Return the values that the leftmost of *members* that governs asks of the words behind it."""
        for index in sorted(members):
            rows = [row for row in self._closed.get(plain(tokens[index]), ()) if row[1]]
            rows = [row for row in rows if meet(row[0], demands)] or rows
            if rows:
                names = {name for _, governs in rows for name in governs}
                return {name: frozenset(row[1][name] for row in rows if name in row[1]) for name in names}
        return self._unasked


def meet(box: Box, demands: Box) -> bool:
    """Tell whether *box* and *demands* have a value of every feature in common."""
    return all(values & demands.get(name, values) for name, values in box.items())


def _listed(demands: Box) -> str:
    return " ".join("/".join(sorted(values)) for values in demands.values())
