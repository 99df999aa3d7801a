"""Sentences with phrases: what is found, what is taken out, and that a sample is fair and bounded."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.corpus_stats.contexts.sample import (
    KEPT,
    ContextFilter,
    ContextSample,
    Occurrence,
    PhraseIndex,
    is_complete,
)
from ncimp.corpus_stats.contexts.search import Search
from ncimp.corpus_stats.readers.formats import Reading
from ncimp.corpus_stats.words import CorpusSentence, Layer, Token, tokenise

INDEX = PhraseIndex(
    {"beaver": [("eager", "beaver"), ("Eager", "Beavers"), ("eager-beaver",)], "race": [("rat", "race")]}
)
ANYTHING = ContextFilter(min_words=1, max_words=99, once=False, complete=False, unquoted=False)


def sentence(text: str, number: int = 1, document: str | None = "d") -> CorpusSentence:
    return CorpusSentence(
        (Token(word, None) for word in tokenise(text)), number=number, document=document, written=text
    )


def collect(
    sentences: Iterable[CorpusSentence],
    index: PhraseIndex,
    sample: ContextSample,
    *,
    file: str,
    layer: Layer = "surface",
    conditions: ContextFilter,
) -> None:
    search = Search(index, "text", Reading(), sample.size, layer=layer, conditions=conditions)
    search.collect(sentences, file, sample)


def sample_of(*texts: str, size: int = 9, conditions: ContextFilter = ANYTHING) -> ContextSample:
    sample = ContextSample(size)
    sentences = [sentence(text, number) for number, text in enumerate(texts, 1)]
    collect(sentences, INDEX, sample, file="a/c.txt", conditions=conditions)
    return sample


def test_phrases_are_found_in_every_spelling_and_case() -> None:
    words = ["an", "eager", "beaver", "eager-beaver", "eager", "beavers", "eager", "rat", "race"]
    assert INDEX.find(words) == [
        Occurrence("beaver", 1, 3),
        Occurrence("beaver", 3, 4),
        Occurrence("beaver", 4, 6),
        Occurrence("race", 7, 9),
    ]
    assert INDEX.find(["eager"]) == INDEX.find([]) == []


def test_the_longest_spelling_at_a_place_counts_once() -> None:
    index = PhraseIndex({"x": [("a",), ("a", "b"), ("a", "b", "c")], "y": [("a", "b")]})
    assert index.find(["a", "b", "a"]) == [Occurrence("x", 0, 2), Occurrence("y", 0, 2), Occurrence("x", 2, 3)]


WORDS = st.lists(st.sampled_from("abc-"), max_size=8)
PHRASES = st.dictionaries(
    st.sampled_from("xyz"), st.lists(st.lists(st.sampled_from("abc-"), min_size=1, max_size=3), min_size=1, max_size=3)
)


@given(PHRASES, WORDS)
def test_the_index_finds_what_a_search_phrase_by_phrase_finds(
    phrases: dict[str, list[list[str]]], words: list[str]
) -> None:
    naive = set()
    for phrase, spellings in phrases.items():
        for start in range(len(words)):
            ends = [start + len(s) for s in spellings if words[start : start + len(s)] == s]
            naive |= {Occurrence(phrase, start, max(ends))} if ends else set()
    found = PhraseIndex(phrases).find(words)
    assert set(found) == naive
    assert len(found) == len(naive)
    assert [one.start for one in found] == sorted(one.start for one in found)


def test_what_is_kept_of_a_sentence() -> None:
    (found,) = sample_of("“Yes”, said the Eager  Beaver today.").of("beaver")
    assert (found.text, found.matched) == ("“Yes”, said the Eager  Beaver today.", "Eager  Beaver")
    assert found.span is not None
    assert found.text[slice(*found.span)] == "Eager  Beaver"
    assert (found.place.file, found.place.document, found.place.position) == ("c.txt", "d", 1)


def test_text_is_composed_and_its_span_with_it() -> None:
    decomposed = "Cafe\u0301 do eager beaver."
    (found,) = sample_of(decomposed).of("beaver")
    assert found.text == "Café do eager beaver."
    assert found.span == (8, 20)


def test_lemmas_can_be_searched_instead_of_words() -> None:
    tokens = [Token("Os", "o"), Token("dos", None), Token(None, "de"), Token(None, "o"), Token("ratos", "rato")]
    sample = ContextSample(1)
    index = PhraseIndex({"x": [("o", "rato")]})
    collect([CorpusSentence(tokens)], index, sample, file="c", layer="lemma", conditions=ANYTHING)
    (found,) = sample.of("x")
    assert (found.text, found.matched, found.span) == ("Os dos ratos", "ratos", (7, 12))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The eager beaver works all day.", KEPT),
        ("“The eager beaver works all day.”", KEPT),
        ("An eager beaver and another eager beaver work.", "repeated"),
        ("The eager beaver works.", "length"),
        ("The eager beaver works all day and all night too.", "length"),
        ("the eager beaver works all day.", "incomplete"),
        ("The eager beaver works all day", "incomplete"),
        ("The “eager beaver” works all day.", "quoted"),
        ("The 'eager beaver of all' works.", "quoted"),
    ],
)
def test_each_filter_is_counted_by_its_name(text: str, reason: str) -> None:
    sample = sample_of(text, conditions=ContextFilter(min_words=5, max_words=9))
    assert sample.counts == {"beaver": {reason: 1}}
    assert len(sample.of("beaver")) == (reason == KEPT)


@pytest.mark.parametrize(
    ("text", "complete"),
    [("3 left.", True), ("(Nobody came!)", True), ("¿Quién?", True), ("É…", True), ("... and", False), ("", False)],
)
def test_complete_sentences(text: str, complete: bool) -> None:
    assert is_complete(text) is complete


def test_sentences_of_the_same_words_are_one_and_its_first_place_stays() -> None:
    texts = ["An eager beaver!", "an EAGER beaver", "“An eager beaver.”"]
    kept = {sample_of(*order).of("beaver")[0].place.position for order in permutations(texts)}
    assert kept == {1}
    assert len(sample_of(*texts).of("beaver")) == 1
    assert sample_of(*texts).counts["beaver"][KEPT] == 3


TEXTS = st.lists(st.integers(0, 60).map(lambda n: f"{n} eager beaver"), max_size=40)


@given(TEXTS, st.randoms(use_true_random=False), st.integers(1, 5), st.integers(0, 40))
def test_a_sample_does_not_depend_on_order_or_on_parts(texts: list[str], random: object, size: int, cut: int) -> None:
    sentences = [sentence(text, number) for number, text in enumerate(texts, 1)]
    whole, parts = ContextSample(size), [ContextSample(size), ContextSample(size)]
    collect(sentences, INDEX, whole, file="c", conditions=ANYTHING)
    random.shuffle(sentences)  # type: ignore[attr-defined]
    for part, some in zip(parts, (sentences[:cut], sentences[cut:]), strict=True):
        collect(some, INDEX, part, file="c", conditions=ANYTHING)
    parts[0].merge(parts[1])
    assert parts[0].of("beaver") == whole.of("beaver")
    assert (parts[0].counts, parts[0].sentences) == (whole.counts, whole.sentences)
    assert len(whole.of("beaver")) == min(size, len(set(texts)))


def test_memory_is_bounded_by_the_size_of_the_sample() -> None:
    sample = sample_of(*(f"{number} eager beaver" for number in range(500)), size=3)
    assert len(sample._samples["beaver"]) <= 6
    hashes = [
        found.key for found in sample_of(*(f"{number} eager beaver" for number in range(500)), size=500).of("beaver")
    ]
    assert [found.key for found in sample.of("beaver")] == sorted(hashes)[:3]


def test_another_seed_is_another_sample() -> None:
    samples = []
    for seed in ("0", "1"):
        sample = ContextSample(3, seed)
        texts = [sentence(f"{number} eager beaver", number) for number in range(99)]
        collect(texts, INDEX, sample, file="c", conditions=ANYTHING)
        samples.append([found.place.position for found in sample.of("beaver")])
    assert samples[0] != samples[1]
    with pytest.raises(ValueError, match="samples of another size or seed"):
        ContextSample(1).merge(ContextSample(2))
