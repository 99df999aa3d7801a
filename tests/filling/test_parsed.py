"""Far agreement by dependencies: what the arcs of a sentence say, and where they are not enough."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ncimp.builder.build.resources import SpacyParser
from ncimp.builder.filling.fill import Substitution
from ncimp.builder.ports import Arc
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.schemas.errors import Place, SourceError
from tests.filling.test_rules import portuguese


class Given:
    """A parser that knows one sentence: `head:relation` of each word, counted from 0."""

    def __init__(self, arcs: str) -> None:
        pairs = (arc.split(":") for arc in arcs.split())
        self._arcs = [Arc(int(head), relation) for head, relation in pairs]

    def arcs(self, words: Sequence[str], spaces: Sequence[bool]) -> Sequence[Arc]:
        """Return the arcs."""
        assert len(words) == len(spaces) == len(self._arcs)
        return self._arcs


def put(sentence: str, phrase: str, arcs: str | None) -> str:
    pack = portuguese()
    parser = Given(arcs) if arcs else None
    substitution = Substitution(pack.language, PackMorphology(pack.forms, pack.language), parser=parser)
    return substitution.put(read_marked(sentence, Place("test")), phrase).sentence.text


FAR = [
    (
        "A [casa velha] do homem e da mulher caiu.",
        "1:det 8:nsubj 1:amod 4:case 1:nmod 7:cc 7:case 4:conj 8:root 8:punct",
        "castelos antigos",
        "Os castelos antigos do homem e da mulher caíram.",
    ),
    (
        "Depois vieram ontem as [casas velhas].",
        "1:advmod 1:root 1:advmod 4:det 1:nsubj 4:amod 1:punct",
        "castelo antigo",
        "Depois veio ontem o castelo antigo.",
    ),
    (
        "Vi a [casa velha] da rua que ontem foi aberta.",
        "0:root 2:det 0:obj 2:amod 5:case 2:nmod 9:nsubj 9:advmod 9:aux 2:acl 0:punct",
        "castelos antigos",
        "Vi os castelos antigos da rua que ontem foram abertos.",
    ),
    (
        "A [casa velha] do homem e da mulher caiu ontem e foi vendida.",
        "1:det 8:nsubj 1:amod 4:case 1:nmod 7:cc 7:case 4:conj 8:root 8:advmod 12:cc 12:aux 8:conj 8:punct",
        "castelos antigos",
        "Os castelos antigos do homem e da mulher caíram ontem e foram vendidos.",
    ),
]


@pytest.mark.parametrize(("sentence", "arcs", "phrase", "made"), FAR)
def test_the_parser_finds_what_the_rules_do_not(sentence: str, arcs: str, phrase: str, made: str) -> None:
    assert put(sentence, phrase, arcs) == made
    assert put(sentence, phrase, None) != made


KEPT = [
    (  # one of two subjects
        "Ontem o homem e a [casa velha], disse ele, foram vistos.",
        "2:advmod 2:det 11:nsubj 5:cc 5:det 2:conj 5:amod 8:punct 11:parataxis 8:nsubj 11:punct 11:root 11:x 11:punct",
        "castelos antigos",
        "Ontem o homem e os castelos antigos, disse ele, foram vistos.",
    ),
    (  # another noun could own the adjective
        "Vi a [casa velha] da rua aberta.",
        "0:root 2:det 0:obj 2:amod 5:case 2:nmod 2:amod 0:punct",
        "castelo antigo",
        "Vi o castelo antigo da rua aberta.",
    ),
    (  # the predicate of another subject
        "Este homem é a [casa velha] foi visto.",
        "1:det 7:x 4:cop 4:det 7:nsubj 4:amod 7:aux 7:root 7:punct",
        "castelo antigo",
        "Este homem é o castelo antigo foi visto.",
    ),
]


@pytest.mark.parametrize(("sentence", "arcs", "phrase", "made"), KEPT)
def test_arcs_alone_do_not_decide(sentence: str, arcs: str, phrase: str, made: str) -> None:
    assert put(sentence, phrase, arcs) == made


def test_a_pipeline_of_spacy_is_a_parser(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason='needs pip install "ncimp[spacy]"')
    pipeline = spacy.blank("pt")
    pipeline.to_disk(tmp_path / "without")
    with pytest.raises(SourceError, match=r"spaCy cannot load 'nothing' .*name one with a parser"):
        SpacyParser("nothing")
    with pytest.raises(SourceError, match="has no parser; name one with a parser, or train one: scripts/train_parser"):
        SpacyParser(str(tmp_path / "without"))
    pipeline.add_pipe("parser", config={"min_action_freq": 1})
    words = ["A", "casa", "caiu"]
    tree = spacy.tokens.Doc(pipeline.vocab, words=words, heads=[1, 2, 2], deps=["dep", "nsubj:pass", "ROOT"])
    example = spacy.training.Example(spacy.tokens.Doc(pipeline.vocab, words=words), tree)
    optimizer = pipeline.initialize(lambda: [example])
    for _ in range(30):
        pipeline.update([example], sgd=optimizer)
    pipeline.to_disk(tmp_path / "with")
    read = SpacyParser(str(tmp_path / "with"))
    assert read.lang == "pt"
    assert read.arcs(tuple(words), (True, True, False)) == (Arc(1, "dep"), Arc(2, "nsubj"), Arc(2, "root"))
