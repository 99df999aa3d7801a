"""A frozen, slow, plain implementation of the measures. Standard library only; it may not import what it checks.

A compound is {context: {variant: list of floats, or None when the item has no vector}}.
"""

from __future__ import annotations

import itertools
import math

Vector = list[float] | None
Sentence = dict[str, Vector]
Compound = dict[str, Sentence]

RANDOM = ["rand1", "rand2", "rand3", "rand4", "rand5"]
WORDS = ["ws1", "ws2", "ws3", "ws4", "ws5"]
CONTEXTS = {
    "naturalistic": ["nat1", "nat2", "nat3"],
    "neutral": ["neut_short", "neut_long"],
    "all": ["nat1", "nat2", "nat3", "neut_short", "neut_long"],
}


def sim(x: Vector, y: Vector) -> float | None:
    """Equation (2)."""
    if x is None or y is None:
        return None
    norm_x = math.sqrt(math.fsum(a * a for a in x))
    norm_y = math.sqrt(math.fsum(b * b for b in y))
    if norm_x == 0 or norm_y == 0:
        return None
    return math.fsum(a * b for a, b in zip(x, y, strict=True)) / (norm_x * norm_y)


def mean(values: list[float | None]) -> float | None:
    """The mean of what is not missing."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def sim_probe(sentence: Sentence, probe: str) -> float | None:
    """Sim_P(α,β) of equation (3)."""
    to = {variant: sim(sentence["orig"], vector) for variant, vector in sentence.items()}
    if probe == "PSyn":
        return to["syn"]
    if probe == "PComp_head":
        return to["head"]
    if probe == "PComp_mod":
        return to["mod"]
    if probe in ("PComp_max", "PComp_mean"):
        head, mod = to["head"], to["mod"]
        if head is None or mod is None:
            return None
        return max(head, mod) if probe == "PComp_max" else (head + mod) / 2
    if probe == "PWordsSyn_first":
        return to["ws1"]
    if probe == "PWordsSyn_mean":
        return mean([to[variant] for variant in WORDS])
    if probe == "PRand":
        return mean([to[variant] for variant in RANDOM])
    raise KeyError(probe)


def sentence_value(sentence: Sentence, measure: str) -> float | None:
    """The inside of equations (3), (4) and (5)."""
    family, name = measure.split("_", 1)
    if family == "Sim":
        return sim_probe(sentence, name)
    if family == "A":
        first, second = name.split("|")
        one, other = sim_probe(sentence, "P" + first), sim_probe(sentence, "P" + second)
        return None if one is None or other is None else one - other
    one, random = sim_probe(sentence, name), sim_probe(sentence, "PRand")
    if one is None or random is None or 1 - random < 1e-6:
        return None
    return (one - random) / (1 - random)


def compound_value(compound: Compound, measure: str, kind: str) -> float | None:
    """The outer mean over sentences of equations (3), (4) and (5)."""
    return mean([sentence_value(compound[context], measure) for context in CONTEXTS[kind]])


def needed(measure: str) -> set[str]:
    """The variants a measure is made of."""
    variants = {"orig"}
    for part, members in {
        "PSyn": ["syn"],
        "A_Syn": ["syn"],
        "head": ["head"],
        "mod": ["mod"],
        "max": ["head", "mod"],
        "PComp_mean": ["head", "mod"],
        "WordsSyn_first": ["ws1"],
        "WordsSyn_mean": WORDS,
        "Rand": RANDOM,
        "SimR_": RANDOM,
    }.items():
        if part in measure:
            variants.update(members)
    return variants


def missing(compound: Compound, measure: str, kind: str) -> int:
    """Items without a vector and, for SimR, sentences with too little spread."""
    count = 0
    for context in CONTEXTS[kind]:
        for variant in needed(measure):
            vector = compound[context][variant]
            count += vector is None or not any(vector)
        random = sim_probe(compound[context], "PRand")
        count += measure.startswith("SimR_") and random is not None and 1 - random < 1e-6
    return count


def ranks(values: list[float]) -> list[float]:
    """Ranks from 1; ties share the mean of their ranks."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values
    ]


def spearman(x: list[float], y: list[float]) -> float | None:
    """Pearson's correlation of the ranks; None when one side is constant."""
    a, b = ranks(x), ranks(y)
    mean_rank = (len(x) + 1) / 2
    product = sum((p - mean_rank) * (q - mean_rank) for p, q in zip(a, b, strict=True))
    square = sum((p - mean_rank) ** 2 for p in a) * sum((q - mean_rank) ** 2 for q in b)
    return product / math.sqrt(square) if square else None


def permutation_p(x: list[float], y: list[float]) -> float:
    """The share of all orders of y whose |rho| with x is at least the one observed."""
    observed = abs(spearman(x, y) or 0.0)
    orders = [abs(spearman(x, list(order)) or 0.0) for order in itertools.permutations(y)]
    return sum(rho >= observed - 1e-12 for rho in orders) / len(orders)


def holm(p: list[float]) -> list[float]:
    """Holm's adjusted p, straight from its definition."""
    order = sorted(range(len(p)), key=lambda place: p[place])
    adjusted = [0.0] * len(p)
    for step, place in enumerate(order):
        adjusted[place] = max(min(1.0, (len(p) - earlier) * p[order[earlier]]) for earlier in range(step + 1))
    return adjusted
