"""Senses and composition of a pack: splits that keep their promises, paraphrases, configs, checks of the tables."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.records import Item
from ncimp.builder.release.suites import composition_items
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.evaluator.release import load_release, read_release
from ncimp.evaluator.suites.astitch import Astitch
from ncimp.evaluator.suites.texts import WORD, SuiteInput
from ncimp.schemas import NcimpError, keyed_hash
from ncimp.schemas.files import read_json
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import SHOTS, CompositionItem, ConsistencyPair, ReleasedSense, SenseExample
from tests.conftest import MINI, build
from tests.evaluator.test_models_store import Counting, opened
from tests.evaluator.tiny import write_vec
from tests.release.senses_pack import write_senses

COMPOSITION = "composition.tsv"


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The mini packs with senses; not to be changed."""
    return write_senses(Path(shutil.copytree(MINI, tmp_path_factory.mktemp("senses") / "packs")))


@pytest.fixture(scope="module")
def release(packs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of these packs; not to be changed."""
    return build(tmp_path_factory.mktemp("built") / "ncimp", packs=packs)


def examples(release: Path) -> list[SenseExample]:
    folder = ReleaseFolder.open(release)
    return [row for name in SHOTS.values() for row in folder.records(name, SenseExample)]


def test_the_release_validates_and_its_texts_can_be_made_again(
    release: Path, packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Several configs share the files of sentences, so that their sizes have to be found again from all of them."""
    main(["validate", str(release), "--packs", str(packs)])
    output = capsys.readouterr()
    assert "cannot be made from it" not in output.err
    assert "M905" not in output.out


def test_the_splits_keep_their_promises(release: Path, packs: Path) -> None:
    rows = examples(release)
    of = {shot: [row for row in rows if row.shot == shot] for shot in SHOTS}
    judged = {row.compound_id for row in of["none"]}
    assert judged.isdisjoint(row.compound_id for row in of["zero"])
    recorded = {
        f"{lang}/{row.compound.replace(' ', '-')}": row.split
        for lang in ("en", "pt")
        for row in read_pack(packs / lang).splits
    }
    assert {recorded[row.compound_id] for row in of["zero"]} == {"train"}
    assert all(recorded[row.compound_id] == row.split for row in of["none"])
    # exactly one example a sense in one-shot, of each sense that is told
    senses = {(row.compound_id, row.sense) for row in rows if row.shot != "zero"}
    assert Counter((row.compound_id, row.sense) for row in of["one"]) == Counter(senses)
    assert {row.compound_id for row in of["further"]} <= {row.compound_id for row in of["one"]}
    assert len({row.sentence for row in rows}) == len(rows) == 22 + 3
    assert Counter(row.shot for row in rows) == {"zero": 6, "one": 7, "further": 6, "none": 6}


def test_a_sentence_of_the_grid_names_its_item(release: Path) -> None:
    sentences = {row["id"]: row["sentence"] for row in ReleaseFolder.open(release).rows("sentences")}
    named = [row for row in examples(release) if row.item is not None]
    assert len(named) == 3 * 4
    assert all(sentences[str(row.item)] == row.sentence for row in named)


def test_configs_are_made_of_the_files(release: Path) -> None:
    sentences = {}
    for shot in ("zero", "one", "few"):
        loaded = load_release(str(release), f"detection_{shot}_shot")
        assert set(loaded) == {"train", "test"}
        sentences[shot] = {part: set(loaded[part]["sentence"]) for part in loaded}
        assert sentences[shot]["train"].isdisjoint(sentences[shot]["test"])
    assert sentences["one"]["train"] < sentences["few"]["train"]
    assert sentences["zero"]["test"] == sentences["one"]["test"] == sentences["few"]["test"]
    assert len(load_release(str(release), "senses")["train"]) == 2
    assert "consistency" in (release / "README.md").read_text(encoding="utf-8")


def test_paraphrases_are_put_in_and_the_sentence_is_repaired(release: Path) -> None:
    pairs = list(ReleaseFolder.open(release).records("consistency", ConsistencyPair))
    by_sentence = {(row.sentence1, row.id.rpartition("/")[2]): row for row in pairs}
    gnawed = "An eager beaver gnawed at the willow by the river until the trunk gave way."
    assert by_sentence[gnawed, "literal"].sentence2.startswith("A keen rodent gnawed")
    assert by_sentence[gnawed, "literal"].role == "correct"
    wrong = by_sentence[gnawed, "idiomatic"]
    assert wrong.sentence2.startswith("A hard worker gnawed")
    assert (wrong.role, wrong.similarity) == ("incorrect", None)
    assert wrong.correct == by_sentence[gnawed, "literal"].sentence2
    assert wrong.span2 is not None
    assert wrong.sentence2[slice(*wrong.span2)] == "hard worker"
    plural = next(row for row in pairs if row.sentence1.startswith("Two eager beavers"))
    assert plural.sentence2.startswith("Two keen rodents")
    basket = "Havia uma maçã podre no fundo do cesto, e ninguém a viu."
    assert by_sentence[basket, "idiomatic"].sentence2.startswith("Havia um mau elemento no fundo")
    assert not any("Eager Beaver" in row.sentence1 for row in pairs)  # a name has no paraphrase
    assert {row.compound for row in pairs} == {"rat race", "eager beaver", "ghost town", "maçã podre"}


def test_senses_are_released_with_their_compound(release: Path) -> None:
    rows = {row.id: row for row in ReleaseFolder.open(release).records("senses", ReleasedSense)}
    assert rows["en/eager-beaver/name"].text is None
    assert (rows["en/rat-race/literal"].text, rows["en/rat-race/literal"].split) == ("mouse contest", "train")
    counts = read_json(release / "manifest.json")["counts"]
    assert (counts["senses"], counts["detection"]) == (9, 6)


def test_a_model_is_asked_with_the_release(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = {word for row in examples(release) for word in WORD.findall(row.context)}
    senses = ReleaseFolder.open(release).records("senses", ReleasedSense)
    words |= {word for row in senses for word in WORD.findall(f"{row.text} {row.compound}")}
    directions = {word: [float(int(digit, 16)) for digit in keyed_hash(word)[:6]] for word in sorted(words)}
    vectors = write_vec(tmp_path / "words.vec", directions)
    place = ["--release", str(release), "--vectors", str(vectors), "--resamples", "100", "--out", str(tmp_path / "out")]
    assert main(["evaluate", "--suite", "astitch", *place]) == 0
    text = capsys.readouterr().out
    assert "en: consistency is over pairs with a paraphrase only" in text
    assert "en: consistency is with the model's own similarities" in text
    rows = read_json(tmp_path / "out" / "results.json")["suites"]
    assert {(row["lang"], row["task"]) for row in rows} == {
        (lang, task) for lang in ("en", "pt") for task in ("detection_coarse", "detection_fine", "consistency_self")
    }
    # the examples are balanced: the majority of the compound is no better than a coin
    shortcut = [row for row in rows if row["model"] == "compound majority, ties to 0"]
    majority = [row for row in shortcut if row["task"] == "detection_coarse"]
    assert majority
    assert all(row["value"] <= 0.55 for row in majority if row["metric"] == "macro_f1")


def test_each_text_of_pairs_and_suite_is_encoded_once(release: Path, tmp_path: Path) -> None:
    encoder, folder = Counting(), ReleaseFolder.open(release)
    opened(encoder, tmp_path).sentence(read_release(release).items)
    assert {row.sentence for row in examples(release) if row.item} <= set(encoder.seen)
    of_pairs = len(encoder.seen)
    data = SuiteInput(folder, opened(encoder, tmp_path), "m", folder.manifest.languages, ("validation", "test"))
    assert list(Astitch().answers(data))
    assert len(encoder.seen) > of_pairs
    assert set(encoder.seen.values()) == {1}


def test_words_and_paraphrases_are_asked_about_in_the_sentences_of_the_pack(release: Path) -> None:
    items = {row.id: row for row in ReleaseFolder.open(release).records("composition", CompositionItem)}
    assert Counter((row.lang, row.task) for row in items.values()) == {
        ("en", "nc_literality"): 5 * 2 * 3, ("en", "nc_relations"): 4 * 2,
        ("pt", "nc_literality"): 5 * 2 * 3, ("pt", "nc_relations"): 2,
    }  # fmt: skip
    head = items["en/nc_literality/rat-race/nat2/head"]
    assert head.target is not None
    assert (head.words[head.target], head.phrase, head.word, head.label) == ("race", "rat race", "race", 1)
    assert (head.split, head.source, head.licence) == ("train", "pack/en 0.0.1", "CC-BY-4.0")
    for name, words, modifier in (
        ("pé-frio/nat1", ("pé", "-", "frio"), "frio"),
        ("primeira-dama/nat1", ("primeira", "-", "dama"), "primeira"),
        ("gol-de-placa/nat1", ("gol", "de", "placa"), "placa"),
    ):
        row = items[f"pt/nc_literality/{name}/modifier"]
        assert row.span is not None
        assert row.target is not None
        assert tuple(word.lower() for word in row.words[slice(*row.span)]) == words
        assert row.words[row.target].lower() == modifier
    # the paraphrases of a compound stand beside one sentence
    relations = [row for row in items.values() if row.task == "nc_relations"]
    assert len({row.words for row in relations}) == len({row.phrase for row in relations}) == 5
    assert {row.label for row in relations if row.phrase == "rat race"} == {0, 1}
    assert set(load_release(str(release), "composition")) == {"train", "test"}


def test_a_sentence_that_may_not_be_passed_on_asks_nothing(release: Path, packs: Path) -> None:
    pack, items = read_pack(packs / "en"), list(ReleaseFolder.open(release).records("sentences", Item))
    english = [item for item in items if item.lang == "en"]
    closed = replace(pack, language=replace(pack.language, withheld=("CC-BY-4.0",)))
    assert len(list(composition_items(pack, english))) == 38
    assert not list(composition_items(closed, english))


def test_the_questions_of_a_release_are_asked(release: Path, tmp_path: Path) -> None:
    items = list(ReleaseFolder.open(release).records("composition", CompositionItem))
    words = {word for row in items for word in (*row.words, *str(row.paraphrase).split())}
    directions = {word: [float(int(digit, 16)) for digit in keyed_hash(word)[:6]] for word in sorted(words)}
    vectors = write_vec(tmp_path / "words.vec", directions)
    place = ["--release", str(release), "--vectors", str(vectors), "--lang", "pt", "--limit", "9"]
    arguments = [*place, "--resamples", "100", "--out", str(tmp_path / "out")]
    assert main(["evaluate", "--suite", "lexcomp", *arguments]) == 0
    rows = read_json(tmp_path / "out" / "results.json")["suites"]
    assert {(row["task"], row["setting"]) for row in rows} == {
        ("nc_literality", "published"), ("nc_literality", "lexical"),
    }  # fmt: skip


def test_no_word_is_in_two_lexical_splits_of_a_release_and_no_compound_in_two_others(release: Path) -> None:
    items = list(ReleaseFolder.open(release).records("composition", CompositionItem))
    for column, keys in (("split", ("phrase", "words")), ("lexical", ("word", "words"))):
        for key in keys:
            parts: dict[object, set[str]] = {}
            for row in items:
                if getattr(row, column):
                    parts.setdefault((row.lang, row.task, getattr(row, key)), set()).add(getattr(row, column))
            assert {len(some) for some in parts.values()} == {1}
    for lang in ("en", "pt"):
        lexical = {row.lexical for row in items if (row.lang, row.task) == (lang, "nc_literality")}
        assert {"train", "validation", "test"} <= lexical


def test_what_readers_say_of_examples_is_kept_and_decides(release: Path, packs: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(packs, tmp_path / "packs"))
    row = next(row for row in examples(release) if row.sentence.startswith("An eager beaver gnawed"))
    verdict: dict[str, object] = {"reading": "first", "reader": "language model", "date": "2026-11-23", "item": row.id}
    verdict |= {
        "family": "sense",
        "verdict": "fault",
        "severity": 2,
        "reason": "SENSE",
        "text": None,
        "note": "it could be a person",
    }
    (tmp_path / "verdicts.jsonl").write_text(json.dumps(verdict) + "\n", encoding="utf-8")
    place = ["--packs", str(own), "--release", str(release)]
    assert main(["pack", "readings", "en", str(tmp_path / "verdicts.jsonl"), *place]) == 0
    with pytest.raises(NcimpError, match=f"V101 {row.id}: SENSE of severity 2"):
        build(tmp_path / "ncimp", packs=own)


def test_a_pack_without_the_tables_has_no_such_configs(mini_release: Path) -> None:
    assert not {path.name for path in mini_release.iterdir()} & {"senses", "consistency", *SHOTS.values()}
    assert "detection" not in (mini_release / "README.md").read_text(encoding="utf-8")


def cells(name: str, line: int, **changes: str) -> Callable[[Path], None]:
    def change(pack: Path) -> None:
        header, *rows = (pack / name).read_text(encoding="utf-8").splitlines()
        columns, row = header.split("\t"), rows[line - 2].split("\t")
        for column, value in changes.items():
            row[columns.index(column)] = value
        rows[line - 2] = "\t".join(row)
        (pack / name).write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (cells("senses.tsv", 2, compound="rat-race"), "senses.tsv:2:compound: 'rat-race' is not in compounds.tsv"),
        (cells("senses.tsv", 3, sense="idiomatic"), "senses.tsv:3: the same 'rat race / idiomatic' as line 2"),
        (cells("senses.tsv", 2, kind="figurative"), "senses.tsv:2:kind: 'figurative' is not one of"),
        (cells("senses.tsv", 2, pattern="X_Y"), "senses.tsv:2:pattern: pattern 'X_Y' is not in pack.toml"),
        (cells("examples.tsv", 2, sense="meta"), "examples.tsv:2: 'rat race' has no sense 'meta' in senses.tsv"),
        (cells("examples.tsv", 2, context="_"), "examples.tsv:2: the row of 'rat race' has neither a sentence nor"),
        (cells("examples.tsv", 2, sentence="The [rat race]."), "nor a context of contexts.tsv, or it has both"),
        (cells("examples.tsv", 2, context="literal"), "nor a context of contexts.tsv, or it has both"),
        (cells("examples.tsv", 11, number="_"), "examples.tsv:11: the row of 'rat race' has no number; write sg or pl"),
        (cells("examples.tsv", 11, sentence="No mark."), "examples.tsv:11:sentence"),
        (cells(COMPOSITION, 2, compound="rat king"), "composition.tsv:2:compound: 'rat king' is not in compounds.tsv"),
        (cells(COMPOSITION, 2, task="vpc"), "composition.tsv:2:task: 'vpc' is not one of"),
        (cells(COMPOSITION, 2, label="2"), "composition.tsv:2:label: 2 does not fit"),
        (cells(COMPOSITION, 2, text="beaver"), "composition.tsv:2:text: 'beaver' is no word of 'eager beaver'; write"),
        (
            cells(COMPOSITION, 13, text="Form that an application is made with", label="0"),
            "composition.tsv:13: the same 'application form / nc_relations / form that an application is made with' as",
        ),
    ],
)
def test_bad_rows_are_one_error(packs: Path, tmp_path: Path, change: Callable[[Path], None], message: str) -> None:
    pack = Path(shutil.copytree(packs / "en", tmp_path / "en"))
    change(pack)
    with pytest.raises(NcimpError) as caught:
        read_pack(pack)
    assert message in str(caught.value)


def test_a_paraphrase_without_forms_is_named(packs: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(packs, tmp_path / "packs"))
    cells("senses.tsv", 5, text="keen zorple", head="zorple")(own / "en")
    with pytest.raises(NcimpError, match=r"K015 en/eager-beaver: senses.tsv:5: 'keen zorple' is not"):
        build(tmp_path / "ncimp", packs=own)
    waiver = "K015\ten/eager-beaver\ta word of this test\tncimp authors\t2026-11-23\n"
    with (own / "en" / "waivers.tsv").open("a", encoding="utf-8") as table:
        table.write(waiver)
    with pytest.raises(NcimpError, match=r"cannot be put in: eager beaver, literal: .*zorple.*add the forms"):
        build(tmp_path / "ncimp", packs=own)
