"""Sources of vectors of sentences and spans: files, or a function of the user.

Static word vectors as word2vec text (`.vec`, `.txt`) have a header with the number of words and of dimensions, then a
word a line:

    2 3
    beaver 0.1 0.2 -0.4
    eager 0.3 0.1 0.0

GloVe text has no header; there, a word may hold spaces, because the components are counted from the end. A `.bin` is
word2vec's binary form, with the same header, or a model of fastText, which begins with a number of its own; of the
latter, the vectors of its words are used, not those of its character n-grams, so that an unknown word stays unknown.
A `.kv` is what gensim's `KeyedVectors.save` writes; it is a pickle, so open only one you trust.

Precomputed vectors by item are in one `.npz`:

    ids         (n,)    item ids, such as "en/eager-beaver/nat1/ws3", as a string array
    sentence    (n, d)  vector of the whole sentence
    span        (n, d)  vector of the span; may be left out, and with it the NC level
    release     ()      version or logical hash of the release they were made from; may be left out

A row of NaN is an item without a vector; so is an item of the release that `ids` does not name.

    np.savez("model.npz", ids=np.array(ids), sentence=sentences, span=spans, release="0.1.0")
"""

import pickle
import struct
import zipfile
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.records import LevelName, Model
from ncimp.evaluator.release import Item, Release
from ncimp.evaluator.runtime import require
from ncimp.schemas import EvaluationError, Place, UsageError, file_hash, value_hash

DAMAGE = (  # errors of gensim and numpy on a file that is cut, damaged, of another kind, or too large for the memory
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError, ImportError, NotImplementedError),
    *(OSError, EOFError, MemoryError, struct.error, pickle.UnpicklingError, zipfile.BadZipFile, zlib.error),
)
FASTTEXT = struct.pack("<i", 793712314)  # the first bytes of a model of fastText
REQUIRED, OPTIONAL = ("ids", "sentence"), ("span", "release")  # the arrays of precomputed vectors


class VectorSource(Protocol):
    """A source of vectors. Rows are in the order of *items*; a row of NaN is an item without a vector."""

    def sentence(self, items: Sequence[Item]) -> NDArray[Any]:
        """Return one vector a sentence, of shape (len(items), d)."""

    def span(self, items: Sequence[Item]) -> NDArray[Any] | None:
        """Return one vector a span, of shape (len(items), d), or None where the source has no spans."""


@runtime_checkable
class WordSource(Protocol):
    """A source that also has vectors of single words in their sentence."""

    def words(self, sentences: Sequence[Sequence[str]]) -> NDArray[Any]:
        """Return the vectors of all words of *sentences*, one after the other, by layer: (words, layers, d), or NaN."""


class OpenedVectors(NamedTuple):
    """A source of vectors and its description in results."""

    source: VectorSource
    model: Model


def open_file(path: Path, items: Sequence[Item]) -> OpenedVectors:
    """Return the vectors in *path* for the *items* of a whole release, with their description."""
    kind = "precomputed" if path.suffix == ".npz" else "static"
    return OpenedVectors(open_vectors(path, items), Model(path.name, kind, vectors_hash(path), {}))


def open_vectors(path: Path, items: Sequence[Item]) -> VectorSource:
    """Return the vectors in *path* for the *items* of a whole release, by the ending of its name."""
    if path.suffix not in (".bin", ".kv", ".npz", ".txt", ".vec"):
        fix = "give word vectors (.vec, .txt, .bin, .kv) or precomputed ones (.npz)"
        raise UsageError(f"unknown kind of vectors {path.name!r}", fix=fix)
    if not path.is_file():
        raise EvaluationError("no such file", fix="check --vectors", place=Place(str(path)))
    if path.suffix == ".npz":
        return PrecomputedVectors.read(path, item_ids={item.id for item in items})
    return StaticVectors.read(path)


def vectors_hash(path: Path) -> str:
    """Return the sha256 of *path*; for a `.kv` in several files, the hash over the names and hashes of all."""
    # gensim writes large arrays of a `.kv` into files beside it
    companions = [other for other in path.parent.glob("*.npy") if other.name.startswith(f"{path.name}.")]
    if path.suffix != ".kv" or not companions:
        return file_hash(path)
    return value_hash({part.name: file_hash(part) for part in (path, *sorted(companions))})


class StaticVectors:
    """Word vectors by word. Words are looked up as written, then lower-cased, then in the parts of a hyphenation."""

    def __init__(self, words: dict[str, int], vectors: NDArray[Any]) -> None:
        self._rows = words
        self._vectors = vectors
        self._token_rows: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> "StaticVectors":
        """Return the word vectors in *path*, or raise `EvaluationError` when it is damaged."""
        words, vectors = _read_words(path)
        if not np.isfinite(vectors).all():
            raise EvaluationError("a component is not a finite number", fix="mend the file", place=Place(str(path)))
        return cls(words, vectors)

    def sentence(self, items: Sequence[Item]) -> FloatArray:
        """Return the mean over all tokens that are known, of shape (len(items), d); NaN where none is."""
        return self._means([item.tokens for item in items])

    def span(self, items: Sequence[Item]) -> FloatArray:
        """Return the mean over the tokens of the span that are known; NaN where none is."""
        return self._means([item.tokens[slice(*item.token_span)] for item in items])

    def words(self, sentences: Sequence[Sequence[str]]) -> FloatArray:
        """Return the vectors of all words of *sentences*: of one layer; NaN for an unknown word."""
        return self._means([(word,) for sentence in sentences for word in sentence])[:, None]

    def rows(self, token: str) -> tuple[int, ...]:
        """Return the rows of *token*: one when it is known, those of its known parts when only they are, or none."""
        if token not in self._token_rows:
            whole = self._row(token)
            parts = [whole] if whole is not None else [self._row(part) for part in token.split("-") if "-" in token]
            self._token_rows[token] = tuple(part for part in parts if part is not None)
        return self._token_rows[token]

    def _row(self, word: str) -> int | None:
        return self._rows.get(word, self._rows.get(word.lower()))

    def _means(self, sequences: list[tuple[str, ...]]) -> FloatArray:
        means = np.full((len(sequences), self._vectors.shape[1]), np.nan)
        for place, tokens in enumerate(sequences):
            rows = [row for token in tokens for row in self.rows(token)]
            if rows:
                means[place] = self._vectors[rows].astype(np.float64).mean(axis=0)
        return means


def _read_words(path: Path) -> tuple[dict[str, int], NDArray[Any]]:
    if path.suffix not in (".kv", ".bin") and _is_glove(path):
        return _read_glove(path)
    word_vectors = require("gensim.models").KeyedVectors
    if path.suffix == ".kv":
        with _readable(path, "not a gensim KeyedVectors file", "save it again with KeyedVectors.save"):
            keyed = word_vectors.load(str(path), mmap="r")
        if not isinstance(keyed, word_vectors):
            what, fix = (
                f"it holds a {type(keyed).__name__}, not KeyedVectors",
                "save its word vectors: model.wv.save(path)",
            )
            raise EvaluationError(what, fix=fix, place=Place(str(path)))
    elif path.suffix == ".bin":
        with path.open("rb") as stream:
            is_fasttext = stream.read(4) == FASTTEXT
        with _readable(path, "neither word2vec's binary form nor a model of fastText", "download the file again"):
            if is_fasttext:
                keyed = require("gensim.models.fasttext").load_facebook_vectors(str(path))
            else:
                keyed = word_vectors.load_word2vec_format(str(path), binary=True)
    else:
        _check_text(path)
        with _readable(path, "not word vectors as text", "mend the file or download it again"):
            keyed = word_vectors.load_word2vec_format(str(path), binary=False)
    return keyed.key_to_index, keyed.vectors


@contextmanager
def _readable(path: Path, what: str, fix: str) -> Iterator[None]:
    """Raise `EvaluationError` where the library that reads *path* fails."""
    try:
        yield
    except DAMAGE as error:
        raise EvaluationError(f"{what} ({error})", fix=fix, place=Place(str(path))) from None


def _is_glove(path: Path) -> bool:
    """Check whether *path* begins with a word and two components or more, where word2vec has its header."""
    with path.open("rb") as stream:
        cells = stream.readline().split()
    try:
        return len(cells) > 2 and len(list(map(float, cells[-2:]))) == 2
    except ValueError:
        return False


def _read_glove(path: Path) -> tuple[dict[str, int], NDArray[np.float32]]:
    """Return words and vectors of text without a header; gensim takes a word with spaces for a damaged line."""
    with path.open("rb") as stream:
        size = len(stream.readline().split()) - 1
        stream.seek(0)
        words: dict[str, int] = {}
        rows = array("f")
        for number, line in enumerate(stream, start=1):
            word, *cells = line.rstrip().rsplit(b" ", size)
            try:
                if len(cells) != size:
                    raise ValueError(f"{len(cells)} components where the first line has {size}")
                rows.extend(map(float, cells))
                words.setdefault(word.decode("utf-8"), number - 1)
            except ValueError as error:
                what, fix = f"not word vectors as text ({error})", "mend the line or download the file again"
                raise EvaluationError(what, fix=fix, place=Place(str(path), number)) from None
    return words, np.frombuffer(rows, dtype=np.float32).reshape(-1, size)


def _check_text(path: Path) -> None:
    """Check every line: gensim names none, ignores lines beyond the header count and repeats a lone number."""
    with path.open("rb") as stream:
        header = stream.readline().split()
        if len(header) != 2 or not all(cell.isdigit() and int(cell) > 0 for cell in header):
            example = "such as '400000 300' (GloVe has no such line)"
            fix = f"start the file with the number of words and of dimensions, {example}"
            raise EvaluationError("no header of word2vec text", fix=fix, place=Place(str(path), 1))
        words, size = map(int, header)
        count = 0
        for count, line in enumerate(stream, start=1):
            cells = line.rstrip().count(b" ")
            if cells != size:
                what = f"{cells} components where the header has {size}"
                raise EvaluationError(what, fix="mend the line or the header", place=Place(str(path), count + 1))
    if count != words:
        what = f"the header has {words} words, the file {count}"
        raise EvaluationError(what, fix="download the file again, or mend the header", place=Place(str(path), 1))


class PrecomputedVectors:
    """Vectors by item id."""

    def __init__(
        self, ids: Sequence[str], sentence: NDArray[Any], span: NDArray[Any] | None, made_from: str | None = None
    ) -> None:
        self.made_from = made_from
        self._places = {name: place for place, name in enumerate(ids)}
        self._sentence = sentence
        self._span = span

    @classmethod
    def read(cls, path: Path, *, item_ids: set[str]) -> "PrecomputedVectors":
        """Return the vectors in *path*, or raise `EvaluationError`; *item_ids* are those of the release."""
        place = Place(str(path))
        arrays = _read_arrays(path, place)
        ids = _checked_ids(arrays["ids"], item_ids, place)
        for name in ("sentence", "span"):
            if name in arrays:
                _check_rows(f"the vectors {name!r}", arrays[name], len(ids), place)
        release = arrays.get("release")
        if release is not None and (release.ndim != 0 or release.dtype.kind != "U"):
            what = f"'release' has shape {release.shape} and type {release.dtype}"
            raise EvaluationError(what, fix="make it one string: the version or the logical hash", place=place)
        return cls(ids, arrays["sentence"], arrays.get("span"), None if release is None else str(release))

    def sentence(self, items: Sequence[Item]) -> NDArray[Any]:
        """Return the sentence vectors, of shape (len(items), d); NaN where there is none."""
        return self._chosen(self._sentence, items)

    def span(self, items: Sequence[Item]) -> NDArray[Any] | None:
        """Return the span vectors, of shape (len(items), d), or None when the file has no spans."""
        return None if self._span is None else self._chosen(self._span, items)

    def _chosen(self, vectors: NDArray[Any], items: Sequence[Item]) -> NDArray[Any]:
        places = np.array([self._places.get(item.id, -1) for item in items], dtype=np.intp)
        return np.where((places >= 0)[:, None], vectors[places], np.nan)


def _read_arrays(path: Path, place: Place) -> dict[str, NDArray[Any]]:
    with (
        _readable(path, "not a readable .npz", "write it again with numpy.savez, without objects"),
        path.open("rb") as stream,
        zipfile.ZipFile(stream),
        np.load(path, allow_pickle=False) as archive,
    ):
        arrays = {name: archive[name] for name in archive.files}
    missing = sorted(set(REQUIRED) - set(arrays))
    unknown = sorted(set(arrays) - {*REQUIRED, *OPTIONAL})
    if missing or unknown:
        what = f"missing arrays {missing}, unknown arrays {unknown}"
        raise EvaluationError(what, fix="it should hold ids, sentence and, for the NC level, span", place=place)
    return arrays


def _checked_ids(ids: NDArray[Any], item_ids: set[str], place: Place) -> list[str]:
    if ids.ndim != 1 or ids.dtype.kind != "U":
        what = f"'ids' has shape {ids.shape} and type {ids.dtype}"
        raise EvaluationError(what, fix="make it a one-dimensional array of strings", place=place)
    names: list[str] = ids.tolist()
    if not names:
        raise EvaluationError("it holds no vectors", fix="give one row per item of the release", place=place)
    unknown = [name for name in names if name not in item_ids]
    if unknown:
        what = f"{len(unknown)} of {len(names)} ids are not in the release, such as {unknown[0]!r}"
        raise EvaluationError(what, fix="make the vectors from the same release", place=place)
    duplicates = sorted(name for name, count in Counter(names).items() if count > 1)
    if duplicates:
        raise EvaluationError(f"the id {duplicates[0]!r} is there twice", fix="keep one row per item", place=place)
    return names


def _check_rows(name: str, vectors: NDArray[Any], rows: int, place: Place | None = None) -> None:
    """Raise `EvaluationError` unless *vectors* are *rows* rows of real numbers, each finite or NaN throughout."""
    if vectors.ndim != 2 or vectors.shape[0] != rows or vectors.shape[1] == 0 or vectors.dtype.kind not in "fiu":
        what = f"{name} have shape {vectors.shape} and type {vectors.dtype}"
        raise EvaluationError(what, fix=f"give {rows} rows of real numbers, one an item", place=place)
    nan = np.isnan(vectors)
    damaged = np.isinf(vectors).any(axis=1) | (nan.any(axis=1) & ~nan.all(axis=1))
    if damaged.any():
        what = f"row {int(damaged.argmax())} of {name} is infinite or partly NaN"
        raise EvaluationError(what, fix="give finite numbers, or NaN throughout for a missing vector", place=place)


# from sentences and the characters [start, end) of the NC in each to vectors (n, d), of the sentences or also the spans
Encode = Callable[[list[str], list[tuple[int, int]]], Any]
BATCH = 1024  # sentences given to the function at a time
Key = tuple[str, tuple[int, int]]  # a sentence and its span


class EncodedVectors:
    """The vectors of an `Encode` function, which is called once for each distinct sentence with its span, in order."""

    def __init__(self, encode: Encode, *, batch: int = BATCH) -> None:
        self._encode = encode
        self._batch = batch
        self._places: dict[Key, int] = {}
        self._sentences: list[NDArray[Any]] = []
        self._spans: list[NDArray[Any]] = []

    def sentence(self, items: Sequence[Item]) -> NDArray[Any]:
        """Return the sentence vectors, of shape (len(items), d)."""
        return self._chosen(items)[0]

    def span(self, items: Sequence[Item]) -> NDArray[Any] | None:
        """Return the span vectors, of shape (len(items), d), or None when the function gives none."""
        return self._chosen(items)[1]

    def _chosen(self, items: Sequence[Item]) -> tuple[NDArray[Any], NDArray[Any] | None]:
        keys = [(item.sentence, item.span) for item in items]
        new = [key for key in dict.fromkeys(keys) if key not in self._places]
        for start in range(0, len(new), self._batch):
            self._add(new[start : start + self._batch])
        places = np.array([self._places[key] for key in keys], dtype=np.intp)
        spans = np.concatenate(self._spans)[places] if self._spans else None
        return np.concatenate(self._sentences)[places], spans

    def _add(self, keys: list[Key]) -> None:
        output = self._encode([sentence for sentence, _ in keys], [span for _, span in keys])
        sentences, spans = output if isinstance(output, tuple) else (output, None)
        if self._places and (spans is None) == bool(self._spans):
            raise EvaluationError("encode returned spans for some sentences only", fix="return them always or never")
        self._sentences.append(self._fitting(sentences, len(keys), self._sentences))
        if spans is not None:
            self._spans.append(self._fitting(spans, len(keys), self._spans))
        self._places |= {key: len(self._places) + place for place, key in enumerate(keys)}

    @staticmethod
    def _fitting(vectors: Any, rows: int, earlier: list[NDArray[Any]]) -> NDArray[Any]:
        """Return *vectors* as an array of *rows* rows, as wide as the *earlier* ones."""
        array = np.asarray(vectors)
        if array.ndim != 2 or len(array) != rows:
            what = f"encode returned an array of shape {array.shape} for {rows} sentences"
            raise EvaluationError(what, fix="return one row a sentence")
        if earlier and array.shape[1] != earlier[0].shape[1]:
            what = f"encode returned vectors of width {array.shape[1]} after some of width {earlier[0].shape[1]}"
            raise EvaluationError(what, fix="return vectors of one width")
        return array


def checked_vectors(name: LevelName, vectors: NDArray[Any], items: int) -> NDArray[Any]:
    """Return *vectors* when they are one row of real numbers an item, or raise `EvaluationError`.

    A row of NaN is an item without a vector, which is counted; a row that is partly NaN or infinite is damage, and
    rows that are all the same mean that the model ignores its input.
    """
    _check_rows(f"the {name} vectors", vectors, items)
    present = vectors[~np.isnan(vectors).any(axis=1)]
    if len(present) > 1 and (present == present[0]).all():
        what = f"all {len(present)} {name} vectors are the same"
        raise EvaluationError(what, fix="check that the model reads its input")
    return vectors


def check_release(source: object, release: Release) -> None:
    """Raise `EvaluationError` when *source* says that it was made from another release than *release*.

    A source may have an attribute `made_from`: the version or the logical hash of a release, or None.
    """
    made_from = getattr(source, "made_from", None)
    if made_from not in (None, release.version, release.logical_sha256):
        what = f"the vectors were made from release {made_from!r}, not {release.version!r}"
        raise EvaluationError(what, fix="make them again from this release, or evaluate on that one")
