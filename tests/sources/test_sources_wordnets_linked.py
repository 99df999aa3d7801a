"""WordNets that share the relations of another one, and the far relations: worked out by hand on a few synsets."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from tests.sources.sources_samples import TINY

pytestmark = pytest.mark.usefixtures("own_data_folder")

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">
<LexicalResource>
"""
LEXICON = (
    '<Lexicon id="{id}" label="{id}" language="{lang}" email="a@example.org" license="https://example.org" version="1">'
)
ENGLISH: dict[str, tuple[str, list[str], dict[str, list[str]]]] = {
    "i1": ("n", ["animal"], {"hyponym": ["i2", "i5"]}),
    "i2": ("n", ["carnivore"], {"hypernym": ["i1"], "hyponym": ["i3", "i4"]}),
    "i3": ("n", ["cat", "feline"], {"hypernym": ["i2"], "hyponym": ["i6"]}),
    "i4": ("n", ["dog"], {"hypernym": ["i2"]}),
    "i5": ("n", ["horse"], {"hypernym": ["i1"]}),
    "i6": ("n", ["kitten"], {"hypernym": ["i3"]}),
    "i7": ("a", ["wild"], {"similar": ["i8", "i9"]}),
    "i8": ("s", ["feral"], {"similar": ["i7"]}),
    "i9": ("s", ["untamed"], {"similar": ["i7"]}),
}
"""Synsets by their number in the interlingual index: type, words, relations. *horse* has no Portuguese word below."""

PORTUGUESE: dict[str, tuple[str, list[str], dict[str, list[str]]]] = {
    "i1": ("n", ["animal", "bicho"], {}),
    "i3": ("n", ["felino", "gato"], {}),
    "i4": ("n", ["cachorro"], {}),
    "i6": ("n", ["gatinho"], {}),
    "i8": ("a", ["bravio"], {}),
    "i9": ("a", ["selvagem"], {}),
}
"""*carnivore* has no word here: its kinds are reached over the gap."""


def lexicon(
    name: str, lang: str, synsets: dict[str, tuple[str, list[str], dict[str, list[str]]]], more: str = ""
) -> str:
    """Return WN-LMF with an entry per word, its senses in the order of *synsets*."""
    words: dict[tuple[str, str], list[str]] = {}
    for ili, (pos, members, _) in synsets.items():
        for word in members:
            words.setdefault((word, pos), []).append(ili)
    entries = "".join(
        f'<LexicalEntry id="{name}-{word}-{pos}"><Lemma writtenForm="{word}" partOfSpeech="{pos}"/>'
        + "".join(f'<Sense id="{name}-{word}-{ili}" synset="{name}-{ili}"/>' for ili in ilis)
        + "</LexicalEntry>\n"
        for (word, pos), ilis in words.items()
    )
    nodes = "".join(_synset(name, ili, *synset) for ili, synset in synsets.items())
    return f"{HEAD}{LEXICON.format(id=name, lang=lang)}{more}\n{entries}{nodes}</Lexicon></LexicalResource>\n"


def _synset(name: str, ili: str, pos: str, words: list[str], relations: dict[str, list[str]]) -> str:
    members = " ".join(f"{name}-{word}-{pos}" for word in words)
    links = "".join(
        f'<SynsetRelation relType="{kind}" target="{name}-{target}"/>'
        for kind, targets in relations.items()
        for target in targets
    )
    return f'<Synset id="{name}-{ili}" ili="{ili}" partOfSpeech="{pos}" members="{members}">{links}</Synset>\n'


@pytest.fixture
def english(tmp_path: Path) -> Path:
    path = tmp_path / "english.xml"
    path.write_text(lexicon("en", "en", ENGLISH), encoding="utf-8")
    return path


@pytest.fixture
def portuguese(tmp_path: Path) -> Path:
    path = tmp_path / "portuguese.xml"
    path.write_text(lexicon("pt", "pt", PORTUGUESE, '<Requires id="en" version="1"/>'), encoding="utf-8")
    return path


def found(source: WnSource, lemma: str, pos: str) -> list[tuple[str, str, int, int]]:
    return [(row.lemma, row.relation, row.sense, row.position) for row in source.candidates(lemma, pos)]


def test_hyponyms_and_siblings_follow_when_they_are_asked_for(english: Path, tmp_path: Path) -> None:
    near, far = (WnSource(english, work=tmp_path / "work", far=far) for far in (False, True))
    assert found(near, "cat", "noun") == [("feline", "synonym", 1, 2), ("carnivore", "hypernym", 1, 1)]
    assert found(far, "cat", "noun") == [
        ("feline", "synonym", 1, 2),
        ("carnivore", "hypernym", 1, 1),
        ("kitten", "hyponym", 1, 1),
        ("dog", "sibling", 1, 1),
    ]


def test_words_similar_to_the_same_adjective_are_siblings(english: Path, tmp_path: Path) -> None:
    source = WnSource(english, work=tmp_path / "work", far=True)
    assert found(source, "feral", "adj") == [("wild", "similar", 1, 1), ("untamed", "sibling", 1, 1)]


def test_relations_come_from_the_other_wordnet_over_gaps_and_nothing_is_ranked(
    english: Path, portuguese: Path, tmp_path: Path
) -> None:
    source = WnSource(portuguese, work=tmp_path / "work", base=english, far=True)
    assert found(source, "gato", "noun") == [
        ("felino", "synonym", 0, 0),
        ("animal", "hypernym", 0, 0),
        ("bicho", "hypernym", 0, 0),
        ("gatinho", "hyponym", 0, 0),
        ("cachorro", "sibling", 0, 0),
    ]
    assert found(source, "bravio", "adj") == [("selvagem", "sibling", 0, 0)]
    assert [row.start for row in source.candidates("gato", "noun")] == ["pt-i3"] * 5


def test_a_lexicon_tells_its_language_and_whose_relations_it_shares(
    english: Path, portuguese: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    sources = [
        WnSource(english, work=work),
        WnSource(portuguese, work=work),
        WnSource(portuguese, work=work, base=english),
    ]
    assert [(one.name, one.language, tuple(one.requires)) for one in sources] == [
        ("en:1", "en", ()),
        ("pt:1", "pt", ("en:1",)),
        ("pt:1", "pt", ("en:1",)),
    ]


def test_without_the_other_wordnet_the_synsets_are_all_there_is(portuguese: Path, tmp_path: Path) -> None:
    assert found(WnSource(portuguese, work=tmp_path / "work"), "gato", "noun") == [("felino", "synonym", 0, 0)]


def test_verbs_are_offered_as_verbs(tmp_path: Path) -> None:
    path = tmp_path / "verbs.xml"
    path.write_text(lexicon("v", "en", {"i1": ("v", ["peck", "pick"], {})}), encoding="utf-8")
    source = WnSource(path, work=tmp_path / "work")
    assert found(source, "peck", "verb") == [("pick", "synonym", 1, 2)]
    assert found(source, "peck", "noun") == []


def test_each_candidate_tells_the_sense_it_was_reached_from(tmp_path: Path) -> None:
    (tmp_path / "tiny.xml").write_text(TINY, encoding="utf-8")
    source = WnSource(tmp_path / "tiny.xml", work=tmp_path / "work")
    starts = [row.start for row in source.candidates("bank", "noun")]
    assert starts == ["money"] * 4 + ["river"] * 2
