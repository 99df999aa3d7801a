"""Publishing to a hub on this computer: what is sent, in which order, what is never sent, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.commands.validate import check
from ncimp.builder.release.publish import Hub, git_blob, make_plan, read_local, script_name
from ncimp.schemas import file_hash
from ncimp.schemas.arrow import read_parquet, write_parquet
from tests.loopback_hub import READER, WRITER, Blob, Fault, LoopbackHub, serving
from tests.release.publish_world import NEW, OLD, REPO, held, make_release, state, use_hub
from tests.validation.planters_folder import PAIRS, sign

Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture
def hub(monkeypatch: Patch) -> Iterator[LoopbackHub]:
    """An empty hub, to which this process's publishing goes."""
    with serving(LoopbackHub()) as made:
        use_hub(made, monkeypatch, WRITER)
        yield made


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return make_release(tmp_path / "old", "1.0.0", OLD)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return make_release(tmp_path / "new", "1.1.0", NEW)


def publish(folder: Path, *options: str) -> int:
    return main(["publish", str(folder), "--repo", REPO, *options])


def test_a_first_release_makes_the_repository_with_its_files_and_its_tag(hub: LoopbackHub, old: Path) -> None:
    assert publish(old, "--tag", "v1.0.0", "--send") == 0
    assert state(hub) == "main is 1.0.0, script is 1.0.0; v1.0.0 is 1.0.0"
    assert held(hub.repos[REPO], "v1.0.0") == OLD
    assert not hub.repos[REPO].private


def test_a_next_release_is_one_commit_that_adds_changes_and_deletes(hub: LoopbackHub, old: Path, new: Path) -> None:
    publish(old, "--send")
    hub.asked.clear()
    assert publish(new, "--send") == 0
    repo = hub.repos[REPO]
    assert state(hub) == "main is 1.1.0, script is 1.1.0; v1.0.0 is 1.0.0, v1.1.0 is 1.1.0"
    assert held(repo, "v1.1.0") == NEW
    assert held(repo, "v1.0.0") == OLD
    assert ".gitattributes" in repo.tree("main")  # the hub's own file stays
    assert [route for route in hub.writes() if route in ("commit", "tag", "create")] == ["commit", "tag", "commit"]
    assert len(repo.commits) == 5  # the hub's own, and two of each release


def test_the_branch_of_the_script_is_the_release_with_the_script_at_its_root(
    hub: LoopbackHub, old: Path, new: Path
) -> None:
    publish(old, "--send")
    repo = hub.repos[REPO]
    assert held(repo, "script") == {**OLD, "ncimp.py": OLD["legacy/ncimp.py"]}
    assert "ncimp.py" not in repo.tree("main")
    hub.asked.clear()
    publish(new, "--send")
    assert held(repo, "script") == {**NEW, "ncimp.py": NEW["legacy/ncimp.py"]}
    assert hub.writes().count("lfs-put") == 2  # data is sent once for both branches
    assert hub.writes().count("branch") == 0


@pytest.mark.parametrize("options", [[], ["--send"]])
def test_a_release_with_rows_of_another_version_is_never_sent(
    hub: LoopbackHub, release_copy: Path, monkeypatch: Patch, capsys: Output, options: list[str]
) -> None:
    monkeypatch.setattr("ncimp.builder.commands.publish.check", check)
    rows = read_parquet(release_copy / PAIRS)
    rows[5]["release"] = "0.0.9"
    write_parquet(release_copy / PAIRS, rows, "pair")
    sign(release_copy, PAIRS, rows=rows)
    assert publish(release_copy, *options) == 1
    assert "incidents keep the release back: M903 " in capsys.readouterr().err
    assert hub.asked == []


def test_a_release_with_code_in_its_loading_script_is_never_sent(
    hub: LoopbackHub, release_copy: Path, monkeypatch: Patch, capsys: Output
) -> None:
    monkeypatch.setattr("ncimp.builder.commands.publish.check", check)
    script = release_copy / "legacy" / "ncimp.py"
    script.write_text(script.read_text("utf-8") + "import os\n", "utf-8")
    sign(release_copy, "legacy/ncimp.py")
    assert publish(release_copy, "--send") == 1
    assert "M905 legacy/ncimp.py" in capsys.readouterr().err
    assert hub.asked == []


def test_the_script_has_the_name_of_its_repository() -> None:
    assert script_name("my-group/minimal.pairs") == "minimal.pairs.py"


def test_a_release_that_was_published_without_its_script_gets_the_branch(
    hub: LoopbackHub, old: Path, capsys: Output
) -> None:
    publish(old, "--send")
    del hub.repos[REPO].branches["script"]
    hub.asked.clear()
    capsys.readouterr()
    assert publish(old) == 0
    said = capsys.readouterr().out
    assert f"{hub.url}/datasets/{REPO} has v1.0.0 with exactly these files\n" in said
    assert "branch script (the same files and ncimp.py, for `datasets` before 4): not there yet" in said
    assert publish(old, "--send") == 0
    assert [route for route in hub.writes() if route in ("branch", "commit", "tag")] == ["branch", "commit"]
    assert state(hub) == "main is 1.0.0, script is 1.0.0; v1.0.0 is 1.0.0"


def test_an_older_release_never_takes_the_branch_of_the_script_back(hub: LoopbackHub, old: Path, new: Path) -> None:
    publish(old, "--send")
    publish(new, "--send")
    del hub.repos[REPO].branches["script"]
    assert publish(old, "--send") == 0
    assert "script" not in hub.repos[REPO].branches


def test_a_release_without_a_script_gets_no_branch(hub: LoopbackHub, tmp_path: Path) -> None:
    bare = make_release(tmp_path / "bare", "1.0.0", {"README.md": OLD["README.md"]})
    assert publish(bare, "--send") == 0
    assert state(hub) == "main is 1.0.0; v1.0.0 is 1.0.0"


def test_a_dry_run_only_looks_and_says_what_would_be_sent(
    hub: LoopbackHub, old: Path, new: Path, capsys: Output
) -> None:
    publish(old, "--send")
    before, commits = hub.asked.copy(), dict(hub.repos[REPO].commits)
    capsys.readouterr()
    assert publish(new) == 0
    assert {method for method, _ in hub.asked[len(before) :]} == {"GET"}
    assert hub.repos[REPO].commits == commits
    head, script = (hub.repos[REPO].branches[name] for name in ("main", "script"))
    size = (new / "manifest.json").stat().st_size
    total = size + sum(map(len, NEW.values()))
    expected = f"""\
release 1.1.0: 6 files, {total:,} bytes
sha256 of manifest.json there: {file_hash(new / "manifest.json")}
{hub.url}/datasets/{REPO}: main at {head}; the tag v1.1.0 is free
+ compounds/train-00000-of-00001.parquet  26 bytes
~ legacy/ncimp.py  32 -> 32 bytes
- literal/train-00000-of-00001.parquet  26 bytes
~ manifest.json  {(old / "manifest.json").stat().st_size:,} -> {size:,} bytes
~ README.md  {len(OLD["README.md"])} -> {len(NEW["README.md"])} bytes
~ sentences/train-00000-of-00001.parquet  8 -> 8 bytes
1 added, 4 changed, 1 deleted, 1 as they are; {total - len(NEW["LICENSE-DATA"]):,} bytes to send (with --send)
branch script (the same files and ncimp.py, for `datasets` before 4): at {script}; \
1 added, 5 changed, 1 deleted, 1 as they are
"""
    shown = capsys.readouterr().out
    assert sorted(shown.splitlines()) == sorted(expected.splitlines())
    assert shown.splitlines()[0] == expected.splitlines()[0]


def test_a_dry_run_needs_no_token_and_no_repository(
    hub: LoopbackHub, old: Path, monkeypatch: Patch, capsys: Output
) -> None:
    use_hub(hub, monkeypatch, None)
    assert publish(old) == 0
    assert "not there yet: it would be created" in capsys.readouterr().out
    assert hub.repos == {}
    assert publish(old, "--send") == 2
    assert "set HF_TOKEN" in capsys.readouterr().err


def test_a_second_run_says_that_it_is_complete_and_sends_nothing(
    hub: LoopbackHub, old: Path, new: Path, capsys: Output
) -> None:
    publish(old, "--send")
    publish(new, "--send")
    hub.asked.clear()
    for folder in (old, new):  # the older one, too, though main has gone on
        capsys.readouterr()
        assert publish(folder, "--send") == 0
        assert "complete: " in capsys.readouterr().out
    assert hub.writes() == []


def test_a_published_version_never_changes(hub: LoopbackHub, old: Path, tmp_path: Path, capsys: Output) -> None:
    publish(old, "--send")
    hub.asked.clear()
    other = make_release(tmp_path / "other", "1.0.0", NEW)
    assert publish(other, "--send") == 1
    assert "the tag v1.0.0 is there already, with other files" in capsys.readouterr().err
    assert hub.writes() == []


def test_a_release_that_is_on_main_is_only_tagged(hub: LoopbackHub, old: Path, capsys: Output) -> None:
    publish(old, "--send")
    del hub.repos[REPO].tags["v1.0.0"]
    hub.asked.clear()
    capsys.readouterr()
    assert publish(old, "--send") == 0
    assert "only the tag is missing" in capsys.readouterr().out
    assert hub.writes() == ["tag"]
    assert state(hub) == "main is 1.0.0, script is 1.0.0; v1.0.0 is 1.0.0"


def test_a_repository_with_other_files_ends_up_with_the_release_alone(hub: LoopbackHub, old: Path) -> None:
    repo = hub.create(REPO)
    repo.commit({**repo.tree("main"), "data/x.csv": Blob(b"x", False), "data/deep/y.parquet": Blob(b"y", True)}, "x")
    assert publish(old, "--send") == 0
    assert held(repo, "main") == OLD


def test_a_long_list_of_files_is_read_to_its_end(hub: LoopbackHub, old: Path) -> None:
    publish(old, "--send")
    hub.page = 2
    plan = make_plan(read_local(old), Hub(REPO, timeout=5), "v9.9.9")
    assert plan.main.changes == ()
    assert plan.main.unchanged == len(OLD) + 1


def test_a_private_repository_is_made_when_asked(hub: LoopbackHub, old: Path) -> None:
    publish(old, "--send", "--private")
    assert hub.repos[REPO].private


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "README.md").write_text("changed"), "README.md: its sha256 is not the one"),
        (lambda folder: (folder / "LICENSE-DATA").unlink(), "it is missing"),
        (lambda folder: (folder / "notes.txt").write_text("x"), "notes.txt: the manifest does not list this file"),
        (lambda folder: (folder / "manifest.json").unlink(), "it has no manifest"),
    ],
    ids=["changed", "missing", "too-many", "no-manifest"],
)
def test_a_damaged_release_is_refused_before_the_hub_is_asked(
    hub: LoopbackHub, old: Path, damage: object, said: str, capsys: Output
) -> None:
    damage(old)  # type: ignore[operator]
    assert publish(old, "--send") == 1
    assert said in capsys.readouterr().err
    assert hub.asked == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tag", "v2.0.0"], "is not the version of the release (1.0.0)"),
        (["--tag", "1.0.0"], "is not the version of the release (1.0.0)"),
        (["--repo", "ncimp"], "is not a repository"),
        (["--repo", "a/b/c"], "is not a repository"),
        (["--timeout", "0"], "--timeout must be"),
    ],
)
def test_wrong_use_is_refused_before_the_hub_is_asked(
    hub: LoopbackHub, old: Path, options: list[str], said: str, capsys: Output
) -> None:
    assert publish(old, *options) == 2
    assert said in capsys.readouterr().err
    assert hub.asked == []


def test_what_the_hub_made_of_a_commit_is_looked_at_before_it_is_tagged(
    hub: LoopbackHub, old: Path, capsys: Output
) -> None:
    hub.stored.update(dict.fromkeys(_objects(old), b"other bytes"))  # a hub that damages what it stores
    assert publish(old, "--send") == 1
    assert "but holds other bytes of literal/train-00000-of-00001.parquet and 1 more" in capsys.readouterr().err
    assert hub.repos[REPO].tags == {}


def _objects(folder: Path) -> list[str]:
    files = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    return [entry["sha256"] for entry in files if entry["path"].endswith(".parquet")]


def test_the_id_of_a_blob_is_what_git_says(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"what is up, doc?")
    assert git_blob(tmp_path / "file") == "bd9dbf5aae1a3862dd1526723246b20206e5fc37"  # the example of the Git book


@pytest.mark.parametrize("token", [WRITER, READER])
def test_no_output_ever_holds_the_token(
    hub: LoopbackHub, old: Path, token: str, monkeypatch: Patch, capfd: pytest.CaptureFixture[str]
) -> None:
    use_hub(hub, monkeypatch, token)
    for at in ("create", "preupload", "commit", "tag"):
        hub.faults[:] = [Fault(at, "500")]  # this hub sends the token back in its errors
        publish(old, "--send")
    output = "".join(capfd.readouterr())
    assert "out of order" in output or "Forbidden" in output
    assert token not in output


def test_no_output_holds_a_password_that_is_in_the_address(
    hub: LoopbackHub, old: Path, monkeypatch: Patch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub.url.replace("//", "//me:password@"))
    assert publish(old) == 1
    output = "".join(capfd.readouterr())
    assert hub.url in output
    assert "password" not in output


LOAD = f"""
import json
from datasets import load_dataset
whole = load_dataset("{REPO}", "sentences", revision="v0.1.0")
stream = load_dataset("{REPO}", "sentences", revision="v0.1.0", streaming=True)
assert {{name: sum(1 for _ in rows) for name, rows in stream.items()}} == whole.num_rows
print(json.dumps(whole.num_rows))
"""
"""What a user does who has heard of the release: loads it by its tag, at once and as a stream."""


def expected_rows(release: Path) -> dict[str, int]:
    files = json.loads((release / "manifest.json").read_text(encoding="utf-8"))["files"]
    held = [(entry["path"].split("/"), entry["rows"]) for entry in files]
    return {path[1].split("-")[0]: rows for path, rows in held if path[0] == "sentences"}


def test_the_card_on_the_hub_loads_from_there_and_its_copy_is_whole(
    hub: LoopbackHub, mini_release: Path, tmp_path: Path, capsys: Output
) -> None:
    assert publish(mini_release, "--send") == 0
    copy = tmp_path / "copy"
    for path, blob in hub.repos[REPO].tree("v0.1.0").items():
        if path != ".gitattributes":
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(blob.data)
    card = (copy / "README.md").read_text("utf-8")
    assert f'load_dataset("{REPO}", "sentences")' in card
    assert 'load_dataset("ncimp"' not in card
    assert check(copy, None)[0] == []
    assert f"sha256 of manifest.json there: {file_hash(copy / 'manifest.json')}\n" in capsys.readouterr().out
    assert publish(mini_release) == publish(copy) == 0
    assert capsys.readouterr().out.count("nothing to send") == 2
    assert main(["publish", str(copy), "--repo", "other/pairs", "--send"]) == 0
    assert 'load_dataset("other/pairs")' in hub.repos["other/pairs"].tree("main")["README.md"].data.decode()


def test_a_fresh_process_needs_nothing_but_the_address_and_the_token(mini_release: Path, tmp_path: Path) -> None:
    with serving(LoopbackHub()) as hub:
        env = {**os.environ, "HF_ENDPOINT": hub.url, "HF_TOKEN": WRITER, "HF_HOME": str(tmp_path / "home")}
        env.pop("HF_HUB_OFFLINE", None)
        env.pop("HF_HUB_DISABLE_XET", None)
        command = [sys.executable, "-m", "ncimp.builder.cli", "publish", str(mini_release), "--repo", REPO, "--send"]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        assert WRITER not in done.stdout
        assert state(hub) == "main is 0.1.0, script is 0.1.0; v0.1.0 is 0.1.0"
        assert "commit" in hub.writes()
        loaded = subprocess.run(
            [sys.executable, "-c", LOAD], env=env, capture_output=True, text=True, check=False, timeout=120
        )
        assert loaded.returncode == 0, loaded.stderr
        assert json.loads(loaded.stdout) == expected_rows(mini_release)
        copy = tmp_path / "copy"
        for path, blob in hub.repos[REPO].tree("v0.1.0").items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(blob.data)
        (copy / ".gitattributes").unlink()
        assert read_local(copy).files.keys() == read_local(mini_release).files.keys()
        shutil.rmtree(copy)
