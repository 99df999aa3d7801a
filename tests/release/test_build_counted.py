"""Releases built with a corpus of one's own: from a command line to a release that validates, in a few ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from wordfreq import word_frequency

from ncimp.builder.cli import main
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import LanguagePack
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.files import read_json
from ncimp.schemas.records import columns

pytestmark = pytest.mark.slow

Output = pytest.CaptureFixture[str]
Rows = list[dict[str, Any]]


def lemmas(pack: LanguagePack, pos: str, gender: str | None = None) -> list[str]:
    """Return the lemmas of *pos* with a singular and a plural, and no hyphen."""
    rows = [row for row in pack.forms if row.pos == pos and gender in (None, row.gender)]
    both = {row.lemma for row in rows if row.number != "sg"} & {row.lemma for row in rows if row.number != "pl"}
    return sorted(lemma for lemma in both if "-" not in lemma)


def phrases(pack: LanguagePack) -> Iterable[tuple[str, ...]]:
    """Yield the compounds of the pack a few times each, and every noun in a few compounds of every pattern."""
    patterns = pack.language.patterns
    for compound in pack.compounds:
        pattern = patterns[compound.pattern]
        words = (compound.head, compound.modifier) if pattern.head == 0 else (compound.modifier, compound.head)
        yield from [(compound.text,) if "-" in compound.text else words] * 3
        yield from [(word,) for word in words] * 3
    nouns = lemmas(pack, "noun")
    listed = [word for pattern in patterns.values() for word in pattern.random_modifiers]
    for pattern in patterns.values():
        if len(pattern.parts) != 2 or pattern.join != " ":
            continue
        others = nouns if pattern.parts[1 - pattern.head] == "noun" else lemmas(pack, "adj")
        others = [word for word in others if word in listed] or others if pattern.random_modifiers else others
        for place, noun in enumerate(nouns):
            for step in (1, 5):
                other = others[(place * 7 + step) % len(others)]
                yield (noun, other) if pattern.head == 0 else (other, noun)


def write_corpus(pack: LanguagePack, path: Path) -> Path:
    """Write a CoNLL-U corpus with one phrase of lemmas a sentence."""
    blocks = []
    for words in phrases(pack):
        lines = (f"{place}\t{word}\t{word}" + "\t_" * 7 for place, word in enumerate(words, start=1))
        blocks.append("\n".join(lines) + "\n")
    path.write_text("\n".join(blocks) + "\n", "utf-8")
    return path


def count(corpus: Path, lang: str, *more: str) -> Path:
    """Count *corpus* with the command and return the store."""
    store = corpus.with_suffix(".stats")
    name = ("--name", f"mini-{lang}", "--licence", "CC0-1.0")
    assert (
        main(["corpus", "count", str(corpus), "--lang", lang, "--format", "conllu", "--out", str(store), *name, *more])
        == 0
    )
    return store


@pytest.fixture(scope="module")
def stores(mini_packs: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A store of each mini language."""
    folder = tmp_path_factory.mktemp("corpora")
    return [count(write_corpus(read_pack(mini_packs / lang), folder / f"{lang}.conllu"), lang) for lang in ("en", "pt")]


def build(out: Path, packs: Path, stores: Sequence[Path], *options: str) -> int:
    named = ["--frequencies", *map(str, stores)] if stores else []
    return main(["build", "--packs", str(packs), "--out", str(out), *named, *options])


def rows(release: Path, table: str) -> Rows:
    kinds = {"sentences": "item", "compounds": "compound"}
    return [row for path in sorted((release / table).glob("*.parquet")) for row in read_parquet(path, kinds[table])]


def randoms(release: Path) -> Rows:
    return [row for row in rows(release, "sentences") if row["variant"].startswith("rand") and row["context"] == "nat1"]


def seen(store: Path) -> set[tuple[str, str]]:
    """Return the adjacent words of the corpus that *store* was counted from."""
    sentences = [block.split("\n") for block in store.with_suffix(".conllu").read_text("utf-8").strip().split("\n\n")]
    words = [[line.split("\t")[2] for line in block if line] for block in sentences]
    return {pair for sentence in words for pair in zip(sentence, islice(sentence, 1, None), strict=False)}


@pytest.fixture(scope="module")
def attested(mini_packs: Path, stores: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release whose random compounds are attested."""
    out = tmp_path_factory.mktemp("attested") / "ncimp"
    assert build(out, mini_packs, stores, "--pool", "attested") == 0
    return out


def test_a_release_with_attested_randoms_validates(attested: Path, mini_packs: Path, capsys: Output) -> None:
    assert main(["validate", str(attested), "--packs", str(mini_packs)]) == 0
    assert capsys.readouterr().err.endswith("\n840 sentences, 0 incidents, 0 waived\n")


def test_attested_randoms_stand_in_the_corpus_in_their_order(
    attested: Path, mini_packs: Path, stores: list[Path]
) -> None:
    held = dict(zip(("en", "pt"), map(seen, stores), strict=True))
    found = randoms(attested)
    assert len(found) == 60
    composed = 0
    for row in found:
        pattern = read_pack(mini_packs / row["lang"]).language.patterns[row["pattern"]]
        words = (row["head"], row["modifier"]) if pattern.head == 0 else (row["modifier"], row["head"])
        if pattern.join == " ":
            assert words in held[row["lang"]], row["id"]
            assert row["explanation"].endswith(" times"), row["explanation"]
        else:
            composed += 1
            assert "counted" not in row["explanation"]
    assert composed == 10  # two compounds with `de` between their words


def test_every_row_and_the_manifest_and_the_card_name_the_corpora(attested: Path, stores: list[Path]) -> None:
    assert {row["source"] for row in randoms(attested)} == {"mini-en (lemmas)", "mini-pt (lemmas)"}
    assert {row["zipf_source"] for row in rows(attested, "compounds")} == {"mini-en (lemmas)", "mini-pt (lemmas)"}
    manifest = read_json(attested / "manifest.json")
    inputs = {entry["name"]: entry for entry in manifest["inputs"]}
    assert set(inputs) == {"pack/en", "store/en", "pack/pt", "store/pt"}
    assert inputs["store/en"]["licence"] == "CC0-1.0"
    assert len(inputs["store/en"]["sha256"]) == 64
    assert manifest["options"]["pool"] == "attested"
    assert "match" not in manifest["options"]
    card = (attested / "README.md").read_text("utf-8")
    assert "Seen side by side in a counted corpus" in card
    assert "matched in frequency (mini-en (lemmas) and mini-pt (lemmas)), and so is the mean" in card
    assert (
        "PMI and PPMI are those\nof the store named in `count_source`, and empty where there is none. The random"
        in card
    )
    assert str(stores[0].parent) not in (attested / "manifest.json").read_text("utf-8")


def test_compounds_have_the_counts_of_the_corpus(attested: Path) -> None:
    """Each compound was written three times: as two words, as one with a hyphen, or with a word that no pair holds."""
    found = {row["compound"]: row for row in rows(attested, "compounds")}
    assert found["rat race"]["compound_count"] == found["pé-frio"]["compound_count"] == 3
    assert found["rat race"]["pmi"] == found["rat race"]["ppmi"] > 0
    assert found["pé-frio"]["pmi"] is None
    assert found["gol de placa"]["compound_count"] is found["gol de placa"]["count_source"] is None
    assert found["maçã podre"]["count_source"] == "mini-pt (lemmas)"


def test_a_second_build_runs_nothing_and_a_new_name_or_licence_of_the_corpus_shows(
    mini_packs: Path, stores: list[Path], tmp_path: Path, capsys: Output
) -> None:
    """The hash of the counts is the same; what the rows and the manifest say of them is not."""
    packs = ["--lang", "en"]
    corpus = tmp_path / "en.conllu"
    corpus.write_bytes(stores[0].with_suffix(".conllu").read_bytes())
    store = count(corpus, "en")
    out = tmp_path / "ncimp"
    assert build(out, mini_packs, [store], *packs) == 0
    capsys.readouterr()
    assert build(out, mini_packs, [store], *packs) == 0
    assert "running" not in capsys.readouterr().err
    count(corpus, "en", "--licence", "CC-BY-4.0")
    assert build(out, mini_packs, [store], *packs) == 0
    assert "release: running" in capsys.readouterr().err
    inputs = {entry["name"]: entry["licence"] for entry in read_json(out / "manifest.json")["inputs"]}
    assert inputs["store/en"] == "CC-BY-4.0"
    count(corpus, "en", "--name", "renamed")
    assert build(out, mini_packs, [store], *packs) == 0
    assert {row["source"] for row in randoms(out)} == {"renamed (lemmas)"}


def test_a_release_matched_by_the_mean_validates_though_components_are_far_off(
    mini_packs: Path, tmp_path: Path, capsys: Output
) -> None:
    out = tmp_path / "ncimp"
    assert build(out, mini_packs, [], "--match", "mean") == 0
    assert main(["validate", str(out), "--packs", str(mini_packs)]) == 0
    assert "0 incidents" in capsys.readouterr().err
    found = randoms(out)
    assert max(abs(row["mean_delta"]) for row in found) < 0.1
    assert max(abs(row["modifier_delta"]) for row in found) > 1.0
    assert read_json(out / "manifest.json")["options"]["match"] == "mean"
    assert "is matched, as in the published data, and not that of each" in (out / "README.md").read_text("utf-8")


def test_attested_randoms_are_matched_by_the_mean_of_three_frequencies(
    mini_packs: Path, stores: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "ncimp"
    assert build(out, mini_packs, stores, "--match", "mean", "--pool", "attested") == 0
    told = [row["explanation"] for row in randoms(out)]
    assert sum("with the compounds' own" in why for why in told) == 50


def test_a_language_without_a_store_has_the_frequencies_of_wordfreq(
    mini_packs: Path, stores: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "ncimp"
    assert build(out, mini_packs, stores[:1]) == 0
    assert {row["source"][:8] for row in randoms(out) if row["lang"] == "pt"} == {"wordfreq"}
    assert {row["source"] for row in randoms(out) if row["lang"] == "en"} == {"mini-en (lemmas)"}
    inputs = [entry["name"] for entry in read_json(out / "manifest.json")["inputs"]]
    assert inputs == ["pack/en", "store/en", "pack/pt", "wordfreq/pt"]
    assert "frequency (mini-en (lemmas) and wordfreq" in (out / "README.md").read_text("utf-8")


def test_a_language_that_wordfreq_lacks_is_built_with_a_store(
    packs_copy: Path, stores: list[Path], tmp_path: Path
) -> None:
    """Galician has no list; the words here stand in for some language of a pack with a corpus of its own."""
    (packs_copy / "en").rename(packs_copy / "gl")
    settings = packs_copy / "gl" / "pack.toml"
    settings.write_text(settings.read_text("utf-8").replace('code = "en"', 'code = "gl"'), "utf-8")
    corpus = tmp_path / "gl.conllu"
    corpus.write_bytes(stores[0].with_suffix(".conllu").read_bytes())
    out = tmp_path / "ncimp"
    assert build(out, packs_copy, [], "--lang", "gl") == 1
    assert build(out, packs_copy, [count(corpus, "gl")], "--lang", "gl") == 0
    assert {row["source"] for row in randoms(out)} == {"mini-gl (lemmas)"}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--lang", "en", "--pool", "attested"), "--pool attested needs counts of en; name a statistics store of each"),
        (("--lang", "pt", "--frequencies", "{en}"), "counts 'en', and the build makes pt; leave it out, or build 'en'"),
        (("--frequencies", "{en}", "--pool", "attested"), "--pool attested needs counts of pt; name"),
        (("--frequencies", "{en}", "{en}"), "both count 'en'; name one, or count both corpora together"),
    ],
)
def test_wrong_uses_say_what_to_do_and_build_nothing(
    options: tuple[str, ...], told: str, mini_packs: Path, stores: list[Path], tmp_path: Path, capsys: Output
) -> None:
    named = [option.replace("{en}", str(stores[0])) for option in options]
    assert main(["build", "--packs", str(mini_packs), "--out", str(tmp_path / "ncimp"), *named]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "ncimp").exists()


def test_a_store_that_is_too_small_names_compounds_and_words(mini_packs: Path, tmp_path: Path, capsys: Output) -> None:
    pack = read_pack(mini_packs / "en")
    corpus = tmp_path / "few.conllu"
    words = sorted({word for row in pack.compounds for word in (row.modifier, row.head)} - {"beaver"})
    corpus.write_text("".join(f"1\t{word}\t{word}" + "\t_" * 7 + "\n\n" for word in words), "utf-8")
    out = tmp_path / "ncimp"
    store = count(corpus, "en")
    assert build(out, mini_packs, [store], "--lang", "en", "--pool", "attested") == 1
    assert (
        "ncimp build: 'beaver' has no frequency in mini-en (lemmas); count a corpus that has it"
        in capsys.readouterr().err
    )
    corpus.write_text(corpus.read_text("utf-8") + "1\tbeaver\tbeaver" + "\t_" * 7 + "\n\n", "utf-8")
    assert build(out, mini_packs, [count(corpus, "en")], "--lang", "en", "--pool", "attested") == 1
    told = capsys.readouterr().err
    assert "has 0 random compounds within 0.75 Zipf, not 5 (and too few for '" in told
    assert "mini-en (lemmas) attests 0 compounds of its pattern" in told
    assert not out.exists()


def test_options_at_their_defaults_are_listed_as_before() -> None:
    """A release made before these options were there keeps its manifest, byte for byte."""
    assert list(BuildOptions().as_row()) == ["release", "seed", "neighbours", "max_delta"]
    assert BuildOptions(pool="attested", match="mean").as_row() == {
        **BuildOptions().as_row(),
        "pool": "attested",
        "match": "mean",
    }


def test_a_language_that_wordfreq_lacks_is_built_with_the_counts_of_its_pack(packs_copy: Path, tmp_path: Path) -> None:
    pack = packs_copy / "en"
    words = sorted({line.split("\t")[1].lower() for line in (pack / "forms.tsv").read_text("utf-8").splitlines()[1:]})
    rows = [f"{word}\tsubtitles\t{round(1e8 * word_frequency(word, 'en'))}\n" for word in words]
    (pack / "frequencies.tsv").write_text(f"word\tcorpus\tcount\n{''.join(rows)}", "utf-8")
    out = tmp_path / "ncimp"
    assert build(out, packs_copy, [], "--lang", "en") == 1  # the size of the corpus is not known
    header, row = "\t".join(columns("counted_corpus")), "subtitles\t1\tCC-BY-SA-4.0\tA.\tnowhere\t_\t100000000\t0"
    (pack / "corpora.tsv").write_text(f"{header}\n{row}\n", "utf-8")
    assert build(out, packs_copy, [], "--lang", "en") == 0
    assert {row["source"] for row in randoms(out)} == {"subtitles"}
    assert [row["name"] for row in read_json(out / "manifest.json")["inputs"]] == ["pack/en", "words/subtitles"]
    text = (out / "README.md").read_text("utf-8")
    assert "subtitles" in text
    assert "wordfreq" not in text
