"""What several tests of the sources need: an edited pack, a lexicon as text, the lexicon read naively."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

POS = {"noun": ("n",), "adj": ("a", "s")}

TINY = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">
<LexicalResource>
  <Lexicon id="tiny" label="tiny" language="en" email="a@example.org" license="https://example.org" version="1.2.0">
    <LexicalEntry id="e-bank"><Lemma writtenForm="bank" partOfSpeech="n"/>
      <Sense id="bank-1" synset="money"/><Sense id="bank-2" synset="river"/></LexicalEntry>
    <LexicalEntry id="e-lender"><Lemma writtenForm="lender" partOfSpeech="n"/>
      <Sense id="lender-1" synset="money"/></LexicalEntry>
    <LexicalEntry id="e-depository"><Lemma writtenForm="depository" partOfSpeech="n"/>
      <Sense id="depository-1" synset="money"/></LexicalEntry>
    <LexicalEntry id="e-firm"><Lemma writtenForm="firm" partOfSpeech="n"/>
      <Sense id="firm-1" synset="business"/></LexicalEntry>
    <LexicalEntry id="e-fund"><Lemma writtenForm="fund" partOfSpeech="n"/>
      <Sense id="fund-1" synset="saving"/></LexicalEntry>
    <LexicalEntry id="e-shore"><Lemma writtenForm="shore" partOfSpeech="n"/>
      <Sense id="shore-1" synset="river"/></LexicalEntry>
    <LexicalEntry id="e-water-side"><Lemma writtenForm="water side" partOfSpeech="n"/>
      <Sense id="water-side-1" synset="river"/></LexicalEntry>
    <LexicalEntry id="e-Bank"><Lemma writtenForm="Bank" partOfSpeech="n"/>
      <Sense id="Bank-1" synset="station"/></LexicalEntry>
    <LexicalEntry id="e-station"><Lemma writtenForm="station" partOfSpeech="n"/>
      <Sense id="station-1" synset="station"/></LexicalEntry>
    <LexicalEntry id="e-firm-a"><Lemma writtenForm="firm" partOfSpeech="a"/>
      <Sense id="firm-a-1" synset="hard"/></LexicalEntry>
    <LexicalEntry id="e-solid"><Lemma writtenForm="solid" partOfSpeech="s"/>
      <Sense id="solid-1" synset="hard"/><Sense id="solid-2" synset="whole"/></LexicalEntry>
    <LexicalEntry id="e-entire"><Lemma writtenForm="entire" partOfSpeech="s"/>
      <Sense id="entire-1" synset="whole"/></LexicalEntry>
    <Synset id="business" ili="" partOfSpeech="n" members="e-firm"/>
    <Synset id="money" ili="" partOfSpeech="n" members="e-lender e-bank e-depository">
      <SynsetRelation relType="hypernym" target="business"/><SynsetRelation relType="similar" target="saving"/>
      <SynsetRelation relType="hyponym" target="station"/></Synset>
    <Synset id="saving" ili="" partOfSpeech="n" members="e-fund"/>
    <Synset id="river" ili="" partOfSpeech="n" members="e-bank e-shore e-water-side"/>
    <Synset id="station" ili="" partOfSpeech="n" members="e-Bank e-station"/>
    <Synset id="hard" ili="" partOfSpeech="a" members="e-firm-a e-solid"/>
    <Synset id="whole" ili="" partOfSpeech="s" members="e-solid e-entire"/>
  </Lexicon>
</LexicalResource>
"""

Found = tuple[str, str, str, int, int]
"""Lemma, synset, relation, sense, position."""


class NaiveLexicon:
    """A WN-LMF file as the standard library reads it, for lexicons with one entry per lemma and part of speech."""

    def __init__(self, text: str) -> None:
        self._root = ET.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", text))  # noqa: S314 (our own text)
        entries = list(self._root.iter("LexicalEntry"))
        self._lemma = {entry.attrib["id"]: entry.find("Lemma").attrib for entry in entries}  # type: ignore[union-attr]
        self._senses = {
            (self._lemma[entry.attrib["id"]]["writtenForm"], self._lemma[entry.attrib["id"]]["partOfSpeech"]): [
                sense.attrib["synset"] for sense in entry.iter("Sense")
            ]
            for entry in entries
        }
        self._synsets = {synset.attrib["id"]: synset for synset in self._root.iter("Synset")}

    def lemmas(self, pos: str) -> list[str]:
        return sorted({lemma for lemma, tag in self._senses if tag in POS[pos]})

    def candidates(self, lemma: str, pos: str) -> list[Found]:
        found: list[Found] = []
        starts = [synset for tag in POS[pos] for synset in self._senses.get((lemma, tag), [])]
        for sense, start in enumerate(starts, start=1):
            found += self._members(start, "synonym", sense)
            for relation in ("similar", "hypernym"):
                for link in self._synsets[start].iter("SynsetRelation"):
                    if link.attrib["relType"] == relation:
                        found += self._members(link.attrib["target"], relation, sense)
        return [one for one in found if one[0] != lemma]

    def _members(self, synset: str, relation: str, sense: int) -> list[Found]:
        names = self._synsets[synset].attrib["members"].split()
        words = [self._lemma[name]["writtenForm"] for name in names]
        return [(word, synset, relation, sense, place) for place, word in enumerate(words, start=1)]


def change(path: Path, old: str, new: str) -> None:
    """Replace the first *old* in the text of *path*, which must hold it."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
