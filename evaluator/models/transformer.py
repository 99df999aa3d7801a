"""Run models of `transformers` and `sentence-transformers`: sentence and span vectors out of one pass.

With `transformers`, a vector is the mean over its sub-tokens of the average of the requested layers. Means are taken
layer by layer while the model runs, so no layer is kept: a batch leaves one sum.

A model of `sentence-transformers` keeps its own pooling, projection and normalisation: its sentence vector is that of
`SentenceTransformer.encode`. It does not define span vectors; they are means of the last layer over the sub-tokens of
the span, out of the same pass.
"""

import contextlib
import io
import pickle
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError

from ncimp.evaluator.models import ModelOptions
from ncimp.evaluator.models.batches import (
    EncoderBatch,
    Masking,
    Pooled,
    Tensor,
    Tokeniser,
    encode_in_batches,
    mean_vectors,
    token_limit,
)
from ncimp.evaluator.models.store import Encoded, EncodedPassage
from ncimp.schemas.errors import EvaluationError, Place, UsageError

TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}

LOADING_FAULTS = (
    *(OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError, AttributeError, EOFError),
    *(SafetensorError, pickle.UnpicklingError),
)
"""Errors of `transformers` on files that are damaged, missing or of another kind."""

TOKENISERS = ("tokenizer.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "vocab.json", "vocab.txt")
"""A tokeniser needs one of these files."""

SAME = 1e-3
"""Largest relative difference between watched layers and `output_hidden_states`; beyond it the slower way is used."""


class TransformerEncoder:
    """A model of `transformers` on a device."""

    def __init__(self, folder: Path, options: ModelOptions) -> None:
        """Load the model in *folder*, or raise `EvaluationError` when it cannot be."""
        self.device = chosen_device(options.device)
        model, tokenizer = load_model(folder, options)
        self._model = model.to(self.device).eval()
        limit = token_limit(tokenizer, model.config, options.max_tokens)
        self.tokeniser = Tokeniser(tokenizer, limit, Masking(options.pooling, options.special_tokens))
        self._budget = options.batch_tokens
        self._layers = layer_numbers(options.layers, int(model.config.num_hidden_layers))
        self._watch = self._open_watch()

    def encode(self, passages: list[EncodedPassage]) -> Encoded:
        """Return the vectors of *passages*."""
        return encode_in_batches(passages, self.tokeniser, self._budget, self.device, self._run)

    def _run(self, batch: EncoderBatch) -> Pooled:
        return mean_vectors(self._summed(batch) / len(self._layers), batch.masks)

    def _summed(self, batch: EncoderBatch) -> Tensor:
        """Return the sums over the masks and over the layers, (B, 1 + spans, d)."""
        return self._all_layers(batch) if self._watch is None else self._watched_layers(batch, self._watch)

    def _all_layers(self, batch: EncoderBatch) -> Tensor:
        states = self._model(**batch.inputs, output_hidden_states=True, use_cache=False).hidden_states
        return sum(_sums(states[layer], batch.masks) for layer in self._layers)

    def _watched_layers(self, batch: EncoderBatch, watch: "_Watch") -> Tensor:
        sums: list[Tensor] = []

        def keep(state: Tensor) -> None:
            sums.append(_sums(state, batch.masks))

        with watch.calling(keep):
            last = self._model(**batch.inputs, use_cache=False).last_hidden_state
        if watch.last is not None:
            keep(last)
        return sum(sums)

    def _open_watch(self) -> "_Watch | None":
        """Return a watch over the layers if it sees the hidden states that the model itself returns."""
        depth = int(self._model.config.num_hidden_layers)
        stacks = [
            part for part in self._model.modules() if isinstance(part, torch.nn.ModuleList) and len(part) == depth
        ]
        if not stacks:
            return None
        ids = torch.tensor([[self.tokeniser.pad, 1, 2]], device=self.device)
        batch = EncoderBatch(
            {"input_ids": ids, "attention_mask": torch.ones_like(ids)}, torch.ones(1, 1, 3).to(self.device)
        )
        watch = _Watch(list(stacks[0]), self._layers)
        with torch.inference_mode():
            returned, watched = self._all_layers(batch), self._watched_layers(batch, watch)
        if (returned - watched).norm() > SAME * returned.norm() or not torch.isfinite(watched).all():
            watch.close()
            return None
        return watch


def _sums(state: Tensor, masks: Tensor) -> Tensor:
    # masks hold 0 and 1, so bf16 takes them exactly; the sum over layers and the mean are in single precision
    return torch.bmm(masks.to(state.dtype), state).float()


class _Watch:
    """Hooks on the modules of the layers, which see their states as the model runs, in each thread separately."""

    def __init__(self, modules: list[Any], layers: list[int]) -> None:
        """Watch those *layers* that *modules* output; layer 0 is the input of the first."""
        self.last = len(modules) if len(modules) in layers else None
        self._here = threading.local()
        # hooks stay with the model: adding and removing them while another thread runs it would be a race
        self._hooks = [modules[0].register_forward_pre_hook(self._before, with_kwargs=True)] if 0 in layers else []
        self._hooks += [
            modules[layer - 1].register_forward_hook(self._after) for layer in layers if 0 < layer < len(modules)
        ]

    @contextlib.contextmanager
    def calling(self, keep: Callable[[Tensor], None]) -> Iterator[None]:
        """Call *keep* with each state of the runs of this thread."""
        self._here.keep = keep
        try:
            yield
        finally:
            del self._here.keep

    def close(self) -> None:
        """Remove the hooks."""
        for hook in self._hooks:
            hook.remove()

    def _before(self, _module: Any, arguments: Any, keywords: Any) -> None:
        self._pass_on(arguments[0] if arguments else keywords["hidden_states"])

    def _after(self, _module: Any, _arguments: Any, output: Any) -> None:
        self._pass_on(output if isinstance(output, torch.Tensor) else output[0])

    def _pass_on(self, state: Tensor) -> None:
        keep = getattr(self._here, "keep", None)
        if keep is not None:
            keep(state)


def layer_numbers(layers: str, depth: int) -> list[int]:
    """Return the numbers of the *layers* of a model with *depth* hidden ones; 0 is the output of its embeddings.

    >>> layer_numbers("last4", 6), layer_numbers("last4", 2), layer_numbers("0,3", 6)
    ([3, 4, 5, 6], [1, 2], [0, 3])
    """
    if layers == "all" or layers.startswith("last"):
        count = depth if layers == "all" else min(depth, int(layers.removeprefix("last")))
        return list(range(depth - count + 1, depth + 1))
    numbers = sorted({int(number) for number in layers.split(",")})
    if numbers[-1] > depth:
        raise UsageError(f"no layer {numbers[-1]}: the model has {depth}", fix="choose others for --layers")
    return numbers


def chosen_device(name: str) -> Any:
    """Return the device *name*; `auto` is a GPU where there is one. Raises `UsageError` when it is not there."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        what = f"the device {name!r} cannot be used ({str(error).splitlines()[0]})"
        raise UsageError(what, fix="give auto, cpu, or a GPU that is there, such as cuda:0") from None
    return device


def load_model(folder: Path, options: ModelOptions) -> tuple[Any, Any]:
    """Return model and tokeniser of *folder*, or raise `EvaluationError`; nothing is fetched, no code of it run."""
    if not any((folder / name).is_file() for name in TOKENISERS):
        # transformers would silently make one without a vocabulary
        raise damaged(folder, OSError(f"it has none of {', '.join(TOKENISERS)}"))
    with quiet():
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = transformers.AutoModel.from_pretrained(folder, local_files_only=True, dtype=TYPES[options.dtype])
        except LOADING_FAULTS as error:
            raise damaged(folder, error) from None
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        raise damaged(folder, OSError("its tokeniser knows more tokens than the model"))
    return model.get_encoder() if model.config.is_encoder_decoder else model, tokenizer


def damaged(folder: Path, error: Exception) -> EvaluationError:
    """Return the error for a *folder* without a model that can be loaded."""
    reason = re.sub(r"\s+", " ", str(error)) or type(error).__name__
    what = f"the model cannot be loaded ({reason[:200]})"
    fix = "give a folder with model, config and tokeniser as save_pretrained writes them"
    return EvaluationError(what, fix=fix, place=Place(str(folder)))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence progress bars and notes of `transformers`."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_error()
    with contextlib.redirect_stderr(io.StringIO()):
        yield
    transformers.logging.set_verbosity(before)


class SentenceTransformerEncoder:
    """A model of `sentence-transformers` on a device."""

    def __init__(self, folder: Path, options: ModelOptions) -> None:
        """Load the model in *folder*, or raise `EvaluationError` when it cannot be or needs a prompt."""
        self.device = chosen_device(options.device)
        self._model = _load_sentence_transformer(folder, options, self.device)
        if self._model.default_prompt_name and self._model.prompts[self._model.default_prompt_name]:
            what = f"it puts the prompt {self._model.prompts[self._model.default_prompt_name]!r} before every sentence"
            fix = "use --pooling mean, or bring its vectors as .npz"
            raise EvaluationError(what, fix=fix, place=Place(str(folder)))
        limit = min(self._model.max_seq_length or options.max_tokens or 512, options.max_tokens or 1_000_000)
        self.tokeniser = Tokeniser(self._model.tokenizer, limit, Masking("mean", special_tokens=True))
        self._budget = options.batch_tokens

    def encode(self, passages: list[EncodedPassage]) -> Encoded:
        """Return the vectors of *passages*."""
        return encode_in_batches(passages, self.tokeniser, self._budget, self.device, self._run)

    def _run(self, batch: EncoderBatch) -> Pooled:
        output = self._model.forward({**batch.inputs, "modality": "text"})
        masks = batch.masks[:, 1:]
        sums = torch.bmm(masks, output["token_embeddings"].float())
        return Pooled(output["sentence_embedding"], sums / masks.sum(dim=-1, keepdim=True))


def _load_sentence_transformer(folder: Path, options: ModelOptions, device: Any) -> Any:
    import sentence_transformers  # seconds of loading that other models do without

    with quiet():
        try:
            return sentence_transformers.SentenceTransformer(
                str(folder), device=str(device), local_files_only=True, model_kwargs={"dtype": TYPES[options.dtype]}
            ).eval()
        except LOADING_FAULTS as error:
            raise damaged(folder, error) from None
