"""Simulate how often intervals hold the true value, and how often `ncimp compare` sees a difference where none is.

Compounds are in three classes of one size, the score. A value is *strength* times the class, plus noise: normal, or
Student's t with 2 degrees of freedom. Beside the BCa interval of rho stands that of Fisher's z, which `partial` has.
In pairs, two models share half of their noise, as they do when a compound is hard for both. True values are those of a
million compounds. A page compares two models of random vectors on one language.

    python bench/simulations.py --simulations 400 --pages 100
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ncimp.evaluator.comparison import ComparedModel, differences
from ncimp.evaluator.controls import significance
from ncimp.evaluator.correlation import RhoSampler, bca_interval, mean_samples
from ncimp.evaluator.measures import (
    CONTEXT_KINDS,
    CONTEXTS,
    MEASURES,
    VARIANTS,
    compound_values,
    cosine,
    sentence_values,
)
from ncimp.evaluator.results import View
from ncimp.evaluator.scorecard import ALPHA, PUBLISHED

Values = NDArray[np.float64]
Noise = Callable[[tuple[int, ...]], Values]
STRENGTHS = (0.0, 0.7, 1.5, 2.6)
MANY = 999_999
WIDTH = 50
"""Dimensions of a random vector."""


def classes(n: int) -> Values:
    """Return the class of each of *n* compounds."""
    return np.repeat([0.0, 1.0, 2.0], n // 3)


def noises(rng: np.random.Generator) -> dict[str, Noise]:
    """Return the kinds of noise."""
    return {"normal": lambda shape: rng.normal(size=shape), "t2": lambda shape: rng.standard_t(2, size=shape)}


def two_models(n: int, noise: Noise, strengths: tuple[float, float]) -> Values:
    """Return the values of two models, of shape (2, n)."""
    return np.outer(strengths, classes(n)) + noise((1, n)) + noise((2, n))


def coverage(
    n: int, noise: Noise, strength: float, *, simulations: int, resamples: int
) -> Iterator[tuple[str, float, float, int]]:
    """Yield the name of each interval of rho, the true rho, the share of intervals that hold it, and their number."""
    score, many = classes(n), classes(MANY)
    truth = float(stats.spearmanr(strength * many + noise((MANY,)), many).statistic)
    sampler = RhoSampler(score, resamples)
    hits: dict[str, list[bool | None]] = {"rho": [], "rho, Fisher's z": []}
    for _ in range(simulations):
        sample = sampler.sample(strength * score + noise((n,)))
        hits["rho"].append(holds(bca_interval(*sample), truth))
        hits["rho, Fisher's z"].append(holds(significance(sample.value, n, 0)[1], truth))
    for name, seen in hits.items():
        yield name, truth, *share(seen)


def paired_coverage(
    n: int, noise: Noise, strengths: tuple[float, float], *, simulations: int, resamples: int
) -> Iterator[tuple[str, float, float, int]]:
    """Yield the same for the difference of two models in rho and in the mean."""
    first, second = (stats.spearmanr(row, classes(MANY)).statistic for row in two_models(MANY, noise, strengths))
    truths = {"rho": float(first - second), "mean": float(strengths[0] - strengths[1])}
    sampler = RhoSampler(classes(n), resamples)
    hits: dict[str, list[bool | None]] = {"rho": [], "mean": []}
    for _ in range(simulations):
        values = two_models(n, noise, strengths)
        of_rho = [sampler.sample(row) for row in values]
        for name, (one, other) in (("rho", of_rho), ("mean", list(mean_samples(values, resamples)))):
            resampled, left_out = one.resampled - other.resampled, one.left_out - other.left_out
            hits[name].append(holds(bca_interval(one.value - other.value, resampled, left_out), truths[name]))
    for name, seen in hits.items():
        yield name, truths[name], *share(seen)


def holds(interval: tuple[float | None, float | None], truth: float) -> bool | None:
    """Return whether *truth* lies in *interval*, None where there is none."""
    low, high = interval
    return None if low is None or high is None else low <= truth <= high


def share(hits: list[bool | None]) -> tuple[float, int]:
    """Return the share of those that are not None, and their number."""
    defined = [hit for hit in hits if hit is not None]
    return sum(defined) / len(defined), len(defined)


def random_model(rng: np.random.Generator, n: int, name: str) -> ComparedModel:
    """Return a model that gives each item a random vector."""
    values = {}
    for level in ("sentence", "nc"):
        vectors = rng.normal(size=(n, len(CONTEXTS), len(VARIANTS), WIDTH))
        rows = np.broadcast_to(vectors[:, :, :1], vectors.shape).reshape(-1, WIDTH)
        similarity = cosine(rows, vectors.reshape(-1, WIDTH)).reshape(vectors.shape[:3])
        for measure in MEASURES:
            if measure.name in PUBLISHED:
                by_sentence = sentence_values(measure, similarity)
                for kind in CONTEXT_KINDS:
                    values[View("en", level, kind), measure.name] = compound_values(by_sentence, kind)
    return ComparedModel(name, None, values, {"en": classes(n)}, {"en": classes(n).astype(str)})  # type: ignore[arg-type]


def page(rng: np.random.Generator, n: int, resamples: int) -> tuple[bool, bool]:
    """Return whether any difference of two random models is below .05: before and after Holm's correction."""
    rows = differences([random_model(rng, n, name) for name in ("one", "other")], resamples)
    return any((row.p or 0) < ALPHA for row in rows), any((row.p_holm or 0) < ALPHA for row in rows)


def say(line: str) -> None:
    """Print *line* at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Print a line for each simulation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=400, help="of each coverage")
    parser.add_argument("--pages", type=int, default=100, help="of two random models")
    parser.add_argument("--compounds", type=int, nargs="+", default=[180, 279], help="multiples of 3")
    parser.add_argument("--resamples", type=int, default=1_000, help="of an interval")
    parser.add_argument("--page-resamples", type=int, default=10_000, help="of a page")
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    size = {"simulations": args.simulations, "resamples": args.resamples}
    for n in args.compounds:
        for name, noise in noises(rng).items():
            for strength in STRENGTHS:
                for quantity, truth, hits, count in coverage(n, noise, strength, **size):
                    say(f"{quantity}: n {n}, {name}, true {truth:+.2f}, coverage {hits:.3f} of {count}")
            for strengths in ((0.7, 0.7), (1.5, 0.7)):
                for quantity, truth, hits, count in paired_coverage(n, noise, strengths, **size):
                    line = f"difference of {quantity}: n {n}, {name}, true {truth:+.2f}, coverage {hits:.3f} of {count}"
                    say(line)
    rng = np.random.default_rng(2)
    for n in args.compounds[:1] if args.pages else ():
        pages = [page(rng, n, args.page_resamples) for _ in range(args.pages)]
        plain, corrected = (sum(one[place] for one in pages) for place in (0, 1))
        say(f"pages: n {n}, any p below .05: {plain} of {len(pages)}, after Holm's correction {corrected}")


if __name__ == "__main__":
    main()
