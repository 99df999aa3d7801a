"""An evaluation by the frozen references alone: one sentence at a time, then the measures in plain Python."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from ncimp.builder.commands import evaluate as command
from ncimp.evaluator.measures import FloatArray, cosine
from ncimp.evaluator.release import Item, Release, read_release
from ncimp.evaluator.vectors import VectorSource
from tests.frozen import load_reference

measures = load_reference("measures_reference")
transformer = load_reference("transformer_reference")

CLASSES = {"idiomatic": 0.0, "partly_compositional": 1.0, "compositional": 2.0}
LEVELS = ("sentence", "nc")


def naive_vectors(items: Sequence[Item], model: Any, tokenizer: Any, last: int = 4) -> dict[str, FloatArray]:
    """The vectors of *items* by level, each item encoded alone."""
    pairs = [transformer.vectors(model, tokenizer, item.sentence, item.span, last) for item in items]
    return {level: np.stack([pair[place].numpy() for pair in pairs]) for place, level in enumerate(LEVELS)}


def naive_results(release: Release, vectors: dict[str, FloatArray]) -> dict[tuple[str, ...], tuple[float, float]]:
    """The mean and the rho of every measure, by language, kind of context, level and measure."""
    found: dict[tuple[str, ...], tuple[float, float]] = {}
    rows = {item.id: place for place, item in enumerate(release.items)}
    for level in LEVELS:
        compounds: dict[str, Any] = {compound.id: {} for compound in release.compounds}
        for item in release.items:
            cell = compounds[item.compound_id].setdefault(item.context, {})
            cell[item.variant] = vectors[level][rows[item.id]].tolist()
        for lang in release.languages:
            chosen = [compound for compound in release.compounds if compound.lang == lang]
            score = [CLASSES[compound.compound_class] for compound in chosen]
            sims = {one.id: _with_sims(compounds[one.id]) for one in chosen}
            for kind in measures.CONTEXTS:
                for measure in MEASURES:
                    values = [measures.compound_value(sims[one.id], measure, kind) for one in chosen]
                    rho = measures.spearman(values, score)
                    found[lang, kind, level, measure] = (float(np.mean(values)), rho)
    return found


def _with_sims(compound: Any) -> Any:
    """The compound with two-dimensional vectors of the same cosines, so that each is computed from the vectors once."""
    flat: dict[str, dict[str, list[float]]] = {}
    for context, sentence in compound.items():
        flat[context] = {}
        for variant, vector in sentence.items():
            sim = measures.sim(sentence["orig"], vector)
            flat[context][variant] = [sim, max(0.0, 1 - sim * sim) ** 0.5]
        flat[context]["orig"] = [1.0, 0.0]
    return flat


MEASURES = (
    *(f"Sim_{name}" for name in ("PSyn", "PComp_head", "PComp_mod", "PComp_max", "PComp_mean")),
    *("Sim_PWordsSyn_first", "Sim_PWordsSyn_mean", "Sim_PRand"),
    *("A_Syn|WordsSyn_first", "A_Syn|WordsSyn_mean", "A_Syn|Rand"),
    *(f"SimR_{name}" for name in ("PSyn", "PComp_head", "PComp_mod", "PComp_max", "PComp_mean")),
    *("SimR_PWordsSyn_first", "SimR_PWordsSyn_mean"),
)


def similarities(items: Sequence[Item], vectors: FloatArray) -> FloatArray:
    """The cosine of each item with the original of its context."""
    originals = {(item.compound_id, item.context): place for place, item in enumerate(items) if item.variant == "orig"}
    return cosine(vectors[[originals[item.compound_id, item.context] for item in items]], vectors)


def command_results(*arguments: object) -> dict[tuple[str, ...], dict[str, Any]]:
    """What `ncimp evaluate` prints as JSON, by language, kind of context, level and measure."""
    parser = argparse.ArgumentParser()
    command.run.register(parser)
    with redirect_stdout(io.StringIO()) as output:
        command.run(parser.parse_args([*map(str, arguments), "--json", "--resamples", "100"]))
    rows = json.loads(output.getvalue())["results"]
    return {(row["lang"], row["context_kind"], row["level"], row["measure"]): row for row in rows}


def differences(
    folder: Path, model: Any, tokenizer: Any, source: VectorSource, results: dict[Any, Any], last: int = 4
) -> dict[str, float]:
    """The largest absolute difference from the references: of similarities by level, of means and of rho."""
    release = read_release(folder)
    naive = naive_vectors(release.items, model, tokenizer, last)
    ours = {"sentence": source.sentence(release.items), "nc": source.span(release.items)}
    found = {}
    for level in LEVELS:
        one, other = similarities(release.items, naive[level]), similarities(release.items, np.asarray(ours[level]))
        found[f"similarity, {level}"] = float(np.abs(one - other).max())
    expected = naive_results(release, naive)
    assert set(expected) == set(results)
    for place, name in enumerate(("mean", "rho")):
        pairs = [(value[place], results[key][name]) for key, value in expected.items()]
        assert all((one is None) == (other is None) for one, other in pairs)
        found[name] = max(abs(one - other) for one, other in pairs if one is not None)
    return found
