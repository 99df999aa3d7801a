"""A1xx: does everything that stands around and inside the span of an item agree with it, by the pack's own forms?

This look-up is stricter than the second opinion on any sentence: an item has a pack, which says what it knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ncimp.builder.records import COMPONENTS, NEUTRAL, Gender, Incident, Item, Pattern
from ncimp.builder.validation.lookup import Lookup, cells_of, fits, span_text

NOMINAL = ("noun", "adj")
"""Parts of speech of a component."""

CHAIN = ("adj", "num", "det")
"""Open-class parts of speech that may stand between a determiner and its noun."""


def check_agreement(item: Item, original: Item, lookup: Lookup) -> Iterator[Incident]:
    """Yield the agreement incidents of *item*; *original* is the `orig` item of its context."""
    yield from _sandhi(item, lookup)
    if item.uncertain:
        yield _incident("A109", item, f"undecided: {', '.join(item.uncertain)}; look at it, and mark what agrees")
    if item.variant in COMPONENTS:
        if lookup.agrees and item.context in NEUTRAL:
            yield from _alone(item, lookup)
            yield from _left(item, original, lookup)
            yield from _marked(item, original, lookup)
        return
    yield from _inside(item, lookup)
    if lookup.agrees:
        yield from _left(item, original, lookup)
        yield from _right(item, lookup)
        yield from _marked(item, original, lookup)


def _incident(code: str, item: Item, message: str) -> Incident:
    return Incident(code, item.id, message)


def _sandhi(item: Item, lookup: Lookup) -> Iterator[Incident]:
    """A101, and A106 for a first word of the span whose first sound is not in forms.tsv."""
    for alternation in lookup.pack.language.alternations:
        forms = {alternation.consonant: "consonant", alternation.vowel: "vowel"}
        for index, (word, following) in enumerate(pairwise(item.tokens)):
            expected = forms.get(word.lower())
            onsets = {form.onset for form in lookup.readings(following) if form.onset}
            if expected and onsets and expected not in onsets:
                yield _incident("A101", item, f"{word!r} before {following!r}; write the other form")
            if expected and not onsets and index + 1 == item.token_span[0]:
                yield _incident("A106", item, f"{following!r} has no first sound; add it to forms.tsv")


def parts_of(item: Item, lookup: Lookup) -> list[str] | None:
    """Return the components of the span in order, or None when it does not split as its pattern says."""
    pattern = lookup.pack.language.patterns.get(item.pattern or "")
    return None if pattern is None else split_phrase(span_text(item), pattern)


def split_phrase(text: str, pattern: Pattern) -> list[str] | None:
    """Return the components of *text* in order, or None when it does not split as *pattern* says."""
    parts = text.split(pattern.join) if len(pattern.parts) > 1 else [text]
    return parts if len(parts) == len(pattern.parts) else None


def _inside(item: Item, lookup: Lookup) -> Iterator[Incident]:
    """A103, A106, A107 and A108: the head's number and gender, and whether the modifier follows them."""
    parts = parts_of(item, lookup)
    if parts is None:
        return  # S201 says so
    pattern = lookup.pack.language.patterns[str(item.pattern)]
    heads = [form for form in lookup.readings(parts[pattern.head], "noun") if form.lemma == item.head]
    if not heads:
        yield _incident("A106", item, f"no noun {parts[pattern.head]!r} of lemma {item.head!r}; add it to forms.tsv")
    elif all(form.number not in (None, item.number) for form in heads):
        yield _incident("A108", item, f"{parts[pattern.head]!r} is not {item.number}; inflect it")
    yield from _claimed_gender(item, lookup)
    if pattern.modifier != "fixed" and len(parts) > 1:
        yield from _modifier(item, parts[1 - pattern.head], lookup)


def _alone(item: Item, lookup: Lookup) -> Iterator[Incident]:
    """A107 for a component alone in a frame whose form has not the gender and number that the frame agrees with."""
    readings = lookup.readings(span_text(item), *NOMINAL)
    if readings and not fits(cells_of(readings), item.gender, item.number):
        yield _incident("A107", item, f"{span_text(item)!r} is not {item.gender} {item.number}; mend forms.tsv")


def _claimed_gender(item: Item, lookup: Lookup) -> Iterator[Incident]:
    if item.variant == "orig":
        known = {row.gender for row in lookup.pack.compounds if row.text == item.compound}
    else:
        known = {lookup.gender_of(str(item.head))}
    common = lookup.agrees and None in known  # a noun of a language with gender that has none has either
    if item.gender not in known and not common:
        shown = " or ".join(map(repr, known)) or "no entry"
        yield _incident("A107", item, f"{item.gender!r} where {item.head!r} has {shown}; mend the pack")


def _modifier(item: Item, word: str, lookup: Lookup) -> Iterator[Incident]:
    pattern = lookup.pack.language.patterns[str(item.pattern)]
    pos = pattern.parts[1 - pattern.head]
    readings = [form for form in lookup.readings(word, pos) if form.lemma == item.modifier]
    if pattern.modifier == "number" and item.variant == "orig":
        return  # usage varies in compounds themselves: sequestros relâmpago, rádios piratas
    cells = cells_of(readings) if pattern.modifier == "agrees" else [(None, form.number) for form in readings]
    if not readings:
        yield _incident("A106", item, f"no {pos} {word!r} of lemma {item.modifier!r}; add it to forms.tsv")
    elif not any(fits(cells, gender, item.number) for gender in _inner_genders(item, lookup)):
        yield _incident("A103", item, f"{word!r} does not agree with {item.head!r}; inflect it")


def _inner_genders(item: Item, lookup: Lookup) -> set[Gender | None]:
    """Return the genders that a modifier may take; in an exocentric compound the compound's or its head's.

    *O longa-metragem* is masculine and *metragem* feminine; *o caixa eletrônico* and *caixa*, likewise.
    """
    own = {item.gender}
    return own | {lookup.gender_of(str(item.head))} if item.variant == "orig" else own


def _left(item: Item, original: Item, lookup: Lookup) -> Iterator[Incident]:
    """A102 and A104 for the unbroken chain left of the span; a determiner ends it for all but quantifiers.

    What looks like an article before a determiner is a preposition (*a um [NC]*): it stays as it was.
    """
    fixed = {index for index, _ in marks_of(item, lookup, agreeing=False)}
    closed = False
    for index in range(item.token_span[0] - 1, -1, -1):
        word = item.tokens[index]
        cells = lookup.determiners.get(word.lower())
        readings = lookup.readings(word, *CHAIN)
        if index in fixed or (cells is None and (closed or not readings)):
            yield from _unknown(word, item, index in fixed, lookup)
            return
        following = item.tokens[index + 1].lower() if index + 1 < item.token_span[0] else ""
        if following in lookup.determining and not _agrees_before(word.lower(), lookup):
            yield from _before_determiner(item, original, index, lookup)
            return
        closed = closed or word.lower() in lookup.closing
        if not fits([*(cells or ()), *cells_of(readings)], item.gender, item.number):
            code = "A104" if cells is None else "A102"
            yield _incident(code, item, f"{word!r} before {span_text(item)!r}; make it agree, or mark it {{={word}}}")


def _agrees_before(word: str, lookup: Lookup) -> bool:
    return word in lookup.quantifiers and word not in lookup.partitives


def _before_determiner(item: Item, original: Item, index: int, lookup: Lookup) -> Iterator[Incident]:
    """A102 for a word left of the determiner: of *uma das [NC]* the gender agrees, of all else nothing."""
    word, cells = item.tokens[index], lookup.determiners.get(item.tokens[index].lower(), frozenset())
    if word.lower() in lookup.partitives and item.number == "pl":
        if not any(gender in (None, item.gender) for gender, _ in cells):
            yield _incident("A102", item, f"{word!r} of {span_text(item)!r}; make it agree, or mark it {{={word}}}")
    elif word != original.tokens[index] and index not in {place for place, _ in marks_of(item, lookup, agreeing=True)}:
        yield _incident("A102", item, f"{word!r} before a determiner is no part of it; leave it as it was")


def _unknown(word: str, item: Item, fixed: bool, lookup: Lookup) -> Iterator[Incident]:
    """A106 for a word beside an original that is in no table: nobody has said whether it agrees."""
    known = fixed or word.lower() in lookup.determiners or lookup.readings(word)
    if item.variant == "orig" and not known and word[:1].isalpha():
        yield _incident(
            "A106", item, f"{word!r} beside the span is in no table; add it to forms.tsv with its part of speech"
        )


def _right(item: Item, lookup: Lookup) -> Iterator[Incident]:
    """A104 for an adjective directly right of the span."""
    index = item.token_span[1]
    if index >= len(item.tokens) or index in {place for place, _ in marks_of(item, lookup, agreeing=False)}:
        return
    word = item.tokens[index]
    readings = lookup.readings(word)
    if not readings or any(form.pos != "adj" for form in readings):
        yield from _unknown(word, item, False, lookup)
        return
    if not fits(cells_of(readings), item.gender, item.number):
        yield _incident("A104", item, f"{word!r} after {span_text(item)!r}; make it agree, or mark it {{={word}}}")


def _marked(item: Item, original: Item, lookup: Lookup) -> Iterator[Incident]:
    """A105 for the words that the pack's markup names."""
    for index, before in marks_of(item, lookup, agreeing=True):
        deleted = [edit.before.strip() for edit in item.carrier_edits if not edit.after]
        gone = any(lookup.same_word(word, before) for word in deleted)
        if gone or not -len(item.tokens) <= index < len(item.tokens):
            continue  # S204 says whether a word may go, and that the carrier is another
        word = item.tokens[index]
        cells = [*lookup.determiners.get(word.lower(), ()), *cells_of(lookup.readings(word, *CHAIN))]
        if not cells:
            yield _incident("A106", item, f"the marked word {word!r} is not in forms.tsv; add its forms")
        elif not fits(cells, item.gender, item.number):
            message = f"{word!r} ({before!r} in {original.id}) does not agree with {span_text(item)!r}"
            yield _incident("A105", item, message)


def marks_of(item: Item, lookup: Lookup, *, agreeing: bool) -> Sequence[tuple[int, str]]:
    """Return (token index, word in the pack's sentence) of the marked words of the context of *item*."""
    sentence = lookup.pack.marked.get((item.compound, item.context))
    if sentence is None:
        return ()
    spans = sentence.agreeing if agreeing else sentence.fixed
    found = []
    for start, end in spans:
        # words left of the span keep their distance from the start, words right of it from the end
        if end <= sentence.span[0]:
            index = _count(sentence.text[:start], lookup)
        else:
            index = len(item.tokens) - _count(sentence.text[start:], lookup)
        found.append((index, sentence.text[start:end]))
    return found


def _count(text: str, lookup: Lookup) -> int:
    return len(lookup.tokens(text))
