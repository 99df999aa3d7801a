"""A WN-LMF file as it comes (plain, compressed, or in a tar), made a plain XML file that is safe to parse.

`wn` reads the whole file into memory, so what unpacks to more than any lexicon is refused before that; a
document that declares entities is refused too, because WN-LMF needs none and "billion laughs" is made of them.
"""

from __future__ import annotations

import tarfile
from contextlib import suppress
from pathlib import Path
from typing import IO
from xml.sax.handler import ContentHandler, feature_external_ges, feature_external_pes

from defusedxml import EntitiesForbidden
from defusedxml.expatreader import create_parser

from ncimp.builder.sources.lexicons.lines import opener
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import CHUNK

MAX_BYTES = 1 << 30
"""Most bytes of a lexicon once unpacked (1 GiB); the Open English WordNet has a tenth of it."""


def plain_lexicon(path: Path, aside: Path) -> Path:
    """Return *path*, or for a compressed file or a tar its content in *aside*, after looking for entities.

    What is damaged raises whatever the unpacker or the parser raises.
    """
    place = Place(str(path))
    found = _from_tar(_unpacked(path, aside / "lexicon.xml", place), aside / "member.xml", place)
    _refuse_entities(found, place)
    return found


def _unpacked(path: Path, target: Path, place: Place) -> Path:
    unpack = opener(path)
    if unpack == Path.open:
        return path
    with unpack(path) as packed:
        return _copied(packed, target, place)


def _from_tar(path: Path, target: Path, place: Place) -> Path:
    """Return the one XML file in the tar *path*, under a name of our own, or *path* when it is no tar."""
    if not tarfile.is_tarfile(path):
        return path
    with tarfile.open(path) as archive:
        members = [member for member in archive if member.isfile() and member.name.endswith(".xml")]
        content = archive.extractfile(members[0]) if len(members) == 1 else None
        if content is None:
            what = f"the archive holds {len(members)} XML files"
            raise SourceError(what, fix="unpack it and give one of them", place=place)
        return _copied(content, target, place)


def _copied(source: IO[bytes], target: Path, place: Place) -> Path:
    with target.open("wb") as copy:
        while chunk := source.read(CHUNK):
            copy.write(chunk)
            if copy.tell() > MAX_BYTES:
                fix = f"the limit is {MAX_BYTES} bytes, unpacked"
                raise SourceError("too large for a lexicon", fix=fix, place=place)
    return target


class _Begun(Exception):  # noqa: N818 (no error: the part that can declare entities is over)
    pass


class _Prolog(ContentHandler):
    """Stops at the first element: entities are declared before it."""

    def startElement(self, name: str, attrs: object) -> None:  # noqa: ARG002, N802 (the handler's signature)
        """Stop."""
        raise _Begun


def _refuse_entities(path: Path, place: Place) -> None:
    parser = create_parser(forbid_dtd=False, forbid_entities=True, forbid_external=False)
    # WN-LMF names its DTD by an address: nothing is fetched
    parser.setFeature(feature_external_ges, False)
    parser.setFeature(feature_external_pes, False)
    parser.setContentHandler(_Prolog())
    try:
        with suppress(_Begun), path.open("rb") as stream:
            parser.parse(stream)
    except EntitiesForbidden as error:
        what = f"the file declares an entity ({error.name!r}), as no lexicon does"
        raise SourceError(what, fix="do not use this file", place=place) from None
