"""Language packs as they are read: every table, every sentence, every frame."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.records import (
    CONTEXTS,
    Compound,
    Context,
    Exclusion,
    Form,
    LanguagePack,
    MarkedSentence,
    SplitAssignment,
    TrueSynonym,
    Waiver,
)
from ncimp.builder.sources.packs.packs import FILES, hash_pack, pack_names, packs_folder, read_pack
from ncimp.schemas.files import file_hash
from tests.sources.sources_samples import change


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


@pytest.fixture(scope="module")
def english(mini_packs: Path) -> LanguagePack:
    return read_pack(mini_packs / "en")


@pytest.fixture(scope="module")
def portuguese(mini_packs: Path) -> LanguagePack:
    return read_pack(mini_packs / "pt")


def test_compounds_come_in_the_order_of_the_file(mini_packs: Path, english: LanguagePack) -> None:
    lines = (mini_packs / "en" / "compounds.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert [compound.text for compound in english.compounds] == [line.split("\t")[0] for line in lines]
    assert len(lines) == 6


def test_a_compound_has_every_cell_of_its_row(packs_copy: Path) -> None:
    row = "bolsa verde\tverde\tbolsa\t0\tN_A\tf\tsg\tcount\tcompositional\tartifact\tact food\t-\tnós\t2026-11-20\n"
    append(packs_copy / "pt" / "compounds.tsv", row)
    assert read_pack(packs_copy / "pt").compounds[-1] == Compound(
        text="bolsa verde",
        modifier="verde",
        head="bolsa",
        head_index=0,
        pattern="N_A",
        gender="f",
        number="sg",
        countability="count",
        compound_class="compositional",
        semantic_class="artifact",
        fitting_classes="act food",
        sense_note="-",
        author="nós",
        date="2026-11-20",
    )


def test_every_other_table_is_read_too(packs_copy: Path) -> None:
    folder = packs_copy / "pt"
    append(folder / "synonyms.tsv", "pé-frio\t9\tmá sorte\tmau\tsorte\tA_N\tf\tfalse\tsynonym\tmass\tneutral\n")
    append(folder / "contexts.tsv", "pé-frio\tliteral\tpl\tessay\tMeus [pés frios] {sãos}.\tcorpus\tCC0-1.0\n")
    append(folder / "forms.tsv", "sãs\tsão\tadj\tf\tpl\tconsonant\nhoje\thoje\tadv\t_\t_\t_\n")
    append(folder / "waivers.tsv", "A101\tpt/pé-frio/nat1/syn\tfits\tnós\t2026-11-20\n")
    pack = read_pack(folder)
    assert pack.synonyms[-1] == TrueSynonym(
        "pé-frio", 9, "má sorte", "mau", "sorte", "A_N", "f", False, "synonym", "mass", "neutral"
    )
    assert pack.contexts[-1] == Context(
        "pé-frio", "literal", "pl", "essay", "Meus [pés frios] {sãos}.", "corpus", "CC0-1.0"
    )
    assert pack.forms[-2:] == (
        Form("sãs", "são", "adj", "f", "pl", "consonant"),
        Form("hoje", "hoje", "adv", None, None, None),
    )
    assert pack.waivers == (Waiver("A101", "pt/pé-frio/nat1/syn", "fits", "nós", "2026-11-20"),)
    assert pack.marked["pé-frio", "literal"] == MarkedSentence("Meus pés frios sãos.", (5, 14), ((15, 19),))
    assert pack.numbers["pé-frio", "literal"] == "pl"
    assert {row.split for row in pack.splits} <= {"train", "validation", "test", "bridge"}
    assert SplitAssignment("pé-frio", "train") in pack.splits
    assert pack.language.code == "pt"


def test_every_compound_has_its_five_contexts_marked(english: LanguagePack, portuguese: LanguagePack) -> None:
    for pack in (english, portuguese):
        wanted = {(compound.text, context) for compound in pack.compounds for context in CONTEXTS}
        assert set(pack.marked) == wanted
        assert set(pack.numbers) == wanted


def test_a_frame_holds_the_compound_in_its_place(portuguese: LanguagePack) -> None:
    assert portuguese.marked["pé-frio", "neut_short"] == MarkedSentence(
        text="Este é um pé-frio.", span=(10, 17), agreeing=((0, 4), (7, 9))
    )
    assert portuguese.marked["pé-frio", "neut_long"].text == "Isto é o que um pé-frio deveria ser."
    assert portuguese.numbers["pé-frio", "neut_long"] == "sg"


def test_the_frame_follows_number_first_and_countability_next(packs_copy: Path) -> None:
    folder = packs_copy / "en"
    change(folder / "pack.toml", 'mass = "This is a [NC]."', 'mass = "This is [NC]."')
    for text, old, new in (("rat race", "sg\tcount", "sg\tmass"), ("ghost town", "sg\tcount", "pl\tmass")):
        modifier, head = text.split()
        row = f"{text}\t{modifier}\t{head}\t1\tN_N\t_\t"
        change(folder / "compounds.tsv", row + old, row + new)
    pack = read_pack(folder)
    assert pack.marked["eager beaver", "neut_short"].text == "This is a eager beaver."
    assert pack.marked["rat race", "neut_short"].text == "This is rat race."
    assert pack.marked["ghost town", "neut_short"].text == "These are ghost town."
    assert pack.marked["ghost town", "neut_long"].text == "This is what ghost town are supposed to be."
    assert pack.numbers["ghost town", "neut_short"] == "pl"
    assert pack.numbers["rat race", "neut_short"] == "sg"


def test_a_language_without_a_frame_for_mass_nouns_uses_the_singular_one(packs_copy: Path) -> None:
    folder = packs_copy / "pt"
    change(folder / "compounds.tsv", "\tsg\tcount\tidiomatic", "\tsg\tmass\tidiomatic")
    assert read_pack(folder).marked["maçã podre", "neut_short"].text == "Este é um maçã podre."


def test_the_id_of_a_compound_has_hyphens_for_spaces(portuguese: LanguagePack) -> None:
    assert portuguese.compound_id("gol de placa") == "pt/gol-de-placa"
    assert portuguese.compound_id("pé-frio") == "pt/pé-frio"


def test_a_ruled_out_pair_is_ruled_out_in_this_order_only_and_for_its_compound(packs_copy: Path) -> None:
    row = "\tan insult\tus\t2026-11-20\n"
    append(
        packs_copy / "en" / "exclusions.tsv",
        f"*\thot\tdog{row}*\told\t*{row}rat race\t*\tcow{row}rat race\tred\then{row}",
    )
    pack = read_pack(packs_copy / "en")
    assert pack.exclusions[-4] == Exclusion("*", "hot", "dog", "an insult", "us", "2026-11-20")
    excluded = [("ghost town", "hot", "dog"), ("ghost town", "old", "cat"), ("rat race", "hot", "cow")]
    assert all(pack.excludes(*pair) for pair in [*excluded, ("rat race", "red", "hen")])
    allowed = [("ghost town", "dog", "hot"), ("ghost town", "hot", "cow"), ("rat race", "cow", "hot")]
    assert not any(pack.excludes(*pair) for pair in [*allowed, ("ghost town", "red", "hen")])
    assert pack.excludes_pair("rat race", "red", "hen")
    assert not pack.excludes_pair("rat race", "hot", "cow")  # component synonyms: by the very pair only


def test_every_file_of_a_pack_is_hashed_under_its_name(mini_packs: Path) -> None:
    hashes = hash_pack(mini_packs / "pt")
    assert list(hashes) == [f"pt/{name}" for name in FILES]
    assert hashes["pt/lexicon.xml"] == file_hash(mini_packs / "pt" / "lexicon.xml")
    assert {entry.name for entry in (mini_packs / "pt").iterdir()} == set(FILES)


def test_a_change_of_one_file_changes_one_hash(packs_copy: Path) -> None:
    before = hash_pack(packs_copy / "en")
    change(packs_copy / "en" / "splits.tsv", "test", "train")
    after = hash_pack(packs_copy / "en")
    assert [name for name in before if before[name] != after[name]] == ["en/splits.tsv"]


def test_a_folder_with_a_pack_toml_is_a_pack(packs_copy: Path) -> None:
    (packs_copy / "notes").mkdir()
    (packs_copy / "readme.txt").write_text("x", encoding="utf-8")
    (packs_copy / "de").mkdir()
    (packs_copy / "de" / "pack.toml").write_text("", encoding="utf-8")
    assert pack_names(packs_copy) == ["de", "en", "pt"]


def test_six_languages_come_with_the_project() -> None:
    assert pack_names(packs_folder()) == ["de", "en", "fr", "gl", "it", "pt"]
