"""Known sources, from `registry.toml`, their downloads, and the kind of a file by its beginning."""

import os
import re
import tomllib
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import platformdirs
from tqdm import tqdm

from ncimp.builder.records.sources import KnownSource, SourceReader
from ncimp.builder.sources.lexicons.files import DAMAGE, content_hash, lexicon_files, opener
from ncimp.builder.sources.thesauri import mythes
from ncimp.schemas import Place, Row, SourceError, file_hash, read_text
from ncimp.schemas.records import from_row

EMPTY: Row = {"lang": None, "download": None, "requires": None, "embedded": None, "files": []}  # TOML has no null
DATA_VARIABLE = "NCIMP_DATA"  # the environment variable that names another data folder
OFFLINE = "NCIMP_OFFLINE"  # the environment variable that forbids every download when it is set
MAX_BYTES = 1 << 30  # most bytes of a download (1 GiB)
TIMEOUT = 60  # seconds to wait for an answer
RETRIES = 2  # further attempts after a failed one
HEADERS = {"User-Agent": "ncimp", "Accept-Encoding": "identity"}  # hashes are of packed files as they are published
START_BYTES = 4096  # bytes at the beginning of a file that decide its kind
TAR_OFFSET, TAR_MAGIC = 257, b"ustar"

# the files of Princeton WordNet in its own format
WNDB_FILES = re.compile(r"(?:data|index)\.[a-z]+|[a-z]+\.exc|lexnames|cntlist(?:\.rev)?|LICENSE|README|citation\.bib")


def data_folder(folder: Path | None = None) -> Path:
    """Return *folder*, else the folder in `NCIMP_DATA`, else `ncimp` in the user's cache folder."""
    name = os.environ.get(DATA_VARIABLE)
    return folder or (Path(name).expanduser() if name else platformdirs.user_cache_path("ncimp", appauthor=False))


@cache
def known_sources() -> dict[str, KnownSource]:
    """Return every entry of the registry by name, in its order."""
    return read_registry(Path(str(files("ncimp.builder.sources") / "registry.toml")))


def read_registry(path: Path) -> dict[str, KnownSource]:
    """Return the entries of the registry *path* by name, or raise `SourceError` or `SchemaError`."""
    place = Place(str(path))
    try:
        rows = tomllib.loads(read_text(path)).get("sources", [])
    except tomllib.TOMLDecodeError as error:
        raise SourceError(f"not TOML ({error})", fix="mend the line it names", place=place) from None
    sources: dict[str, KnownSource] = {}
    for row in rows:
        entry = {**EMPTY, **row, "files": list(row.get("files", ()))}
        source = from_row(KnownSource, entry, table="known_source", place=place)
        if source.name in sources:
            raise SourceError(f"two sources are called {source.name!r}", fix="rename one", place=place)
        sources[source.name] = source
    for source in sources.values():
        if source.requires not in (None, *sources):
            what = f"{source.name!r} requires {source.requires!r}, which is not here"
            raise SourceError(what, fix="add an entry for it", place=place)
    return sources


def pick(name: str, names: Collection[str]) -> str | None:
    """Return the one of *names* that equals *name*, with or without its version, or None.

    >>> pick("oewn", ["oewn:2025", "omw-pt:2.0"])
    'oewn:2025'
    """
    fitting = [full for full in names if full == name] or [full for full in names if full.partition(":")[0] == name]
    return fitting[0] if len(fitting) == 1 else None


def known_by_hash(sha256: str) -> KnownSource | None:
    """Return the entry that names a file of this hash, if any."""
    sources = known_sources().values()
    return next((source for source in sources if sha256 in {file.sha256 for file in source.files}), None)


def reader_of(path: Path) -> SourceReader:
    """Return the reader of the file or folder *path*: `forms` unless it is a WordNet or a thesaurus."""
    if path.is_dir():
        return "wndb" if (path / "data.noun").is_file() else "forms"
    try:
        with opener(path)(path, "rb") as stream:
            start: bytes = stream.read(START_BYTES)
    except DAMAGE as error:
        fix = "copy or download it again"
        raise SourceError(f"cannot be read ({error})", fix=fix, place=Place(str(path))) from None
    if start.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") or start.startswith(TAR_MAGIC, TAR_OFFSET):
        return "wn-lmf"
    return "mythes" if mythes.START.match(start) else "forms"


def is_installed(source: KnownSource) -> bool:
    """Tell whether the package that brings the source *source* is installed; nothing is imported for it."""
    return source.reader == "package" and find_spec(source.name) is not None


def members(path: Path) -> list[Path]:
    """Return the files of the source *path*: itself, or those of a folder that belong to it, by name."""
    if path.is_dir() and reader_of(path) == "wndb":
        return sorted(file for file in path.iterdir() if WNDB_FILES.fullmatch(file.name) and file.is_file())
    return lexicon_files(path)


def source_hash(path: Path) -> str:
    """Return the sha256 of the file *path*, or for a folder one of the hashes of its files, whatever their names."""
    return content_hash(path, members(path))


class _Progress(tqdm):  # type: ignore[misc]
    """A progress bar, on terminals only, that refuses files of more than `MAX_BYTES`."""

    size = 0

    def __bool__(self) -> bool:
        return True  # without a stated size, a bar of `tqdm` counts as none

    def update(self, n: float | None = 1) -> bool | None:
        self.size += int(n or 0)
        if self.size > MAX_BYTES:
            raise SourceError(f"more than {MAX_BYTES} bytes", fix="fetch the file yourself")
        shown: bool | None = super().update(n)
        return shown

    def reset(self, total: float | None = None) -> None:
        self.size = 0
        super().reset(total)


def fetch(address: str, target: Path, *, sha256: str | None) -> str:
    """Fetch *address* to *target*, unless it is there already, and return its sha256.

    Raises `SourceError`, and leaves nothing, when the file has another hash than *sha256*.
    """
    import pooch  # slow to import, and needed for downloads only
    from requests import RequestException

    pooch.get_logger().setLevel("ERROR")
    place = Place(address)
    if os.environ.get(OFFLINE) and not target.is_file():
        raise SourceError(f"not fetched, because {OFFLINE} is set", fix=f"put the file at {target}", place=place)
    if not address.startswith(("https://", "http://")):
        raise SourceError("not an address of the web", fix="mend the registry", place=place)
    cache = pooch.create(
        target.parent, base_url="", registry={target.name: sha256}, urls={target.name: address}, retry_if_failed=RETRIES
    )
    try:
        with _Progress(total=1, unit="B", unit_scale=True, disable=None) as progress:
            downloader = pooch.HTTPDownloader(progress, timeout=TIMEOUT, headers=HEADERS)
            cache.fetch(target.name, downloader=downloader)
    except SourceError as error:
        raise SourceError(error.what, fix=error.fix, place=place) from None
    except (OSError, RequestException) as error:
        fix = "check the network, or fetch the file yourself and add it from its path"
        raise SourceError(f"cannot be fetched ({error})", fix=fix, place=place) from None
    except ValueError as error:  # another hash
        raise SourceError(str(error), fix="try again later, or ask its publisher", place=place) from None
    return file_hash(target)
