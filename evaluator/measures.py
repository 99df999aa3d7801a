"""The measures of idiomaticity as pure functions of cosines.

Shapes: N compounds, 5 contexts (`CONTEXTS`), 14 variants (`VARIANTS`). A similarity array has shape
(N, 5, 14): the cosine of the original of a context and each variant in it. NaN is "missing" on the
way in and on the way out. Equation numbers are those of the project's measures page, after
NCIMP (He et al., CL 51(2), §3.3-3.4).
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.records import Context, ContextKind, Variant

FloatArray = NDArray[np.float64]  # values in double precision; NaN where one is missing
CONTEXTS: tuple[Context, ...] = get_args(Context)  # the contexts, in the order of the second axis
VARIANTS: tuple[Variant, ...] = get_args(Variant)  # the variants, in the order of the third axis
Kinds = dict[ContextKind, tuple[Context, ...]]
CONTEXT_KINDS: Kinds = {"naturalistic": CONTEXTS[:3], "neutral": CONTEXTS[3:], "all": CONTEXTS}  # contexts of a figure
MIN_SPREAD = 1e-6  # below this 1 - Sim_Rand, SimR would divide rounding noise by rounding noise (equation 5)
Family = Literal["Sim", "A", "SimR"]  # similarity (3), affinity (4), scaled similarity (5)


class Probe(NamedTuple):
    """The variants a probe averages over, or takes the maximum of.

    The five ws and the five rand stand for each other: the mean is over those that have a vector.
    Head and modifier do not: their mean and maximum need both, or one would silently be the other.
    """

    variants: tuple[Variant, ...]
    reduce: Literal["mean of present", "mean", "max"] = "mean of present"


# `PComp_max` and `PWordsSyn_first` are the published rules; `orig` is there for the identities
PROBES = {
    "orig": Probe(("orig",)),
    "PSyn": Probe(("syn",)),
    "PComp_head": Probe(("head",)),
    "PComp_mod": Probe(("mod",)),
    "PComp_max": Probe(("head", "mod"), "max"),
    "PComp_mean": Probe(("head", "mod"), "mean"),
    "PWordsSyn_first": Probe(("ws1",)),
    "PWordsSyn_mean": Probe(VARIANTS[4:9]),
    "PRand": Probe(VARIANTS[9:]),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: its family, the probe it is of, and for A and SimR the probe it is compared with."""

    name: str
    family: Family
    probe: str
    other: str | None = None

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants whose vectors the measure needs, the original first."""
        needed = {*PROBES[self.probe].variants, *(PROBES[self.other].variants if self.other else ())}
        return ("orig", *(variant for variant in VARIANTS[1:] if variant in needed))


SCALED_PROBES = tuple(name for name in PROBES if name not in ("orig", "PRand"))
MEASURES = (  # every measure of the table, in its order
    *(Measure(f"Sim_{name}", "Sim", name) for name in (*SCALED_PROBES, "PRand")),
    Measure("A_Syn|WordsSyn_first", "A", "PSyn", "PWordsSyn_first"),
    Measure("A_Syn|WordsSyn_mean", "A", "PSyn", "PWordsSyn_mean"),
    Measure("A_Syn|Rand", "A", "PSyn", "PRand"),
    *(Measure(f"SimR_{name}", "SimR", name, "PRand") for name in SCALED_PROBES),
)


def cosine(first: NDArray[Any], second: NDArray[Any]) -> FloatArray:
    """Return the cosine of each pair of rows of two (m, d) arrays, NaN where a row is zero or missing: equation (2)."""
    # sum() adds in an order that does not depend on the machine, unlike a BLAS product
    product = (unit_rows(first) * unit_rows(second)).sum(axis=-1)
    return np.asarray(np.clip(product, -1.0, 1.0))


def unit_rows(rows: NDArray[Any]) -> FloatArray:
    """Return the rows of an (m, d) array at length 1, in double precision; a zero row has no direction and is NaN."""
    values = rows.astype(np.float64)
    largest = np.abs(values).max(axis=-1, keepdims=True)
    # dividing by the largest component first keeps the squares from overflowing or vanishing
    scaled = values / np.where(largest > 0, largest, np.nan)
    return np.asarray(scaled / np.sqrt((scaled * scaled).sum(axis=-1, keepdims=True)))


def mean_of_present(values: FloatArray) -> FloatArray:
    """Return the mean over the last axis of what is not NaN, NaN where nothing is."""
    present = ~np.isnan(values)
    count = present.sum(axis=-1)
    total = np.where(present, values, 0.0).sum(axis=-1)
    return np.asarray(total / np.where(count > 0, count, np.nan))


def probe_similarity(similarity: FloatArray, probe: Probe) -> FloatArray:
    """Return Sim_P for each compound and context, from (N, 5, 14) to (N, 5): the inner mean (or maximum) of (3).

    >>> row = np.full((1, 1, 14), np.nan); row[0, 0, 2:4] = 0.25, 0.75
    >>> probe_similarity(row, PROBES["PComp_max"]).tolist(), probe_similarity(row, PROBES["PComp_mean"]).tolist()
    ([[0.75]], [[0.5]])
    """
    selected = similarity[..., [VARIANTS.index(variant) for variant in probe.variants]]
    if probe.reduce == "max":
        return np.asarray(selected.max(axis=-1))
    return (
        mean_of_present(selected) if probe.reduce != "mean" else np.asarray(selected.sum(axis=-1) / selected.shape[-1])
    )


def scaled_similarity(similarity: FloatArray, random: FloatArray) -> FloatArray:
    """Return (Sim_P - Sim_Rand) / (1 - Sim_Rand), NaN where the divisor is below `MIN_SPREAD`: the inside of (5).

    *random* is already the mean over the five random compounds of the sentence.

    >>> scaled_similarity(np.array([1.0, 0.5, 0.9]), np.array([0.5, 0.5, 1.0])).tolist()
    [1.0, 0.0, nan]
    """
    spread = 1.0 - random
    return np.asarray((similarity - random) / np.where(spread < MIN_SPREAD, np.nan, spread))


def sentence_values(measure: Measure, similarity: FloatArray) -> FloatArray:
    """Return *measure* for each compound and context, from (N, 5, 14) to (N, 5): the insides of (3), (4) and (5)."""
    value = probe_similarity(similarity, PROBES[measure.probe])
    if measure.other is None:
        return value
    other = probe_similarity(similarity, PROBES[measure.other])
    return value - other if measure.family == "A" else scaled_similarity(value, other)


def compound_values(by_sentence: FloatArray, kind: ContextKind) -> FloatArray:
    """Return the mean over the sentences of a context kind that have a value, from (N, 5) to (N,): (3), (4) and (5)."""
    return mean_of_present(by_sentence[:, context_indices(kind)])


def context_indices(kind: ContextKind) -> list[int]:
    """Return the places of the contexts of *kind* on the second axis."""
    return [CONTEXTS.index(context) for context in CONTEXT_KINDS[kind]]


def missing_count(measure: Measure, similarity: FloatArray, present: NDArray[np.bool_], kind: ContextKind) -> int:
    """Return the number of items without a vector among those that *measure* needs in contexts of *kind*.

    For SimR, sentences where 1 - Sim_Rand is below `MIN_SPREAD` count as well. *present*, of shape
    (N, 5, 14), says which items have a vector with a direction.
    """
    contexts = context_indices(kind)
    needed = [VARIANTS.index(variant) for variant in measure.variants]
    missing = int((~present[:, contexts][..., needed]).sum())
    if measure.family == "SimR":
        random = probe_similarity(similarity, PROBES["PRand"])[:, contexts]
        missing += int((1.0 - random < MIN_SPREAD).sum())
    return missing
