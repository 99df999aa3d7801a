r"""How often repaired sentences are those of the experts, and how long the repair of the open edition takes.

Figures are those of the scorer beside the gold (`score.py`): exact, and with listed alternatives and corrected
gold errors accepted. `core` leaves out the experts' random compounds from the dataset itself and the generic
ones, which need no repair.

    PYTHONPATH=src python bench/linguistics_repair.py --shared ../shared [--parser pt-parser]
    PYTHONPATH=src python bench/linguistics_repair.py --speed
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
import unicodedata
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
    parser.add_argument("--parser", metavar="NAME|FOLDER", help="a spaCy pipeline for far agreement")
    parser.add_argument("--speed", action="store_true", help="only the time of filling the open edition")
    args = parser.parse_args()
    if args.speed:
        for line in speed():
            sys.stdout.write(f"{line}\n")
        return
    options = ["--parser", args.parser] if args.parser else []
    for name, (rows, exact, accepted) in figures(args.shared, *options).items():
        sys.stdout.write(f"{name:45} {rows:6} {exact:.4f} {accepted:.4f}\n")


def figures(shared: Path, *options: str) -> Mapping[str, Shares]:
    """Return the shares by kind of rows, from one run of `ncimp task repair` with *options* on the dev half.

    Names that end in `, unseen` are of the compounds whose failures nobody looks at (`is_unseen`).
    """
    gold = shared / "gold"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "repaired.jsonl"
        rows = gold / "dev_repair_input.jsonl"
        code = ncimp(["task", "repair", *options, "--input", str(rows), "--out", str(made)])
        if code:
            raise SystemExit(code)
        sentences, unseen = gold / "dev_sentences.jsonl", Path(folder) / "unseen.jsonl"
        lines = sentences.read_text("utf-8").splitlines(keepends=True)
        unseen.write_text("".join(line for line in lines if is_unseen(json.loads(line))), "utf-8")
        scored = [_scored(made, known, gold / "dev_accept.jsonl") for known in (sentences, unseen)]
    of_unseen = ((f"{name}, unseen", found) for name, found in _shares(scored[1]) if "core" in name)
    return dict([*_shares(scored[0]), *of_unseen])


def is_unseen(row: Mapping[str, str]) -> bool:
    """Tell whether nobody looks at the failures of a compound: a fifth of them (3 of 16 digits), by hash."""
    name = " ".join(unicodedata.normalize("NFC", row["compound"]).lower().split())
    return hashlib.sha256(f"{row['lang']}|{name}".encode()).hexdigest()[1] in "012"


def _scored(made: Path, known: Path, accepted: Path) -> Mapping[str, Mapping[str, float]]:
    command: list[str | Path] = [sys.executable, accepted.parent / "score.py", made, known]
    command += ["--accept", accepted, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    result: Mapping[str, Mapping[str, float]] = json.loads(done.stdout)
    return result


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
