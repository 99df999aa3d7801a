"""The noun phrase of a span: determiners and adjectives left and right of it that must agree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ncimp.builder.records import Gender
from ncimp.builder.validation.agreement.phrase import NOTHING, OUTSIDE, Cell, Cells, Finding, Passage

# how far out in a noun phrase a determiner stands; other kinds (numerals, *outro*) stand beside adjectives
RANKS = {"possessive": 1, "article": 2, "contraction": 2, "demonstrative": 2, "relative": 2}
OUTERMOST = 2  # the rank of words that begin a noun phrase; only quantifiers stand before them (*todas as*)
NOUN = 0.8  # a word that is a noun more often than this is not taken for an adjective before its noun
MIXED: Gender = "m"  # of nouns of several genders together, in the languages that packs are written for


@dataclass(slots=True)
class Left:
    """The part of a noun phrase left of the span; its words by index."""

    begin: int  # of its first word, or of the span
    members: list[int] = field(default_factory=list)  # agree; the nearest comes first
    partitive: list[int] = field(default_factory=list)  # name some of several and agree in gender only (uma das)
    doubtful: list[int] = field(default_factory=list)  # agree if a determiner stands left of them (as últimas duas)
    rank: int = 0  # of the outermost determiner; 0 where there is none
    governed: bool = False  # by a preposition, so that the phrase is no subject


def _may_be_adverb(passage: Passage, index: int) -> bool:
    """Tell whether a determiner may be an adverb here: *muito rigorosa*, *muito menos*, *mesmo as casas*."""
    word, following = passage.words[index], passage.words[index + 1]
    if not (passage.is_of(index, "adverb", "degree") or word.may_be("adv")):
        return False
    if passage.word(index - 1).kinds:
        return False  # after a determiner it is none
    of_degree = following.is_mostly("adj") or passage.is_of(index + 1, "degree")
    return of_degree or bool(following.kinds) or passage.is_of(index, "adverb")


def _may_be_preposition(passage: Passage, index: int) -> bool:
    """Tell whether a word that is an article or a preposition may be the latter here: *candidatar-se a deputado*.

    After a noun or an adjective it may, and after a verb that takes such a preposition or that has no object;
    not where a phrase begins, nor after another preposition or determiner.
    """
    if not passage.is_of(index, "preposition") or passage.words[index].closed & passage.cells:
        return False
    place = passage.skip(index - 1, -1, "quote", "adverb")
    before = passage.word(place)
    if before is OUTSIDE or before.kinds or passage.is_of(place, "preposition", "subordinator", "stop"):
        return False
    if passage.is_of(place, "coordinator", "comma"):
        # the second phrase may repeat a preposition, alone or in a contraction
        return any(passage.is_of(at, "preposition") or "contraction" in passage.word(at).kinds for at in range(place))
    if passage.is_of(place, "clitic") or passage.is_of(place - 1, "clitic"):
        return True
    if before.is_mostly("verb") or (not before.shares and (before.numbers or place == 0)):
        has_no_object = passage.begins_as(place, "presentational") and not passage.opens_clause(place)
        return has_no_object or passage.begins_as(place, "takes preposition")
    return True


def left_of(passage: Passage) -> Left:
    """Return the unbroken chain of words left of the span that belong to its noun phrase."""
    left_side = Left(passage.start)
    index = passage.start - 1
    while index >= 0 and _take(passage, left_side, index):
        index -= 1
    contracted = any("contraction" in passage.word(member).kinds for member in left_side.members)
    before = passage.skip(left_side.begin - 1, -1, "quote")
    left_side.governed = left_side.governed or contracted or passage.is_of(before, "preposition")
    return left_side


def check_left(passage: Passage, left_side: Left) -> Iterator[Finding]:
    """A102 and A104 for the words left of the span that agree with none of its readings."""
    for index in left_side.members:
        word = passage.words[index]
        if not (word.closed if word.kinds else word.adjective) & passage.cells:
            code = "A102" if word.kinds else "A104"
            yield from passage.findings(code, index, "before", varies=bool(word.kinds))
    genders = {gender for gender, _ in passage.cells}
    for index in left_side.partitive:
        own = passage.words[index].closed
        if not genders & {gender for gender, _ in own}:
            cells = frozenset((gender, number) for gender in genders for _, number in own)
            yield from passage.findings("A102", index, "of", varies=True, cells=cells)


def _take(passage: Passage, left_side: Left, index: int) -> bool:
    """Add the word at *index* to *left_side*, and tell whether to go on."""
    word = passage.words[index]
    is_enclitic = passage.word(index - 1).text == "-"  # a token in corpora that split clitics off: peguei - o
    if word.kinds and not is_enclitic:
        return _take_determiner(passage, left_side, index)
    precedes_noun = _precedes_noun(passage, index)
    of_degree = passage.is_of(index, "degree") and bool(passage.words[index + 1].adjective)
    counting = word.text.isdigit() or word.is_mostly("num") or word.is_mostly("det")  # três, cada
    if left_side.rank or not (counting or of_degree or precedes_noun):
        return passage.is_of(index, "quote")
    if precedes_noun:
        # with a determiner nearer to the noun, or in the span, an adjective left of it needs another
        quantified = any(passage.words[member].kinds for member in (passage.start, *left_side.members))
        (left_side.doubtful if word.participle or quantified else left_side.members).append(index)
    left_side.begin = index
    return True


def _take_determiner(passage: Passage, left_side: Left, index: int) -> bool:
    word = passage.words[index]
    if _may_be_preposition(passage, index):
        left_side.governed = True
        return False
    if left_side.rank == OUTERMOST:
        _take_quantifier(passage, left_side, index)
        return False
    if not _may_be_adverb(passage, index):
        left_side.members.append(index)
    left_side.begin = index
    left_side.rank = max(left_side.rank, *(RANKS.get(kind, 0) for kind in word.kinds))
    if left_side.rank:
        left_side.members += left_side.doubtful
        left_side.doubtful = []
    return True


def _take_quantifier(passage: Passage, left_side: Left, index: int) -> None:
    """Add what may stand before the first determiner of a phrase: *todas as*, *uma das*; *muito pouco da* is none."""
    if "contraction" in passage.word(left_side.members[-1] if left_side.members else left_side.begin).kinds:
        if passage.is_of(index, "partitive") and any(number == "pl" for _, number in passage.cells):
            left_side.partitive.append(index)
            left_side.begin = index
    elif "quantifier" in passage.word(index).kinds and not _may_be_adverb(passage, index):
        left_side.members.append(index)
        left_side.begin = index


def _precedes_noun(passage: Passage, index: int) -> bool:
    """Tell whether the word at *index* is an adjective before its noun, and not a predicate or a perfect tense."""
    word = passage.words[index]
    noun_too = word.may_be("adj") and word.is_mostly("noun") and word.share("noun") < NOUN
    if not (word.is_attribute or noun_too) or passage.is_of(index - 1, "copula"):
        return False
    return not (word.participle and any(passage.word(at).may_be("verb") for at in (index - 1, index - 2)))


@dataclass(frozen=True, slots=True)
class Right:
    """The part of a noun phrase right of the span; its adjectives by index."""

    end: int  # of the first word after it
    beside: Sequence[int]
    coordinated: Sequence[int]  # with one of these, or with one of the span's


def right_of(passage: Passage) -> Right:
    """Return the adjectives that stand right of the span and belong to it: beside it, coordinated, in a list."""
    beside: list[int] = []
    end = passage.skip(passage.end, 1, "quote")
    while _follows_noun(passage, place := passage.skip_adverbs(end, 1, "degree")):
        beside.append(place)
        end = place + 1
    ends_in_adjective = passage.end - passage.start > 1 and bool(passage.words[passage.end - 1].adjective)
    coordinated = _coordinated(passage, end) if beside or ends_in_adjective else []
    return Right(coordinated[-1] + 1 if coordinated else end, beside, coordinated)


def check_right(passage: Passage, left_side: Left, right: Right) -> Iterator[Finding]:
    """A104 for the adjectives right of the span that agree neither with it nor with a noun beside it."""
    wrong = [index for index in right.beside if not passage.words[index].adjective & _heads(passage, left_side, index)]
    wrong += [index for index in right.coordinated if not passage.words[index].adjective & passage.cells]
    several = len(wrong) + (passage.features.clash is not None) > 1
    if not (several and _shares_out(passage, wrong)):
        for index in wrong:
            yield from passage.findings("A104", index, "after")


def check_inside(passage: Passage) -> Iterator[Finding]:
    """A103 for a word of the span that agrees with no head of it, but for one of several that share a plural out."""
    if passage.features.clash is None:
        return
    index = passage.start + passage.features.clash
    if not (passage.is_of(passage.end, "coordinator", "comma") and _shares_out(passage, [index])):
        yield from passage.findings("A103", index, "in")


def _shares_out(passage: Passage, indices: Sequence[int]) -> bool:
    """Tell whether singular adjectives share a plural out among them: *as literaturas inglesa e francesa*."""
    shared = {(gender, "sg") for gender, number in passage.cells if number == "pl"}
    return bool(shared) and all(passage.words[index].adjective & shared for index in indices)


def _heads(passage: Passage, left_side: Left, index: int) -> Cells:
    """Return the cells of all that the adjective at *index*, right of the span, may belong to.

    What stands after a determined phrase is said of it, unless it is a participle (*o risco de um ataque
    frontal*, *o risco de um ataque previsto*); a contraction binds closer (*o ministro da defesa francês*).
    """
    contracted = any("contraction" in passage.word(member).kinds for member in left_side.members)
    near = passage.cells | passage.features.inner | together(passage, left_side)
    determined = left_side.rank > 0 and not contracted and not passage.words[index].participle
    return near if determined else near | governing(passage, left_side)


def together(passage: Passage, left_side: Left) -> Cells:
    """Return the cells of more or less than the span: with what it is coordinated with, and as one of several.

    *Força e [disciplina interna] dadas por ele*, *uma das [provas fundamentais] dada por ele*.
    """
    cells: set[Cell] = set()
    if passage.is_of(left_side.begin - 1, "coordinator"):
        cells |= {(gender, "pl") for gender, _ in passage.cells} | {(MIXED, "pl")}
    if left_side.partitive:
        cells |= {(gender, "sg") for gender, _ in passage.cells}
    return frozenset(cells)


def governing(passage: Passage, left_side: Left) -> Cells:
    """Return the cells of the nouns that the span's phrase depends on: *excesso de [pontos cegos]*."""
    cells: Cells = NOTHING
    index = left_side.begin - 1 if left_side.governed else -1
    while index >= 0 and not passage.is_of(index, "comma", "stop"):
        word = passage.words[index]
        if word.numbers and word.is_mostly("verb"):
            break
        cells |= word.any_noun if word.may_be("noun") else NOTHING
        index -= 1
    return cells


def _follows_noun(passage: Passage, index: int) -> bool:
    word = passage.word(index)
    if word.capital or word.kinds or not word.adjective:
        return False
    if passage.is_of(index, "preposition", "copula") or word.may_be("adv") or (word.numbers and word.may_be("verb")):
        return False
    # a word that is a noun as a rule would stand there alone
    return word.is_attribute or passage.is_boundary(index + 1, "comma")


def _coordinated(passage: Passage, index: int) -> list[int]:
    """Return the places of the adjectives of a list from *index* on: `, ADJ e ADJ` or `e ADJ`.

    A list that begins after a comma must go on with a coordinator; else it may be said of another noun.
    """
    indices: list[int] = []
    end, closed = index, False
    while not closed and passage.is_of(end, "comma", "coordinator"):
        closed = passage.is_of(end, "coordinator")
        place = passage.skip(end + 1, 1, "degree")
        if not _stands_in_list(passage, place, certain=place > end + 1 or (closed and bool(indices))):
            break
        indices.append(place)
        end = place + 1
    goes_on = passage.is_of(index, "coordinator") or passage.is_of(end, "coordinator") or closed
    return indices if goes_on else []


def _stands_in_list(passage: Passage, index: int, *, certain: bool) -> bool:
    """Tell whether the word at *index* is an adjective of a list, neither a noun nor before a noun of its own.

    It is *certain* not to be a noun after an adverb of degree, or at the end of a list of adjectives. A participle
    may be one of a verb further left (*tinha visto o filme e gravado*).
    """
    word, following = passage.word(index), passage.word(index + 1)
    if word.capital or word.kinds or not word.adjective or word.may_be("adv") or word.participle:
        return False
    alone = not word.is_mostly("noun") or passage.is_boundary(index + 1, "comma")
    if not certain and not (word.is_attribute and alone):
        return False
    return not (following.is_mostly("noun") or following.is_mostly("adj"))
