"""The packs that come with the project: those beside the paper's languages build and validate."""

from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.sources.packs.packs import pack_names, packs_folder, read_pack

EDITION = packs_folder()
PAPER = ("en", "pt")  # these are built by the fixture `edition`


@pytest.mark.slow
def test_the_further_languages_build_and_validate_without_an_incident(tmp_path: Path) -> None:
    out, work = str(tmp_path / "release"), str(tmp_path / "work")
    langs = [lang for lang in pack_names(EDITION) if lang not in PAPER]
    assert main(["build", "--lang", *langs, "--out", out, "--work", work]) == 0
    assert main(["validate", out]) == 0


@pytest.mark.parametrize("lang", pack_names(EDITION))
def test_each_compound_has_a_split_and_the_classes_are_near_in_size(lang: str) -> None:
    pack = read_pack(EDITION / lang)
    assert {row.compound for row in pack.splits} == {row.text for row in pack.compounds}
    classes = [compound.compound_class for compound in pack.compounds]
    sizes = [classes.count(name) for name in sorted(set(classes))]
    assert max(sizes) <= 1.2 * min(sizes)
