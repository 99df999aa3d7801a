"""Reader of `nltk`: the tagged corpora of nltk_data as they are distributed, one zip each, from a path of your own.

    brown.zip         The/at Fulton/np-tl jury/nn            one sentence a line (tagged.py)
    masc_tagged.zip   You_PRP guess_VBP ?_.                  one sentence a line (tagged.py)
    mac_morpho.zip    Saiu_V                                 one word a line (tagged.py)
    floresta.zip      (UTT+np (>N+art Um) (H+n livro))       trees (floresta.py)

The corpus is known by the name of the file. Each file in the archive is a document. Nothing downloads; words and
adjacent pairs are those that NLTK's own readers give, but for leaves of Floresta that NLTK drops (`(»)` with a
quotation mark).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import BinaryIO, cast

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.floresta import read_floresta
from ncimp.corpus_stats.readers.streams import DAMAGE, LineReader
from ncimp.corpus_stats.readers.tagged import read_tagged, read_tagged_words
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import Place, SourceError


@dataclass(frozen=True, slots=True)
class Archive:
    """How one of the corpora is kept."""

    members: str
    """Expression that the names of its files match."""
    encoding: str
    read: Callable[..., Iterator[CorpusSentence]]


ARCHIVES = {
    "brown": Archive(r"brown/c[a-z]\d\d", "ascii", read_tagged),
    "masc_tagged": Archive(
        r"masc_tagged/(?:spoken|written)/.*\.txt", "utf-8", partial(read_tagged, separator="_", strict=False)
    ),
    "mac_morpho": Archive(r"mac_morpho/(?!\.).*\.txt", "latin-1", read_tagged_words),
    "floresta": Archive(r"floresta/.*\.ptb", "iso-8859-15", read_floresta),
}
"""The corpora by the stem of their archive; names and encodings are those of `nltk.corpus`."""


def read_nltk(path: str, *, problems: Problems = STOP) -> Iterator[CorpusSentence]:
    """Yield the sentences of the archive at *path*, file by file in code-point order."""
    archive = ARCHIVES.get(PurePath(path).stem)
    if archive is None:
        fix = f"give the archive its own name: {', '.join(f'{name}.zip' for name in ARCHIVES)}"
        raise SourceError("is not a corpus of NLTK that is known", fix=fix, place=Place(path))
    try:
        opened = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(path)) from None
    except (OSError, zipfile.BadZipFile) as error:
        fix = "copy or download it again"
        raise SourceError(f"cannot be read ({error})", fix=fix, place=Place(path)) from None
    with opened:
        for name in sorted(name for name in opened.namelist() if re.fullmatch(archive.members, name)):
            yield from _read_member(opened, name, archive, path, problems)


def _read_member(
    opened: zipfile.ZipFile, name: str, archive: Archive, path: str, problems: Problems
) -> Iterator[CorpusSentence]:
    place = f"{path}/{name}"
    try:
        stream = opened.open(name)
    except (*DAMAGE, RuntimeError) as error:  # a RuntimeError where the file is encrypted
        what = f"cannot be read ({error})"
        problems.report(SourceError(what, fix="copy or download it again", place=Place(place)))
        return
    with stream:
        lines = LineReader(place, encoding=archive.encoding, problems=problems)
        unpacked = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, stream)))
        for sentence in archive.read(lines.read(unpacked), file=place, problems=problems):
            sentence.document = PurePath(name).name
            yield sentence
