"""A release of a few compounds, and word vectors under which the signs of the measures are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ncimp.evaluator.measures import CONTEXTS, VARIANTS
from ncimp.evaluator.records import Model
from ncimp.evaluator.vectors import vectors_hash
from ncimp.schemas.arrow import write_parquet
from ncimp.schemas.files import Row, file_hash, write_json, write_text
from ncimp.schemas.records import columns, load_schema

CLASSES = ("idiomatic", "partly_compositional", "compositional")
PROBES = {"syn": "PSyn", "head": "PComp", "mod": "PComp", "w": "PWordsSyn", "r": "PRand"}
VERSION = "0.1.0"
ZERO = "0" * 64

JUDGED: Row = {
    **dict.fromkeys(("context", "head", "modifier", "comp", "day", "seconds", "excluded")),
    "lang": "en",
    "compound_id": "en/c0",
    "mode": "token",
    "campaign": "0" * 16,
    "platform": "turkle",
    "status": "judged",
    "synonyms": [],
    "simulated": False,
    "split": "train",
    "licence": "CC-BY-4.0",
    "release": "1.0.0",
}
"""A judgement that lacks only what it is of, by whom and which."""


@dataclass
class Tiny:
    """Six compounds by default, two per class; every variant of compound 3 is the one token `c3_ws1` and so on."""

    folder: Path
    compounds: int = 6
    langs: tuple[str, ...] = ("en",)
    comp: Mapping[int, float] = field(default_factory=dict)
    zipf: Mapping[int, float] = field(default_factory=dict)
    overlap_free: tuple[int, ...] = ()
    literal: tuple[int, ...] = ()
    """Compounds with a sentence that means them literally."""
    judged: tuple[Row, ...] = ()
    """Judgements: item_id, annotator, and any of comp, head and modifier."""

    def write(self) -> Path:
        sentences = [
            self._item(lang, c, x, v) for lang in self.langs for c in self.range for x in CONTEXTS for v in VARIANTS
        ]
        compounds = [self._compound(lang, number) for lang in self.langs for number in self.range]
        entries = [self._table("sentences", sentences, "item"), self._table("compounds", compounds, "compound")]
        if self.literal:
            meant = [self._item("en", c, "literal", v) for c in self.literal for v in ("orig", "syn", "ws1")]
            entries.append(self._table("sense_sentences", meant, "item"))
        if self.judged:
            rows = [JUDGED | {"id": f"{number:016x}"} | row for number, row in enumerate(self.judged)]
            entries.append(self._table("annotations", rows, "released_annotation"))
        write_text(self.folder / "README.md", "# tiny\n")
        entries.append(self._entry("README.md", None))
        write_json(self.folder / "manifest.json", self._manifest(entries))
        return self.folder

    @property
    def range(self) -> range:
        return range(self.compounds)

    def class_of(self, number: int) -> str:
        return CLASSES[number * 3 // self.compounds]

    def _item(self, lang: str, number: int, context: str, variant: str) -> Row:
        probe = "orig" if variant == "orig" else PROBES.get(variant, PROBES.get(variant[0], "PRand"))
        kind = "naturalistic" if context.startswith("nat") else "neutral"
        row = _blank("item") | self._facts(lang, number)
        row |= {"id": f"{lang}/c{number}/{context}/{variant}", "compound_id": f"{lang}/c{number}"}
        row |= {"context": context, "context_kind": kind, "variant": variant, "probe": probe}
        word = f"c{number}_{variant}"
        row |= {"sentence": f"a {word} in {context}.", "span": [2, 2 + len(word)]}
        return row | {"tokens": ["a", word, "."], "token_span": [1, 2]}

    def _compound(self, lang: str, number: int) -> Row:
        zipf = self.zipf.get(number)
        facts = self._facts(lang, number) | {"comp": self.comp.get(number)}
        facts |= {"modifier_zipf": zipf, "head_zipf": zipf}
        facts |= {"synonyms": [{"text": "x", "overlap_free": number in self.overlap_free}]}
        return _blank("compound") | facts | {"id": f"{lang}/c{number}"}

    def _facts(self, lang: str, number: int) -> Row:
        facts = {"lang": lang, "compound": f"c{number}", "compound_class": self.class_of(number)}
        return facts | {"split": "test", "release": VERSION}

    def _table(self, config: str, rows: list[Row], table: str) -> Row:
        path = f"{config}/test-00000-of-00001.parquet"
        write_parquet(self.folder / path, rows, table)
        return self._entry(path, len(rows))

    def _entry(self, path: str, rows: int | None) -> Row:
        whole = self.folder / path
        logical = None if rows is None else ZERO
        facts = {"path": path, "bytes": whole.stat().st_size, "sha256": file_hash(whole)}
        return facts | {"rows": rows, "logical_sha256": logical}

    def _manifest(self, entries: list[Row]) -> Row:
        facts = {"format": 1, "name": "ncimp", "release": VERSION, "code_version": "0.1.0", "edition": "open"}
        facts |= {"languages": list(self.langs), "options": {}, "inputs": [], "files": entries}
        return facts | {"logical_sha256": "ab" * 32, "counts": {}, "matching": {}}


def _blank(table: str) -> Row:
    """Return a row with a value of the right type in every column."""
    plain = {"string": "x", "integer": 0, "number": 0.0, "boolean": False, "array": []}
    properties = load_schema(table)["properties"]
    return {
        name: None if isinstance(properties[name]["type"], list) else plain[properties[name]["type"]]
        for name in columns(table)
    }


def known_signs(tiny: Tiny) -> dict[str, list[float]]:
    """Return word vectors: syn near the original throughout, ws near it the more compositional, rand far."""
    words: dict[str, list[float]] = {}
    for number in tiny.range:
        literal = number / (tiny.compounds - 1)
        angles = {"orig": 0.0, "syn": 0.05 + 0.001 * ((number * 5) % 7), "mod": 0.9, "head": 0.5}
        angles |= {f"ws{k}": 1.2 - 1.1 * literal + 0.01 * k for k in range(1, 6)}
        angles |= {f"rand{k}": 1.4 + 0.01 * k + 0.003 * ((number * 3) % 5) for k in range(1, 6)}
        words |= {f"c{number}_{v}": [float(np.cos(a)), float(np.sin(a))] for v, a in angles.items()}
    return words


def write_vec(path: Path, words: Mapping[str, list[float]]) -> Path:
    lines = [f"{len(words)} {len(next(iter(words.values())))}"]
    lines += [f"{word} {' '.join(map(repr, vector))}" for word, vector in words.items()]
    write_text(path, "\n".join(lines) + "\n")
    return path


def file_model(path: Path) -> Model:
    """Return what a result says of the vectors in the file *path*."""
    return Model(path.name, "precomputed" if path.suffix == ".npz" else "static", vectors_hash(path), {})
