"""Probes that are trained: embed, encode, predict (Shwartz and Dagan, TACL 2019, section 4), in PyTorch.

    embed      v = the vectors of the model, which stay as they are: of its top layer, or of all layers in a mix whose
               weights are trained
    encode     biLM: u = biLSTM(v), trained; att: u_i = [v_i; sum_j a_ij v_j], a_i = softmax_j(v_i . v_j); none: u = v
    predict    o = softmax(W ReLU(Dropout(h(x)))), where x has u of every point of the question, one after the other

Training is with Adagrad, at most `EPOCHS` times over the items, and ends when the loss on a tenth of them, which is set
aside by phrase, has not fallen for `PATIENCE` times; the weights with the least loss are kept. Items that are judged
play no part. Every number drawn comes from a keyed hash, and a probe is trained by one thread: the same on any number.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from ncimp.evaluator.suites.lexcomp.tasks import INSIDE, OUTSIDE, Code, ProbeQuestion, Words
from ncimp.evaluator.suites.texts import held_out
from ncimp.schemas import keyed_hash

ENCODERS = ("biLM", "att", "none")
TOP, ALL = "top", "all"  # layers that are taken
HIDDEN, DROPOUT = 300, 0.2  # of the predicting layer, as published
STATES = 64  # dimensions of each direction of the biLSTM
RATE, CLIP, BATCH = 0.05, 5.0, 32  # of training; published: 0.01 (the library's own), 5 and 10
EPOCHS, PATIENCE = 10, 2  # published: 500 and 20
Tensor = Any  # a tensor of torch (not typed)


class ProbeKind(NamedTuple):
    """The layers that a probe takes, and its encoder."""

    layer: str
    encoder: str


class PassageVectors:
    """The vectors of the words of passages, by layer: zero where the model has none."""

    def __init__(self, passages: Sequence[Words], vectors: NDArray[Any]) -> None:
        """Take *vectors* of all words of *passages*, one after the other, of shape (words, layers, d)."""
        lengths = np.array([len(passage) for passage in passages])
        starts = 1 + np.cumsum(lengths) - lengths
        self._rows = dict(zip(passages, zip(starts.tolist(), lengths.tolist(), strict=True), strict=True))
        words, self.layers, self.width = vectors.shape
        # the layers of a component side by side: their mix is one product. Row 0 is for padding
        whole = np.zeros((words + 1, self.width, self.layers), dtype=np.float32)
        whole[1:] = vectors.transpose(0, 2, 1)
        np.nan_to_num(whole, copy=False)
        self._layers = {ALL: torch.from_numpy(whole), TOP: torch.from_numpy(whole[..., -1:].copy())}

    def rows(self, passage: Words) -> Tensor:
        """Return the rows of the words of *passage*."""
        start, length = self._rows[passage]
        return torch.arange(start, start + length)

    def __call__(self, rows: Tensor, layer: str) -> Tensor:
        """Return the vectors of *rows*, with a last dimension of layers."""
        return self._layers[layer][rows]


class ProbeBatch(NamedTuple):
    """Rows of vectors of some passages, padded with 0, their lengths, the points in them, and the right answers."""

    rows: Tensor  # (passages, words)
    lengths: Tensor
    points: Tensor | None  # (questions, points), counted over passages x words; None for every word
    gold: Tensor


class ProbeData:
    """Questions that are ready to be put into batches."""

    def __init__(self, vectors: PassageVectors, questions: Sequence[ProbeQuestion], encoder: str) -> None:
        self.vectors = vectors
        rows = [[vectors.rows(passage) for passage in one.passages] for one in questions]
        points = [torch.tensor(one.points) for one in questions]
        if encoder == "none" and questions[0].points:  # no other word is looked at
            rows = [
                [torch.stack([part[passage][word] for passage, word in one.points])]
                for one, part in zip(questions, rows, strict=True)
            ]
            points = [torch.tensor([(0, place) for place in range(len(one.points))]) for one in questions]
        self._rows, self._points = rows, points
        self._gold = [torch.tensor(one.gold) for one in questions]

    def __len__(self) -> int:
        return len(self._rows)

    def batch(self, places: Sequence[int]) -> ProbeBatch:
        """Return the questions at *places* side by side."""
        passages = [part for place in places for part in self._rows[place]]
        rows = pad_sequence(passages, batch_first=True)
        gold = torch.cat([self._gold[place] for place in places])
        lengths = torch.tensor([len(part) for part in passages])
        if not len(self._points[places[0]]):
            return ProbeBatch(rows, lengths, None, gold)
        each, width = len(self._rows[places[0]]), rows.shape[1]
        points = torch.stack([self._points[place] for place in places])
        first = torch.arange(len(places))[:, None] * each
        return ProbeBatch(rows, lengths, (first + points[..., 0]) * width + points[..., 1], gold)


class CompositionProbe(nn.Module):  # type: ignore[misc]  # torch is not typed
    """Layer mix, encoder and predictor; its weights are drawn from *generator*."""

    def __init__(self, kind: ProbeKind, vectors: PassageVectors, points: int, classes: int, generator: Any) -> None:
        super().__init__()
        self.kind = kind
        self.mix = nn.Parameter(torch.zeros(vectors.layers)) if kind.layer == ALL else None
        self.scale = nn.Parameter(torch.ones(())) if kind.layer == ALL else None
        width = {"biLM": 2 * STATES, "att": 2 * vectors.width, "none": vectors.width}[kind.encoder]
        lstm = nn.LSTM(vectors.width, STATES, batch_first=True, bidirectional=True) if kind.encoder == "biLM" else None
        self.encoder = lstm
        self.hidden = nn.Linear(points * width, HIDDEN)
        self.output = nn.Linear(HIDDEN, classes)
        self._generator = generator
        parts = ((lstm, STATES), (self.hidden, self.hidden.in_features), (self.output, HIDDEN))
        for module, size in parts:
            bound = 1 / math.sqrt(size)
            for weights in () if module is None else module.parameters():
                nn.init.uniform_(weights, -bound, bound, generator=generator)

    def embed(self, vectors: Tensor) -> Tensor:
        """Return one vector a word: the mix of its layers, or that of the only one."""
        if self.mix is None:
            return vectors[..., 0]
        return self.scale * (vectors @ torch.softmax(self.mix, dim=0))

    def encode(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the *vectors* (passages, words, d) in their context."""
        if self.kind.encoder == "none":
            return vectors
        if self.encoder is not None:
            packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
            return pad_packed_sequence(self.encoder(packed)[0], batch_first=True)[0]
        padding = torch.arange(vectors.shape[1]) >= lengths[:, None]
        scores = (vectors @ vectors.transpose(1, 2)).masked_fill(padding[:, None], -math.inf)
        return torch.cat([vectors, torch.softmax(scores, dim=-1) @ vectors], dim=-1)

    def forward(self, vectors: Tensor, batch: ProbeBatch) -> Tensor:
        """Return the scores of the classes: a row a question, or a row a word where every word is asked about."""
        encoded = self.encode(self.embed(vectors), batch.lengths)
        if batch.points is None:
            features = encoded[torch.arange(encoded.shape[1]) < batch.lengths[:, None]]
        else:
            features = encoded.flatten(0, 1)[batch.points].flatten(1)
        hidden = self.hidden(features)
        if self.training:
            rest = torch.rand(hidden.shape, generator=self._generator) >= DROPOUT
            hidden = hidden * rest / (1 - DROPOUT)
        return self.output(torch.relu(hidden))


class ProbeJob(NamedTuple):
    """A probe to be trained on some questions and asked others."""

    kind: ProbeKind
    trained: Sequence[ProbeQuestion]
    judged: Sequence[ProbeQuestion]
    classes: int
    seed: str


def predictions(
    jobs: Sequence[ProbeJob], vectors: PassageVectors, progress: Callable[[int, int], None]
) -> list[list[Code]]:
    """Return the answers of the probe of each of *jobs*, training several at a time, and report to *progress*."""

    def answers(job: ProbeJob) -> list[Code]:
        return ask(train(job, vectors), ProbeData(vectors, job.judged, job.kind.encoder))

    threads, rows = torch.get_num_threads(), list[list[Code]]()
    try:
        with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            for row in pool.map(answers, jobs):
                rows.append(row)
                progress(len(rows), len(jobs))
        return rows
    finally:
        torch.set_num_threads(threads)


def train(job: ProbeJob, vectors: PassageVectors) -> CompositionProbe:
    """Return the probe of *job*, trained."""
    generator = torch.Generator().manual_seed(int(keyed_hash("probe", job.seed)[:15], 16))
    probe = CompositionProbe(job.kind, vectors, max(1, len(job.trained[0].points)), job.classes, generator)
    optimiser = torch.optim.Adagrad(probe.parameters(), lr=RATE)
    aside = held_out([one.group for one in job.trained])
    parts = [[one for one in job.trained if (one.group in aside) is side] for side in (False, True)]
    learnt, watched = (ProbeData(vectors, part, job.kind.encoder) for part in parts)
    best, least, since = probe.state_dict(), math.inf, 0
    for _ in range(EPOCHS):
        order = torch.randperm(len(learnt), generator=generator).tolist()
        probe.train()
        for batch in _batches(learnt, order):
            optimiser.zero_grad()
            _loss(probe, batch, vectors).backward()
            nn.utils.clip_grad_norm_(probe.parameters(), CLIP)
            optimiser.step()
        probe.eval()
        with torch.no_grad():
            places = list(range(len(watched)))
            loss = sum(float(_loss(probe, batch, vectors)) * len(batch.gold) for batch in _batches(watched, places))
        since = 0 if loss < least else since + 1
        if not since:
            least, best = loss, {name: value.clone() for name, value in probe.state_dict().items()}
        if since == PATIENCE:
            break
    probe.load_state_dict(best)
    return probe


def _batches(data: ProbeData, places: Sequence[int]) -> Iterator[ProbeBatch]:
    for first in range(0, len(places), BATCH):
        yield data.batch(places[first : first + BATCH])


def _loss(probe: CompositionProbe, batch: ProbeBatch, vectors: PassageVectors) -> Tensor:
    scores = probe(vectors(batch.rows, probe.kind.layer), batch)
    return nn.functional.cross_entropy(scores, batch.gold)


def ask(probe: CompositionProbe, data: ProbeData) -> list[Code]:
    """Return the answers of *probe* to *data*, one after the other."""
    probe.eval()
    answers = list[Code]()
    with torch.no_grad():
        for first in range(0, len(data), BATCH):
            batch = data.batch(range(first, min(first + BATCH, len(data))))
            scores = probe(data.vectors(batch.rows, probe.kind.layer), batch)
            if batch.points is not None:
                answers += scores.argmax(dim=1).tolist()
                continue
            logs = torch.log_softmax(scores, dim=1).numpy()
            for part in np.split(logs, np.cumsum(batch.lengths.numpy())[:-1]):
                answers += decode(part)
    return answers


def decode(logs: NDArray[Any]) -> list[Code]:
    """Return the likeliest sequence of tags, where I comes only behind I or behind the beginning of a phrase.

    *logs* holds a row of log probabilities a word.

    >>> decode(np.array([[-0.6, -9, -0.8], [-3, -0.1, -3]]))
    [2, 1]
    """
    states = logs.shape[1]
    barred = np.zeros((states, states))
    barred[OUTSIDE, INSIDE] = -np.inf
    best, back = logs[0] + barred[OUTSIDE], list[NDArray[np.intp]]()
    for row in logs[1:]:
        paths = best[:, None] + barred
        back.append(paths.argmax(axis=0))
        best = paths.max(axis=0) + row
    answer = [int(best.argmax())]
    for pointers in reversed(back):
        answer.append(int(pointers[answer[-1]]))
    return answer[::-1]
