"""Sources in the data folder: added all or not at all, found by name, removed, verified."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.builder.records.sources import KnownFile, KnownSource
from ncimp.builder.sources import collection as module
from ncimp.builder.sources.collection import Collection
from ncimp.builder.sources.lexicons.store import open_lexicon
from ncimp.builder.sources.registry import known_sources
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.schemas.errors import SchemaError, SourceError, UsageError
from ncimp.schemas.files import file_hash
from tests.sources.lexicon_samples import MORPHOBR, WORDS, conllu, write
from tests.sources.sources_samples import TINY
from tests.sources.wndb_samples import write_wndb

pytestmark = pytest.mark.usefixtures("own_data_folder")

THESAURUS = "UTF-8\nhot|1\n(adj)|warm|burning\n"


@pytest.fixture
def here(tmp_path: Path) -> Collection:
    return Collection(tmp_path / "data")


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): file_hash(path) for path in folder.rglob("*") if path.is_file()}


def know(monkeypatch: pytest.MonkeyPatch, *sources: KnownSource) -> None:
    known = {source.name: source for source in sources}
    monkeypatch.setattr(module, "known_sources", lambda: known)
    held = {file.sha256: source for source in sources for file in source.files}
    monkeypatch.setattr(module, "known_by_hash", held.get)


def test_a_lexicon_is_added_under_the_name_of_its_file(tmp_path: Path, here: Collection) -> None:
    path = write(tmp_path, "my-forms.dict.xz", MORPHOBR)
    record = here.add(path, licence="CC0-1.0")
    assert (record.name, record.kind, record.reader, record.licence) == ("my-forms", "morphology", "forms", "CC0-1.0")
    assert (record.sha256, record.files) == (file_hash(path), ("my-forms.dict.xz",))
    path.unlink()
    assert here.added() == {"my-forms": record}
    assert open_lexicon(here.path("my-forms"), data=here.data).readings("abertas")[0].lemma == "aberto"
    assert list(here.verify()) == []


def test_a_treebank_and_a_wordnet_and_a_thesaurus_are_told_apart(tmp_path: Path, here: Collection) -> None:
    assert here.add(write(tmp_path, "bank.conllu.gz", conllu(WORDS))).kind == "treebank"
    wordnet = here.add(write(tmp_path, "net.xml.xz", TINY))
    assert (wordnet.kind, wordnet.name, wordnet.version) == ("wordnet", "tiny:1.2.0", "1.2.0")
    assert here.add(write(tmp_path, "th_en.dat", THESAURUS)).kind == "thesaurus"
    assert here.path("th_en").read_text(encoding="utf-8") == THESAURUS
    assert WnSource(here.path("tiny"), work=here.data).words("adj") == ["entire", "firm", "solid"]


def test_a_folder_of_files_is_one_source(tmp_path: Path, here: Collection) -> None:
    lines = MORPHOBR.splitlines(keepends=True)
    (tmp_path / "many" / "nouns").mkdir(parents=True)
    write(tmp_path / "many", "a.dict", "".join(lines[:5]))
    write(tmp_path / "many" / "nouns", "b.dict", "".join(lines[5:]))
    (tmp_path / "many" / "README").write_text("nothing of interest")
    record = here.add(tmp_path / "many")
    assert (record.name, record.files) == ("many", ("a.dict", "nouns/b.dict"))
    stores = [open_lexicon(here.path(name), data=here.data) for name in ("many", str(tmp_path / "many"))]
    assert [store.forms for store in stores] == [len(lines)] * 2
    assert list(here.verify()) == []


def test_princeton_wordnet_is_a_folder(tmp_path: Path, here: Collection) -> None:
    net = write_wndb(tmp_path / "wordnet")
    parts = sorted(path.name for path in net.iterdir())
    (net / "notes.odt").write_text("nothing of interest")
    record = here.add(net, name="wordnet:3.0")
    assert (record.kind, record.reader) == ("wordnet", "wndb")
    assert record.files == tuple(parts)
    assert {"data.noun", "index.noun", "noun.exc"} <= set(parts)
    assert sorted(path.name for path in here.path("wordnet").iterdir()) == list(record.files)
    assert list(here.verify()) == []
    (here.path("wordnet") / "data.noun").write_text("2\n")
    assert [name for name, _ in here.verify()] == ["wordnet:3.0"]


def test_a_folder_that_only_looks_like_princeton_wordnet_is_refused(tmp_path: Path, here: Collection) -> None:
    net = write_wndb(tmp_path / "wordnet")
    (net / "index.noun").write_text("bank n one 0 1 0 00000001\n")
    with pytest.raises(SourceError, match="wordnet"):
        here.add(net)
    (net / "index.noun").unlink()
    with pytest.raises(SourceError, match=r"no index\.noun in this folder"):
        here.add(net)
    assert contents(here.data) == {}


CUT = {
    "before its meanings": ("UTF-8\nhot|2\n(adj)|warm\n", 2, "the file ends before the 2 meanings of 'hot'"),
    "in a meaning": ("UTF-8\nhot|1\n(adj", 3, "a meaning without words"),
    "in a word": (THESAURUS + "cold", 4, "'cold' is no word with the number of its meanings"),
    "in a number": (THESAURUS + "cold|", 4, "'cold|' is no word with the number of its meanings"),
}


@pytest.mark.parametrize("case", CUT)
def test_a_thesaurus_that_is_cut_is_refused(tmp_path: Path, here: Collection, case: str) -> None:
    text, line, what = CUT[case]
    path = write(tmp_path, "th.dat", text)
    with pytest.raises(SourceError) as caught:
        here.add(path)
    assert str(caught.value).startswith(f"{path}:{line}: {what}")
    assert contents(here.data) == {}


def test_a_thesaurus_in_another_encoding_than_it_says_is_refused(tmp_path: Path, here: Collection) -> None:
    wrong = "th.dat:3: a byte that is not utf-8", "th.dat:1: the first line names no encoding ('UTF-9')"
    for first, row, what in (("UTF-8", "café".encode("latin-1"), wrong[0]), ("UTF-9", b"coffee", wrong[1])):
        path = tmp_path / "th.dat"
        path.write_bytes(first.encode() + b"\nhot|1\n(adj)|" + row + b"\n")
        with pytest.raises(SourceError, match=re.escape(what)):
            here.add(path)
    path.write_bytes(b"ISO8859-1\nhot|1\n(adj)|" + "café".encode("latin-1") + b"\n")
    assert here.add(path).kind == "thesaurus"


def test_a_folder_of_one_file_is_that_file(tmp_path: Path, here: Collection) -> None:
    (tmp_path / "one").mkdir()
    path = write(tmp_path / "one", "a.dict", MORPHOBR)
    assert here.add(tmp_path / "one").sha256 == file_hash(path)
    assert list(here.verify()) == []


def test_a_source_is_a_name_or_a_path(tmp_path: Path, here: Collection) -> None:
    path = write(tmp_path, "a.dict", MORPHOBR)
    assert here.path(str(path)) == path
    here.add(path, name="mine:1")
    assert here.path("mine") == here.path("mine:1") == tmp_path / "data" / "files" / file_hash(path)[:16] / "a.dict"
    with pytest.raises(SourceError, match=r"'oewn:2025' has not been added; .* --as oewn:2025`, or .* --download`"):
        here.path("oewn")
    with pytest.raises(SourceError, match="nowhere: no such file or source"):
        here.path("nowhere")


BROKEN = {
    "a cut lexicon": MORPHOBR.encode()[:-3],
    "a cut WordNet": TINY.encode()[:900],
    "an entity": re.sub(' SYSTEM "[^"]*"', ' [<!ENTITY a "b">]', TINY).encode(),
    "another encoding": MORPHOBR.encode("latin-1"),
    "nothing": b"",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00",
    "a cut archive": b"\x1f\x8b\x08\x00\x00",
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_cannot_be_read_leaves_the_folder_as_it_was(tmp_path: Path, here: Collection, case: str) -> None:
    here.add(write(tmp_path, "right.dict", MORPHOBR))
    before = contents(here.data)
    path = tmp_path / "broken"
    path.write_bytes(BROKEN[case])
    with pytest.raises(SourceError) as caught:
        here.add(path)
    assert str(caught.value).startswith(str(path))
    assert contents(here.data) == before
    assert list(here.verify()) == []


def test_another_file_does_not_take_the_place_of_the_one_that_is_here(tmp_path: Path, here: Collection) -> None:
    here.add(write(tmp_path, "a.dict", MORPHOBR), name="mine")
    before = contents(here.data)
    with pytest.raises(UsageError, match="'mine' is here already"):
        here.add(write(tmp_path, "b.dict", "carta\tcarta+N+F+SG\n"), name="mine")
    assert contents(here.data) == before
    here.add(write(tmp_path, "a.dict", MORPHOBR), name="mine")
    assert contents(here.data) == before


def test_a_name_that_is_none_is_refused(tmp_path: Path, here: Collection) -> None:
    with pytest.raises(SchemaError, match="name"):
        here.add(write(tmp_path, "a.dict", MORPHOBR), name="../mine")
    assert contents(here.data) == {}


def test_an_interruption_leaves_nothing(tmp_path: Path, here: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("shutil.copyfile", interrupted)
    for text in (MORPHOBR, TINY):
        with pytest.raises(KeyboardInterrupt):
            here.add(write(tmp_path, "a", text))
    assert contents(here.data) == {}


def test_what_is_removed_leaves_nothing(tmp_path: Path, here: Collection) -> None:
    path = write(tmp_path, "a.dict", MORPHOBR)
    here.add(path, name="one")
    here.add(path, name="other")
    here.add(write(tmp_path, "net.xml", TINY))
    here.remove("one")
    assert open_lexicon(here.path("other"), data=here.data).readings("abertas")
    here.remove("other")
    here.remove("tiny")
    assert contents(here.data) == {}
    with pytest.raises(UsageError, match="'one' has not been added; sources that are here: none"):
        here.remove("one")


def test_a_file_that_was_changed_and_a_database_that_is_damaged_are_found(tmp_path: Path, here: Collection) -> None:
    here.add(write(tmp_path, "a.dict", MORPHOBR))
    here.add(write(tmp_path, "net.xml", TINY))
    (database,) = (here.data / "morphology").iterdir()
    database.write_bytes(database.read_bytes()[:5000])
    held = here.path("tiny")
    held.write_text(TINY + " ")
    problems = dict(here.verify())
    assert set(problems) == {"a", "tiny:1.2.0"}
    assert problems["a"] == f"{database} is damaged; remove it: it is made again"
    assert problems["tiny:1.2.0"].startswith(f"its file has sha256 {file_hash(held)}, and ")
    held.unlink()
    assert "no such file" in dict(here.verify())["tiny:1.2.0"]


def test_a_record_that_somebody_broke_is_named(tmp_path: Path, here: Collection) -> None:
    here.add(write(tmp_path, "a.dict", MORPHOBR))
    (path,) = (here.data / "added").iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "kind": "book"}), "utf-8")
    with pytest.raises(SchemaError, match=r"a\.json.*'book' is not one of"):
        here.added()


def test_a_file_that_the_registry_knows_brings_its_licence_and_citation(
    tmp_path: Path, here: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "part-of-it.dict", MORPHOBR)
    file = KnownFile("part-of-it.dict", file_hash(path), "a copy")
    known = replace(known_sources()["morphobr"], files=(file, replace(file, sha256="0" * 64)))
    know(monkeypatch, known)
    record = here.add(path)
    assert (record.name, record.licence, record.citation) == ("part-of-it", known.licence, known.citation)
    know(monkeypatch, replace(known, files=(file,)))
    assert here.add(path).name == "morphobr"


def test_a_name_of_the_registry_is_not_given_to_a_file_of_another_kind(tmp_path: Path, here: Collection) -> None:
    with pytest.raises(SourceError, match="'oewn:2025' is read as wn-lmf, and this file looks like forms"):
        here.add(write(tmp_path, "a.dict", MORPHOBR), name="oewn:2025")
    with pytest.raises(SourceError, match="'wordfreq' is read as package"):
        here.add(write(tmp_path, "a.dict", MORPHOBR), name="wordfreq")


LINKED = (
    TINY[: TINY.index("    <LexicalEntry")].replace('"tiny"', '"linked"')
    + """    <LexicalEntry id="w-banco"><Lemma writtenForm="banco" partOfSpeech="n"/>
      <Sense id="banco-1" synset="pt-money"/></LexicalEntry>
    <LexicalEntry id="w-firma"><Lemma writtenForm="firma" partOfSpeech="n"/>
      <Sense id="firma-1" synset="pt-business"/></LexicalEntry>
    <Synset id="pt-money" ili="i1" partOfSpeech="n" members="w-banco"/>
    <Synset id="pt-business" ili="i2" partOfSpeech="n" members="w-firma"/>
  </Lexicon>
</LexicalResource>
"""
)


def linked(here: Collection) -> WnSource:
    """The linked WordNet, with the relations of the one that its record names."""
    base = here.added()["linked:1"].requires
    return WnSource(here.path("linked"), work=here.data, base=here.path(base) if base else None)


def test_a_wordnet_takes_its_relations_from_the_one_it_requires(
    tmp_path: Path, here: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = known_sources()["oewn:2025"]
    know(monkeypatch, base, replace(known_sources()["omw-pt:2.0"], name="linked:1", requires="oewn:2025"))
    text = TINY.replace('id="money" ili=""', 'id="money" ili="i1"').replace('s" ili=""', 's" ili="i2"')
    for first, second in ((LINKED, text), (text, LINKED)):
        for content in (first, second):
            name = "linked:1" if content == LINKED else "oewn:2025"
            here.add(write(tmp_path, "net.xml", content), name=name)
            if content == LINKED and first == LINKED:
                with pytest.raises(SourceError, match="'oewn:2025' has not been added"):
                    linked(here)
        found = linked(here).candidates("banco", "noun")
        assert [(candidate.lemma, candidate.relation) for candidate in found] == [("firma", "hypernym")]
        for name in ("linked", "oewn"):
            here.remove(name)
        assert contents(here.data) == {}
