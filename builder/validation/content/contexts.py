"""T803 to T806, T808 and T809: what a written sentence must not give away, its length, its names and its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from ncimp.builder.records import NATURALISTIC, Incident
from ncimp.builder.validation.content.carriers import Carrier, is_word, lemmas_of, word_lemmas
from ncimp.builder.validation.lookup import Lookup

MIN_WORDS, MAX_WORDS = 10, 32
"""Words of an authored sentence, the compound's included: the brief of the open edition (docs/adr/0008)."""

MEAN_BAND = 0.1
"""How far the mean of a language may be from the pack's `mean_words`, as a share of it.

The aims of the open edition, 20 and 17 words, are round figures: a tenth is as near as writers come who do
not count (its sentences have 21.5 and 18.4 words, 8 percent more than that).
"""

APOSTROPHES = "'’"
QUOTES = '"“”„‘‚«»‹›`*_' + APOSTROPHES
"""Marks that set a phrase off; the last two may also end a word."""

NEAR = 4
"""Tokens on either side of a span in which a hedge gives it away."""

CLOSED = frozenset({"det", "num", "other"})
"""Parts of speech of words that give nothing away."""

SLOT = "_"
"""What stands for the compound, so that the words beside it are no neighbours."""

SENTENCE_ENDS = frozenset(".!?:")


def check_contexts(carriers: Sequence[Carrier], lookup: Lookup) -> Iterator[Incident]:
    """Yield T803 to T806, T808 and T809 for the authored sentences of one language."""
    names = Names(lookup)
    yield from _mean(carriers, lookup)
    own = _own_lemmas(lookup)
    for row in carriers:
        yield from _give_away(row, own[row.compound.text], lookup)
        yield from _length(row, lookup)
        yield from _set_off(row, lookup)
        yield from _names(row, names)
        yield from _unknown(row, names, lookup)


def _own_lemmas(lookup: Lookup) -> Mapping[str, Mapping[str, str]]:
    """Return, by compound, what must not stand in its sentences: each lemma and where it is from."""
    own: dict[str, dict[str, str]] = {}
    for compound in lookup.pack.compounds:
        parts = [(word, "its component") for word in (compound.modifier, compound.head)]
        own[compound.text] = _content_lemmas(parts, lookup)
    for row in lookup.pack.synonyms:
        parts = [(word, f"its synonym {row.text!r}") for word in (row.modifier, row.head) if word is not None]
        own[row.compound] = {**_content_lemmas(parts, lookup), **own.get(row.compound, {})}
    return own


def _content_lemmas(words: Sequence[tuple[str, str]], lookup: Lookup) -> dict[str, str]:
    # not the parts of a word: of *all-star* the first says nothing
    found = ((lemma, source) for word, source in words for lemma in sorted(word_lemmas(word, lookup)))
    return {lemma: source for lemma, source in found if _tells(lemma, lookup)}


def _tells(word: str, lookup: Lookup) -> bool:
    """Tell whether *word* says something: a word of a closed class does not."""
    kinds = {form.pos for form in lookup.readings(word)}
    return word not in lookup.families and (not kinds or bool(kinds - CLOSED))


def _give_away(row: Carrier, own: Mapping[str, str], lookup: Lookup) -> Iterator[Incident]:
    """T803: a form of a component or of a true synonym elsewhere in the sentence."""
    for word in filter(is_word, (*row.left, *row.right)):
        for lemma in sorted(lemmas_of(word, lookup) & own.keys()):
            yield row.incident("T803", f"{word!r} is a form of {lemma!r}, {own[lemma]}; say it in other words")


def _words(row: Carrier, lookup: Lookup) -> int:
    return sum(map(is_word, lookup.tokens(row.text)))


def _length(row: Carrier, lookup: Lookup) -> Iterator[Incident]:
    length = _words(row, lookup)
    if not MIN_WORDS <= length <= MAX_WORDS:
        yield row.incident("T804", f"{length} words, where {MIN_WORDS} to {MAX_WORDS} are allowed")


def _mean(carriers: Sequence[Carrier], lookup: Lookup) -> Iterator[Incident]:
    """T805, over the naturalistic contexts alone."""
    lengths = [_words(row, lookup) for row in carriers if row.context in NATURALISTIC]
    aim = lookup.pack.language.content.mean_words
    if lengths and abs(fmean(lengths) - aim) > MEAN_BAND * aim:
        message = f"{fmean(lengths):.1f} words on average, where {aim:g} is the aim; write longer or shorter ones"
        yield Incident("T805", lookup.pack.language.code, message)


def _set_off(row: Carrier, lookup: Lookup) -> Iterator[Incident]:
    """T806: quotation marks around the compound, or a word beside it that says it is not meant as it stands."""
    before, after = row.text[: row.span[0]][-1:], row.text[row.span[1] :][:1]
    if (before and before in QUOTES) or (after and after in QUOTES and after not in APOSTROPHES):
        yield row.incident("T806", f"{before or after!r} beside the compound; take the marks out")
    beside = [[token.lower() for token in side] for side in (row.left[-NEAR:], row.right[:NEAR])]
    for hedge in lookup.pack.language.content.hedges:
        if any(f" {hedge} " in f" {' '.join(side)} " for side in beside):
            yield row.incident("T806", f"{hedge!r} beside the compound; say it without")


class Names:
    """The names that a person has looked at."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._listed = frozenset(tuple(lookup.tokens(name)) for name in lookup.pack.language.content.names)
        self.words = frozenset(word for name in self._listed for word in name)
        """Every word of a name by itself."""

    def unlisted(self, tokens: Sequence[str]) -> Iterator[str]:
        """Yield each sequence of two or more capitalised words that is not a listed name.

        A capital at the beginning of a sentence says nothing, unless the word has no small one anywhere.
        """
        found: list[str] = []
        for index, token in enumerate((*tokens, SLOT)):
            opens = index == 0 or tokens[index - 1] in SENTENCE_ENDS
            if len(token) > 1 and token[0].isupper() and (not opens or self._is_name(token)):
                found.append(token)
                continue
            if len(found) > 1 and tuple(map(self._lemma, found)) not in self._listed:
                yield " ".join(found)
            found = []

    def _is_name(self, word: str) -> bool:
        readings = self._lookup.readings(word)
        return bool(readings) and all(form.form[0].isupper() for form in readings)

    def _lemma(self, word: str) -> str:
        """Return the name that *word* is a form of: *Otto* for *Otto's*."""
        return next((form.lemma for form in self._lookup.readings(word) if form.lemma[0].isupper()), word)


def _names(row: Carrier, names: Names) -> Iterator[Incident]:
    """T808, in the words left and right of the compound."""
    for found in names.unlisted((*row.left, SLOT, *row.right)):
        yield row.incident("T808", f"{found!r}; if it is no living person, list it in pack.toml")


def _unknown(row: Carrier, names: Names, lookup: Lookup) -> Iterator[Incident]:
    """T809, for the words outside the span; those inside are the business of A106."""
    words = dict.fromkeys(filter(is_word, (*row.left, *row.right)))
    unknown = [word for word in words if not _is_known(word, names, lookup)]
    if unknown:
        yield row.incident("T809", f"{', '.join(map(repr, unknown))}; add what is missing to forms.tsv")


def _is_known(word: str, names: Names, lookup: Lookup) -> bool:
    listed = word in names.words or word.lower() in lookup.families
    return word[0].isdigit() or listed or bool(lookup.readings(word))
