"""Sentences that may not be passed on: released without their text, and restored from a corpus to what they were."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.cli import main
from ncimp.builder.release.licences import licence_keys
from ncimp.builder.release.publish import read_local
from ncimp.builder.release.withholding import apply_edits, find_edits
from ncimp.builder.sources.packs.packs import hash_pack, read_pack
from ncimp.builder.validation.folder import verify
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.errors import ReleaseError, SourceError
from ncimp.schemas.files import Row
from tests.conftest import MINI, build
from tests.release.resigning import rewrite

LICENCE = "LicenseRef-not-to-be-passed-on"
BEAVER = (
    "The [eager beaver] on my left had finished all twelve exercises before the rest of the class "
    "had even opened the book."
)
RACE = "We sold the apartment, left our jobs in finance, and escaped the [rat race] for a quiet farm beside the lake."
TEXTS = {
    BEAVER: "the eager beaver on my left had finished all twelve exercises before the rest of the class "
    "had even opened the book .",
    RACE: "We sold the apartment , left our jobs in finance , and escaped the rat race "
    "for a quiet farm beside the lake .",
}
"""Two contexts of the mini world, and how they would stand in a corpus: cut into tokens, one without its capital."""
FORM = TEXTS[RACE].replace("farm", "form")
"""The text with another word."""
BEFORE = "An earlier line .\n"
WITHHELD = 2 * 14
Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The mini packs, two contexts of which may not be passed on."""
    folder = Path(shutil.copytree(MINI, tmp_path_factory.mktemp("withheld") / "packs"))
    contexts = folder / "en" / "contexts.tsv"
    lines = contexts.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        if any(marked in line for marked in TEXTS):
            lines[number] = line.replace("authored\tCC-BY-4.0", f"corpus\t{LICENCE}")
    contexts.write_text("\n".join(lines), encoding="utf-8")
    settings = folder / "en" / "pack.toml"
    settings.write_text(f'{settings.read_text(encoding="utf-8")}\n[withheld]\nlicences = ["{LICENCE}"]\n', "utf-8")
    write_origins(folder, TEXTS)
    return folder


def write_origins(packs: Path, texts: dict[str, str]) -> None:
    rows = ["compound\tcontext\tdocument\tstart\ttext"]
    rows += [f"{name_of(marked)}\tnat1\t{name_of(marked)[:3]}\t{len(BEFORE)}\t{text}" for marked, text in texts.items()]
    (packs / "en" / "origins.tsv").write_text("\n".join([*rows, ""]), encoding="utf-8")


def name_of(marked: str) -> str:
    found = re.search(r"\[(.+)\]", marked)
    assert found
    return found[1]


@pytest.fixture(scope="module")
def built(packs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of those packs; not to be changed."""
    return build(tmp_path_factory.mktemp("standoff") / "ncimp", packs=packs)


@pytest.fixture
def release(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "ncimp"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The corpus as one vertical file, latin-1 for that matter."""
    documents = {name_of(marked)[:3]: BEFORE + text for marked, text in TEXTS.items()}
    documents["other"] = "Another é"
    return write_vertical(tmp_path / "corpus.vert", documents)


def write_vertical(path: Path, documents: dict[str, str]) -> Path:
    lines = []
    for name, text in documents.items():
        lines.append(f'<text id="{name}">')
        for sentence in text.split("\n"):
            lines += ["<s>", *(f"{token}\tX\t{token}" for token in sentence.split()), "</s>"]
        lines.append("</text>")
    path.write_text("\n".join(lines), encoding="latin-1")
    return path


def restored(release: Path, corpus: Path) -> int:
    return main(["restore", str(release), "--corpus", str(corpus), "--format", "wac", "--encoding", "latin-1"])


def rows_of(release: Path, folder: str) -> list[Row]:
    return [row for path in sorted((release / folder).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_withheld_rows_hold_a_place_and_a_hash_instead_of_text(built: Path) -> None:
    bare = [row for row in rows_of(built, "sentences") if row["sentence"] is None]
    assert len(bare) == WITHHELD
    assert {row["context"] for row in bare} == {"nat1"}
    assert {row["compound"] for row in bare} == {"eager beaver", "rat race"}
    assert all(row["tokens"] is None and row["licence"] == LICENCE for row in bare)
    assert all(row["context_source"] == "corpus" for row in bare)
    assert sum(row["sentence1"] is None for row in rows_of(built, "en_nat")) == WITHHELD - 2
    assert all((row["sentence1"] is None) == (row["sentence2"] is None) for row in rows_of(built, "en_nat"))
    described = {row["id"]: row for row in rows_of(built, "standoff")}
    assert described.keys() == {row["id"] for row in bare}
    original = described["en/eager-beaver/nat1/orig"]
    assert (original["document"], original["start"], original["length"]) == ("eag", len(BEFORE), len(TEXTS[BEAVER]))
    assert original["edits"] == [
        {"start": 0, "end": 3, "text": "The"},
        {"start": len(TEXTS[BEAVER]) - 2, "end": len(TEXTS[BEAVER]) - 1, "text": ""},
    ]


def test_nothing_in_the_release_repeats_what_is_withheld(built: Path) -> None:
    """No four words in a row of the corpus."""
    text = " ".join(
        path.read_text(encoding="utf-8") for path in built.rglob("*") if path.suffix in (".md", ".json", ".py")
    )
    folders = {path.parent.name for path in built.rglob("*.parquet")}
    text += json.dumps([rows_of(built, folder) for folder in sorted(folders)], ensure_ascii=False)
    held = " ".join(re.findall(r"\w+", text)).casefold()
    for source in TEXTS.values():
        words = re.findall(r"\w+", source.casefold())
        for start in range(len(words) - 3):
            assert " ".join(words[start : start + 4]) not in held


def test_the_card_and_the_manifest_say_how_many_are_withheld(built: Path, mini_release: Path) -> None:
    card = (built / "README.md").read_text(encoding="utf-8")
    assert f"The text of {WITHHELD} of the sentences comes from a corpus" in card
    assert LICENCE in card
    assert "| `standoff` | withheld sentence | 28 |" in card
    assert json.loads((built / "manifest.json").read_text(encoding="utf-8"))["counts"]["withheld"] == WITHHELD
    assert "withheld" not in (mini_release / "README.md").read_text(encoding="utf-8").replace("`withheld`", "")
    assert "withheld" not in (mini_release / "manifest.json").read_text(encoding="utf-8")


def test_restoring_gives_every_row_that_a_build_without_withholding_gives(
    release: Path, corpus: Path, packs: Path, tmp_path: Path, capsys: Output
) -> None:
    open_packs = Path(shutil.copytree(packs, tmp_path / "open"))
    settings = open_packs / "en" / "pack.toml"
    settings.write_text(settings.read_text(encoding="utf-8").split("\n[withheld]")[0], encoding="utf-8")
    (open_packs / "en" / "origins.tsv").unlink()
    whole = build(tmp_path / "whole" / "ncimp", packs=open_packs)
    assert restored(release, corpus) == 0
    assert f"{WITHHELD} sentences put back and checked" in capsys.readouterr().out
    for folder in ("sentences", "compounds", "en_nat", "en_neut", "pt_nat", "pt_neut"):
        assert rows_of(release, folder) == rows_of(whole, folder), folder
        for path in (release / folder).glob("*.parquet"):
            assert path.read_bytes() == (whole / folder / path.name).read_bytes()
    assert main(["validate", str(release), "--packs", str(packs)]) == 0
    before = content(release)
    assert restored(release, corpus) == 0  # a second time there is nothing to do
    assert content(release) == before


def test_a_withheld_release_and_its_restored_copy_are_what_their_manifests_say(release: Path, corpus: Path) -> None:
    assert verify(release).incidents == []
    assert verify(release).manifest.count("withheld") == WITHHELD
    assert restored(release, corpus) == 0
    assert verify(release).incidents == []
    assert verify(release).manifest.count("withheld") == 0
    assert main(["validate", str(release), "--folder-only"]) == 0  # its card is made again, too


def test_croissant_knows_the_files_of_a_withheld_release_and_of_its_restored_copy(release: Path, corpus: Path) -> None:
    for put_back in (False, True):
        assert not put_back or restored(release, corpus) == 0
        written = json.loads((release / "croissant.json").read_text("utf-8"))
        manifest = json.loads((release / "manifest.json").read_text("utf-8"))
        told = {part["@id"]: part["sha256"] for part in written["distribution"] if part["@type"] == "cr:FileObject"}
        assert told == {entry["path"]: entry["sha256"] for entry in manifest["files"] if entry["rows"] is not None}
        assert "standoff" in {part["name"] for part in written["recordSet"]}
        assert set(written["license"]) == {"https://spdx.org/licenses/CC-BY-4.0.html", LICENCE}


@pytest.mark.slow
def test_mlcroissant_reads_a_withheld_release_and_its_restored_copy(release: Path, corpus: Path) -> None:
    for put_back in (False, True):
        assert not put_back or restored(release, corpus) == 0
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(Path(__file__).with_name("read_croissant.py")), "croissant.json"],
            cwd=release, env=os.environ, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        found = json.loads(done.stdout)
        assert found["errors"] == []
        for config in ("sentences", "en_nat", "standoff"):
            rows = {row["id"]: row for row in rows_of(release, config)}
            assert {row["id"]: row for row in found["records"][config]} == rows


def test_a_licence_that_the_hub_does_not_list_has_a_name_and_a_file(built: Path, mini_release: Path) -> None:
    header = yaml.safe_load((built / "README.md").read_text("utf-8").split("---\n")[1])
    assert header["license"] == ["cc-by-4.0", "other"]  # in the order of their names
    assert header["license_name"] == "licenseref-not-to-be-passed-on"
    assert header["license_link"] == "LICENSE.md"
    text = (built / "LICENSE.md").read_text("utf-8")
    assert "- CC-BY-4.0: <https://spdx.org/licenses/CC-BY-4.0.html>\n" in text
    assert f"- {LICENCE}: the terms of the source of these texts" in text
    statement = (built / "LICENSE-DATA").read_text("utf-8")
    assert all(f"- {name}: " in statement for name in ("CC-BY-4.0", LICENCE))
    assert "pack/en (CC-BY-4.0): The ncimp authors" in statement
    assert "licensed under the Creative Commons" not in statement
    assert not (mini_release / "LICENSE.md").exists()
    assert "license_name" not in (mini_release / "README.md").read_text("utf-8")


def test_several_licences_that_the_hub_does_not_list_are_named_together() -> None:
    assert licence_keys(["CC-BY-SA-2.0", "LicenseRef-a.b", "CC-BY-SA-2.0"]) == {
        "license": "other",
        "license_name": "cc-by-sa-2.0-and-licenseref-a.b",
        "license_link": "LICENSE.md",
    }
    assert licence_keys(["CC-BY-4.0", "CC0-1.0"]) == {"license": ["cc-by-4.0", "cc0-1.0"]}


def diff(old: Path, new: Path, capsys: Output) -> dict[str, object]:
    main(["diff", str(old), str(new), "--json"])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_releases_with_withheld_rows_are_compared(release: Path, built: Path, capsys: Output) -> None:
    assert diff(built, release, capsys)["due"] == "none"
    path = next((release / "standoff").glob("train-*.parquet"))
    rows = [{**row, "sha256": "0" * 64} if row["id"].endswith("/ws3") else row for row in read_parquet(path)]
    changed = [row["id"] for row in rows if row["sha256"] == "0" * 64]
    rewrite(release, f"standoff/{path.name}", "standoff", lambda _: rows)
    found = diff(built, release, capsys)
    assert found["due"] == "major"  # another sha256 is another sentence, though nobody can read it
    assert found["tables"]["standoff"]["changed"].keys() == set(changed)  # type: ignore[index]
    assert len(changed) > 0


def test_text_that_is_taken_out_of_a_release_asks_for_a_major_version(
    built: Path, mini_release: Path, capsys: Output
) -> None:
    found = diff(mini_release, built, capsys)
    assert found["due"] == "major"
    assert sum(cell["changed"] for cell in found["cells"]) == WITHHELD  # type: ignore[attr-defined]
    back = diff(built, mini_release, capsys)["tables"]
    assert back["sentences"]["changed"]["en/rat-race/nat1/orig"]["filled"] == ["sentence", "tokens"]  # type: ignore[index]


def test_show_counts_what_it_leaves_out_and_says_why(built: Path, capsys: Output) -> None:
    def shown(*argv: str) -> tuple[int, int, str]:
        code = main(["show", *argv, "--release", str(built), "--json"])
        out, told = capsys.readouterr()
        return code, len(out.splitlines()), told

    def why(left_out: int) -> str:
        fix = f"put it back with `ncimp restore {built} --corpus ...`"
        return f"ncimp show: left out, because their text is withheld ({LICENCE}): {left_out}; {fix}\n"

    assert shown("en/rat-race") == (0, 5 * 14 - 14, why(14))
    assert shown("en/rat-race/nat1/ws3") == (0, 0, why(1))
    assert shown("en/rat-race/nat2") == (0, 14, "")
    assert shown("--sample", "3", "--skip", "head", "mod") == (0, 3, why(24))
    assert shown("--sample", "3", "--lang", "pt") == (0, 3, "")


def test_a_restored_copy_shows_everything(release: Path, corpus: Path, capsys: Output) -> None:
    restored(release, corpus)
    capsys.readouterr()
    assert main(["show", "en/rat-race/nat1", "--release", str(release), "--json"]) == 0
    out, told = capsys.readouterr()
    assert (len(out.splitlines()), told) == (14, "")


def test_a_restored_copy_says_so_and_is_not_published(release: Path, corpus: Path) -> None:
    restored(release, corpus)
    assert "**Restored copy.**" in (release / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ReleaseError, match="restored text, which may not be passed on"):
        read_local(release)


def test_a_release_with_withheld_rows_is_published_and_checked_but_not_measured(
    release: Path, packs: Path, capsys: Output
) -> None:
    assert read_local(release).version == "0.1.0"
    assert main(["validate", str(release), "--packs", str(packs)]) == 0
    assert "28 sentences are withheld, so that only files are checked" in capsys.readouterr().err
    assert main(["describe", str(release)]) == 1
    assert "the text of 28 of its sentences is withheld; put it back with `ncimp restore" in capsys.readouterr().err


def test_a_count_of_withheld_rows_that_is_wrong_is_found(release: Path, packs: Path, capsys: Output) -> None:
    manifest = release / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace(f'"withheld": {WITHHELD}', '"withheld": 27'), encoding="utf-8")
    assert main(["validate", str(release), "--packs", str(packs)]) == 1
    assert "M904 manifest.json: " in (said := capsys.readouterr().out)
    assert "27 sentences withheld where 28 have no text" in said


def test_a_withheld_row_without_a_place_is_found(release: Path, packs: Path, capsys: Output) -> None:
    for path in (release / "standoff").glob("*.parquet"):
        rows = [row for row in read_parquet(path, "standoff") if row["id"] != "en/rat-race/nat1/ws3"]
        write_parquet(path, rows, "standoff")
    assert main(["validate", str(release), "--packs", str(packs)]) == 1
    assert "M904 en/rat-race/nat1/ws3: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ({"eag": BEFORE + TEXTS[BEAVER]}, "1 documents are not in the corpus, or empty: rat"),
        (
            {"eag": BEFORE + TEXTS[BEAVER], "rat": BEFORE + FORM},
            "14 sentences are not the",
        ),
        ({"eag": BEFORE + TEXTS[BEAVER], "rat": "x" + BEFORE + TEXTS[RACE]}, "14 sentences are not the released ones"),
        ({"eag": "", "rat": BEFORE + TEXTS[RACE]}, "1 documents are not in the corpus, or empty: eag"),
    ],
    ids=["missing", "other-word", "shifted", "empty"],
)
def test_another_corpus_changes_nothing(
    release: Path, documents: dict[str, str], said: str, tmp_path: Path, capsys: Output
) -> None:
    before = content(release)
    assert restored(release, write_vertical(tmp_path / "wrong.vert", documents)) == 1
    assert said in capsys.readouterr().err
    assert content(release) == before
    assert [path.name for path in release.parent.iterdir() if path.name.startswith(".")] == []


LOAD = """
import json, sys
from datasets import load_dataset
rows = load_dataset("ncimp", "sentences", split="train")
pairs = load_dataset("ncimp", split="train")
stream = load_dataset("ncimp", "sentences", split="train", streaming=True)
assert [row["sentence"] for row in stream] == rows["sentence"][:]
described = load_dataset("ncimp", "standoff")
print(json.dumps([str(rows.features["sentence"]), str(rows.features["tokens"]), rows["sentence"][:].count(None),
                  pairs["sentence1"][:].count(None), sum(described.num_rows.values())]))
"""


def test_datasets_loads_withheld_rows_as_typed_nulls(built: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOAD], cwd=built.parent, env={**os.environ, "HF_HOME": str(tmp_path)},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    sentence, tokens, bare, pairs, described = json.loads(done.stdout)
    train = [row for row in rows_of(built, "sentences") if row["split"] == "train" and row["sentence"] is None]
    assert sentence == "Value('string')"
    assert tokens == "List(Value('string'))"
    assert (bare, described) == (len(train), WITHHELD)
    assert pairs == sum(row["variant"] != "orig" for row in train)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({BEAVER: TEXTS[BEAVER]}, "rat race / nat1 is withheld, and origins.tsv lacks it"),
        ({**TEXTS, RACE: FORM}, "origins.tsv:3:text: the text is not that of rat race / nat1"),
        ({**TEXTS, "a [dark horse]": "x"}, "dark horse / nat1 is there twice"),
    ],
    ids=["no-origin", "other-text", "not-withheld"],
)  # fmt: skip
def test_a_pack_whose_origins_do_not_fit_is_refused(
    packs: Path, tmp_path: Path, texts: dict[str, str], said: str
) -> None:
    copy = Path(shutil.copytree(packs, tmp_path / "packs"))
    write_origins(copy, texts)
    with pytest.raises(SourceError) as caught:
        read_pack(copy / "en")
    assert said in str(caught.value)


def test_a_withheld_context_is_from_a_corpus(packs: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(packs, tmp_path / "packs"))
    contexts = copy / "en" / "contexts.tsv"
    contexts.write_text(contexts.read_text("utf-8").replace(f"corpus\t{LICENCE}", f"authored\t{LICENCE}"), "utf-8")
    with pytest.raises(SourceError, match=r"has the withheld licence .* but is authored"):
        read_pack(copy / "en")


def test_a_change_of_the_origins_is_a_change_of_the_pack(packs: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(packs, tmp_path / "packs"))
    before = hash_pack(copy / "en")
    write_origins(copy, {marked: text.upper() for marked, text in TEXTS.items()})
    changed = hash_pack(copy / "en")
    assert {name for name in changed if changed[name] != before[name]} == {"en/origins.tsv"}
    assert "en/origins.tsv" not in hash_pack(MINI / "en")


@given(st.text(alphabet="ab ,\né", max_size=12), st.text(alphabet="ab ,\né", max_size=12))
def test_the_edits_make_one_text_of_the_other(before: str, after: str) -> None:
    edits = find_edits(before, after)
    assert apply_edits(before, edits) == after
    assert all(one.end <= other.start for one, other in pairwise(edits))
    assert find_edits(before, before) == ()
