"""The registry: every entry whole, every hash of a file that somebody hashed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.records.sources import KnownSource
from ncimp.builder.sources.collection import Collection, how_to_get
from ncimp.builder.sources.registry import known_by_hash, known_sources, pick, read_registry
from ncimp.schemas.errors import NcimpError
from ncimp.schemas.files import file_hash

KINDS = {"wordnet", "thesaurus", "morphology", "treebank", "frequencies", "pipeline"}
ENTRY = """
[[sources]]
name = "one"
kind = "wordnet"
reader = "wn-lmf"
version = "1"
licence = "CC0-1.0"
citation = "Somebody."
address = "https://example.org"
instructions = "fetch it"
"""


def test_the_sources_that_the_design_names_are_known() -> None:
    names = set(known_sources())
    assert {"oewn:2025", "omw-pt:2.0", "own-pt:1.0.0", "omw-gl:2.0", "omw-fr:2.0", "omw-it:2.0", "wordnet:3.0"} <= names
    assert {"mythes-pt-br", "mythes-pt-pt", "mythes-en", "morphobr", "unimorph-por", "unimorph-eng"} <= names
    assert {"ud-pt-bosque", "ud-pt-gsd", "ud-pt-porttinari", "ud-en-ewt", "wordfreq", "pt_core_news_sm"} <= names
    assert {source.kind for source in known_sources().values()} == KINDS


@pytest.mark.parametrize("source", known_sources().values(), ids=lambda source: source.name)
def test_every_entry_says_what_it_is_and_how_to_get_it(source: KnownSource) -> None:
    for text in (source.licence, source.citation, source.version, source.instructions):
        assert text.strip() == text != ""
    assert source.address.startswith(("https://", "builder/languages/"))
    assert source.download is None or source.download.startswith("https://")
    assert source.name in how_to_get(source) or source.reader == "package"
    assert all(file.note for file in source.files)


def test_no_two_files_of_the_registry_have_one_hash() -> None:
    hashes = [file.sha256 for source in known_sources().values() for file in source.files]
    assert len(hashes) == len(set(hashes)) > 10
    assert all(known_by_hash(sha256) is not None for sha256 in hashes)
    assert known_by_hash("0" * 64) is None


def test_the_sources_of_the_project_are_where_the_registry_says(tmp_path: Path) -> None:
    embedded = [source for source in known_sources().values() if source.embedded]
    assert [source.name for source in embedded] == ["ncimp-en", "ncimp-pt", "morphobr", "ud-pt-forms"]
    for source in embedded:
        path = Collection(tmp_path).path(source.name)
        if source.kind == "wordnet":
            assert path.read_text(encoding="utf-8").count(f'id="{source.name}"') == 1
        else:
            assert {file.file: file.sha256 for file in source.files}[path.name] == file_hash(path)


@pytest.mark.shared
def test_the_hashes_are_those_of_the_files(shared: Path) -> None:
    known = {file.file: file.sha256 for source in known_sources().values() for file in source.files}
    found = [path for path in (shared / "sources").rglob("*") if path.name in known]
    assert len(found) >= 16
    for path in found:
        assert file_hash(path) == known[path.name], path.name


def test_a_name_is_found_without_its_version_when_there_is_one_only() -> None:
    names = ["oewn:2024", "oewn:2025", "omw-pt:2.0", "morphobr"]
    assert [pick(name, names) for name in ("omw-pt", "omw-pt:2.0", "morphobr")] == ["omw-pt:2.0"] * 2 + ["morphobr"]
    assert [pick(name, names) for name in ("oewn", "omw", "omw-pt:1.4", "")] == [None] * 4


BROKEN = {
    "not TOML": ("[[sources]", "not TOML"),
    "an unknown kind": (ENTRY.replace('"wordnet"', '"book"'), "'book' is not one of"),
    "an unknown key": (ENTRY + 'colour = "red"\n', "unknown key 'colour'"),
    "a key that is missing": (ENTRY.replace('licence = "CC0-1.0"\n', ""), "'licence' is missing"),
    "a hash that is none": (
        ENTRY + '[[sources.files]]\nfile = "a"\nsha256 = "12"\nnote = "b"\n',
        "'12' does not match",
    ),
    "a name twice": (ENTRY + ENTRY, "two sources are called 'one'"),
    "a requirement that is not here": (ENTRY + 'requires = "two"\n', "'one' requires 'two', which is not here"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_registry_is_refused(tmp_path: Path, case: str) -> None:
    text, what = BROKEN[case]
    (tmp_path / "registry.toml").write_text(text, encoding="utf-8")
    with pytest.raises(NcimpError) as caught:
        read_registry(tmp_path / "registry.toml")
    assert what in str(caught.value)
