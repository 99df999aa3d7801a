r"""How often repaired sentences are those of the experts, and how long the repair of the open edition takes.

Figures are those of the scorer beside the gold (`score.py`): exact, and with listed alternatives and corrected
gold errors accepted. `core` leaves out the experts' random compounds from the dataset itself and the generic
ones, which need no repair.

    PYTHONPATH=src python bench/linguistics_repair.py --shared ../shared
    PYTHONPATH=src python bench/linguistics_repair.py --speed
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.cli import main as ncimp
from ncimp.builder.config import BuildOptions
from ncimp.builder.filling.fill import Filler
from ncimp.builder.selection.replacements import select
from ncimp.builder.sources.packs.packs import packs_folder

ROOT = Path(__file__).resolve().parents[1]
CORE = ("gold_syn", "comp_mod", "comp_head", "words_syn", "head_syn", "mod_syn", "rand_freq")
"""Variants of the experts that stand in the published figures of repair."""

TARGETS = {
    "pt naturalistic, core": (0.96, 0.985),
    "pt naturalistic, core, a repair is due": (0.89, None),
    "pt short frame": (0.993, None),
    "en": (0.98, 0.9995),
}
"""Shares to reach: exact, accepted."""

Shares = tuple[int, float, float]
"""Rows, share exact, share accepted."""


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the development data")
    parser.add_argument("--speed", action="store_true", help="only the time of filling the open edition")
    args = parser.parse_args()
    if args.speed:
        for line in speed():
            sys.stdout.write(f"{line}\n")
        return
    for name, (rows, exact, accepted) in figures(args.shared).items():
        sys.stdout.write(f"{name:45} {rows:6} {exact:.4f} {accepted:.4f}\n")


def lexicons(shared: Path) -> list[str]:
    """Return the `--morphology` options for the Portuguese lexicons and treebanks in *shared*."""
    sources = shared / "sources"
    paths = [*sorted((sources / "morphology").glob("*.xz")), *sorted((sources / "corpora").glob("pt_*.conllu"))]
    return [option for path in paths for option in ("--morphology", f"pt={path}")]


def figures(shared: Path, data: Path | None = None) -> Mapping[str, Shares]:
    """Return the shares by kind of rows, from one run of `ncimp task repair` on the dev half."""
    gold = shared / "gold"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "repaired.jsonl"
        rows = gold / "dev_repair_input.jsonl"
        kept = ["--data", str(data)] if data else []
        code = ncimp(["task", "repair", *lexicons(shared), *kept, "--input", str(rows), "--out", str(made)])
        if code:
            raise SystemExit(code)
        scorer = [sys.executable, gold / "score.py", made, gold / "dev_sentences.jsonl"]
        scorer += ["--accept", gold / "dev_accept.jsonl", "--json"]
        done = subprocess.run(scorer, capture_output=True, text=True, check=True)  # noqa: S603
    return dict(_shares(json.loads(done.stdout)))


def _shares(scored: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[str, Shares]]:
    core = [f"pt / nat / {variant}" for variant in CORE]
    yield "pt naturalistic, core", _sum(scored, core)
    yield "pt naturalistic, core, a repair is due", _sum(scored, [f"{name} / need" for name in core])
    yield "pt naturalistic, all rows", _sum(scored, ["pt / nat"])
    yield "pt short frame", _sum(scored, ["pt / short"])
    yield "pt short frame, plural", _sum(scored, ["pt / short_pl"])
    yield "en", _sum(scored, ["en"])
    for name in sorted(name for name in scored if name.startswith("pt / category / ")):
        yield name.replace("pt / category / ", "pt, category "), _sum(scored, [name])


def _sum(scored: Mapping[str, Mapping[str, float]], names: list[str]) -> Shares:
    held = [scored[name] for name in names if name in scored]
    rows = sum(row["n"] for row in held)
    exact = sum(row["n"] * row["exact"] for row in held)
    accepted = sum(row["n"] * row["adjusted"] for row in held)
    return int(rows), exact / rows, accepted / rows


def speed() -> Iterator[str]:
    """Yield how long filling takes, selection left out: every sentence of the open edition, repaired."""
    total = seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for lang in ("en", "pt"):
            shop = LanguageResources(lang, packs_folder(), Path(folder))
            replacements = select(shop.selection, BuildOptions())
            start = time.perf_counter()
            filled = sum(1 for _ in Filler(shop.pack, shop.morphology).fill(replacements))
            took = time.perf_counter() - start
            total, seconds = total + filled, seconds + took
            yield f"{lang}: {filled} sentences in {took:.1f} s, {1e3 * took / filled:.2f} ms each"
    yield f"all: {int(total)} sentences in {seconds:.1f} s"


if __name__ == "__main__":
    main()
