"""The whole way on the command line: a batch, simulated answers, import, report, scores, a build, `load_dataset`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import datasets
import pytest

from ncimp.builder.annotation.rehearsal import read_habits, read_truth
from ncimp.builder.cli import main
from ncimp.builder.records import Score
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.builder.validation.folder import verify
from ncimp.schemas.files import read_json, read_jsonl, write_tsv
from ncimp.schemas.records import columns, read_records, to_row
from tests.annotation.scores_world import write_batch


def compounds_of(packs: Path, lang: str) -> list[str]:
    pack = read_pack(packs / lang)
    return [pack.compound_id(row.text) for row in pack.compounds]


def command(*words: object) -> int:
    return main([str(word) for word in words])


def campaign(folder: Path, compounds: Sequence[str], packs: Path, **options: object) -> Path:
    """Rehearse a campaign on *compounds* up to its scores; return the folder of all."""
    write_batch(folder / "batch", compounds, simulated=False)
    extra = [word for name, value in {"workers": 10, **options}.items() for word in (f"--{name}", value)]
    assert (
        command("annotate", "simulate", "--batch", folder / "batch", "--out", folder / "sim", "--packs", packs, *extra)
        == 0
    )
    results, batch = folder / "sim" / "results.csv", folder / "sim" / "batch"
    out = ("--salt", folder / "salt", "--out", folder / "campaign")
    assert command("annotate", "import", results, "--batch", batch, *out) == 0
    assert command("annotate", "scores", folder / "campaign", "--out", folder / "scores", "--packs", packs) == 0
    return folder


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory, mini_packs: Path) -> Path:
    """A campaign on the English compounds of the mini world."""
    return campaign(tmp_path_factory.mktemp("loop"), compounds_of(mini_packs, "en"), mini_packs)


@pytest.fixture(scope="module")
def scored(rehearsed: Path, mini_packs: Path) -> Path:
    """A release of the mini world with these scores and judgements."""
    out = rehearsed / "release" / "ncimp"
    files = (
        "--scores",
        rehearsed / "scores" / "scores.tsv",
        "--annotations",
        rehearsed / "scores" / "annotations.jsonl",
    )
    assert command("build", "--packs", mini_packs, "--out", out, *files, "--allow-simulated") == 0
    return out


def test_a_campaign_names_nobody(rehearsed: Path) -> None:
    workers = read_habits(rehearsed / "sim")
    assert len(workers) == 10
    for folder in ("campaign", "scores"):
        for path in (rehearsed / folder).iterdir():
            text = path.read_text(encoding="utf-8")
            assert not any(name in text for name in workers), path
            assert "12:00" not in text


def test_scores_are_a_row_per_compound_and_sentence(rehearsed: Path) -> None:
    rows = [row for _, row in read_records(rehearsed / "scores" / "scores.tsv", Score, "score")]
    assert [sum(row.level == level for row in rows) for level in ("compound", "sentence")] == [6, 18]
    assert all(row.simulated and row.source.startswith("simulated token ") for row in rows)
    assert all(20 <= row.comp_n <= 8 * 3 for row in rows if row.level == "compound")  # two of ten are left out


def test_the_release_has_scores_beside_the_experts_class(scored: Path, rehearsed: Path) -> None:
    rows = {row.compound_id: row for _, row in read_records(rehearsed / "scores" / "scores.tsv", Score, "score")
            if row.level == "compound"}  # fmt: skip
    compounds = {row["id"]: row for part in datasets.load_dataset(str(scored), "compounds").values() for row in part}
    assert len(compounds) == 12
    for name, row in compounds.items():
        told = ("comp", "comp_head", "comp_modifier", "comp_sd", "comp_n", "class_from_scores", "comp_source")
        if row["lang"] == "pt":
            assert [row[column] for column in told] == [None] * 7
            continue
        score = rows[name]
        wanted = (
            score.comp,
            score.head,
            score.modifier,
            score.comp_sd,
            score.comp_n,
            score.class_from_scores,
            score.source,
        )
        assert [row[column] for column in told] == list(wanted)
        assert row["comp_source"].startswith("simulated ")
    pairs = [row for part in datasets.load_dataset(str(scored)).values() for row in part]
    assert {(row["compound_id"], row["comp"]) for row in pairs if row["lang"] == "en"} == {
        (name, row.comp) for name, row in rows.items()
    }
    assert {row["comp"] for row in pairs if row["lang"] == "pt"} == {None}


def test_the_release_has_the_judgements_of_items(scored: Path, rehearsed: Path) -> None:
    rows = [row for part in datasets.load_dataset(str(scored), "annotations").values() for row in part]
    judged = [row for _, row in read_jsonl(rehearsed / "scores" / "annotations.jsonl") if row["kind"] == "item"]
    assert len(rows) == len(judged) == 180
    assert len({row["id"] for row in rows}) == 180
    assert {row["annotator"] for row in rows} == {row["annotator"] for row in judged}
    assert len({row["annotator"] for row in rows if row["excluded"]}) == 2
    assert all(row["simulated"] for row in rows)
    splits = {
        row["id"]: row["split"] for part in datasets.load_dataset(str(scored), "compounds").values() for row in part
    }
    assert all(splits[row["compound_id"]] == row["split"] for row in rows)
    items = {row["id"] for part in datasets.load_dataset(str(scored), "sentences").values() for row in part}
    assert {row["item_id"] for row in rows} <= items
    for name in ("assignment", "task_id", "kind"):
        assert name not in rows[0]


def test_the_release_says_that_it_is_a_rehearsal(scored: Path) -> None:
    manifest = read_json(scored / "manifest.json")
    assert manifest["counts"]["scored"] == 6
    assert manifest["counts"]["annotations"] == 180
    assert manifest["counts"]["simulated"] == {"scored": 6, "annotations": 180}
    named = [source["name"].split("/")[0] for source in manifest["inputs"]]
    assert {"simulated-scores", "simulated-annotations"} <= set(named)
    card = (scored / "README.md").read_text(encoding="utf-8")
    assert "**Simulated scores.**" in card
    assert "crowdsourced" not in card
    assert list(verify(scored).incidents) == []


def test_a_rehearsal_cannot_be_published(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("publish", scored, "--repo", "my-group/ncimp") == 1
    assert "its human scores are simulated" in capsys.readouterr().err


def test_a_release_with_scores_differs_from_one_without_in_them_alone(
    scored: Path, mini_release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command("diff", mini_release, scored)
    told = capsys.readouterr().out
    assert "comp_source" in told
    assert "annotations" in told
    same = {name: (mini_release / name).read_bytes() == (scored / name).read_bytes() for name in TABLES_WITHOUT_SCORES}
    assert all(same.values()), same


TABLES_WITHOUT_SCORES = [
    f"{folder}/{split}-00000-of-00001.parquet"
    for folder in ("sentences", "pt_nat", "pt_neut")
    for split in ("train", "test")
]


@pytest.mark.slow
def test_scores_of_people_are_told_as_such(rehearsed: Path, mini_packs: Path, tmp_path: Path) -> None:
    """The same scores as if people had given them: no mark anywhere, and the card says who labelled."""
    rows = [row for _, row in read_records(rehearsed / "scores" / "scores.tsv", Score, "score")]
    people = [{**to_row(row), "simulated": False, "source": row.source.removeprefix("simulated ")} for row in rows]
    write_tsv(tmp_path / "scores.tsv", people, columns("score"))
    out = tmp_path / "ncimp"
    assert (
        command("build", "--packs", mini_packs, "--lang", "en", "--out", out, "--scores", tmp_path / "scores.tsv") == 0
    )
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "Simulated scores" not in card
    assert "crowdsourced" in card
    assert "simulated" not in read_json(out / "manifest.json")["counts"]
    assert list(verify(out).incidents) == []


def test_an_answer_of_a_program_is_refused_unless_asked_for(
    rehearsed: Path, mini_packs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option, name in (("--scores", "scores.tsv"), ("--annotations", "annotations.jsonl")):
        out = tmp_path / "ncimp"
        assert command("build", "--packs", mini_packs, "--out", out, option, rehearsed / "scores" / name) == 2
        told = capsys.readouterr().err
        assert "a simulated judgement" in told
        assert "--allow-simulated" in told
        assert not out.exists()


@pytest.mark.slow
def test_scores_of_a_compound_that_is_not_built_are_refused(
    rehearsed: Path, mini_packs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (rehearsed / "scores" / "scores.tsv").read_text(encoding="utf-8")
    first = compounds_of(mini_packs, "en")[0]
    (tmp_path / "scores.tsv").write_text(text.replace(first, "en/no-such"), encoding="utf-8")
    words = ("--out", tmp_path / "ncimp", "--allow-simulated", "--scores", tmp_path / "scores.tsv")
    assert command("build", "--packs", mini_packs, *words) == 1
    assert "a score of en/no-such, which this build does not have" in capsys.readouterr().err


def test_a_score_that_is_there_twice_is_refused(
    rehearsed: Path, mini_packs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rehearsed / "scores" / "scores.tsv"
    assert (
        command("build", "--packs", mini_packs, "--out", tmp_path / "n", "--allow-simulated", "--scores", path, path)
        == 1
    )
    assert f"{path}:2: " in (told := capsys.readouterr().err)
    assert "has a score already" in told


@pytest.mark.parametrize(
    ("option", "name", "what"),
    [("--scores", "scores.tsv", "score"), ("--annotations", "annotations.jsonl", "judgement")],
)
def test_a_file_that_holds_nothing_is_refused(
    option: str, name: str, what: str, mini_packs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text("\t".join(columns("score")) + "\n" if name == "scores.tsv" else "", encoding="utf-8")
    assert command("build", "--packs", mini_packs, "--out", tmp_path / "ncimp", option, path) == 1
    told = capsys.readouterr().err
    assert f"{path}: it holds no {what}" in told
    assert "ncimp annotate report" in told
    assert not (tmp_path / "ncimp").exists()


def test_a_salt_inside_the_release_is_refused(
    rehearsed: Path, scored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--batch", rehearsed / "sim" / "batch", "--out", rehearsed / "other", "--salt", scored / "salt")
    assert command("annotate", "import", rehearsed / "sim" / "results.csv", *words) == 2
    assert "is a release" in capsys.readouterr().err
    assert not (scored / "salt").exists()


def test_bad_rows_are_told_with_their_line(rehearsed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (rehearsed / "sim" / "results.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "r.csv").write_text(lines[0] + lines[1].replace('"judged"', '"=1+1"') + lines[2], encoding="utf-8")
    words = ("--batch", rehearsed / "sim" / "batch", "--out", tmp_path / "c", "--salt", tmp_path / "salt")
    code = command("annotate", "import", tmp_path / "r.csv", *words)
    told = capsys.readouterr()
    assert code == 1
    assert told.err.startswith(f"{tmp_path / 'r.csv'}:2")
    assert "1 answers set aside" in told.out


def test_both_modes_are_never_averaged(rehearsed: Path, tmp_path: Path, mini_packs: Path) -> None:
    rows = [row for _, row in read_jsonl(rehearsed / "campaign" / "judgements.jsonl")]
    rows[-1] = {**rows[-1], "mode": "type"}
    shutil.copytree(rehearsed / "campaign", tmp_path / "c")
    (tmp_path / "c" / "judgements.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    words = ("annotate", "scores", tmp_path / "c", "--out", tmp_path / "s", "--packs", mini_packs)
    assert command(*words) == 2
    assert command("annotate", "report", tmp_path / "c", "--out", tmp_path / "r.html", "--packs", mini_packs) == 2
    assert command(*words, "--mode", "token") == 0


def test_a_report_from_the_command_line(rehearsed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--out", tmp_path / "r.html", "--json", tmp_path / "r.json", "--resamples", 100)
    truth = ("--truth", rehearsed / "sim", "--salt", rehearsed / "salt")
    assert command("annotate", "report", rehearsed / "campaign", *out, *truth) == 0
    assert "2 of 10 annotators left out, SIMULATED" in capsys.readouterr().out
    found = read_json(tmp_path / "r.json")
    assert found["declared"] is True
    assert (found["rehearsal"]["precision"], found["rehearsal"]["recall"]) == (1.0, 1.0)
    (tmp_path / "rules.toml").write_text("[exclusion]\nmin_agreement = 0.3\n", encoding="utf-8")
    assert command("annotate", "report", rehearsed / "campaign", *out, "--rules", tmp_path / "rules.toml") == 0
    assert read_json(tmp_path / "r.json")["declared"] is False


def test_scores_of_nobody_are_told(rehearsed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules.toml").write_text("[exclusion]\nmin_seconds = 600.0\n", encoding="utf-8")
    words = ("--out", tmp_path / "s", "--rules", tmp_path / "rules.toml")
    assert command("annotate", "scores", rehearsed / "campaign", *words) == 0
    told = capsys.readouterr()
    assert "0 compounds and 0 sentences" in told.out
    assert "no score: the rules leave every annotator out" in told.err


@pytest.mark.slow
def test_twenty_compounds_go_the_whole_way(tmp_path: Path) -> None:
    """20 English compounds x 3 sentences x 10 simulated workers, and a release of all English compounds with them."""
    packs = packs_folder()
    chosen = compounds_of(packs, "en")[::14]
    assert len(chosen) == 20
    folder = campaign(tmp_path, chosen, packs)
    report = (
        "--out",
        tmp_path / "r.html",
        "--json",
        tmp_path / "r.json",
        "--truth",
        tmp_path / "sim",
        "--salt",
        tmp_path / "salt",
    )
    assert command("annotate", "report", folder / "campaign", *report) == 0
    found = read_json(tmp_path / "r.json")["rehearsal"]
    assert (found["sentences"], found["compounds"], found["cheaters"]) == (60, 20, 2)
    assert (found["precision"], found["recall"]) == (1.0, 1.0)
    assert found["sentences_covered"] >= 0.9
    assert found["compounds_covered"] >= 0.9
    assert found["mean_error"] < 0.2
    files = ("--scores", folder / "scores" / "scores.tsv", "--annotations", folder / "scores" / "annotations.jsonl")
    assert command("build", "--lang", "en", "--out", tmp_path / "ncimp", *files, "--allow-simulated") == 0
    compounds = [row for part in datasets.load_dataset(str(tmp_path / "ncimp"), "compounds").values() for row in part]
    assert {row["id"] for row in compounds if row["comp"] is not None} == set(chosen)
    truth = read_truth(tmp_path / "sim")
    for row in compounds:
        if row["comp"] is not None:
            own = [value for compound, value in truth.values() if compound == row["id"]]
            assert abs(row["comp"] - sum(own) / len(own)) < 0.6
    annotations = [
        row for part in datasets.load_dataset(str(tmp_path / "ncimp"), "annotations").values() for row in part
    ]
    assert len(annotations) == 600
