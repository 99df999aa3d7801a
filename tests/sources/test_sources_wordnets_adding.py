"""Adding a lexicon: once, found again by its hash, and all or nothing."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest
import wn

from ncimp.builder.sources.thesauri import wn_lmf as wordnet_files
from ncimp.builder.sources.thesauri import wn_lmf as wordnets
from ncimp.builder.sources.thesauri.wn_lmf import WnSource, add_lexicon
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import file_hash
from tests.sources.sources_samples import TINY

pytestmark = pytest.mark.usefixtures("own_data_folder")


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    (tmp_path / "tiny.xml").write_text(TINY, encoding="utf-8")
    return tmp_path / "tiny.xml"


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that `wn` was asked to add, in order."""
    asked: list[Path] = []
    add: Callable[..., None] = wn.add

    def counted(path: Path, **options: None) -> None:
        asked.append(path)
        add(path, **options)

    monkeypatch.setattr(wordnets.wn, "add", counted)  # type: ignore[attr-defined]
    return asked


def test_the_folder_is_named_by_the_hash_of_the_file_and_the_version_of_wn(tmp_path: Path, lexicon: Path) -> None:
    folder = add_lexicon(lexicon, work=tmp_path / "work")
    assert folder == tmp_path / "work" / "wn" / f"{file_hash(lexicon)[:16]}-wn-{version('wn')}"
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert (folder / "wn.db").is_file()


def test_a_lexicon_is_added_once_and_reused_under_any_name(tmp_path: Path, lexicon: Path, added: list[Path]) -> None:
    copy = tmp_path / "copy.xml"
    copy.write_bytes(lexicon.read_bytes())
    folders = {add_lexicon(path, work=tmp_path / "work") for path in (lexicon, lexicon, copy)}
    assert len(folders) == 1
    assert added == [lexicon]
    assert WnSource(copy, "tiny", work=tmp_path / "work").words("adj") == ["entire", "firm", "solid"]


def test_a_changed_lexicon_is_never_taken_for_the_old_one(tmp_path: Path, lexicon: Path, added: list[Path]) -> None:
    old = WnSource(lexicon, "tiny", work=tmp_path / "work")
    lexicon.write_text(TINY.replace('writtenForm="shore"', 'writtenForm="coast"'), encoding="utf-8")
    new = WnSource(lexicon, "tiny", work=tmp_path / "work")
    assert added == [lexicon, lexicon]
    assert ("shore" in old.words("noun"), "coast" in old.words("noun")) == (True, False)
    assert ("shore" in new.words("noun"), "coast" in new.words("noun")) == (False, True)


def _empty(database: Path) -> None:
    database.write_bytes(b"")


def _half(database: Path) -> None:
    database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])


def _altered(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE forms SET form = 'soiled' WHERE form = 'solid'")


def _another(database: Path) -> None:
    database.write_bytes(b"no database at all")


@pytest.mark.parametrize("damage", [_empty, Path.unlink, _half, _altered, _another])
@pytest.mark.parametrize("linked", [False, True])
def test_a_damaged_database_is_made_again(
    tmp_path: Path, lexicon: Path, damage: Callable[[Path], None], linked: bool
) -> None:
    work, path = tmp_path / "work", tmp_path / "linked.xml"
    path.write_text(LINKED, encoding="utf-8")
    base = lexicon if linked else None
    path = path if linked else lexicon
    folder = add_lexicon(path, work=work, base=base)
    whole, before = (folder / "wn.db").read_bytes(), sorted(work.rglob("*"))
    for database in sorted(work.rglob("wn.db")):
        damage(database)
    assert add_lexicon(path, work=work, base=base) == folder
    assert (folder / "wn.db").read_bytes() == whole
    assert sorted(work.rglob("*")) == before
    source = WnSource(path, work=work, base=base)
    assert source.words("noun" if linked else "adj") == (["banco", "firma"] if linked else ["entire", "firm", "solid"])


def test_a_full_disk_is_not_the_fault_of_the_file(
    tmp_path: Path, lexicon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, **_options: None) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(wordnets.wn, "add", full)  # type: ignore[attr-defined]
    with pytest.raises(OSError, match="No space left"):
        add_lexicon(lexicon, work=tmp_path / "work")
    assert list((tmp_path / "work" / "wn").iterdir()) == []


def test_the_users_own_data_are_not_touched(tmp_path: Path, lexicon: Path) -> None:
    wn.config.data_directory = tmp_path / "user"
    before = sorted((tmp_path / "user").rglob("*"))
    WnSource(lexicon, "tiny", work=tmp_path / "work").candidates("bank", "noun")
    assert sorted((tmp_path / "user").rglob("*")) == before


def test_a_compressed_lexicon_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "tiny.xml.gz"
    path.write_bytes(gzip.compress(TINY.encode(), mtime=0))
    assert WnSource(path, "tiny", work=tmp_path / "work").words("adj") == ["entire", "firm", "solid"]


def without(text: str, mark: str) -> bytes:
    assert mark in text
    return text.replace(mark, "", 1).encode()


def damaged_gzip() -> bytes:
    packed = bytearray(gzip.compress(TINY.encode(), mtime=0))
    packed[60:90] = bytes(30)
    return bytes(packed)


UNREADABLE = "not a lexicon that `wn` can read ("
BROKEN: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", UNREADABLE),
    "a text": (b"beaver rodent animal\n", UNREADABLE),
    "a page": (b"<!DOCTYPE html><html><body>404</body></html>", UNREADABLE),
    "another XML": (b'<?xml version="1.0"?><words><w>beaver</w></words>', UNREADABLE),
    "a file cut in an element": (TINY.encode()[: len(TINY) // 2], UNREADABLE),
    "a file cut before its end": (TINY.removesuffix("</LexicalResource>\n").encode(), UNREADABLE),
    "another encoding": (TINY.replace("lender", "emprestón").encode("latin-1"), UNREADABLE),
    "no lexicon inside": (
        (TINY[: TINY.index("  <Lexicon ")] + "</LexicalResource>\n").encode(),
        "the file holds no lexicon",
    ),
    "a synset that is not there": (TINY.replace('synset="river"', 'synset="lake"').encode(), UNREADABLE),
    "an unknown version of the format": (TINY.replace("WN-LMF-1.3", "WN-LMF-9.9").encode(), UNREADABLE),
    "a compressed file cut off": (gzip.compress(TINY.encode(), mtime=0)[:200], UNREADABLE),
    "a compressed file damaged": (damaged_gzip(), UNREADABLE),
    "an entry without part of speech": (without(TINY, ' partOfSpeech="n"'), UNREADABLE),
    "a synset without id": (without(TINY, ' id="business"'), UNREADABLE),
    "a lexicon without version": (without(TINY, ' version="1.2.0"'), UNREADABLE),
    "an entry without lemma": (without(TINY, '<Lemma writtenForm="shore" partOfSpeech="n"/>'), UNREADABLE),
    "a rank that is no number": (TINY.replace('<Sense id="fund-1"', '<Sense n="a" id="fund-1"').encode(), UNREADABLE),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_is_no_lexicon_gives_one_error_and_leaves_nothing_behind(tmp_path: Path, case: str) -> None:
    content, what = BROKEN[case]
    path = tmp_path / "lexicon.xml"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        add_lexicon(path, work=tmp_path / "work")
    assert caught.value.what.startswith(what)
    assert str(caught.value).startswith(f"{path}: {what}")
    assert str(caught.value).endswith("; give a WN-LMF file")
    assert list((tmp_path / "work" / "wn").iterdir()) == []


LINKED = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">
<LexicalResource>
  <Lexicon id="linked" label="linked" language="pt" email="a@example.org" license="https://example.org" version="3">
    <Requires id="tiny" version="1.2.0"/>
    <LexicalEntry id="w-banco"><Lemma writtenForm="banco" partOfSpeech="n"/>
      <Sense id="banco-1" synset="pt-money"/></LexicalEntry>
    <LexicalEntry id="w-firma"><Lemma writtenForm="firma" partOfSpeech="n"/>
      <Sense id="firma-1" synset="pt-business"/></LexicalEntry>
    <Synset id="pt-money" ili="i1" partOfSpeech="n" members="w-banco"/>
    <Synset id="pt-business" ili="i2" partOfSpeech="n" members="w-firma"/>
  </Lexicon>
</LexicalResource>
"""


BOMB = """<!DOCTYPE LexicalResource [
  <!ENTITY a "beaver"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>"""
DOCTYPE = '<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">'


def archive(**members: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, text in members.items():
            info = tarfile.TarInfo(f"../{name}.xml")  # a name that would lead out of the folder
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


HOSTILE: dict[str, tuple[bytes, str]] = {
    "an entity bomb": (TINY.replace(DOCTYPE, BOMB).encode(), "the file declares an entity ('a')"),
    "a packed entity bomb": (lzma.compress(TINY.replace(DOCTYPE, BOMB).encode()), "the file declares an entity ('a')"),
    "an entity in another encoding": (
        TINY.replace(DOCTYPE, BOMB).replace("UTF-8", "UTF-16").encode("utf-16"),
        "the file declares an entity ('a')",
    ),
    "an entity from a file": (
        TINY.replace(DOCTYPE, '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/hostname">]>').encode(),
        "the file declares an entity ('a')",
    ),
    "a parameter entity": (
        TINY.replace(DOCTYPE, '<!DOCTYPE l [<!ENTITY % p SYSTEM "http://localhost/p.dtd"> %p;]>').encode(),
        "the file declares an entity ('p')",
    ),
    "an archive of two lexicons": (archive(one=TINY, two=TINY), "the archive holds 2 XML files"),
    "an archive of none": (gzip.compress(archive(), mtime=0), "the archive holds 0 XML files"),
    "a cut archive": (archive(one=TINY)[:2000], UNREADABLE),
    "a cut xz file": (lzma.compress(TINY.encode())[:-30], UNREADABLE),
    "an xz file in another encoding": (
        lzma.compress(TINY.replace("lender", "emprestón").encode("latin-1")),
        UNREADABLE,
    ),
    "an encoding that is not to be had": (TINY.replace("UTF-8", "UTF-7").encode(), UNREADABLE),
    "a file that unpacks to too much": (lzma.compress(TINY.encode() + b" " * 30_000), "too large for a lexicon"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_gives_one_error_and_leaves_the_folder_as_it_was(
    tmp_path: Path, lexicon: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    work = tmp_path / "work"
    lexicon.write_text(LINKED.replace('<Requires id="tiny" version="1.2.0"/>', ""), encoding="utf-8")
    add_lexicon(lexicon, work=work)
    before = {path: file_hash(path) for path in work.rglob("*") if path.is_file()}
    content, what = HOSTILE[case]
    path = tmp_path / "hostile.xml"
    path.write_bytes(content)
    monkeypatch.setattr(wordnet_files, "MAX_BYTES", 30_000)
    for base in (None, lexicon):
        with pytest.raises(SourceError) as caught:
            add_lexicon(path, work=work, base=base)
        assert caught.value.what.startswith(what)
        assert str(caught.value).startswith(f"{path}: {what}")
        assert {path: file_hash(path) for path in work.rglob("*") if path.is_file()} == before


def test_a_lexicon_in_an_archive_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tiny.tar.xz"
    path.write_bytes(lzma.compress(archive(tiny=TINY)))
    assert WnSource(path, work=tmp_path / "work").words("adj") == ["entire", "firm", "solid"]
    assert not list(tmp_path.rglob("tiny.xml"))


def test_the_dtd_that_a_lexicon_names_is_not_fetched(
    tmp_path: Path, lexicon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_arguments: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr("socket.socket.connect", refused)
    monkeypatch.setattr("socket.getaddrinfo", refused)
    assert add_lexicon(lexicon, work=tmp_path / "work").is_dir()


def test_the_relations_of_a_lexicon_that_has_none_come_from_the_one_it_is_linked_to(
    tmp_path: Path, lexicon: Path
) -> None:
    linked = tmp_path / "linked.xml"
    linked.write_text(LINKED, encoding="utf-8")
    text = TINY.replace('id="money" ili=""', 'id="money" ili="i1"').replace(
        'id="business" ili=""', 'id="business" ili="i2"'
    )
    lexicon.write_text(text, encoding="utf-8")
    assert WnSource(linked, work=tmp_path / "work").candidates("banco", "noun") == ()
    source = WnSource(linked, work=tmp_path / "work", base=lexicon)
    found = [
        (candidate.lemma, candidate.relation, candidate.synset) for candidate in source.candidates("banco", "noun")
    ]
    assert found == [("firma", "hypernym", "pt-business")]
    assert (source.name, source.words("noun")) == ("linked:3", ["banco", "firma"])
    assert WnSource(lexicon, work=tmp_path / "work").words("adj") == ["entire", "firm", "solid"]


def test_a_file_of_two_lexicons_asks_for_a_name(tmp_path: Path, lexicon: Path) -> None:
    second = TINY[TINY.index("  <Lexicon ") : TINY.index("</LexicalResource>")].replace('id="', 'id="o-')
    second = (
        second.replace('synset="', 'synset="o-').replace('target="', 'target="o-').replace('members="', 'members="o-')
    )
    second = second.replace(" e-", " o-e-")
    lexicon.write_text(TINY.replace("</LexicalResource>", second + "</LexicalResource>"), encoding="utf-8")
    with pytest.raises(SourceError, match=r"the file holds 2 lexicons \(.*\); name one of them"):
        WnSource(lexicon, work=tmp_path / "work")
    assert WnSource(lexicon, "o-tiny:1.2.0", work=tmp_path / "work").name == "o-tiny:1.2.0"


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.xml", tmp_path):
        with pytest.raises(SourceError) as caught:
            add_lexicon(path, work=tmp_path / "work")
        assert str(caught.value).startswith(f"{path}: ")


def test_the_right_file_is_added_after_a_broken_one(tmp_path: Path, lexicon: Path) -> None:
    lexicon.write_bytes(TINY.encode()[:500])
    with pytest.raises(SourceError):
        add_lexicon(lexicon, work=tmp_path / "work")
    lexicon.write_text(TINY, encoding="utf-8")
    assert "shore" in WnSource(lexicon, "tiny", work=tmp_path / "work").words("noun")


def test_an_interruption_leaves_nothing_behind(tmp_path: Path, lexicon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_path: Path, **_options: None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(wordnets.wn, "add", interrupted)  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        add_lexicon(lexicon, work=tmp_path / "work")
    assert list((tmp_path / "work" / "wn").iterdir()) == []


def test_a_build_that_starts_does_not_take_away_what_another_one_is_adding(
    tmp_path: Path, lexicon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add: Callable[..., None] = wn.add

    def interrupted(_path: Path, **_options: None) -> None:
        raise KeyboardInterrupt

    def overtaken(path: Path, **options: None) -> None:
        add(path, **options)
        ours = wn.config.data_directory
        monkeypatch.setattr(wordnets.wn, "add", interrupted)  # type: ignore[attr-defined]
        with pytest.raises(KeyboardInterrupt):
            add_lexicon(lexicon, work=tmp_path / "work")
        wn.config.data_directory = ours

    monkeypatch.setattr(wordnets.wn, "add", overtaken)  # type: ignore[attr-defined]
    folder = add_lexicon(lexicon, work=tmp_path / "work")
    assert "shore" in WnSource(lexicon, "tiny", work=tmp_path / "work").words("noun")
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_two_builds_that_add_one_lexicon_at_the_same_time_both_get_it(
    tmp_path: Path, lexicon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add: Callable[..., None] = wn.add

    def overtaken(path: Path, **options: None) -> None:
        monkeypatch.setattr(wordnets.wn, "add", add)  # type: ignore[attr-defined]
        ours = wn.config.data_directory
        add_lexicon(lexicon, work=tmp_path / "work")
        wn.config.data_directory = ours
        add(path, **options)

    monkeypatch.setattr(wordnets.wn, "add", overtaken)  # type: ignore[attr-defined]
    folder = add_lexicon(lexicon, work=tmp_path / "work")
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert "shore" in WnSource(lexicon, "tiny", work=tmp_path / "work").words("noun")
