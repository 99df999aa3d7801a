"""One hash over the rows that a tool wrote, whatever their order: a sum, so that nothing is sorted or kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa

BITS = 64
KINDS = {"N_N": b"N", "A_N": b"J"}
"""Our patterns that task t2 counts, as the other tools write them."""


def digest(rows: Iterable[bytes]) -> str:
    """Return the hash and the number of *rows*."""
    total = number = 0
    for row in rows:
        total += int.from_bytes(blake2b(row, digest_size=BITS // 8).digest(), "little")
        number += 1
    return f"{total % (1 << BITS):016x} ({number:,} rows)"


def digest_of_tables(folder: Path) -> str:
    """Return the hash over `words` and `pairs` in *folder*, which most tools write."""
    return digest(_lines(folder))


def digest_of_store(folder: Path) -> str:
    """Return the same hash over the statistics store in *folder*."""
    return digest(_store_rows(folder))


def _lines(folder: Path) -> Iterator[bytes]:
    for name in ("words", "pairs"):
        with (folder / name).open("rb") as stream:
            for line in stream:
                yield line.removesuffix(b"\n")


def _store_rows(folder: Path) -> Iterator[bytes]:
    from ncimp.corpus_stats.store.header import CANDIDATES, PAIRS, WORDS, read_header

    header = read_header(folder)
    (layer,) = (name for name, totals in header.layers.items() if totals.tokens)
    words = list[bytes]()
    for batch in _batches(folder / (layer + WORDS)):
        texts = [word.encode() for word in batch["word"]]
        yield from map(b"%s\t%d".__mod__, zip(texts, batch["count"], strict=True))
        words += texts
    if header.adjacent:
        for batch in _batches(folder / (layer + PAIRS)):
            for first, second, count in zip(batch["first"], batch["second"], batch["count"], strict=True):
                yield b"%s\t%s\t%d" % (words[first], words[second], count)
        return
    kinds = [KINDS.get(str(pattern["id"])) for pattern in header.patterns]
    for batch in _batches(folder / (layer + CANDIDATES)):
        columns = (batch[name] for name in ("pattern", "first", "second", "count"))
        for number, first, second, count in zip(*columns, strict=True):
            if kind := kinds[number - 1]:
                yield b"%s\t%s\t%s\t%d" % (words[first], kind, words[second], count)


def _batches(path: Path) -> Iterator[dict[str, list[Any]]]:
    """Yield the columns of an Arrow file, some rows at a time."""
    with pa.memory_map(str(path)) as mapped:
        reader = pa.ipc.open_file(mapped)
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number).to_pydict()
