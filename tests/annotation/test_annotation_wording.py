"""The wording of the judging task: whole in every language, and refused where nothing would fill it in."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.annotation.task.page import fill_in, read_wording
from ncimp.builder.records import Compound
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.schemas.errors import SchemaError, SourceError
from ncimp.schemas.records import read_records
from tests.annotation.annotation_world import wording_of

LANGS = sorted(path.parent.name for path in packs_folder().glob("*/annotation.toml"))


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A folder with a copy of the English wording."""
    text = (packs_folder() / "en" / "annotation.toml").read_text(encoding="utf-8")
    (tmp_path / "annotation.toml").write_text(text, encoding="utf-8")
    return tmp_path


def change(pack: Path, old: str, new: str) -> None:
    path = pack / "annotation.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("lang", LANGS)
def test_the_examples_are_in_no_edition_and_cover_the_scale(lang: str) -> None:
    wording = wording_of(lang)
    path = packs_folder() / lang / "compounds.tsv"
    known = {compound.text for _, compound in read_records(path, Compound, "pack_compound")}
    assert len(wording.examples) == 3
    assert not known & {example.compound for example in wording.examples}
    assert [example.comp_score for example in wording.examples] == [0, 2, 5]
    for question in wording.qualification.questions:
        assert not [name for name in known if f" {name}" in question.text]


@pytest.mark.parametrize("lang", LANGS)
def test_every_example_holds_its_words(lang: str) -> None:
    for example in wording_of(lang).examples:
        before, span, after = example.parts
        assert f"{before}[{span}]{after}" == example.sentence
        # plural forms keep the beginnings: sea lions, pés de galinha
        assert span.lower()[:2] == example.compound.lower()[:2]
        assert all(word[:2].lower() in span.lower() for word in (example.head, example.modifier))


@pytest.mark.parametrize("lang", LANGS)
def test_every_language_says_as_much_as_english(lang: str) -> None:
    wording, english = wording_of(lang), wording_of("en")
    assert len(wording.task.steps) == len(english.task.steps)
    assert len(wording.consent.text) == len(english.consent.text)
    assert len(wording.qualification.questions) == len(english.qualification.questions)
    assert len(set(wording.scale.points)) == 6
    assert all("{contact}" not in text for text in wording.consent.text[:-1])
    assert "{contact}" in wording.consent.text[-1]


def test_no_text_is_the_same_in_two_languages() -> None:
    wordings = [wording_of(lang) for lang in LANGS]
    for part in ("task", "status", "messages", "synonyms"):
        for name in type(getattr(wordings[0], part)).__slots__:
            texts = [getattr(getattr(wording, part), name) for wording in wordings]
            assert len(set(texts)) == len(LANGS), f"{part}/{name}"


def test_a_name_in_braces_that_nothing_fills_in_is_refused(pack: Path) -> None:
    change(pack, "How literally is “{head}” meant here?", "How literally is “{haed}” meant here?")
    with pytest.raises(SchemaError, match=r"nothing fills in \{haed\} in questions/head/ask.*head, modifier, nc"):
        read_wording(pack)


def test_braces_are_refused_where_nothing_is_filled_in(pack: Path) -> None:
    change(pack, "Send my answers", "Send {nc}")
    with pytest.raises(SchemaError, match="task/submit; take the braces out"):
        read_wording(pack)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"completely"]', '"completely", "more than that"]', "points"),
        ("head_score = 1", "head_score = 6", "6 does not fit"),
        ("enough = 3", "enough = 5", "5 right answers are asked of 4"),
        ("right = [2]", "right = [3]", "question 3 of the qualification has no answer 3"),
        ("format = 1", "format = ", "not TOML"),
        ('order = ["modifier"', 'order = ["head"', "order of the questions is head, head, comp"),
        ("[sea lions]", "sea lions", "does not match"),
        ('direction = "ltr"', 'direction = "up"', "up"),
    ],
)
def test_what_does_not_fit_is_named(pack: Path, old: str, new: str, message: str) -> None:
    change(pack, old, new)
    with pytest.raises(SchemaError, match=message):
        read_wording(pack)


def test_a_pack_without_wording_asks_nobody(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no annotation\.toml"):
        read_wording(tmp_path)


def test_what_is_filled_in_is_not_looked_at_again() -> None:
    assert fill_in("{nc} is a {head}, {number}", nc="{head}", head="x") == "{head} is a x, {number}"
