"""`ncimp source`: what it prints, what it keeps, and how it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pooch import HTTPDownloader

from ncimp.builder.cli import main
from ncimp.builder.commands import source
from ncimp.builder.sources import registry
from ncimp.builder.sources.registry import known_sources
from ncimp.schemas.files import file_hash

Output = pytest.CaptureFixture[str]

LEXICON = "carta\tcarta+N+F+SG\ncartas\tcarta+N+F+PL\n"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NCIMP_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    path = tmp_path / "words.dict"
    path.write_text(LEXICON, encoding="utf-8")
    return path


def test_every_known_source_is_listed_with_licence_citation_and_address(capsys: Output, data: Path) -> None:
    assert main(["source", "list", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == list(known_sources())
    assert all(row["licence"] and row["citation"] and row["address"] for row in rows)
    assert {row["name"] for row in rows if row["here"]} >= {"ncimp-en", "ncimp-pt", "wordfreq"}
    assert main(["source", "list"]) == 0
    shown = capsys.readouterr().out
    assert "\noewn:2025: wordnet, version 2025, CC-BY-4.0, not here\n    https://" in shown
    assert not data.exists()


def test_a_source_is_added_listed_shown_verified_and_removed(lexicon: Path, capsys: Output, data: Path) -> None:
    sha256 = file_hash(lexicon)
    assert main(["source", "add", str(lexicon), "--licence", "CC0-1.0"]) == 0
    assert capsys.readouterr() == (f"words\tmorphology\t{sha256}\n", "")
    assert main(["source", "list", "--json"]) == 0
    row = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (row["name"], row["licence"], row["here"], row["sha256"]) == ("words", "CC0-1.0", True, sha256)
    assert main(["source", "show", "words"]) == 0
    shown = capsys.readouterr().out
    assert "licence: CC0-1.0\n" in shown
    assert f"sha256 {sha256}\n" in shown
    assert main(["source", "verify"]) == 0
    assert main(["source", "remove", "words"]) == 0
    assert capsys.readouterr().out == "words\tremoved\n"
    assert [path for path in data.rglob("*") if path.is_file()] == []


def test_verify_names_a_file_that_was_changed_and_ends_with_1(lexicon: Path, capsys: Output, data: Path) -> None:
    main(["source", "add", str(lexicon)])
    (held,) = (data / "files").rglob("words.dict")
    held.write_text(LEXICON + "\n")
    capsys.readouterr()
    assert main(["source", "verify"]) == 1
    assert capsys.readouterr().out.startswith(f"words: its file has sha256 {file_hash(held)}")


def test_a_file_that_the_registry_does_not_know_is_added_with_a_word_of_warning(lexicon: Path, capsys: Output) -> None:
    assert main(["source", "add", str(lexicon), "--as", "morphobr"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("morphobr\tmorphology\t")
    assert err == "morphobr: the registry does not know this file; compare its hash with that of its publisher\n"
    assert main(["source", "add", str(lexicon), "--as", "morphobr", "--sha256", file_hash(lexicon).upper()]) == 0
    assert capsys.readouterr().err == ""


def test_a_file_with_another_hash_than_the_user_says_is_refused(lexicon: Path, capsys: Output, data: Path) -> None:
    assert main(["source", "add", str(lexicon), "--sha256", "0" * 64]) == 1
    assert f"{lexicon}: the file has sha256 {file_hash(lexicon)}, and 0000" in capsys.readouterr().err
    assert not data.exists()


@pytest.mark.parametrize(
    ("argv", "code", "what"),
    [
        (["add", "oewn:2025"], 2, "'oewn:2025' needs a file; fetch the WN-LMF file of the 2025 edition"),
        (["add", "morphobr", "--download"], 2, "'morphobr' needs a file"),
        (["add", "wordfreq", "--download"], 2, "installed with the project"),
        (["add", "nowhere"], 2, "no file and no known source 'nowhere'"),
        (["show", "nowhere"], 2, "no source 'nowhere'"),
        (["remove", "oewn:2025"], 2, "'oewn:2025' has not been added"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(argv: list[str], code: int, what: str, capsys: Output) -> None:
    assert main(["source", *argv]) == code
    assert what in capsys.readouterr().err


def test_a_folder_can_be_named(lexicon: Path, tmp_path: Path, capsys: Output, data: Path) -> None:
    assert main(["source", "add", str(lexicon), "--data", str(tmp_path / "mine")]) == 0
    assert (tmp_path / "mine" / "added" / "words.json").is_file()
    assert not data.exists()
    assert main(["source", "list", "--data", str(tmp_path / "mine")]) == 0
    assert "\nwords: morphology, version not stated, not stated, here\n" in capsys.readouterr().out


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were asked for; each answers with a small lexicon."""
    asked: list[str] = []

    def served(_self: HTTPDownloader, url: str, output_file: str, _pooch: object) -> None:
        asked.append(url)
        Path(output_file).write_text(LEXICON, encoding="utf-8")

    monkeypatch.setattr(HTTPDownloader, "__call__", served)
    return asked


def test_a_download_waits_for_the_user_to_confirm_its_hash(fetched: list[str], capsys: Output, data: Path) -> None:
    assert main(["source", "add", "unimorph-eng", "--download"]) == 1
    message = capsys.readouterr().err
    (target,) = (data / "downloads").iterdir()
    sha256 = file_hash(target)
    assert f"the registry has no hash for the file fetched, whose sha256 is {sha256}" in message
    assert f"ncimp source add unimorph-eng --download --sha256 {sha256}" in message
    assert not (data / "added").exists()
    assert main(["source", "add", "unimorph-eng", "--download", "--sha256", sha256]) == 0
    assert capsys.readouterr().out == f"unimorph-eng\tmorphology\t{sha256}\n"
    assert [urlsplit(address).hostname for address in fetched] == ["raw.githubusercontent.com"]
    assert not target.exists()


def test_a_download_with_a_known_hash_needs_no_word(
    lexicon: Path, fetched: list[str], capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = dict(known_sources())
    file = replace(known["morphobr"].files[0], sha256=file_hash(lexicon))
    known["unimorph-eng"] = replace(known["unimorph-eng"], files=(file,))
    for module in (registry, source):
        monkeypatch.setattr(module, "known_sources", lambda: known)
    assert main(["source", "add", "unimorph-eng", "--download"]) == 0
    assert capsys.readouterr() == (f"unimorph-eng\tmorphology\t{file_hash(lexicon)}\n", "")
    assert len(fetched) == 1
