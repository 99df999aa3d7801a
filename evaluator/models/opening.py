"""A model by its name, with the store of its vectors; nothing is loaded before something has to be encoded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ncimp.evaluator.extras import require
from ncimp.evaluator.models.endpoint import EndpointEncoder, EndpointOptions
from ncimp.evaluator.models.options import ModelOptions, files_hash, model_folder, model_name
from ncimp.evaluator.models.passages import Encoder
from ncimp.evaluator.models.source import ModelVectors
from ncimp.evaluator.models.store import VectorStore
from ncimp.evaluator.vectors import Opened
from ncimp.schemas.files import Row


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where vectors are kept (in memory when None), who hears of trouble, and who of sentences done, of all."""

    cache: Path | None = None
    tell: Callable[[str], None] = lambda _text: None
    progress: Callable[[int, int], None] = lambda _done, _total: None


def open_model(name: str, options: ModelOptions, *, keeping: Keeping = Keeping(), download: bool = False) -> Opened:
    """Return the model *name* (see `model_folder`) as a source of vectors, or raise `EvaluationError`."""
    for library in ("torch", "transformers"):
        require(library, extra="models")
    folder = model_folder(name, download=download)
    if options.pooling == "own":
        require("sentence_transformers", extra="models")
    sha256 = files_hash(folder)
    kind = "sentence-transformers" if options.pooling == "own" else "transformers"
    source = _source({"model": sha256, **options.facts()}, lambda: _load(folder, options), keeping)
    return Opened(source, model_name(name, folder), kind, sha256, options.facts())


def open_endpoint(name: str, options: EndpointOptions, *, keeping: Keeping = Keeping()) -> Opened:
    """Return the embedding model *name* of an OpenAI-compatible endpoint as a source of sentence vectors."""
    encoder = EndpointEncoder(name, options)  # one only: it counts what was asked for
    source = _source({"endpoint": options.url, "model": name}, lambda: encoder, keeping)
    return Opened(source, name, "endpoint", None, {"endpoint": options.url})


def _source(facts: Row, load: Callable[[], Encoder], keeping: Keeping) -> ModelVectors:
    return ModelVectors(load, VectorStore(facts, keeping.cache, keeping.tell), keeping.progress)


def _load(folder: Path, options: ModelOptions) -> Encoder:
    if options.pooling == "own":
        from ncimp.evaluator.models.sentence_transformer import SentenceTransformerEncoder

        return SentenceTransformerEncoder(folder, options)
    from ncimp.evaluator.models.transformer import TransformerEncoder

    return TransformerEncoder(_transformer_in(folder), options)


def _transformer_in(folder: Path) -> Path:
    """Return where the transformer of a model is: older models of `sentence-transformers` have it one folder down."""
    inside = sorted(path.parent for path in folder.glob("0_*/config.json"))
    return folder if (folder / "config.json").is_file() or not inside else inside[0]
