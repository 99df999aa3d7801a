"""Downloads of sources, through pooch: to a file aside, hashed, and only then in their place."""

import os
from pathlib import Path

import pooch
from requests import RequestException
from tqdm import tqdm

from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import file_hash

OFFLINE = "NCIMP_OFFLINE"
"""Environment variable that forbids every download when it is set."""

MAX_BYTES = 1 << 30
"""Most bytes of a download (1 GiB)."""

TIMEOUT = 60
"""Seconds to wait for an answer."""

RETRIES = 2
"""Further attempts after a failed one."""

HEADERS = {"User-Agent": "ncimp", "Accept-Encoding": "identity"}  # hashes are of packed files as they are published

pooch.get_logger().setLevel("ERROR")


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
