"""The evaluation as a whole, through the command: signs that are known, files, tables and refusals."""

from __future__ import annotations

import argparse
import dataclasses
import io
import itertools
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncimp.builder.commands import evaluate as command
from ncimp.evaluator.comparison import compare
from ncimp.evaluator.correlation import SEED
from ncimp.evaluator.evaluation import Evaluation, Options, evaluate_source
from ncimp.evaluator.figures import CLASS_SCORES
from ncimp.evaluator.measures import CONTEXT_KINDS, CONTEXTS, MEASURES
from ncimp.evaluator.records import Result
from ncimp.evaluator.release import Release, read_release
from ncimp.evaluator.report import print_report
from ncimp.evaluator.results import write_evaluation
from ncimp.evaluator.vectors import open_vectors
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.errors import EvaluationError, NcimpError, ReleaseError, UsageError
from ncimp.schemas.files import Row, file_hash
from ncimp.schemas.records import load_schema, to_row
from tests.evaluator.tiny import Tiny, file_model, known_signs, write_vec
from tests.frozen import load_reference
from tests.schemas.checking import check_row

reference = load_reference("measures_reference")
FILES = ("compounds.parquet", "items.parquet", "report.html", "results.json", "sentences.parquet")


def run(*arguments: object) -> int:
    parser = argparse.ArgumentParser()
    command.run.register(parser)
    return command.run(parser.parse_args([*map(str, arguments), "--resamples", "200"]))


def evaluated(release: Release, vectors: Path, **options: Any) -> Evaluation:
    source = open_vectors(vectors, release.items)
    return evaluate_source(release, source, model=file_model(vectors), options=Options(**{"resamples": 200} | options))


def figures(folder: Path, vectors: Path, **options: Any) -> dict[tuple[str, str, str, str], Result]:
    found = evaluated(read_release(folder), vectors, **options).document
    return {(row.lang, row.context_kind, row.level, row.measure): row for row in found.results}


def refusal(kind: type[NcimpError], *arguments: object) -> str:
    with pytest.raises(kind) as caught:
        run(*arguments)
    assert caught.value.exit_code == (2 if kind is UsageError else 1)
    return str(caught.value)


def test_signs_are_those_of_the_vectors(evaluation: Evaluation) -> None:
    results = evaluation.document.results
    for kind, level in itertools.product(CONTEXT_KINDS, ("sentence", "nc")):
        rows = {row.measure: row for row in results if (row.context_kind, row.level) == (kind, level)}
        for measure in ("Sim_PWordsSyn_first", "Sim_PWordsSyn_mean", "SimR_PWordsSyn_first", "SimR_PWordsSyn_mean"):
            assert (rows[measure].rho or 0) > 0.9
        for measure in ("A_Syn|WordsSyn_first", "A_Syn|WordsSyn_mean"):
            assert (rows[measure].rho or 0) < -0.9
            assert (rows[measure].p or 1) < 0.001
        assert rows["Sim_PComp_head"].rho is None  # the same for every compound
        assert abs(rows["Sim_PSyn"].rho or 0) < 0.3
        assert (rows["A_Syn|Rand"].mean or 0) > 0.8
    assert {(r.n, r.missing, r.score, r.release, r.model) for r in results} == {
        (12, 0, "pack_class", "0.1.0", "words.vec")
    }


def test_a_row_is_the_reference_from_vectors_to_rho(tiny: Tiny, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    items = read_release(tiny.folder).items
    sentence, span = rng.normal(size=(2, len(items), 5))
    span[7] = np.nan
    np.savez(tmp_path / "m.npz", ids=np.array([i.id for i in items]), sentence=sentence, span=span)
    found = figures(tiny.folder, tmp_path / "m.npz")
    for level, vectors in (("sentence", sentence), ("nc", span)):
        cells: dict[str, Any] = defaultdict(lambda: defaultdict(dict))
        for item, vector in zip(items, vectors.tolist(), strict=True):
            cells[item.compound_id][item.context][item.variant] = None if np.isnan(vector[0]) else vector
        compounds = sorted(cells)
        for measure in MEASURES:
            for kind in CONTEXT_KINDS:
                values = [reference.compound_value(cells[name], measure.name, kind) for name in compounds]
                ordinal = [CLASS_SCORES[tiny.class_of(int(name.removeprefix("en/c")))] for name in compounds]
                row = found["en", kind, level, measure.name]
                assert row.mean == pytest.approx(sum(values) / 12)
                assert row.rho == pytest.approx(reference.spearman(values, ordinal))
                assert row.missing == sum(reference.missing(cells[name], measure.name, kind) for name in compounds)


def test_holm_is_over_the_rows_of_a_language(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path / "ncimp", compounds=6, langs=("en", "pt"))
    tiny.write()
    words = write_vec(tmp_path / "w.vec", known_signs(tiny))
    document = evaluated(read_release(tiny.folder), words).document
    for rows in (document.results, document.baselines, document.overlap_free, document.partial):
        for family in dict.fromkeys((row.model, row.lang) for row in rows):
            defined = [row for row in rows if (row.model, row.lang) == family and row.p is not None]
            assert [row.p_holm for row in defined] == pytest.approx(reference.holm([row.p for row in defined]))
    assert all(row.p_holm is None for row in document.results if row.p is None)
    # a further language changes nothing
    alone = evaluated(read_release(tiny.folder), words, languages=("pt",)).document
    assert alone.results == tuple(row for row in document.results if row.lang == "pt")
    assert alone.scorecard == tuple(line for line in document.scorecard if line.lang == "pt")


def test_human_scores_are_used_where_there_are_any(tmp_path: Path) -> None:
    # four of six compounds have a score, against the direction of their class
    tiny = Tiny(tmp_path / "ncimp", compounds=6, comp={0: 5.0, 1: 4.0, 4: 1.0, 5: 0.5})
    tiny.write()
    row = figures(tiny.folder, write_vec(tmp_path / "w.vec", known_signs(tiny)))[
        "en", "all", "nc", "Sim_PWordsSyn_first"
    ]
    assert (row.score, row.n, row.rho) == ("human", 4, -1.0)
    literal = [np.cos(1.21 - 1.1 * number / 5) for number in (0, 1, 4, 5)]
    assert row.mean == pytest.approx(np.mean(literal))


def test_words_that_are_not_known_are_missing_not_zero(tiny: Tiny, tmp_path: Path) -> None:
    words = known_signs(tiny)
    del words["c3_syn"], words["c4_orig"]
    words["c5_rand1"] = [0.0, 0.0]
    found = figures(tiny.folder, write_vec(tmp_path / "w.vec", words))
    assert (found["en", "all", "nc", "Sim_PSyn"].n, found["en", "all", "nc", "Sim_PSyn"].missing) == (10, 10)
    assert (found["en", "neutral", "nc", "Sim_PRand"].n, found["en", "neutral", "nc", "Sim_PRand"].missing) == (11, 4)
    assert found["en", "naturalistic", "nc", "Sim_PComp_head"].missing == 3


def test_no_known_word_at_all(tiny: Tiny, tmp_path: Path) -> None:
    found = figures(tiny.folder, write_vec(tmp_path / "w.vec", {"other": [1.0, 2.0]}))
    row = found["en", "all", "sentence", "Sim_PSyn"]
    assert (row.mean, row.rho, row.p, row.p_holm, row.low, row.n, row.missing) == (None,) * 5 + (0, 120)


def test_a_sentence_where_the_randoms_are_the_original_is_missing_for_simr(tiny: Tiny, tmp_path: Path) -> None:
    words = known_signs(tiny)
    words |= {f"c2_rand{k}": words["c2_orig"] for k in range(1, 6)}
    found = figures(tiny.folder, write_vec(tmp_path / "w.vec", words))
    assert (found["en", "all", "nc", "SimR_PSyn"].n, found["en", "all", "nc", "SimR_PSyn"].missing) == (11, 5)
    assert found["en", "all", "nc", "A_Syn|Rand"].missing == 0


def test_without_spans_there_is_no_nc_level(tiny: Tiny, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = read_release(tiny.folder).items
    ids = np.array([item.id for item in items])
    np.savez(tmp_path / "m.npz", ids=ids, sentence=np.random.default_rng(0).normal(size=(len(ids), 3)))
    assert run("--release", tiny.folder, "--vectors", tmp_path / "m.npz", "--tables") == 0
    printed = capsys.readouterr().out
    assert "en: the vectors have no spans, so the NC level is left out." in printed
    assert "│ nc" not in printed


def test_results_fit_their_schema(words: Path, evaluation: Evaluation) -> None:
    printed = to_row(evaluation.document)
    check_row("evaluation", printed)
    assert {row["level"] for row in printed["results"]} == set(load_schema("result")["properties"]["level"]["enum"])
    assert printed["signature"] == {
        "release": "0.1.0",
        "logical_sha256": "ab" * 32,
        "model": {"name": "words.vec", "kind": "static", "sha256": file_hash(words), "options": {}},
        "options": {"languages": ["en"], "resamples": 200, "standardise": [], "experiments": False},
        "seed": SEED,
        "code_version": "0.1.0",
    }


def test_files_hold_every_value_and_are_the_same_each_time(
    tiny: Tiny, words: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        assert run("--release", tiny.folder, "--vectors", words, "--out", tmp_path / name, "--json") == 0
    captured = capsys.readouterr()
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == sorted(FILES)
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert f"wrote {tmp_path / 'two'}" in captured.err
    assert captured.out == (tmp_path / "one" / "results.json").read_text(encoding="utf-8") * 2


def test_the_verdict_is_a_few_lines_with_warnings_first_and_the_page_last(
    tiny: Tiny, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {word: vector for word, vector in known_signs(tiny).items() if word < "c2"}
    command = ("--release", tiny.folder, "--vectors", write_vec(tmp_path / "w.vec", words), "--out", tmp_path / "out")
    assert run(*command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Warning: English, sentence level: 560 of 840 items (67 %) have no vector")
    assert lines[2].startswith("English: idioms lie nearer their synonym")
    assert "published predictions" in lines[3]
    assert lines[-1] == f"page: {tmp_path / 'out' / 'report.html'}"
    assert len(lines) == 6


@pytest.fixture(scope="module")
def without_a_word(tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of word vectors without one synonym."""
    folder = tmp_path_factory.mktemp("results")
    words = known_signs(tiny)
    del words["c3_syn"]
    write_evaluation(folder, evaluated(read_release(tiny.folder), write_vec(folder / "w.vec", words)))
    return folder


def test_values_behind_the_figures(tiny: Tiny, without_a_word: Path) -> None:
    by_compound = read_parquet(without_a_word / "compounds.parquet", "evaluated_compound")
    assert len(by_compound) == 12 * 3 * 2 * len(MEASURES)
    by_sentence = read_parquet(without_a_word / "sentences.parquet", "evaluated_sentence")
    assert len(by_sentence) == 12 * len(CONTEXTS) * 2 * len(MEASURES)
    assert [row["context"] for row in by_sentence[:5]] == list(CONTEXTS)
    chosen = [r for r in by_compound if (r["context_kind"], r["level"], r["measure"]) == ("all", "nc", "Sim_PSyn")]
    assert {row["compound_id"]: row["compound_class"] for row in chosen} == {
        f"en/c{number}": tiny.class_of(number) for number in tiny.range
    }
    assert [(row["compound_id"], row["sentences"]) for row in chosen if row["value"] is None] == [("en/c3", 0)]
    values = [row["value"] for row in chosen if row["value"] is not None]
    results = results_of(without_a_word)["results"]
    (figure,) = [r for r in results if (r["context_kind"], r["level"], r["measure"]) == ("all", "nc", "Sim_PSyn")]
    assert (figure["n"], figure["mean"]) == (11, pytest.approx(sum(values) / 11))


def test_every_item_has_a_row_at_each_level(without_a_word: Path) -> None:
    items = read_parquet(without_a_word / "items.parquet", "evaluated_item")
    assert len(items) == 12 * 70 * 2
    by_cell = {(row["id"], row["level"]): row for row in items}
    original, lost = by_cell["en/c3/nat1/orig", "nc"], by_cell["en/c3/nat1/syn", "nc"]
    assert (original["similarity"], original["has_vector"], original["overlap"]) == (pytest.approx(1.0), True, 1.0)
    assert (lost["similarity"], lost["has_vector"], lost["overlap"], lost["probe"]) == (None, False, 0.0, "PSyn")
    random = by_cell["en/c3/neut_long/rand2", "sentence"]
    # "a c3_rand2 ." against "a c3_orig .": two of three tokens are kept
    assert (random["overlap"], random["tokens"], random["context_kind"]) == (pytest.approx(2 / 3), 3, "neutral")
    assert [row["missing"] for row in results_of(without_a_word)["missing"]] == [1] * 10


def results_of(folder: Path) -> Row:
    found: Row = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


def test_the_table_names_the_score(evaluation: Evaluation) -> None:
    stream = io.StringIO()
    print_report(evaluation, stream, page=None, whole=True)
    printed = stream.getvalue()
    for kind in ("naturalistic", "neutral", "all"):
        assert f"en, {kind} contexts" in printed
    assert printed.count("rho is with the ordinal class of the pack (idiomatic 0, partly 1, compositional 2)") == 3
    assert "no human scores" in printed
    assert "en, all contexts, nc level: predictions" in printed
    for word in ("mean", "rho", "95 % interval", "Holm p", "missing", "A_Syn|WordsSyn_mean", "SimR_PComp_max"):
        assert word in printed
    assert "nan" not in printed
    assert "< 0.001" in printed
    assert "0.0000" not in printed
    line = next(line for line in printed.splitlines() if "Sim_PComp_head" in line)
    cells = [cell.strip() for cell in line.split("│")[1:-1]]
    assert cells == [
        "sentence",
        "similarity to the head alone (Sim_PComp_head)",
        "+0.878",
        "–",
        "–",
        "–",
        "–",
        "12",
        "0",
    ]


def test_the_table_says_who_has_no_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = Tiny(tmp_path / "ncimp", compounds=12, comp={number: float(number % 6) for number in range(9)})
    tiny.write()
    run("--release", tiny.folder, "--vectors", write_vec(tmp_path / "w.vec", known_signs(tiny)), "--tables")
    printed = " ".join(capsys.readouterr().out.split())
    assert "rho is with the human compositionality score; 3 of 12 compounds have none and are left out" in printed
    assert "[" in printed


def test_languages_are_chosen_in_the_order_of_the_release(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path / "ncimp", compounds=3, langs=("en", "pt"))
    tiny.write()
    words = write_vec(tmp_path / "w.vec", known_signs(tiny))
    assert {key[0] for key in figures(tiny.folder, words, languages=("pt",))} == {"pt"}
    assert next(iter(figures(tiny.folder, words, languages=("pt", "en"))))[0] == "en"
    assert "the release has no language 'gl'; choose among en, pt" in refusal(
        UsageError, "--release", tiny.folder, "--vectors", words, "--lang", "gl"
    )


def test_a_quick_look_is_at_some_compounds_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = Tiny(tmp_path / "ncimp", compounds=12, langs=("en", "pt"))
    tiny.write()
    words, release = write_vec(tmp_path / "w.vec", known_signs(tiny)), read_release(tiny.folder)
    drawn = []
    for limit in (3, 5, None):
        parts = evaluated(release, words, limit=limit).parts
        drawn.append([{compound.id for compound in part.language.compounds} for part in parts])
        assert [len(ids) for ids in drawn[-1]] == [limit or 12] * 2
        assert {item.compound_id for part in parts for item in part.language.items} == set().union(*drawn[-1])
    assert all(small < large for few, many in itertools.pairwise(drawn) for small, large in zip(few, many, strict=True))

    out = tmp_path / "results"
    assert run("--release", tiny.folder, "--vectors", words, "--limit", "4", "--split", "test", "--out", out) == 0
    note = "en: a quick look at 4 of 12 compounds, all of the split 'test'; figures of the whole differ."
    assert note in capsys.readouterr().out
    assert results_of(out)["notes"][0] == note
    assert {"limit": 4, "split": "test"}.items() <= results_of(out)["signature"]["options"].items()
    assert "a quick look at a part of it" in (out / "report.html").read_text("utf-8")
    with pytest.raises(UsageError, match="0 compounds are too few"):
        evaluated(release, words, limit=0)
    said = refusal(UsageError, "--release", tiny.folder, "--vectors", words, "--split", "dev")
    assert said == "'en' has no compound in the split 'dev'; choose among test"


def test_parts_are_not_compared_with_other_parts(tiny: Tiny, words: Path, tmp_path: Path) -> None:
    release = read_release(tiny.folder)
    for name, limit in (("one", 4), ("two", None)):
        write_evaluation(tmp_path / name, evaluated(release, words, limit=limit))
    with pytest.raises(
        EvaluationError, match=r"one was judged with --limit 4, .*two without --limit; evaluate both alike"
    ):
        compare([tmp_path / "one", tmp_path / "two"], resamples=100)


def test_a_split_has_its_compounds(mini_release: Path, tmp_path: Path) -> None:
    release = read_release(mini_release)
    words = write_vec(
        tmp_path / "w.vec", {item.tokens[0].lower(): [1.0, float(n)] for n, item in enumerate(release.items)}
    )
    chosen = {part.language.code: part.language.compounds for part in evaluated(release, words, split="train").parts}
    assert {compound.split for compounds in chosen.values() for compound in compounds} == {"train"}
    assert sum(map(len, chosen.values())) == 6


def test_refusals(tiny: Tiny, words: Path, tmp_path: Path) -> None:
    assert "it has no manifest" in refusal(ReleaseError, "--release", tmp_path, "--vectors", words)
    assert "no such file" in refusal(EvaluationError, "--release", tiny.folder, "--vectors", tmp_path / "x.vec")
    assert "unknown kind of vectors" in refusal(UsageError, "--release", tiny.folder, "--vectors", tmp_path / "x.gz")
    (tmp_path / "file").write_text("", encoding="utf-8")
    place = tmp_path / "file"
    assert f"{place}: cannot be made a folder" in refusal(
        UsageError, "--release", tiny.folder, "--vectors", words, "--out", place
    )
    with pytest.raises(UsageError, match="99 resamples are too few; give at least 100"):
        evaluated(read_release(tiny.folder), words, resamples=99)


def test_without_scipy_the_message_says_what_to_install(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = np.array([item.id for item in read_release(tiny.folder).items])
    np.savez(tmp_path / "m.npz", ids=ids, sentence=np.random.default_rng(0).normal(size=(len(ids), 3)))
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    said = refusal(EvaluationError, "--release", tiny.folder, "--vectors", tmp_path / "m.npz")
    assert said == "the library 'scipy' is not installed; run pip install \"ncimp[eval]\""


def test_a_cell_that_the_release_lacks_is_missing(tiny: Tiny, words: Path) -> None:
    release = read_release(tiny.folder)
    lacking = ("en/c11/nat1/syn", "en/c0/neut_long/orig")
    holed = dataclasses.replace(release, items=tuple(item for item in release.items if item.id not in lacking))
    found = evaluated(holed, words)
    (row,) = [r for r in found.document.results if (r.context_kind, r.level, r.measure) == ("all", "nc", "Sim_PSyn")]
    assert (row.n, row.missing) == (12, 2)
    values = next(one.values for one in found.parts[0].measured if one.measure.name == "Sim_PSyn")
    assert np.argwhere(np.isnan(values)).tolist() == [[0, 4], [3, 0]]  # c11 sorts after c0, c1, c10
