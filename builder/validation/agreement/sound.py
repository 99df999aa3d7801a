"""Words side by side: forms that the next sound asks for (*a / an*, *le / l'*, *bel / beau*), pairs that never meet.

The tables of the pack are read from form to cells, which is the other way round than a repair reads them: a form is
wrong where no cell that it stands in is for the sound of the next word.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ncimp.builder.ports import Forms
from ncimp.builder.records import Language, Paradigm, ParadigmCell
from ncimp.builder.validation.agreement.phrase import Finding

Row = tuple[Paradigm, ParadigmCell]
NOMINAL = frozenset({"noun", "adj", "num", "det"})  # what may stand behind an adjective or an article
OPEN = frozenset({"adj", "sound"})  # kinds of paradigms whose words stand inside a phrase, too


def plain(token: str) -> str:
    """Return *token* in small letters and with the apostrophe that packs write."""
    return token.lower().replace("’", "'")


class SoundChecker:
    """Checks neighbouring words of one language."""

    def __init__(self, language: Language, forms: Forms) -> None:
        self._forms = forms
        self._token = language.token
        self.name = language.sound[0] if language.sound else ""
        self._transparent = frozenset(language.sound[1].transparent) if language.sound else frozenset[str]()
        self._clitics = frozenset(language.words.get("clitic", ()))
        self._never = [re.compile(expression) for expression in language.never]
        rows: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
        for paradigm in language.paradigms:
            for cell in paradigm.cells:
                for form in cell.forms:
                    rows[tuple(map(plain, re.findall(language.token, form)))].append((paradigm, cell))
        varying = {form: uses for form, uses in rows.items() if any(self.name in cell.values for _, cell in uses)}
        self._ending: defaultdict[str, list[tuple[tuple[str, ...], list[Row]]]] = defaultdict(list)  # by last token
        for words in sorted(varying, key=len, reverse=True):
            self._ending[words[-1]].append((words, varying[words]))
        self._joined = {
            form
            for form, uses in rows.items()
            if all(any(plain(one) == _text(form) for one in cell.joined) for _, cell in uses)
        }
        # whether a word inside a phrase may depend on the next one
        self._inside = bool(self._never) or any(row.kind in OPEN for uses in varying.values() for row, _ in uses)

    def findings(self, tokens: Sequence[str], start: int = 0, end: int = 0) -> Iterator[Finding]:
        """Yield A101 for every word whose form does not suit the first sound of the next, by the last of its tokens.

        An adjective (*il est beau et grand*) and a word that is a pronoun as well (*lo vedo*) count only where what
        follows is the span [*start*, *end*) or certainly nominal.
        """
        words = [plain(token) for token in tokens] if self._ending else []
        for index, word in enumerate(words):
            if word not in self._ending:
                continue
            form, rows = self._standing(words, index)
            onset = self.onset(tokens, index + 1) if rows else None
            if onset is None or any(onset in cell.values.get(self.name, (onset,)) for _, cell in rows):
                continue
            place = self._following(tokens, index + 1)
            if self._never_meet(word, plain(tokens[place])):  # a fault of its own (A115), with another remedy
                continue
            attributive = word in self._clitics or all(paradigm.kind == "adj" for paradigm, _ in rows)
            if not attributive or start <= place < end or self._is_nominal(tokens[place]):
                shown = " ".join(tokens[index - len(form) + 1 : index + 1])
                advice = _other(rows, self.name, onset)
                yield Finding("A101", index, f"{shown!r} before {tokens[place]!r}; write {advice!r}")

    def spacing(self, text: str) -> Iterator[Finding]:
        """Yield A101 for every form with a space behind it that has none by the pack (*l' avion*)."""
        if not self._joined:
            return
        matches = list(re.finditer(self._token, text))
        words = [plain(match[0]) for match in matches]
        for index in range(len(words) - 1):
            joined = any(tuple(words[max(0, index + 1 - size) : index + 1]) in self._joined for size in (1, 2, 3))
            if joined and matches[index].end() < matches[index + 1].start():
                yield Finding("A101", index, f"a space behind {matches[index][0]!r}; take it out")

    def meetings(self, tokens: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the neighbours that never meet (*de le*), by the second one; a name is none (*Le Mans*)."""
        for index, pair in enumerate(pairwise(tokens) if self._never else (), start=1):
            is_name = pair[1][:1].isupper() and not pair[0].isupper()
            if not is_name and self._never_meet(*map(plain, pair)):
                yield index, _text(list(map(plain, pair)))

    def _never_meet(self, *words: str) -> bool:
        return any(expression.fullmatch(_text(words)) for expression in self._never)

    def fault(self, text: str) -> str | None:
        """Return the fault between words of a phrase that stands alone, or None."""
        if not self._inside:
            return None
        tokens = re.findall(self._token, text)
        met = (f"{pair!r}, which never meet" for _, pair in self.meetings(tokens))
        findings = (*self.findings(tokens, 0, len(tokens)), *self.spacing(text))
        return next((row.message for row in findings), None) or next(met, None)

    def onset(self, tokens: Sequence[str], index: int) -> str | None:
        """Return the first sound of the next word from *index* on, or None where a mark or nothing stands there."""
        place = self._following(tokens, index)
        is_word = place < len(tokens) and any(map(str.isalnum, tokens[place]))
        return self._forms.onset(tokens[place]) if is_word and self.name else None

    def _following(self, tokens: Sequence[str], index: int) -> int:
        while index < len(tokens) and tokens[index] in self._transparent:
            index += 1
        return index

    def _standing(self, words: Sequence[str], index: int) -> tuple[tuple[str, ...], list[Row]]:
        """Return the longest form that ends at *index*, and its cells."""
        for form, rows in self._ending[words[index]]:
            if len(form) <= index + 1 and tuple(words[index + 1 - len(form) : index + 1]) == form:
                return form, rows
        return (), []

    def _is_nominal(self, word: str) -> bool:
        kinds = {reading.pos for reading in self._forms.readings(word)}
        return bool(kinds) and kinds <= NOMINAL


def _text(words: Sequence[str]) -> str:
    return " ".join(words)


def _other(rows: Sequence[Row], name: str, onset: str) -> str | None:
    """Return the form of the same cell but for the sound: *an* for *a*."""
    for paradigm, cell in rows:
        rest = {feature: values for feature, values in cell.values.items() if feature != name}
        for other in paradigm.cells:
            alike = all(values & other.values.get(feature, values) for feature, values in rest.items())
            if alike and onset in other.values.get(name, (onset,)):
                return other.forms[0]
    return None
