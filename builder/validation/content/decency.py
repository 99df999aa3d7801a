"""T807: does a sentence of the release hold a word that the pack's short list of profanity names?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ncimp.builder.records import Incident, Item
from ncimp.builder.validation.content.carriers import is_word, lemmas_of
from ncimp.builder.validation.lookup import Lookup

ANY_ENDING = "*"


def check_decency(items: Sequence[Item], lookup: Lookup) -> Iterator[Incident]:
    """Yield T807 for the *items* of one language: the whole sentence of an original, the span of every other item."""
    entries = lookup.pack.language.content.profanity
    whole = {entry for entry in entries if not entry.endswith(ANY_ENDING)}
    stems = tuple(entry.removesuffix(ANY_ENDING) for entry in entries if entry.endswith(ANY_ENDING))
    known: dict[str, str | None] = {}
    for item in items:
        for word in item.tokens if item.variant == "orig" else item.tokens[slice(*item.token_span)]:
            if word not in known:
                known[word] = _offence(word, whole, stems, lookup)
            if known[word] is not None:
                yield Incident("T807", item.id, f"{word!r} is a form of {known[word]!r}; take another word")


def _offence(word: str, whole: set[str], stems: tuple[str, ...], lookup: Lookup) -> str | None:
    """Return the form or lemma of *word* that the list names, or None."""
    lemmas = sorted(lemmas_of(word, lookup)) if is_word(word) else []
    return next((lemma for lemma in lemmas if lemma in whole or (stems and lemma.startswith(stems))), None)
