"""What a user may choose about a model, and where its files are.

A model by its name, with the store of its vectors; nothing is loaded before something has to be encoded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from ncimp.evaluator.models.endpoint import EndpointEncoder, EndpointOptions
from ncimp.evaluator.models.store import Encoder, ModelVectors, VectorStore
from ncimp.evaluator.runtime import require
from ncimp.evaluator.vectors import Opened
from ncimp.schemas.errors import EvaluationError, Place, UsageError
from ncimp.schemas.files import Row
from ncimp.schemas.hashing import file_hash, value_hash

Pooling = Literal["mean", "cls", "last", "own"]
"""Which sub-tokens make a sentence vector; `own` is the way that a sentence-transformers model was made for."""

POOLINGS: tuple[Pooling, ...] = ("mean", "cls", "last", "own")
DTYPES = ("fp32", "bf16")

BATCH_TOKENS = 1024
"""Sub-tokens of a batch, padding included; larger ones are no faster on a CPU (see the page on its performance)."""

LAYERS = re.compile(r"last[1-9]\d*|all|\d+(,\d+)*")
"""The last n hidden layers, all of them, or some by number; 0 is the output of the embeddings."""

HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
"""A model on a hub: a name, or an organisation and a name."""

NAMELESS = {"best", "checkpoint", "final", "model", "output"}
"""Names of folders that say nothing about the model in them."""

OTHER_FORMATS = {".msgpack", ".h5", ".ot", ".onnx", ".md", ".png"}
"""Endings of files beside a model that say nothing about its vectors."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is run; the first five decide what its vectors are."""

    layers: str = "last4"
    pooling: Pooling = "mean"
    special_tokens: bool = True
    dtype: str = "fp32"
    max_tokens: int | None = None
    device: str = "auto"
    batch_tokens: int = BATCH_TOKENS

    def __post_init__(self) -> None:
        if not LAYERS.fullmatch(self.layers):
            fix = "give lastN, all, or numbers such as 1,2,6 (0 is the embeddings)"
            raise UsageError(f"unknown layers {self.layers!r}", fix=fix)
        if self.batch_tokens < 1 or (self.max_tokens is not None and self.max_tokens < 1):
            raise UsageError("a number of tokens is not positive", fix="give 1 or more")
        if self.pooling == "own" and (self.layers != "last4" or not self.special_tokens):
            what = "--pooling own is the model's own choice of layers and tokens"
            raise UsageError(what, fix="leave out --layers and --no-special-tokens")

    def facts(self) -> Row:
        """Return the options that decide what the vectors are."""
        return {name: value for name, value in asdict(self).items() if name not in ("device", "batch_tokens")}


def model_folder(name: str, *, download: bool = False) -> Path:
    """Return the folder of the model *name*: a folder, or a model of a hub in the cache of Hugging Face.

    Nothing is fetched unless *download*, and not even then where the settings of Hugging Face say offline.
    Raises `EvaluationError` when there is no such model.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        if not any((path / file).is_file() for file in ("config.json", "modules.json")):
            fix = "give a folder that save_pretrained wrote"
            raise EvaluationError("no model: it has no config.json", fix=fix, place=Place(name))
        return path
    if not HUB_NAME.fullmatch(name) or path.exists():
        raise EvaluationError("no such folder of a model", fix="check --model", place=Place(name))
    return _from_hub(name, download=download)


def _from_hub(name: str, *, download: bool) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")
    # a cut connection is an error of the HTTP library below, which is another one in each generation
    trouble: tuple[Any, ...] = (*HfHubHTTPError.__bases__, OSError, RuntimeError, ValueError)
    try:
        # formats of other frameworks would double what is fetched
        left_out = [f"*{ending}" for ending in sorted(OTHER_FORMATS - {".md"})]
        return Path(snapshot_download(name, local_files_only=not download or offline, ignore_patterns=left_out))
    except trouble as error:
        what = f"the model {name!r} is neither a folder nor in the Hugging Face cache"
        fix = "unset HF_HUB_OFFLINE to fetch it" if offline else "check the name, or let --download fetch it"
        if download and not offline:
            what = f"the model {name!r} could not be fetched ({_reason(error)})"
            fix = "check name and connection"
        raise EvaluationError(what, fix=f"{fix}; or give the folder of a model") from None


def _reason(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def model_name(name: str, folder: Path) -> str:
    """Return what a result calls the model *name* in *folder*: its hub name, or the folder's.

    A folder whose own name says nothing goes by the folder it is in. The name that a config holds is no help: it may
    be that of the model which this one was trained from.
    """
    if folder.name != Path(name).name:
        return name
    whole = folder.resolve()
    return whole.parent.name if whole.name in NAMELESS and whole.parent.name else whole.name


def files_hash(folder: Path) -> str:
    """Return the hash over names and contents of the files of the model in *folder*."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and _matters(path.relative_to(folder)))
    return value_hash({path.relative_to(folder).as_posix(): file_hash(path) for path in files})


def _matters(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and path.suffix not in OTHER_FORMATS and path.parts[0] not in ("onnx", "openvino")


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
    from ncimp.evaluator.models import transformer  # torch takes seconds to load

    if options.pooling == "own":
        return transformer.SentenceTransformerEncoder(folder, options)
    return transformer.TransformerEncoder(_transformer_in(folder), options)


def _transformer_in(folder: Path) -> Path:
    """Return where the transformer of a model is: older models of `sentence-transformers` have it one folder down."""
    inside = sorted(path.parent for path in folder.glob("0_*/config.json"))
    return folder if (folder / "config.json").is_file() or not inside else inside[0]
