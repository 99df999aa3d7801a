"""Association of the two words of a pair, and frequency on the Zipf scale, from integer counts.

The formulas are those of Church and Hanks (1990) for PMI, of van Heuven et al. (2014) for the Zipf scale, and of
Manning and Schütze (1999, section 5.3) for the others, with the values of `nltk.metrics.BigramAssocMeasures`. A measure
that a zero count leaves undefined is None: never 0, never minus infinity, and nothing is smoothed.

All take the same counts of adjacent bigrams: *pair* is c(w1 w2); *first* is c(w1 .), those that begin with w1;
*second* is c(. w2), those that end with w2; *total* is N, all of them.
"""

import math
from dataclasses import dataclass
from typing import Annotated

from ncimp.corpus_stats.words import Layer
from ncimp.schemas.records import Count, Lang


@dataclass(frozen=True, slots=True)
class PairCount:
    """Counts and association of one adjacent word pair; the fields are the columns of `count.schema.json`."""

    lang: Annotated[Lang, "Language id."]
    layer: Annotated[Layer, "Whether words were counted as written (lower-cased) or as lemmas."]
    first: Annotated[str, "First word."]
    second: Annotated[str, "Second word."]
    first_count: Annotated[Count, "Count of the first word."]
    second_count: Annotated[Count, "Count of the second word."]
    pair_count: Annotated[Count, "Count of the pair, adjacent inside a sentence."]
    first_zipf: Annotated[float | None, "Zipf value of the first word in the corpus; empty when it does not occur."]
    second_zipf: Annotated[float | None, "Zipf value of the second word; empty when it does not occur."]
    pmi: float | None
    """log2( c(w1 w2) N / (c(w1 .) c(. w2)) ), margins from the same bigrams; empty when undefined."""
    ppmi: Annotated[float | None, "max(0, PMI); empty when undefined."]
    source: Annotated[str, "Names of the corpora counted."]
    t_score: Annotated[float | None, "(O - E) / sqrt(O) of the pair's count; empty when undefined."] = None
    log_likelihood: float | None = None
    """Log-likelihood ratio G2 of the pair's 2 x 2 table, natural logarithm; empty when undefined."""
    dice: Annotated[float | None, "2 c(w1 w2) / (c(w1 .) + c(. w2)), 0 to 1; empty when undefined."] = None
    chi_square: Annotated[float | None, "Pearson's chi-square of the pair's 2 x 2 table; empty when undefined."] = None


def pmi(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return log2( c(w1 w2) N / (c(w1 .) c(. w2)) ) in bits, or None when a count is 0."""
    return None if 0 in (pair, first, second, total) else math.log2(pair * total / (first * second))


def ppmi(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return max(0, PMI) in bits, or None when a count is 0."""
    value = pmi(pair, first=first, second=second, total=total)
    return None if value is None else max(0.0, value)


def t_score(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return (O - E) / sqrt(O), where O is the count of the pair and E what independence expects of it.

    None when the pair does not occur.
    """
    return (pair - first * second / total) / math.sqrt(pair) if pair else None


def log_likelihood(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return G2 = 2 sum O ln(O / E) over the four cells of the table of the pair (Dunning 1993).

    A cell that is 0 adds 0. None when there is no bigram, or one of the words begins or ends none.
    """
    if 0 in (first, second, total):
        return None
    margins = ((one, two) for one in (first, total - first) for two in (second, total - second))
    cells = zip(_cells(pair, first, second, total), margins, strict=True)
    terms = (observed * math.log(observed / (one * two / total)) for observed, (one, two) in cells if observed)
    return max(0.0, 2 * math.fsum(terms))  # the sum is never negative; rounding may leave a hair below 0


def dice(pair: int, *, first: int, second: int, total: int) -> float | None:  # noqa: ARG001 - the counts of all measures
    """Return 2 c(w1 w2) / (c(w1 .) + c(. w2)), from 0 to 1; None when both are 0."""
    return 2 * pair / (first + second) if first + second else None


def chi_square(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return Pearson's chi-square of the table of the pair; None when a row or column of it is empty."""
    product = first * second * (total - first) * (total - second)
    if 0 in (product, total):
        return None
    both, one, two, neither = _cells(pair, first, second, total)
    return total * (both * neither - one * two) ** 2 / product


MEASURES = {function.__name__: function for function in (pmi, ppmi, t_score, log_likelihood, dice, chi_square)}
"""Every measure of a pair, by its column."""


def _cells(pair: int, first: int, second: int, total: int) -> tuple[int, int, int, int]:
    """Return how many bigrams are the pair, w1 and another, another and w2, and neither."""
    return pair, first - pair, second - pair, total - first - second + pair


def zipf(count: int, *, tokens: int) -> float | None:
    """Return log10 of the occurrences per billion words of a word found *count* times in *tokens* words.

    None when the word does not occur: the corpus then says only that it is rare.

    >>> zipf(1, tokens=1_000_000)
    3.0
    """
    return math.log10(count * 10**9 / tokens) if count else None
