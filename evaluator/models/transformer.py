"""Run models of `transformers` and `sentence-transformers`: sentence and span vectors out of one pass.

A sub-token belongs to a span when its characters overlap those of the span. The tokeniser reports which characters of
the original text a sub-token came from, whatever it did to them: lower case, stripped accents, a leading space that
byte-level BPE and sentencepiece include or leave out.

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
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from safetensors import SafetensorError

from ncimp.evaluator.models import ModelOptions, Pooling
from ncimp.evaluator.models.store import Encoded, EncodedPassage, Span
from ncimp.schemas import EvaluationError, Place, UsageError

TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}
LOADING_FAULTS = (  # errors of `transformers` on files that are damaged, missing or of another kind
    *(OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError, AttributeError, EOFError),
    *(SafetensorError, pickle.UnpicklingError),
)
# a tokeniser needs one of these files, unless its tokens are characters or bytes
TOKENISERS = ("tokenizer.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "vocab.json", "vocab.txt")
COUNTED_FROM_PADDING = {  # architectures whose positions begin after the id of the padding token
    *("camembert", "data2vec-text", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm"),
    *("xlm-roberta", "xlm-roberta-xl", "xmod"),
}
SAME = 1e-3  # largest relative difference of watched layers and `output_hidden_states`; beyond it the latter are used
ENDLESS = 1_000_000  # a tokeniser without a limit reports a number beyond this one
MOST_WORKERS = 8  # most batches at the same time: the Python code between two products runs in one thread at a time
Tensor = Any  # a tensor of torch (not typed)


class Tokens(NamedTuple):
    """The sub-tokens of a passage, and the masks (1 + spans, tokens) of the sub-tokens behind each vector.

    A mask without a sub-token is a vector that is missing.
    """

    ids: list[int]
    types: list[int]
    masks: NDArray[np.bool_]


class Tokeniser:
    """A tokeniser with offsets, the length at which it cuts, and the rule for the sub-tokens of a sentence vector."""

    def __init__(self, tokenizer: Any, max_tokens: int, pooling: Pooling, *, special_tokens: bool) -> None:
        """Take a tokeniser of `transformers`, or raise `EvaluationError` when no word fits into *max_tokens*."""
        if max_tokens <= tokenizer.num_special_tokens_to_add():
            what = f"the longest sentence of the model has {max_tokens} tokens, which leaves none for a word"
            raise EvaluationError(what, fix="give a model with more positions")
        self._tokenizer = tokenizer
        self.max_tokens = max_tokens
        self._pooling = pooling
        self._special_tokens = special_tokens
        self.pad = 0 if tokenizer.pad_token_id is None else int(tokenizer.pad_token_id)

    def __call__(self, passages: list[EncodedPassage]) -> list[Tokens]:
        """Return the sub-tokens of each of *passages*."""
        sentences = [passage.sentence for passage in passages]
        encodings = self._tokenizer(sentences, truncation=True, max_length=self.max_tokens).encodings
        return list(map(self._tokens, passages, encodings))

    def _tokens(self, passage: EncodedPassage, encoding: Any) -> Tokens:
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        sentence = ~special | self._special_tokens
        if self._pooling in ("cls", "last"):
            single = np.flatnonzero(sentence)[:1] if self._pooling == "cls" else np.flatnonzero(sentence)[-1:]
            sentence = np.isin(np.arange(len(special)), single)
        offsets = np.array(encoding.offsets, dtype=np.intp).reshape(-1, 2)
        cut_off = [np.array(part.offsets, dtype=np.intp).reshape(-1, 2) for part in encoding.overflowing]
        masks = [sentence]
        for span in passage.spans:
            whole = not any(overlap(part, span).any() for part in cut_off)
            masks.append(overlap(offsets, span) & ~special & whole)
        return Tokens(encoding.ids, encoding.type_ids, np.array(masks))

    def batch(self, tokens: list[Tokens], device: Any) -> "EncoderBatch":
        """Return *tokens* side by side, padded to one length, on *device*."""
        # a model needs one token at least, also of a text that its tokeniser leaves nothing of
        shape = (len(tokens), max(1, *(len(one.ids) for one in tokens)))
        ids = np.full(shape, self.pad, dtype=np.int64)
        types, attention = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        masks = np.zeros((shape[0], max(len(one.masks) for one in tokens), shape[1]), dtype=np.float32)
        for row, one in enumerate(tokens):
            length = len(one.ids)
            ids[row, :length], types[row, :length] = one.ids, one.types
            attention[row, : max(1, length)] = 1
            masks[row, : len(one.masks), :length] = one.masks
        inputs = {"input_ids": ids, "attention_mask": attention}
        if "token_type_ids" in self._tokenizer.model_input_names:
            inputs["token_type_ids"] = types
        tensors = {name: torch.from_numpy(part).to(device) for name, part in inputs.items()}
        return EncoderBatch(tensors, torch.from_numpy(masks).to(device))


def overlap(offsets: NDArray[np.intp], span: Span) -> NDArray[np.bool_]:
    """Return a mask of the sub-tokens, as [start, end) of characters, that share a character with *span*.

    >>> overlap(np.array([[0, 3], [3, 7], [7, 7], [7, 9]]), (4, 7)).tolist()
    [False, True, False, False]
    """
    start, end = offsets[:, 0], offsets[:, 1]
    return np.asarray((start < span[1]) & (end > span[0]) & (end > start))


class EncoderBatch(NamedTuple):
    """Sub-tokens of some passages: ids and what goes with them (B, T), and masks of the vectors (B, 1 + spans, T)."""

    inputs: dict[str, Tensor]
    masks: Tensor


class BatchEncoder(ABC):
    """A model on a device that takes its passages in batches of at most so many sub-tokens."""

    tokeniser: Tokeniser

    def __init__(self, options: ModelOptions) -> None:
        self.device, self._budget = chosen_device(options.device), options.batch_tokens

    @abstractmethod
    def run(self, batch: EncoderBatch) -> tuple[Tensor, Tensor]:
        """Return the vectors of a batch: (B, d) of the sentences and (B, spans, d) of the spans."""

    def encode(self, passages: list[EncodedPassage]) -> Encoded:
        """Return the vectors of *passages*, encoded in batches, the longest first."""
        tokens = self.tokeniser(passages)
        rows = np.cumsum([0, *(len(passage.spans) for passage in passages)])
        sentence = span = None

        def encoded(places: list[int]) -> list[NDArray[np.float32]]:
            with torch.inference_mode():
                vectors = self.run(self.tokeniser.batch([tokens[place] for place in places], self.device))
                return [part.float().cpu().numpy() for part in vectors]

        plan = list(batches([len(one.ids) for one in tokens], self._budget))
        with self._side_by_side(len(plan)) as mapped:
            for places, (ones, others) in zip(plan, mapped(encoded, plan), strict=True):
                if sentence is None or span is None:
                    sentence = np.empty((rows[-1], ones.shape[-1]), dtype=np.float32)
                    span = np.empty((rows[-1], others.shape[-1]), dtype=np.float32)
                for place, one, spans in zip(places, ones, others, strict=True):
                    sentence[rows[place] : rows[place + 1]] = one
                    span[rows[place] : rows[place + 1]] = spans[: rows[place + 1] - rows[place]]
        assert sentence is not None  # noqa: S101 - a window holds a passage
        present = np.concatenate([one.masks[0].any() & one.masks[1:].any(axis=1) for one in tokens])
        return Encoded(sentence, span, present)

    @contextlib.contextmanager
    def _side_by_side(self, jobs: int) -> Iterator[Callable[..., Any]]:
        """Give a `map` that works on several batches at a time on a CPU, sharing out the threads that torch has.

        Threads that share one product wait for each other at its end: as soon as anything else runs on the machine,
        most of their time. Batches of their own need no waiting, and are rounded alike on any number of cores up to
        `MOST_WORKERS`.
        """
        threads = torch.get_num_threads()
        workers = min(threads, MOST_WORKERS, jobs) if self.device.type == "cpu" else 1
        if workers <= 1:
            yield map
            return
        try:
            # the number is each thread's own for some libraries below torch, and the process's for others
            share = (threads // workers,)
            with ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=share) as pool:
                yield pool.map
        finally:
            torch.set_num_threads(threads)


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Yield places in *lengths*, the longest first, so many together that none has more than *budget* with its padding.

    >>> list(batches([3, 9, 2, 4], 9))
    [[1], [3, 0], [2]]
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: (-lengths[place], place)):
        if batch and (len(batch) + 1) * lengths[batch[0]] > budget:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def token_limit(config: Any, tokenizer: Any) -> int:
    """Return how many sub-tokens a model with *config* reads at most."""
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or ENDLESS
    if config.model_type in COUNTED_FROM_PADDING:
        positions -= (config.pad_token_id or 0) + 1
    return int(min(positions, tokenizer.model_max_length))


class TransformerEncoder(BatchEncoder):
    """A model of `transformers` on a device."""

    def __init__(self, folder: Path, options: ModelOptions) -> None:
        """Load the model in *folder*, or raise `EvaluationError` when it cannot be."""
        super().__init__(options)
        model, tokenizer = load_model(folder, options)
        options.teach(model, tokenizer)
        self._model = model.to(self.device).eval()
        limit = min(token_limit(model.config, tokenizer), options.max_tokens or ENDLESS)
        self.tokeniser = Tokeniser(tokenizer, limit, options.pooling, special_tokens=options.special_tokens)
        self._depth = int(model.config.num_hidden_layers)
        self._layers = layer_numbers(options.layers, self._depth)
        self._here = threading.local()  # the callback for the states of a run, in each thread
        self._hooks = self._watch()  # None where the model has to return its states

    def run(self, batch: EncoderBatch) -> tuple[Tensor, Tensor]:
        """Return the means over the sub-tokens of each mask of *batch*."""
        summed = self._watched_layers(batch) if self._hooks is not None else self._all_layers(batch)
        means = summed / len(self._layers) / batch.masks.sum(dim=-1, keepdim=True)
        return means[:, 0], means[:, 1:]

    def _all_layers(self, batch: EncoderBatch) -> Tensor:
        """Return the sums over the masks and over the layers, (B, 1 + spans, d)."""
        states = self._model(**batch.inputs, output_hidden_states=True, use_cache=False).hidden_states
        return sum(_sums(states[layer], batch.masks) for layer in self._layers)

    def _watched_layers(self, batch: EncoderBatch) -> Tensor:
        sums: list[Tensor] = []
        self._here.keep = lambda state: sums.append(_sums(state, batch.masks))
        try:
            last = self._model(**batch.inputs, use_cache=False).last_hidden_state
        finally:
            del self._here.keep
        return sum([*sums, _sums(last, batch.masks)] if self._depth in self._layers else sums)

    def _watch(self) -> list[Any] | None:
        """Return hooks on the layers if they see the hidden states that the model itself returns, else None."""
        lists = (part for part in self._model.modules() if isinstance(part, torch.nn.ModuleList))
        stack = next((part for part in lists if len(part) == self._depth), None)
        if stack is None:
            return None
        ids = torch.tensor([[self.tokeniser.pad, 1, 2][: self.tokeniser.max_tokens]], device=self.device)
        inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        batch = EncoderBatch(inputs, torch.ones(1, 1, ids.shape[1]).to(self.device))
        # hooks stay with the model: adding and removing them while another thread runs it would be a race
        hooks = [
            stack[layer - 1].register_forward_hook(self._after) for layer in self._layers if 0 < layer < self._depth
        ]
        if 0 in self._layers:
            hooks.append(stack[0].register_forward_pre_hook(self._before, with_kwargs=True))
        with torch.inference_mode():
            returned, watched = self._all_layers(batch), self._watched_layers(batch)
        if (returned - watched).norm() > SAME * returned.norm() or not torch.isfinite(watched).all():
            for hook in hooks:
                hook.remove()
            return None
        return hooks

    def _before(self, module: Any, arguments: Any, keywords: Any) -> None:
        self._after(module, (), arguments or keywords["hidden_states"])

    def _after(self, _module: Any, _arguments: Any, output: Any) -> None:
        if (keep := getattr(self._here, "keep", None)) is not None:
            keep(output if isinstance(output, torch.Tensor) else output[0])


class LayerEncoder(TransformerEncoder):
    """The same with vectors of spans only, each of all layers, one after the other, from the embeddings up."""

    def run(self, batch: EncoderBatch) -> tuple[Tensor, Tensor]:
        """Return the means of each layer over the sub-tokens of each span of *batch*, (B, spans, layers x d)."""
        states = self._model(**batch.inputs, output_hidden_states=True, use_cache=False).hidden_states
        masks = batch.masks[:, 1:]
        self.width = states[-1].shape[-1]
        means = torch.cat([_sums(state, masks) for state in states], dim=-1) / masks.sum(dim=-1, keepdim=True)
        return means[:, 0, :0], means


def _sums(state: Tensor, masks: Tensor) -> Tensor:
    # masks hold 0 and 1, so bf16 takes them exactly; the sum over layers and the mean are in single precision
    return torch.bmm(masks.to(state.dtype), state).float()


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
    """Return encoder and tokeniser of *folder*, or raise `EvaluationError`; nothing is fetched, no code of it run."""
    with quiet():
        try:
            tokenizer = load_tokenizer(folder)
            config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
            # an encoder that was saved alone says so; as a whole model it would get a decoder of random weights
            names = [name for name in config.architectures or () if name.endswith("EncoderModel")]
            kind = getattr(transformers, names[0] if names else "AutoModel", transformers.AutoModel)
            reporting = {"output_loading_info": True, "ignore_mismatched_sizes": True}  # `check_weights` refuses those
            model, report = kind.from_pretrained(folder, local_files_only=True, dtype=TYPES[options.dtype], **reporting)
            is_encoder = kind is transformers.AutoModel and not config.is_encoder_decoder
            encoder = model if is_encoder else model.get_encoder()
            check_weights(model, encoder, report, Place(str(folder)))
        except LOADING_FAULTS as error:
            raise damaged(folder, error) from None
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        raise damaged(folder, OSError("its tokeniser knows more tokens than the model"))
    return encoder, tokenizer


def load_tokenizer(folder: Path) -> Any:
    """Return the tokeniser of *folder*, or raise `EvaluationError` when it does not know offsets."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if not tokenizer.is_fast:
        what = f"its tokeniser {type(tokenizer).__name__} does not know where its tokens are in the text"
        fix = "save it with a fast one (tokenizer.json); for bytes or characters there is none: bring vectors as .npz"
        raise EvaluationError(what, fix=fix, place=Place(str(folder)))
    if not any((folder / name).is_file() for name in TOKENISERS):
        # transformers made one without a vocabulary
        raise OSError(f"it has none of {', '.join(TOKENISERS)}")
    return tokenizer


def check_weights(model: Any, encoder: Any, report: Mapping[str, Any], place: Place) -> None:
    """Raise `EvaluationError` when *encoder*, a part of *model*, has weights that its files lack: they are random.

    *report* is that of `transformers`. Weights that the states of a token do not depend on do not count: a pooler,
    a head, a decoder.
    """
    lacks = {key if isinstance(key, str) else key[0] for key in (*report["missing_keys"], *report["mismatched_keys"])}
    names = defaultdict(list)  # a tied weight has several, of which the files need one
    for name, weight in model.named_parameters(remove_duplicate=False):
        names[weight.requires_grad_(False)].append(name)
    random = [weight.requires_grad_() for weight in names if lacks.issuperset(names[weight])]
    token = torch.zeros(1, 1, dtype=torch.long)
    with torch.enable_grad():
        output = encoder(input_ids=token, attention_mask=token + 1, output_hidden_states=True, use_cache=False)
        total = sum(state.float().sum() for state in output.hidden_states)
    if not total.requires_grad:
        return
    gradients = zip(random, torch.autograd.grad(total, random, allow_unused=True), strict=True)
    faults = sorted(names[weight][0] for weight, gradient in gradients if gradient is not None)
    others = sorted(report["unexpected_keys"])
    prefixes = [key.removesuffix(name) for name in faults for key in others if key.endswith(f".{name}")]
    fix = "save the whole model again with save_pretrained, and the config that it was trained with"
    if prefixes:
        fix = f"take {max(prefixes, key=prefixes.count)!r} off the names in its files, or save it with save_pretrained"
    some = ", ".join(faults[:3] + ["…"] * (len(faults) > 3))
    what = f"its files lack {len(faults)} of {len(names)} weights, or have them in another shape ({some}): "
    raise EvaluationError(what + "they would be random", fix=fix, place=place)


def damaged(folder: Path, error: Exception) -> EvaluationError:
    """Return the error for a *folder* without a model that can be loaded."""
    reason = re.sub(r"\s+", " ", str(error)) or type(error).__name__
    fix = "give a folder with model, config and tokeniser as save_pretrained writes them"
    return EvaluationError(f"the model cannot be loaded ({reason[:200]})", fix=fix, place=Place(str(folder)))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence progress bars and notes of `transformers`."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_error()
    with contextlib.redirect_stderr(io.StringIO()):
        yield
    transformers.logging.set_verbosity(before)


class SentenceTransformerEncoder(BatchEncoder):
    """A model of `sentence-transformers` on a device."""

    def __init__(self, folder: Path, options: ModelOptions) -> None:
        """Load the model in *folder*, or raise `EvaluationError` when it cannot be or needs a prompt."""
        import sentence_transformers  # seconds of loading that other models do without

        super().__init__(options)
        dtype = {"dtype": TYPES[options.dtype]}
        with quiet():
            try:
                self._model = sentence_transformers.SentenceTransformer(
                    str(folder), device=str(self.device), local_files_only=True, model_kwargs=dtype
                ).eval()
            except LOADING_FAULTS as error:
                raise damaged(folder, error) from None
        if self._model.default_prompt_name and self._model.prompts[self._model.default_prompt_name]:
            what = f"it puts the prompt {self._model.prompts[self._model.default_prompt_name]!r} before every sentence"
            fix = "use --pooling mean, or bring its vectors as .npz"
            raise EvaluationError(what, fix=fix, place=Place(str(folder)))
        options.teach(self._model[0].auto_model, self._model.tokenizer)
        limit = min(self._model.max_seq_length or options.max_tokens or 512, options.max_tokens or ENDLESS)
        self.tokeniser = Tokeniser(self._model.tokenizer, limit, "mean", special_tokens=True)

    def run(self, batch: EncoderBatch) -> tuple[Tensor, Tensor]:
        """Return the model's own sentence vectors, and the means of its last layer over each span."""
        output = self._model.forward({**batch.inputs, "modality": "text"})
        masks = batch.masks[:, 1:]
        sums = torch.bmm(masks, output["token_embeddings"].float())
        return output["sentence_embedding"], sums / masks.sum(dim=-1, keepdim=True)
