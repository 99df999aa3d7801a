"""Word vectors and precomputed vectors: what they give, and what is refused."""

from __future__ import annotations

import hashlib
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from gensim.models.fasttext import save_facebook_model

from ncimp.evaluator.release import Item
from ncimp.evaluator.vectors import VectorSource, open_vectors, vectors_hash
from ncimp.schemas.errors import EvaluationError, UsageError
from tests.evaluator.tiny import write_vec

WORDS = {"beaver": [1.0, 0.0, 0.0], "Eager": [0.0, 1.0, 0.0], "eager": [0.0, 0.0, 1.0], "the": [3.0, 3.0, 3.0]}


def item(tokens: str, *, span: tuple[int, int] = (0, 1), name: str = "en/c/nat1/orig") -> Item:
    return Item(name, "en", "en/c", "nat1", "orig", tuple(tokens.split()), span)


def sentence_of(source: VectorSource, tokens: str) -> list[float]:
    row: list[float] = source.sentence([item(tokens)])[0].tolist()
    return row


def save_binary(path: Path) -> Path:
    keyed = KeyedVectors(3)
    keyed.add_vectors(list(WORDS), np.array(list(WORDS.values()), dtype=np.float32))
    keyed.save_word2vec_format(str(path), binary=True)
    return path


def save_keyed(path: Path) -> Path:
    keyed = KeyedVectors(3)
    keyed.add_vectors(list(WORDS), np.array(list(WORDS.values()), dtype=np.float32))
    keyed.save(str(path))
    return path


def refusal(path: Path, *items: Item) -> str:
    with pytest.raises(EvaluationError) as caught:
        open_vectors(path, items or [item("x")])
    assert caught.value.fix
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


@pytest.fixture(params=["words.vec", "words.txt", "words.kv", "words.bin", "glove.txt"])
def words(request: pytest.FixtureRequest, tmp_path: Path) -> VectorSource:
    path = tmp_path / request.param
    if path.suffix == ".kv":
        save_keyed(path)
    elif path.suffix == ".bin":
        save_binary(path)
    elif path.stem == "glove":
        path.write_text(
            "".join(f"{word} {' '.join(map(repr, row))}\n" for word, row in WORDS.items()), encoding="utf-8"
        )
    else:
        write_vec(path, WORDS)
    return open_vectors(path, [])


MEANS: dict[str, list[float]] = {
    "beaver": [1, 0, 0],
    "Eager eager": [0, 0.5, 0.5],  # as written first
    "BEAVER": [1, 0, 0],  # then lower-cased
    "EAGER": [0, 0, 1],
    "unknown beaver": [1, 0, 0],  # unknown words are skipped
    "Eager-Beaver": [0.5, 0.5, 0],  # an unknown hyphenation in its parts
    "the eager-beaver": [4 / 3, 1, 4 / 3],  # each part is a word of its own
    "eager-unknown": [0, 0, 1],
    "-": [np.nan] * 3,
    "unknown": [np.nan] * 3,
}


def test_a_sentence_is_the_mean_of_its_known_words(words: VectorSource) -> None:
    for tokens, expected in MEANS.items():
        assert sentence_of(words, tokens) == pytest.approx(expected, nan_ok=True), tokens


def test_a_hyphenated_word_that_is_known_is_not_taken_apart(tmp_path: Path) -> None:
    path = write_vec(tmp_path / "w.vec", WORDS | {"eager-beaver": [5.0, 5.0, 5.0]})
    assert sentence_of(open_vectors(path, []), "Eager-Beaver") == [5.0, 5.0, 5.0]


def test_a_word_of_glove_may_hold_spaces_and_stand_twice(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("beaver 1 2 3\n. . . 4 5 6\nbeaver 7 8 9\n", encoding="utf-8")
    assert sentence_of(open_vectors(path, []), "beaver") == [1.0, 2.0, 3.0]


def test_a_word_that_a_fasttext_model_lacks_stays_unknown(tmp_path: Path) -> None:
    model = FastText([["eager", "beaver"], ["beaver", "dam"]], vector_size=4, min_count=1, workers=1, bucket=50)
    path = tmp_path / "ft.bin"
    save_facebook_model(model, str(path))
    source = open_vectors(path, [])
    assert sentence_of(source, "beaver") == pytest.approx(model.wv["beaver"].tolist())
    assert sentence_of(source, "beavers") == pytest.approx([np.nan] * 4, nan_ok=True)


@pytest.mark.parametrize("keep", [0, 3, 7, 20, -100])
@pytest.mark.parametrize("kind", ["word2vec", "fasttext"])
def test_damaged_binary(tmp_path: Path, kind: str, keep: int) -> None:
    path = tmp_path / "w.bin"
    if kind == "word2vec":
        save_binary(path)
    else:
        model = FastText([["eager", "beaver"]], vector_size=4, min_count=1, workers=1, bucket=50)
        save_facebook_model(model, str(path))
    path.write_bytes(path.read_bytes()[:keep])
    assert "neither word2vec's binary form nor a model of fastText" in refusal(path)


def test_a_span_is_the_mean_of_its_own_tokens(words: VectorSource) -> None:
    spans = words.span([item("the Eager beaver", span=(1, 3)), item("the unknown", span=(1, 2))])
    np.testing.assert_array_equal(spans, [[0.5, 0.5, 0.0], [np.nan] * 3])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 3\nbeaver 1 2 3\neager 1 2\n", ":3: 2 components where the header has 3"),
        ("2 2\nbeaver 1 2\neager 1\n", ":3: 1 components where the header has 2"),
        ("1 2\nbeaver 1 2 3\n", ":2: 3 components where the header has 2"),
        ("3 2\nbeaver 1 2\n", ":1: the header has 3 words, the file 1"),
        ("1 2\nbeaver 1 2\neager 1 2\n", ":1: the header has 1 words, the file 2"),
        ("1 2\n", ":1: the header has 1 words, the file 0"),
        ("", ":1: no header of word2vec text"),
        ("1 0\nbeaver\n", ":1: no header of word2vec text"),
        ("beaver a b\neager 1 2\n", ":1: no header of word2vec text; start the file with the number of words"),
        ("beaver 1 2\neager 1\n", ":2: not word vectors as text (1 components where the first line has 2)"),
        ("beaver 1 2\neager 1 x\n", ":2: not word vectors as text (could not convert string to float"),
        ("beaver 1 2\neager 1 inf\n", "a component is not a finite number"),
        ("beaver 1\neager 1\n", ":1: no header of word2vec text"),
        ("1 2\nbeaver 1 x\n", "not word vectors as text (could not convert string to float"),
        ("1 2\nbeaver 1 nan\n", "a component is not a finite number"),
    ],
)
def test_damaged_text(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "w.vec"
    path.write_text(text, encoding="utf-8")
    assert expected in refusal(path)


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "w.vec"
    path.write_bytes(b"1 2\n\xff\xfe 1 2\n")
    assert "not word vectors as text" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps(WORDS)[:-5]])
def test_damaged_kv(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "w.kv"
    path.write_bytes(content)
    assert "not a gensim KeyedVectors file" in refusal(path)


def test_kv_without_its_companion(tmp_path: Path) -> None:
    path = tmp_path / "w.kv"
    keyed = KeyedVectors(2)
    keyed.add_vectors(["beaver"], np.ones((1, 2), dtype=np.float32))
    keyed.save(str(path), separately=["vectors"])
    (tmp_path / "w.kv.vectors.npy").unlink()
    assert "not a gensim KeyedVectors file" in refusal(path)


def test_kv_that_holds_a_whole_model(tmp_path: Path) -> None:
    path = tmp_path / "w.kv"
    Word2Vec([["eager", "beaver"]], vector_size=2, min_count=1, workers=1).save(str(path))
    assert "it holds a Word2Vec, not KeyedVectors; save its word vectors" in refusal(path)


def npz(path: Path, **arrays: Any) -> Path:
    np.savez(path, **arrays)
    return path


A, B = item("a", name="en/c/nat1/orig"), item("b", name="en/c/nat1/syn")
IDS = np.array([B.id, A.id])
TWO = np.array([[1.0, 2.0], [3.0, 4.0]])


def test_precomputed_vectors_are_found_by_id(tmp_path: Path) -> None:
    source = open_vectors(npz(tmp_path / "m.npz", ids=IDS, sentence=TWO, span=TWO * 10), [A, B])
    np.testing.assert_array_equal(source.sentence([A, B]), [[3.0, 4.0], [1.0, 2.0]])
    np.testing.assert_array_equal(source.span([B]), [[10.0, 20.0]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8])
def test_items_without_a_vector_are_nan(tmp_path: Path, dtype: Any) -> None:
    source = open_vectors(npz(tmp_path / "m.npz", ids=IDS[:1], sentence=TWO[:1].astype(dtype)), [A, B])
    np.testing.assert_array_equal(source.sentence([A, B]), [[np.nan, np.nan], [1.0, 2.0]])
    assert source.span([A, B]) is None


def test_a_row_of_nan_is_no_vector(tmp_path: Path) -> None:
    rows = np.array([[np.nan, np.nan], [1.0, 2.0]])
    source = open_vectors(npz(tmp_path / "m.npz", ids=IDS, sentence=rows), [A, B])
    np.testing.assert_array_equal(source.sentence([B]), [[np.nan, np.nan]])


@pytest.mark.parametrize(
    ("arrays", "expected"),
    [
        ({"ids": IDS}, "missing arrays ['sentence'], unknown arrays []"),
        ({"ids": IDS, "sentence": TWO, "spans": TWO}, "missing arrays [], unknown arrays ['spans']"),
        ({"ids": np.array([1, 2]), "sentence": TWO}, "'ids' has shape (2,) and type int"),
        ({"ids": IDS[None, :], "sentence": TWO}, "'ids' has shape (1, 2)"),
        ({"ids": IDS[:0], "sentence": TWO[:0]}, "it holds no vectors"),
        (
            {"ids": np.array([A.id, "en/x/nat1/syn"]), "sentence": TWO},
            "1 of 2 ids are not in the release, such as 'en/x",
        ),
        ({"ids": np.array([A.id, A.id]), "sentence": TWO}, "the id 'en/c/nat1/orig' is there twice"),
        ({"ids": IDS, "sentence": TWO[:1]}, "'sentence' have shape (1, 2)"),
        ({"ids": IDS, "sentence": TWO[0]}, "'sentence' have shape (2,)"),
        ({"ids": IDS, "sentence": TWO[:, :0]}, "'sentence' have shape (2, 0)"),
        ({"ids": IDS, "sentence": TWO * 1j}, "type complex128"),
        ({"ids": IDS, "sentence": TWO, "span": TWO[:1]}, "'span' have shape (1, 2)"),
        ({"ids": IDS, "sentence": np.array([[1, 2], [np.nan, 4]])}, "row 1 of the vectors 'sentence' is infinite"),
        ({"ids": IDS, "sentence": np.array([[1, np.inf], [3, 4]])}, "row 0 of the vectors 'sentence' is infinite"),
        ({"ids": IDS.astype(object), "sentence": TWO}, "not a readable .npz (Object arrays cannot be loaded"),
    ],
)
def test_arrays_that_do_not_fit(tmp_path: Path, arrays: dict[str, Any], expected: str) -> None:
    assert expected in refusal(npz(tmp_path / "m.npz", **arrays), A, B)


def test_damaged_npz(tmp_path: Path) -> None:
    path = npz(tmp_path / "m.npz", ids=IDS, sentence=TWO)
    whole = path.read_bytes()
    for content in (b"", whole[: len(whole) // 2], b"PK\x03\x04" + whole[40:], whole.replace(b"NUMPY", b"NUMPI")):
        path.write_bytes(content)
        assert "not a readable .npz" in refusal(path, A, B)
    with path.open("wb") as stream:
        np.save(stream, TWO)
    assert "not a readable .npz" in refusal(path, A, B)


def test_damaged_component_in_npz(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez_compressed(path, ids=IDS, sentence=np.arange(2000.0).reshape(2, 1000))
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(bytes(whole))
    assert "not a readable .npz" in refusal(path, A, B)


def test_unknown_ending_and_missing_file(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"unknown kind of vectors 'w.gz'; give word vectors \(.vec, .txt, .bin, .kv\)"
    ):
        open_vectors(tmp_path / "w.gz", [])
    assert "no such file; check --vectors" in refusal(tmp_path / "w.vec")


def test_without_gensim_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_vec(tmp_path / "w.vec", WORDS)
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(EvaluationError) as caught:
        open_vectors(path, [])
    assert str(caught.value) == "the library 'gensim' is not installed; run pip install \"ncimp[eval]\""


def test_hash_of_vectors_is_of_all_their_files(tmp_path: Path) -> None:
    text = write_vec(tmp_path / "w.vec", WORDS)
    assert vectors_hash(text) == hashlib.sha256(text.read_bytes()).hexdigest()
    path = tmp_path / "w.kv"
    path.write_bytes(b"x")
    alone = vectors_hash(path)
    companion = tmp_path / "w.kv.vectors.npy"
    companion.write_bytes(b"y")
    together = vectors_hash(path)
    companion.write_bytes(b"z")
    assert len({alone, together, vectors_hash(path)}) == 3
