"""`ncimp annotate preview` and `export` from the outside: what they print, write, and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncimp.builder.annotation.task.batch import read_batch
from ncimp.builder.cli import main

Output = pytest.CaptureFixture[str]
OURS = ("preview", "export")


@pytest.fixture
def export(mini_release: Path) -> list[str]:
    """The beginning of a command line that exports from the mini release."""
    return ["annotate", "export", "--release", str(mini_release), "--lang", "en"]


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_without_write_nothing_is_written(export: list[str], tmp_path: Path, capsys: Output) -> None:
    assert main([*export, "--to", "mturk", "--out", str(tmp_path / "batch")]) == 0
    told = capsys.readouterr().out
    assert "24 tasks (18 item, 3 gold, 3 attention)" in told
    assert (
        "(3 of a kind are needed): 1.2 gold and 1.2 attention in 10 tasks; 2.5 gold and 2.5 attention in 20 tasks; 3.0"
        in told
    )
    assert "24 tasks x 10 judgements = 240 assignments" in told
    assert "total 50.40 USD by the rate card mturk-2026" in told  # 240 x (0.15 + 0.03 + 0.03)
    assert "7.20 USD of this total; with --per-item 9 it does not" in told
    assert told.splitlines()[-1].startswith("dry run: nothing was written")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("to", ["mturk", "turkle", "label-studio", "prolific"])
@pytest.mark.parametrize("mode", ["token", "type"])
def test_a_batch_is_written_whole_and_the_same_each_time(export: list[str], to: str, mode: str, tmp_path: Path) -> None:
    few = ["--min-checks", "1"]
    for name in ("a", "b"):
        assert main([*export, "--to", to, "--mode", mode, *few, "--out", str(tmp_path / name), "--write"]) == 0
    assert folder_bytes(tmp_path / "a") == folder_bytes(tmp_path / "b")
    batch = read_batch(tmp_path / "a")
    assert (batch.info.to, batch.info.mode, batch.info.per_item) == (to, mode, 10)
    assert set(folder_bytes(tmp_path / "a")) == {"batch.json", *batch.info.files}
    checks = 1 if mode == "type" else 3 if to == "prolific" else 2  # a tenth of the items, and one in each group
    assert batch.info.counts == {"item": 18 if mode == "token" else 6, "gold": checks, "attention": checks}
    assert len(batch.by_id) == batch.info.tasks


def test_three_lists_are_three_batches(export: list[str], tmp_path: Path, capsys: Output) -> None:
    assert main([*export, "--to", "turkle", "--lists", "3", "--gold-rate", "0", "--out", str(tmp_path), "--write"]) == 0
    lists = [read_batch(tmp_path / f"list-{number}") for number in (1, 2, 3)]
    assert len({one.info.batch for one in lists}) == 3
    for one in lists:
        about = [task.compound_id for task in one.tasks if task.kind == "item"]
        assert len(set(about)) == len(about) == 6
    told = capsys.readouterr().out
    assert "open the project of each list to a group of users of its own" in told
    assert "all lists: 27 tasks" in told


def test_lists_that_cannot_have_their_checks_are_refused(export: list[str], capsys: Output) -> None:
    assert main([*export, "--to", "turkle", "--lists", "3"]) == 1
    assert "9 gold tasks are needed, and the release has sentences for 6; lower --min-checks" in capsys.readouterr().err
    assert main([*export, "--to", "turkle", "--lists", "3", "--min-checks", "2"]) == 0
    assert capsys.readouterr().out.count("10 tasks (6 item, 2 gold, 2 attention)") == 3


def test_a_participant_of_prolific_gets_the_checks_of_a_group(export: list[str], capsys: Output) -> None:
    assert main([*export, "--to", "prolific", "--min-checks", "2"]) == 0
    assert (
        "3 groups, of which a participant answers one; each has at least 2 gold and 2 attention checks"
        in capsys.readouterr().out
    )


def test_compounds_are_chosen_by_text_or_id(export: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("rat race\nen/eager-beaver\n\n", encoding="utf-8")
    chosen = ["--compounds", str(tmp_path / "mine.txt"), "--out", str(tmp_path / "b"), "--write", "--to", "turkle"]
    assert main([*export, *chosen]) == 0
    items = [task for task in read_batch(tmp_path / "b").tasks if task.kind == "item"]
    assert {task.compound_id for task in items} == {"en/rat-race", "en/eager-beaver"}
    assert len(items) == 6


def test_another_batch_is_not_written_over_the_first(export: list[str], tmp_path: Path, capsys: Output) -> None:
    write = ["--to", "turkle", "--out", str(tmp_path), "--write"]
    assert main([*export, *write]) == 0
    before = folder_bytes(tmp_path)
    assert main([*export, *write, "--per-item", "3"]) == 1
    assert "give another folder with --out" in capsys.readouterr().err
    assert folder_bytes(tmp_path) == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--to", "turkle", "--write"], "--write needs a folder"),
        (["--to", "turkle", "--lists", "3", "--mode", "type"], "--lists 3 is for token mode"),
        (["--to", "turkle", "--per-item", "0"], "--per-item must be a whole number above 0"),
        (["--to", "turkle", "--seconds", "0"], "--seconds must be a whole number above 0"),
        (["--to", "turkle", "--rates", "cheap"], "no rate card 'cheap'"),
        (["--to", "turkle", "--reward", "much"], "not an amount"),
        (["--to", "turkle", "--lang", "gl"], "the release has no 'gl'; give one of en, pt"),
    ],
)
def test_wrong_use_has_exit_code_2(export: list[str], more: list[str], message: str, capsys: Output) -> None:
    assert main([*export, *more]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("rate", ["2", "-1", "x", "1/0"])
def test_a_rate_is_a_share(export: list[str], rate: str, capsys: Output) -> None:
    assert main([*export, "--to", "turkle", f"--gold-rate={rate}"]) == 2
    assert "is not a share from 0 to 1" in capsys.readouterr().err


def test_an_unknown_compound_is_named(export: list[str], tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "mine.txt").write_text("rat race\nrat rice\n", encoding="utf-8")
    assert main([*export, "--to", "turkle", "--compounds", str(tmp_path / "mine.txt")]) == 2
    assert "the release has no compound 'rat rice'" in capsys.readouterr().err


def test_a_release_in_two_languages_asks_which(mini_release: Path, capsys: Output) -> None:
    assert main(["annotate", "export", "--release", str(mini_release), "--to", "turkle"]) == 2
    assert "give one of en, pt with --lang" in capsys.readouterr().err


def test_a_pack_without_wording_is_told(export: list[str], mini_packs: Path, capsys: Output) -> None:
    assert main([*export, "--to", "turkle", "--packs", str(mini_packs)]) == 1
    assert "no annotation.toml" in capsys.readouterr().err


def test_an_example_that_gives_an_answer_away_is_told(export: list[str], tmp_path: Path, capsys: Output) -> None:
    from ncimp.builder.sources.packs.packs import packs_folder

    text = (packs_folder() / "en" / "annotation.toml").read_text(encoding="utf-8")
    (tmp_path / "en").mkdir()
    changed = text.replace('compound = "red tape"', 'compound = "rat race"')
    (tmp_path / "en" / "annotation.toml").write_text(changed, encoding="utf-8")
    assert main([*export, "--to", "turkle", "--packs", str(tmp_path)]) == 0
    assert "a worked example gives the answers for en/rat-race" in capsys.readouterr().out


def test_preview_writes_a_page_of_the_pack(tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / "task.html"
    arguments = ["--lang", "pt", "--mode", "type", "--compound", "pavio curto", "--no-open", "--out", str(out)]
    assert main(["annotate", "preview", *arguments]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    page = out.read_text(encoding="utf-8")
    assert page.count("pavio curto") >= 3
    assert "${" not in page


def test_preview_opens_the_page_unless_told_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def note(place: str) -> bool:
        opened.append(place)
        return True

    monkeypatch.setattr("webbrowser.open", note)
    assert main(["annotate", "preview", "--out", str(tmp_path / "a.html")]) == 0
    assert opened == [(tmp_path / "a.html").as_uri()]


def test_preview_shows_a_task_of_a_batch(export: list[str], tmp_path: Path, capsys: Output) -> None:
    assert main([*export, "--to", "turkle", "--out", str(tmp_path / "b"), "--write"]) == 0
    task = read_batch(tmp_path / "b").tasks[5]
    arguments = ["--batch", str(tmp_path / "b"), "--task", task.task_id, "--no-open", "--out", str(tmp_path / "a.html")]
    assert main(["annotate", "preview", *arguments]) == 0
    assert f'value="{task.task_id}"' in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert main(["annotate", "preview", *arguments[:3], "none", *arguments[4:]]) == 2
    assert "no task 'none' in the batch" in capsys.readouterr().err


def test_preview_of_a_service_with_pages_of_its_own_is_refused(
    export: list[str], tmp_path: Path, capsys: Output
) -> None:
    few = ["--min-checks", "1"]
    assert main([*export, "--to", "prolific", *few, "--out", str(tmp_path / "b"), "--write"]) == 0
    assert main(["annotate", "preview", "--batch", str(tmp_path / "b"), "--no-open"]) == 1
    assert "makes pages of its own" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [(["--lang", "xx"], "no language pack 'xx'"), (["--compound", "rat rice"], "no compound 'rat rice'")],
)
def test_preview_of_what_is_not_there_is_wrong_use(
    more: list[str], message: str, tmp_path: Path, capsys: Output
) -> None:
    assert main(["annotate", "preview", *more, "--no-open", "--out", str(tmp_path / "a.html")]) == 2
    assert message in capsys.readouterr().err


def test_the_cost_is_in_the_batch(export: list[str], tmp_path: Path) -> None:
    more = ["--to", "mturk", "--per-item", "9", "--reward", "0.20", "--seconds", "60"]
    assert main([*export, *more, "--out", str(tmp_path), "--write"]) == 0
    cost = json.loads((tmp_path / "batch.json").read_text(encoding="utf-8"))["cost"]
    assert cost["reward"] == "0.20"
    assert (cost["fee"], cost["total"], cost["hourly"]) == ("0.04", "51.84", "12.00")  # 24 x 9 x 0.24


def test_a_batch_is_offered_in_the_words_of_its_pack(mini_release: Path, tmp_path: Path, capsys: Output) -> None:
    export = ["annotate", "export", "--to", "mturk", "--lang", "pt", "--release", str(mini_release)]
    assert main([*export, "--per-item", "9", "--out", str(tmp_path / "pilot"), "--write"]) == 0
    capsys.readouterr()
    assert main(["launch", "start", str(tmp_path / "pilot")]) == 0  # it only looks
    assert "'Quão literal é esta expressão?', 0.15 US dollars an assignment" in capsys.readouterr().out
    options = read_batch(tmp_path / "pilot").info.options
    assert options["keywords"] == "português, língua, sentido, expressões, avaliação, pesquisa"
    assert str(options["description"]).startswith("Leia um texto curto")
