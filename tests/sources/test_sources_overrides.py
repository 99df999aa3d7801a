"""overrides.tsv: a file that a pack may have, read like the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.records import Override
from ncimp.builder.sources.packs.packs import hash_pack, read_pack
from ncimp.schemas.errors import NcimpError

HEADER = "compound\tpart\trank\tword\trelation\tsense\treason\tauthor\tdate"
BY = "test\t2026-01-01"


def write(pack: Path, *rows: str) -> Path:
    path = pack / "overrides.tsv"
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_pack_without_the_file_has_no_overrides_and_the_hashes_it_had(packs_copy: Path) -> None:
    before = hash_pack(packs_copy / "en")
    assert read_pack(packs_copy / "en").overrides == ()
    write(packs_copy / "en")
    assert set(hash_pack(packs_copy / "en")) == {*before, "en/overrides.tsv"}


def test_a_row_names_a_word_or_a_sense(packs_copy: Path) -> None:
    pack = packs_copy / "en"
    write(
        pack,
        f"rat race\thead\t1\tcontest\thyponym\t_\tas in sport\t{BY}",
        f"rat race\tmodifier\t1\t_\t_\tncimp-en-rat-n\tthe animal\t{BY}",
    )
    assert read_pack(pack).overrides == (
        Override("rat race", "head", 1, "contest", "hyponym", None, "as in sport", "test", "2026-01-01"),
        Override("rat race", "modifier", 1, None, None, "ncimp-en-rat-n", "the animal", "test", "2026-01-01"),
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [f"rat race\thead\t1\ta\t_\t_\twhy\t{BY}"],
            "2: the override of the head of 'rat race' is neither a word with its relation nor a sense; "
            "give one of the two, and _ for the other",
        ),
        (
            [f"rat race\thead\t1\ta\tsynonym\tb\twhy\t{BY}"],
            "2: the override of the head of 'rat race' is neither a word with its relation nor a sense; "
            "give one of the two, and _ for the other",
        ),
        (
            [f"rat rage\thead\t1\ta\tsynonym\t_\twhy\t{BY}"],
            "2:compound: 'rat rage' is not in compounds.tsv; add it there or mend the spelling",
        ),
        (
            [f"rat race\thead\t1\ta\tsynonym\t_\twhy\t{BY}", f"rat race\thead\t1\tb\tsynonym\t_\twhy\t{BY}"],
            "3: the same 'rat race / head / 1' as line 2; keep one of the two rows",
        ),
        (
            [f"rat race\ttail\t1\ta\tsynonym\t_\twhy\t{BY}"],
            "2:part: 'tail' is not one of ['head', 'modifier']; part: The component.",
        ),
        (
            [f"rat race\thead\t0\ta\tsynonym\t_\twhy\t{BY}"],
            "2:rank: 0 does not fit (Expected `int` >= 1); rank: Order of the words of a component, from 1.",
        ),
    ],
)
def test_a_wrong_row_is_refused_at_its_place(packs_copy: Path, rows: list[str], message: str) -> None:
    path = write(packs_copy / "en", *rows)
    with pytest.raises(NcimpError) as caught:
        read_pack(packs_copy / "en")
    assert str(caught.value) == f"{path}:{message}"
