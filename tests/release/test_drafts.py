"""Packs that wait for their readers: they build and validate, or say why not."""

from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.sources.packs.packs import packs_folder, read_pack

DRAFTS = packs_folder() / "drafts"
LANGUAGES = ("de", "fr", "it")


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_draft_builds_and_validates_without_an_incident(lang: str, tmp_path: Path) -> None:
    out, work = str(tmp_path / "release"), str(tmp_path / "work")
    assert main(["build", "--packs", str(DRAFTS), "--lang", lang, "--out", out, "--work", work]) == 0
    assert main(["validate", out, "--packs", str(DRAFTS)]) == 0


@pytest.mark.parametrize("lang", [*LANGUAGES, "gl"])
def test_a_draft_reads_and_has_as_many_compounds_of_each_class(lang: str) -> None:
    pack = read_pack(DRAFTS / lang)
    classes = [compound.compound_class for compound in pack.compounds]
    assert len({classes.count(name) for name in set(classes)}) == 1
    assert len(pack.splits) == len(pack.compounds)
