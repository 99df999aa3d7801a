"""A new language from `ncimp pack new` on: what each command drafts, and that nothing a person wrote is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.sources.packs.draft import missing_forms
from ncimp.builder.sources.packs.packs import packs_folder, read_pack

Output = pytest.CaptureFixture[str]

LEXICON = """\
ami\tami\tN;MASC;SG
ami\tamis\tN;MASC;PL
ami\tamie\tN;FEM;SG
avion\tavion\tN;MASC;SG
avion\tavions\tN;MASC;PL
billet\tbillet\tN;MASC;SG
billet\tbillets\tN;MASC;PL
beau\tbeau\tADJ;MASC;SG
beau\tbelle\tADJ;FEM;SG
beau\tbeaux\tADJ;MASC;PL
beau\tbelles\tADJ;FEM;PL
élève\télève\tN;SG
élève\télèves\tN;PL
fin\tfin\tN;FEM;SG
perdre\tperdu\tV.PTCP;PST;MASC;SG
perdre\tperdue\tV.PTCP;PST;FEM;SG
perdre\tperdus\tV.PTCP;PST;MASC;PL
perdre\tperdues\tV.PTCP;PST;FEM;PL
voir\tvoit\tV;IND;PRS;3;SG
table\ttable\tN;FEM;SG
table\ttables\tN;FEM;PL
"""
PATTERN = """
[[patterns]]
id = "N_de_N"
parts = ["noun", "noun"]
head = 0
join = " <de>"
replacement = "N_de_N"
modifier = "fixed"

# Sentences"""
PARADIGMS = """paradigms = [
  { id = "le", kind = "article", cells = { "m sg consonant" = "le", "f sg consonant" = "la", "sg vowel" = "l'+", \
"pl" = "les" } },
  { id = "de", kind = "sound", cells = { consonant = "de", vowel = "d'+" } },
]"""
SOUND = """
[features.sound]
source = "next sound"
values = ["vowel", "consonant"]
default = "consonant"
patterns = [{ match = "[aeiouéê]", value = "vowel" }]
"""
PLURAL = """
[inflection]
engines = ["suffix rules"]
default_gender = "m"
uninflected = []
invariable = { noun = [], adj = [] }
plural = { rules = [{ suffix = "", to = ["s"] }], words = [] }
singular = { rules = [], words = [] }
feminine = { rules = [], words = [] }
masculine = { rules = [], words = [] }
gender = { rules = [], m = [], f = [], c = [] }
parts = { rules = [], noun = [], adj = [] }
phrases = {}
"""
WORDNET = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="net" label="net" language="fr" email="a@example.org" license="x" version="1">
    <LexicalEntry id="e1"><Lemma writtenForm="billet" partOfSpeech="n"/><Sense id="s1" synset="y1"/></LexicalEntry>
    <LexicalEntry id="e2"><Lemma writtenForm="table" partOfSpeech="n"/><Sense id="s2" synset="y1"/></LexicalEntry>
    <LexicalEntry id="e3"><Lemma writtenForm="voir" partOfSpeech="n"/><Sense id="s3" synset="y1"/></LexicalEntry>
    <Synset id="y1" ili="" partOfSpeech="n" members="e1 e2 e3" lexfile="noun.artifact"/>
  </Lexicon>
</LexicalResource>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A pack of French that a person has begun: one pattern, two paradigms, the next sound."""
    assert main(["pack", "new", "fr", "--name", "French", "--packs", str(tmp_path)]) == 0
    settings = tmp_path / "fr" / "pack.toml"
    text = settings.read_text("utf-8").replace("\n# Sentences", PATTERN, 1).replace("paradigms = [\n]", PARADIGMS)
    settings.write_text(text.replace("\n# Closed-class", SOUND + "\n# Closed-class", 1), "utf-8")
    (tmp_path / "fra.tsv").write_text(LEXICON, "utf-8")
    return tmp_path / "fr"


def draft(folder: Path, action: str, *more: str) -> None:
    """Run `ncimp pack` for the pack in *folder* with its lexicon."""
    options = ["--packs", str(folder.parent), "--data", str(folder.parent / "data")]
    assert main(["pack", action, "fr", *more, "--morphology", str(folder.parent / "fra.tsv"), *options]) == 0


def rows(path: Path) -> list[str]:
    """Return the rows of a table without its header, their columns with spaces between."""
    return [line.replace("\t", " ") for line in path.read_text("utf-8").splitlines()[1:]]


def append(path: Path, *cells: str) -> None:
    """Append a row to a table, as a person does."""
    with path.open("a", encoding="utf-8") as table:
        table.write("\t".join(cells) + "\n")


@pytest.mark.parametrize("like", [[], ["--like", "pt"], ["--like", "en"]])
def test_a_new_pack_is_read_and_its_check_begins_with_what_to_write(
    tmp_path: Path, capsys: Output, like: list[str]
) -> None:
    packs = ["--packs", str(tmp_path)]
    assert main(["pack", "new", "xx", *like, *packs]) == 0
    capsys.readouterr()
    assert main(["pack", "check", "xx", *packs, "--data", str(tmp_path / "data")]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "xx: 0 compounds: 0 idiomatic, 0 partly_compositional, 0 compositional"
    assert out[1] == "xx: write the neutral frames in pack.toml"
    assert main(["pack", "new", "xx", *packs]) == 2
    assert "is there already" in capsys.readouterr().err


def test_compounds_are_drafted_from_a_plain_list_and_what_is_not_known_is_told(folder: Path, capsys: Output) -> None:
    names = folder.parent / "list.txt"
    names.write_text("billet d'avion\nbelle table\namie perdue\nbillet blablabli\n", "utf-8")
    for _ in range(2):
        draft(folder, "compounds", str(names), "--class", "idiomatic")
        assert [row.split(" sg count")[0] for row in rows(folder / "compounds.tsv")] == [
            "billet d'avion avion billet 0 N_de_N m",
            "belle table beau table 1 A_N f",
            "amie perdue perdu ami 0 N_A f",
        ]
        assert capsys.readouterr().out == "billet blablabli\tnobody knows 'blablabli'\n"


def test_forms_are_appended_once_and_a_guess_is_read_before_it_counts(folder: Path, capsys: Output) -> None:
    cells = ("count", "idiomatic", "_", "_", "?", "me", "2026-11-23")
    append(folder / "compounds.tsv", "fin belle", "beau", "fin", "0", "N_A", "f", "sg", *cells)
    append(
        folder / "contexts.tsv", "fin belle", "nat1", "sg", "news", "Elle voit la [fin belle].", "authored", "CC0-1.0"
    )
    append(folder / "pool.tsv", "élève", "noun", "m", "person", "both")
    append(folder / "forms.tsv", "belle", "beau", "adj", "f", "sg", "consonant")  # a person's own row
    with (folder / "pack.toml").open("a", encoding="utf-8") as settings:
        settings.write(PLURAL)
    found = [
        "belle beau adj f sg consonant",
        "beau beau adj m sg _",
        "beaux beau adj m pl _",
        "belles beau adj f pl _",
        "fin fin noun f sg _",
        "voit voir verb _ sg _",
        "élève élève noun m sg _",
        "élèves élève noun m pl _",
    ]
    for _ in range(2):
        capsys.readouterr()
        draft(folder, "forms")
        assert rows(folder / "forms.tsv") == found
        assert rows(folder / "forms.review.tsv") == ["fins fin noun f pl _"]
        assert capsys.readouterr().out == "Elle\tin fr/fin-belle/nat1\n"
    draft(folder, "forms", "--reviewed")
    assert rows(folder / "forms.tsv") == [*found[:5], "fins fin noun f pl _", *found[5:]]
    assert not (folder / "forms.review.tsv").exists()


def test_every_word_of_the_overrides_of_a_component_gets_its_forms(folder: Path) -> None:
    cells = ("count", "idiomatic", "_", "_", "?", "me", "2026-11-23")
    append(folder / "compounds.tsv", "fin belle", "beau", "fin", "0", "N_A", "f", "sg", *cells)
    table = folder / "overrides.tsv"
    table.write_text("compound\tpart\trank\tword\trelation\tsense\treason\tauthor\tdate\n", "utf-8")
    for rank, word in (("1", "billet"), ("2", "table")):
        append(table, "fin belle", "head", rank, word, "synonym", "_", "?", "me", "2026-11-23")
    draft(folder, "forms")
    assert {row.split()[1] for row in rows(folder / "forms.tsv")} == {"fin", "beau", "billet", "table"}


def test_a_noun_in_two_genders_is_for_a_person_to_decide(folder: Path, tmp_path: Path, capsys: Output) -> None:
    nouns = "".join(f"tour\ttour\tN;{one};SG\ntour\ttours\tN;{one};PL\n" for one in ("MASC", "FEM"))
    (tmp_path / "fra.tsv").write_text(LEXICON + nouns, "utf-8")
    table = tmp_path / "lexicon.tsv"
    append(table, "lemma", "pos", "gloss", "synonyms")
    append(table, "billet", "noun", "un papier", "tour")
    assert main(["pack", "lexicon", "make", str(table), str(folder / "lexicon.xml")]) == 0
    draft(folder, "forms")
    assert capsys.readouterr().out == "tour\tnoun\tf or m: keep the one that is meant in forms.review.tsv\n"
    assert not any(row.startswith("tour") for row in rows(folder / "forms.tsv"))
    waiting = ["tour tour noun f sg _", "tours tour noun f pl _", "tour tour noun m sg _", "tours tour noun m pl _"]
    assert rows(folder / "forms.review.tsv") == waiting
    draft(folder, "forms")
    assert not any(row.startswith("tour") for row in rows(folder / "forms.tsv"))
    draft(folder, "forms", "--reviewed")
    capsys.readouterr()
    main(["pack", "check", "fr", "--packs", str(tmp_path), "--data", str(tmp_path / "data")])
    assert (
        "nouns in two genders in forms.tsv (the first is taken; take out what is not meant): tour f m"
        in capsys.readouterr().out
    )


def test_the_pool_gets_words_with_a_plural_and_one_gender(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "net.xml").write_text(WORDNET, "utf-8")
    for _ in range(2):
        draft(folder, "pool", "--size", "8", "--wordnet", str(tmp_path / "net.xml"))
    assert rows(folder / "pool.tsv") == [
        "ami noun m _ both",
        "avion noun m _ both",
        "billet noun m artifact both",
        "table noun f artifact both",
        "beau adj _ _ both",
    ]


def test_the_pool_leaves_out_names_profanity_and_verbs(folder: Path, tmp_path: Path, capsys: Output) -> None:
    settings = folder / "pack.toml"
    settings.write_text(settings.read_text("utf-8").replace("profanity = []", 'profanity = ["merd*"]'), "utf-8")
    nouns = [
        ("merde", "merdes", "FEM"),
        ("pierre", "pierres", "FEM"),
        ("être", "êtres", "MASC"),
        ("aide", "aides", "FEM"),
    ]
    lines = [f"{sg}\t{sg}\tN;{gender};SG\n{sg}\t{pl}\tN;{gender};PL\n" for sg, pl, gender in nouns]
    verbs = "être\têtre\tV;NFIN\naider\taide\tV;IND;PRS;3;SG\nPierre\tPierre\tPROPN;MASC;SG\n"
    (tmp_path / "fra.tsv").write_text(LEXICON + "".join(lines) + verbs, "utf-8")
    draft(folder, "pool", "--size", "20")
    assert [row.split()[0] for row in rows(folder / "pool.tsv")] == ["aide", "ami", "avion", "billet", "table", "beau"]
    assert "write the classes of nouns yourself" in capsys.readouterr().err


def test_candidates_for_synonyms_are_words_of_the_right_kind_and_a_pruned_row_stays(
    folder: Path, tmp_path: Path, capsys: Output
) -> None:
    (tmp_path / "net.xml").write_text(WORDNET, "utf-8")
    (tmp_path / "list.txt").write_text("billet d'avion\n", "utf-8")
    draft(folder, "compounds", str(tmp_path / "list.txt"), "--class", "compositional")
    table = tmp_path / "lexicon.tsv"
    draft(folder, "synonyms", str(table), "--wordnet", str(tmp_path / "net.xml"))
    assert rows(table) == ["billet noun ? table"]
    assert capsys.readouterr().out == "avion\tnoun\tno candidates\n"
    table.write_text(table.read_text("utf-8").replace("?\ttable", "un papier\tticket"), "utf-8")
    draft(folder, "synonyms", str(table), "--wordnet", str(tmp_path / "net.xml"))
    assert rows(table) == ["billet noun un papier ticket"]


def test_a_thesaurus_gives_candidates_too(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("billet d'avion\n", "utf-8")
    (tmp_path / "th_fr_FR.dat").write_text("UTF-8\nbillet|1\n(nom)|table|voir\n", "utf-8")
    draft(folder, "compounds", str(tmp_path / "list.txt"), "--class", "compositional")
    draft(folder, "synonyms", str(tmp_path / "lexicon.tsv"), "--wordnet", str(tmp_path / "th_fr_FR.dat"))
    assert rows(tmp_path / "lexicon.tsv") == ["billet noun ? table"]


def test_the_check_before_the_forms_says_that_they_are_missing_first(
    folder: Path, tmp_path: Path, capsys: Output
) -> None:
    (tmp_path / "list.txt").write_text("billet d'avion\n", "utf-8")
    draft(folder, "compounds", str(tmp_path / "list.txt"), "--class", "idiomatic")
    sentence = "Il a perdu le [billet d'avion]."
    append(folder / "contexts.tsv", "billet d'avion", "nat1", "sg", "news", sentence, "authored", "CC0-1.0")
    options = ["--packs", str(tmp_path), "--data", str(tmp_path / "data")]
    capsys.readouterr()
    assert main(["pack", "check", "fr", *options]) == 1
    before = capsys.readouterr()
    assert "1 compounds lack forms: run `ncimp pack forms` first" in before.err
    lines = before.out.splitlines()
    steps = [line for line in lines if line.startswith("fr: ")]
    assert "words without all forms" in next(line for line in steps[1:] if line[4].isdigit())
    assert not any(line.startswith(("K007", "T809", "T810")) for line in lines)
    assert not any("few candidates" in line or "do not fill" in line for line in lines)
    assert main(["pack", "check", "fr", "--json", *options]) == 1
    assert '"K007"' in capsys.readouterr().out
    draft(folder, "forms")
    main(["pack", "check", "fr", *options])
    assert "few candidates" in capsys.readouterr().out


def test_the_check_of_a_pack_writes_each_determiner_before_each_kind_of_phrase(folder: Path, tmp_path: Path) -> None:
    names, sheet = tmp_path / "list.txt", tmp_path / "sheet.tsv"
    names.write_text("billet d'avion\nbelle table\n", "utf-8")
    draft(folder, "compounds", str(names), "--class", "idiomatic")
    draft(folder, "forms")
    options = ["--packs", str(folder.parent), "--data", str(tmp_path / "data")]
    assert main(["pack", "check", "fr", "--sheet", str(sheet), *options]) == 1
    shown = {line.rsplit("\t", 1)[1] for line in sheet.read_text("utf-8").splitlines()}
    assert {"le billet d'avion.", "la belle table.", "l'avion beau.", "les tables d'avion."} <= shown


def test_an_adjective_inflected_by_a_paradigm_lacks_no_form() -> None:
    """Its cells are for a declension, too, which the determiner and not the slot asks for (German)."""
    missing = missing_forms(read_pack(packs_folder() / "de"), [("wolkig", "adj"), ("kalt", "adj"), ("rotkalt", "adj")])
    assert [line.split()[0] for line in missing if " adj " in line] == ["rotkalt"]


def test_a_compound_that_cannot_be_put_into_its_sentences_fails_the_check(tmp_path: Path, capsys: Output) -> None:
    table = Path(shutil.copytree(packs_folder() / "fr", tmp_path / "packs" / "fr")) / "contexts.tsv"
    table.write_text(table.read_text("utf-8").replace("Cette [éminence", "Cet [éminence"), "utf-8")
    options = ["--packs", str(tmp_path / "packs"), "--data", str(tmp_path / "data")]
    assert main(["pack", "check", "fr", *options]) == 1
    printed = capsys.readouterr()
    assert [
        line for line in printed.out.splitlines() if "does not fill: fr/éminence-grise/nat3: 'Cet' does not" in line
    ]
    assert printed.err == "0 incidents, 0 waived\n"
