"""Open a model by its name as a source of vectors: options, files, and the cache of what it has encoded.

`store` keeps vectors by sentence and span, `endpoint` asks a server, `transformer` runs a model: it alone imports torch
and transformers (extra `models`), and only when a sentence has to be encoded.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from ncimp.evaluator.models.endpoint import EndpointEncoder, EndpointOptions
from ncimp.evaluator.models.idioms import IdiomEncoder, IdiomTokens
from ncimp.evaluator.models.store import Encoder, ModelVectors, VectorStore
from ncimp.evaluator.records import Model
from ncimp.evaluator.runtime import require
from ncimp.evaluator.vectors import OpenedVectors
from ncimp.schemas import EvaluationError, Place, Row, UsageError, file_hash, value_hash

# sub-tokens that make a sentence vector; `own` is the pooling that a sentence-transformers model was trained with
Pooling = Literal["mean", "cls", "last", "own"]
POOLINGS: tuple[Pooling, ...] = get_args(Pooling)
DTYPES = ("fp32", "bf16")
BATCH_TOKENS = 1024  # sub-tokens of a batch, padding included; larger batches are no faster on a CPU
LAYERS = re.compile(r"last[1-9]\d*|all|\d+(,\d+)*")  # by number; 0 is the output of the embeddings
HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")  # a model on a hub: a name, or an organisation and a name
NAMELESS = {"best", "checkpoint", "final", "model", "output"}  # folder names that say nothing about the model
OTHER_FORMATS = {".msgpack", ".h5", ".ot", ".onnx", ".md", ".png"}  # files that do not change the vectors of a model


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Options of running a model; all but the device and the size of batches decide its vectors."""

    layers: str = "last4"
    pooling: Pooling = "mean"
    special_tokens: bool = True
    dtype: str = "fp32"
    max_tokens: int | None = None
    device: str = "auto"
    batch_tokens: int = BATCH_TOKENS
    idioms: IdiomTokens | None = None  # compounds that are tokens

    def __post_init__(self) -> None:
        if not LAYERS.fullmatch(self.layers):
            fix = "give lastN, all, or numbers such as 1,2,6 (0 is the embeddings)"
            raise UsageError(f"unknown layers {self.layers!r}", fix=fix)
        if self.batch_tokens < 1 or (self.max_tokens is not None and self.max_tokens < 1):
            raise UsageError("numbers of tokens must be positive", fix="give 1 or more")
        if self.pooling == "own" and (self.layers != "last4" or not self.special_tokens):
            what = "--pooling own is the model's own choice of layers and tokens"
            raise UsageError(what, fix="leave out --layers and --no-special-tokens")

    def facts(self) -> Row:
        """Return the options that decide the vectors."""
        names = ("layers", "pooling", "special_tokens", "dtype", "max_tokens")
        return {name: getattr(self, name) for name in names} | (
            {"idiom_tokens": self.idioms.facts} if self.idioms else {}
        )

    def teach(self, model: Any, tokenizer: Any) -> None:
        """Give *model* and *tokenizer* the tokens of compounds, if there are any."""
        if self.idioms is not None:
            self.idioms.teach(model, tokenizer)


@dataclass(frozen=True, slots=True)
class FineTuning:
    """Options of fine-tuning, with the defaults of AStitchInLanguageModels; all decide the answers."""

    settings: tuple[str, ...] = ()  # training sets (all when empty); the first is always learnt, the others behind it
    inputs: tuple[str, ...] = ()  # kinds of input (all when empty)
    epochs: int = 9
    learning_rate: float = 2e-5
    batch_size: int = 32
    max_length: int = 128  # sub-tokens, beyond which texts are cut
    seeds: int = 5

    def __post_init__(self) -> None:
        if not 0 < self.learning_rate < 1:
            raise UsageError(f"a learning rate of {self.learning_rate:g}", fix="give one between 0 and 1, such as 2e-5")


class LabelledTexts(NamedTuple):
    """One text or two that belong together, and their label where it is learnt."""

    texts: tuple[str, ...]
    label: int | None


def model_folder(name: str, *, download: bool = False) -> Path:
    """Return the folder of the model *name*: a folder, or a model of a hub in the cache of Hugging Face.

    Nothing is fetched unless *download*, and not even then where the settings of Hugging Face say offline.
    Raises `EvaluationError` when there is no such model.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        if not any((path / file).is_file() for file in ("config.json", "modules.json")):
            fix = "give a folder that save_pretrained wrote"
            raise EvaluationError("not a model: it has no config.json", fix=fix, place=Place(name))
        return path
    if not HUB_NAME.fullmatch(name) or path.exists():
        raise EvaluationError("no such model folder", fix="check --model", place=Place(name))
    return _from_hub(name, download=download)


def _from_hub(name: str, *, download: bool) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")
    # a cut connection is an error of the HTTP library below, which differs between versions
    trouble: tuple[Any, ...] = (*HfHubHTTPError.__bases__, OSError, RuntimeError, ValueError)
    try:
        # formats of other frameworks would double what is fetched
        left_out = [f"*{ending}" for ending in sorted(OTHER_FORMATS - {".md"})]
        return Path(snapshot_download(name, local_files_only=not download or offline, ignore_patterns=left_out))
    except trouble as error:
        what = f"the model {name!r} is neither a folder nor in the Hugging Face cache"
        fix = "unset HF_HUB_OFFLINE to fetch it" if offline else "check the name, or let --download fetch it"
        if download and not offline:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            what = f"the model {name!r} could not be fetched ({reason})"
            fix = "check name and connection"
        raise EvaluationError(what, fix=f"{fix}; or give the folder of a model") from None


def model_name(name: str, folder: Path) -> str:
    """Return the name of a model in results: its hub name, or that of its *folder*.

    A folder with a name such as `checkpoint` goes by the name of its parent. The name in a config is not used: it may
    be that of the model from which this one was trained.
    """
    if folder.name != Path(name).name:
        return name
    whole = folder.resolve()
    return whole.parent.name if whole.name in NAMELESS and whole.parent.name else whole.name


def files_hash(folder: Path) -> str:
    """Return the hash over names and contents of the files of the model in *folder*."""
    hashes = {}
    for path in sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file()):
        hidden = any(part.startswith(".") for part in path.parts)
        if not hidden and path.suffix not in OTHER_FORMATS and path.parts[0] not in ("onnx", "openvino"):
            hashes[path.as_posix()] = file_hash(folder / path)
    return value_hash(hashes)


@dataclass(frozen=True, slots=True)
class Cache:
    """The folder that keeps vectors (memory when None), and callbacks for warnings and for sentences done of all."""

    folder: Path | None = None
    warn: Callable[[str], None] = lambda _text: None
    progress: Callable[[int, int], None] = lambda _done, _total: None


def open_model(name: str, options: ModelOptions, *, cache: Cache = Cache(), download: bool = False) -> OpenedVectors:
    """Return the model *name* (see `model_folder`), loaded unless the cache has vectors, or raise `EvaluationError`."""
    for library in ("torch", "transformers"):
        require(library, extra="models")
    folder = model_folder(name, download=download)
    if options.pooling == "own":
        require("sentence_transformers", extra="models")
    kind = "sentence-transformers" if options.pooling == "own" else "transformers"
    model = Model(model_name(name, folder), kind, files_hash(folder), options.facts())
    store = VectorStore({"model": model.sha256, **model.options}, cache.folder, cache.warn)
    whole = options.pooling == "own" or options.idioms is not None  # a token may stand for several words
    layers = None if whole else (lambda: _load(folder, options, by_layer=True))
    vectors = ModelVectors(lambda: _load(folder, options), store, cache.progress, layers)
    if not len(store):
        vectors.encoder()
    return OpenedVectors(vectors, model)


def open_tuner(name: str, options: ModelOptions, training: FineTuning, *, download: bool = False) -> Any:
    """Return the `Tuner` of the model *name* (see `model_folder`), or raise `EvaluationError`."""
    for library in ("torch", "transformers", "accelerate"):
        require(library, extra="training")
    tuning = require("ncimp.evaluator.models.fine_tuning", extra="training")
    return tuning.Tuner(model_folder(name, download=download), options, training)


def open_endpoint(name: str, options: EndpointOptions, *, cache: Cache = Cache()) -> OpenedVectors:
    """Return the embedding model *name* of an OpenAI-compatible endpoint as a source of sentence vectors."""
    encoder = EndpointEncoder(name, options)  # a single one: it counts requests and tokens
    store = VectorStore({"endpoint": options.url, "model": name}, cache.folder, cache.warn)
    model = Model(name, "endpoint", None, {"endpoint": options.url})
    return OpenedVectors(ModelVectors(lambda: encoder, store, cache.progress), model)


def _load(folder: Path, options: ModelOptions, *, by_layer: bool = False) -> Encoder:
    encoder = _loaded(folder, options, by_layer=by_layer)
    return encoder if options.idioms is None else IdiomEncoder(encoder, options.idioms)


def _loaded(folder: Path, options: ModelOptions, *, by_layer: bool) -> Encoder:
    from ncimp.evaluator.models import transformer  # torch takes seconds to load

    # older models of sentence-transformers have the transformer one folder down
    inside = sorted(path.parent for path in folder.glob("0_*/config.json"))
    text_model = inside[0] if inside and not (folder / "config.json").is_file() else folder
    if options.pooling != "own":
        kind = transformer.LayerEncoder if by_layer else transformer.TransformerEncoder
        return kind(text_model, options)
    # sentence-transformers says nothing about weights that the files lack
    transformer.load_model(text_model, options)
    return transformer.SentenceTransformerEncoder(folder, options)
