"""How often the intervals of rho cover the true one: BCa by bootstrap, and Fisher's z of the partial correlations.

    PYTHONPATH=src:. python tests/evaluator/coverage.py [SIMULATIONS]

prints a row of the table in docs/reference/evaluator-checks.md for each kind of data: three classes and a measure that
goes with them, with normal noise or with that of a t distribution of two degrees of freedom.
"""

from __future__ import annotations

import sys

import numpy as np

from ncimp.evaluator.controls import significance
from ncimp.evaluator.correlation import Interval, RhoSampler, bca_interval, plain_rho
from ncimp.evaluator.measures import FloatArray

KINDS = [(n, noise, slope) for n in (30, 280) for noise in ("normal", "heavy") for slope in (0.0, 0.7, 2.6)]
RESAMPLES = 1_000


def drawn(rng: np.random.Generator, n: int, noise: str, slope: float) -> tuple[FloatArray, FloatArray]:
    """Return the values of a measure and the classes of *n* compounds."""
    score = rng.integers(0, 3, n).astype(float)
    return slope * score + (rng.normal(size=n) if noise == "normal" else rng.standard_t(2, size=n)), score


def main(simulations: int) -> None:
    for n, noise, slope in KINDS:
        rng = np.random.default_rng(5)
        true = plain_rho(*drawn(rng, 1_000_000, noise, slope)) or 0.0
        counts = [0, 0]
        for _ in range(simulations):
            values, score = drawn(rng, n, noise, slope)
            sample = RhoSampler(score, RESAMPLES).sample(values)
            intervals: list[Interval] = [bca_interval(*sample), significance(sample.value, n, 0)[1]]
            for place, (low, high) in enumerate(intervals):
                counts[place] += low is not None and high is not None and low <= true <= high
        bca, fisher = (count / simulations for count in counts)
        print(f"| {n} | {noise} | {true:.2f} | {bca:.3f} | {fisher:.3f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
