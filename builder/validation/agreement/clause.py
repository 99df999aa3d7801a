"""The clause of a span: verbs whose subject it is, and predicates that agree with it.

Only what is certain is looked at. A phrase is taken for the subject of a verb when nothing governs it and one of
these is the case: it begins a clause and the verb follows; the verb begins the clause and is a passive, or one
that its subject follows; a relative pronoun follows and then a verb that can have no other subject; it is what
an interrogative or a demonstrative is said to be (*quais são os pontos fortes*, *este é um ponto forte*).
"""

from collections.abc import Iterator

from ncimp.builder.validation.agreement.noun_phrase import Left, Right, governing, together
from ncimp.builder.validation.agreement.phrase import Finding, Passage
from ncimp.builder.validation.agreement.words import Cells

CHAIN = 4
"""Words after a finite verb among which its copula is looked for: *têm de não ser*."""


def check_clause(passage: Passage, left_side: Left, right: Right) -> Iterator[Finding]:
    """A110 and A111 for verbs and predicates of which the span is the subject."""
    cells = passage.cells
    if passage.is_of(right.end, "coordinator") and finite_verb(passage, right.end + 1) is None:
        cells |= passage.vocabulary.expand(None, "pl")  # with the other noun, if that is what follows
    yield from _relative(passage, right, cells | together(passage, left_side) | governing(passage, left_side))
    if left_side.governed:
        return
    if _begins_clause(passage, left_side):
        yield from _following(passage, right)
    yield from _preceding(passage, left_side, right, cells)


def _relative(passage: Passage, right: Right, cells: Cells) -> Iterator[Finding]:
    """Check *os nós que têm de ser desatados*: a verb that predicates or has an object has no subject but *que*."""
    index = right.end
    while (word := passage.word(index)) is not None and word.capital:  # a name in apposition
        index += 1
    index = passage.skip(index, 1, "comma")
    verb = finite_verb(passage, index + 1) if passage.is_of(index, "relative") else None
    if verb is not None and (predicate_of(passage, verb) is not None or _has_object(passage, verb + 1)):
        yield from check_verb_phrase(passage, verb, cells)


def _has_object(passage: Passage, index: int) -> bool:
    word = passage.word(index)
    return word is not None and bool(word.kinds - {"contraction"})


def _begins_clause(passage: Passage, left_side: Left) -> bool:
    """Tell whether the phrase of the span is the first of its clause."""
    index = passage.skip_adverbs(left_side.begin - 1, -1, "quote")
    determined = left_side.rank > 0 or bool(passage.words[passage.start].kinds)
    listed = passage.is_of(index, "coordinator") and passage.is_of(index - 1, "comma")
    if passage.is_of(index, "comma") or listed:
        return determined
    word = passage.word(index)
    if word is not None and word.is_mostly("noun") and passage.is_of(index - 1, "wh", "relative"):
        return True  # em quais casos o centro pode
    return passage.begins_clause(index) or (index == 0 and passage.is_of(index, "coordinator"))


def _following(passage: Passage, right: Right) -> Iterator[Finding]:
    """Check the verb after the phrase: *a roda gigante de Londres provou*."""
    complement = _past_complement(passage, right.end)
    verb = finite_verb(passage, complement)
    if verb is None:
        return
    cells, plural = passage.cells, passage.vocabulary.expand(None, "pl")
    of_several = any(word.noun and word.noun <= plural for word in passage.words[right.end : complement])
    are_several = passage.is_of(verb, "impersonal") and _is_plural(passage, verb + 1)
    if of_several or are_several:  # a maior parte dos casos são; a única alternativa eram as estatais
        cells |= plural
    yield from check_verb_phrase(passage, verb, cells)


def _past_complement(passage: Passage, index: int) -> int:
    """Return the index after prepositional phrases from *index* on."""
    while passage.is_of(index, "preposition") or passage.has_kind(index, "contraction"):
        index += 1
        while (word := passage.word(index)) is not None and (word.capital or word.nominal):
            index += 1
    return index


def _is_plural(passage: Passage, index: int) -> bool:
    """Tell whether a noun phrase in the plural begins at *index*."""
    word = passage.word(passage.skip_adverbs(index, 1))
    cells = (word.closed or word.noun) if word is not None else frozenset()
    return bool(cells) and all(number == "pl" for _, number in cells)


def _preceding(passage: Passage, left_side: Left, right: Right, cells: Cells) -> Iterator[Finding]:
    """Check a verb, and what it predicates, that stand before the phrase of the span."""
    index = passage.skip_adverbs(left_side.begin - 1, -1)
    word = passage.word(index)
    if word is None:
        return
    if word.is_attribute and not word.kinds:
        yield from _passive(passage, index, left_side, cells)
    elif passage.is_of(index, "impersonal"):
        yield from _identity(passage, index, cells)
    elif _is_presentational(passage, index) and finite_verb(passage, right.end) is None:
        yield from check_verb(passage, index, cells)


def _passive(passage: Passage, index: int, left_side: Left, cells: Cells) -> Iterator[Finding]:
    """Check *foi criado um círculo*, *onde for encontrado trabalho escravo*; *é necessário paciência* never varies."""
    verb = passage.skip_adverbs(index - 1, -1)
    if not passage.is_of(verb, "copula") or not passage.words[verb].numbers or not passage.opens_clause(verb):
        return
    if left_side.rank or not passage.is_of(index, "invariable predicate"):
        yield from check_verb(passage, verb, cells)
        yield from check_predicate(passage, index, cells)


def _identity(passage: Passage, verb: int, cells: Cells) -> Iterator[Finding]:
    """Check *quais são os pontos fortes*, *este é um ponto forte*, *não é um ponto forte*.

    Without a subject, *são um ponto forte* may be said of several; *é uns pontos fortes* can be said of nothing.
    """
    before = passage.skip_adverbs(verb - 1, -1)
    subject = passage.word(before)
    asking = passage.vocabulary.interrogatives.get(subject.text) if subject is not None else None
    pointing = subject.closed if before == 0 and passage.has_kind(0, "demonstrative") and subject is not None else None
    own = asking or pointing
    if own:
        yield from check_verb(passage, verb, cells)
        if not own & cells:
            form = passage.agreeing_form(before)
            yield passage.finding("A111", before, "said to be", form)
    elif (passage.opens_clause(verb) or passage.is_of(before, "coordinator")) and "pl" not in passage.words[
        verb
    ].numbers:
        yield from check_verb(passage, verb, cells)


def _is_presentational(passage: Passage, index: int) -> bool:
    """Tell whether a verb that its subject follows begins a clause at *index* (*nasceu uma ideia*)."""
    word = passage.words[index]
    stems = tuple(passage.vocabulary.of_class("presentational"))
    return bool(word.numbers) and word.text.startswith(stems) and passage.opens_clause(index)


def finite_verb(passage: Passage, index: int) -> int | None:
    """Return the place of a finite verb at *index* or after adverbs and clitics there, or None."""
    index = passage.skip_adverbs(index, 1, "clitic")
    word = passage.word(index)
    if word is None or not word.numbers or word.capital:
        return None
    return index if word.is_mostly("verb") or not word.shares else None


def predicate_of(passage: Passage, verb: int) -> int | None:
    """Return the place of the adjective or participle that a verb at *verb* predicates: *podem não ser utilizados*."""
    copula = None
    for index in range(verb, verb + CHAIN + 1):
        if passage.is_of(index, "copula"):
            copula = index
        elif not (index == verb or passage.is_adverb(index) or passage.is_of(index, "linker")):
            break
    if copula is None:
        return None
    index = passage.skip_adverbs(copula + 1, 1, "degree")
    word, following = passage.word(index), passage.word(index + 1)
    if word is None or not word.is_attribute or word.kinds:
        return None
    before_noun = following is not None and (following.is_mostly("noun") or following.is_mostly("adj"))
    return None if before_noun else index


def check_verb(passage: Passage, verb: int, cells: Cells) -> Iterator[Finding]:
    """A110 for the verb at *verb*, unless its number is that of one of *cells*."""
    numbers = passage.words[verb].numbers
    if numbers and not numbers & {number for _, number in cells}:
        yield passage.finding("A110", verb, "with the subject", passage.agreeing_form(verb, "verb"))


def check_predicate(passage: Passage, index: int, cells: Cells) -> Iterator[Finding]:
    """A111 for the adjective or participle at *index*, unless it agrees with one of *cells*."""
    if not passage.words[index].adjective & cells:
        form = passage.agreeing_form(index)
        if form is not None:  # one that nobody can inflect may be invariable
            yield passage.finding("A111", index, "said of", form)


def check_verb_phrase(passage: Passage, verb: int, cells: Cells) -> Iterator[Finding]:
    """A110 and A111 for the verb at *verb*, its predicate, and another verb and predicate coordinated with them."""
    yield from check_verb(passage, verb, cells)
    predicate = predicate_of(passage, verb)
    if predicate is None:
        return
    yield from check_predicate(passage, predicate, cells)
    second = finite_verb(passage, predicate + 2) if passage.is_of(predicate + 1, "coordinator") else None
    if second is not None:
        yield from check_verb_phrase(passage, second, cells)
