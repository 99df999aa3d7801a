"""Results of tiny releases, for the tests of the pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from ncimp.evaluator.comparison import compare
from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.release import read_release
from ncimp.evaluator.results import COMPARISON, write_evaluation
from ncimp.evaluator.vectors import open_vectors
from ncimp.schemas.files import read_json, write_json
from ncimp.schemas.records import to_row
from tests.evaluator.tiny import Tiny, file_model, known_signs, write_vec

HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;"
"""A name that must stay a name."""


def evaluated(folder: Path, name: str, *, noise: float, without: str | None = None) -> Path:
    """Return results of vectors with some *noise*, in two languages, beside their release `ncimp`."""
    tiny = Tiny(folder / "ncimp", compounds=12, langs=("en", "pt"))
    if not tiny.folder.exists():
        tiny.write()
    rng = np.random.default_rng(7)
    words = {word: (np.array(v) + noise * rng.normal(size=2)).tolist() for word, v in known_signs(tiny).items()}
    if without is not None:
        del words[without]
    words["x"] = [0.01, 0.02]
    path = write_vec(folder / f"{name}.vec", words)
    release = read_release(tiny.folder)
    source = open_vectors(path, release.items)
    made = evaluate_source(release, source, model=file_model(path), options=Options(resamples=200))
    write_evaluation(folder / name, made)
    return folder / name


def renamed(results: Path, folder: Path, name: str) -> Path:
    """Return a copy of *results* at *folder* whose model has the *name*."""
    shutil.copytree(results, folder)
    document = read_json(folder / "results.json")
    own = document["signature"]["model"]["name"]
    document["signature"]["model"]["name"] = name
    for table in ("results", "scorecard", "distributions", "partial", "overlap_free"):
        for row in document[table]:
            row["model"] = name if row["model"] == own else row["model"]
    write_json(folder / "results.json", document)
    return folder


def compared(folder: Path) -> Path:
    """Return a comparison of three models, one with a hostile name, in *folder*."""
    out = folder / "comparison"
    if not out.exists():
        made = [evaluated(folder, name, noise=noise) for name, noise in (("a", 0.01), ("b", 0.3), ("c", 2.0))]
        made[1] = renamed(made[1], folder / "hostile model", HOSTILE)
        write_json(out / COMPARISON, to_row(compare(made, resamples=200)))
    return out
