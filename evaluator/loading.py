"""Load a release with `datasets` and refuse rows of another version than the one that was asked for.

`load_dataset` alone does not: it ignores `revision` for a folder, and when a hub cannot be reached, or a revision
is not there, it may serve what an earlier load of another revision left in its cache. Every row says
which release it belongs to, so that it can be checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.release_folder import checked_manifest

FIX = "ask for the version that is there, or download it again with `download_mode='force_redownload'`"


def load_release(
    path: str = "ncimp", config: str | None = None, *, version: str | None = None, **options: Any
) -> dict[str, Any]:
    """Return the splits of *config* (the default one when None), every row of which is of one version.

    *path* is the folder of a release, whose files are checked against its manifest first, or the id of a
    dataset on a hub; there *version*, such as `1.0.0`, names the tag `v1.0.0` unless *options* hold a
    `revision`. *options* go to `datasets.load_dataset`. When streaming, rows are checked as they come.

    Raises `ReleaseError` where manifest, card or a row is of another version than *version*; without one,
    they have to agree with each other.
    """
    from datasets import load_dataset  # half a second, which nothing else here needs

    if Path(path).is_dir():
        version = checked_manifest(Path(path), version=version)["release"]
    elif version is not None:
        options.setdefault("revision", f"v{version}")
    loaded = load_dataset(path, config, **options)
    checked = {split: _checked(part, version, f"{path}: {split}") for split, part in loaded.items()}
    splits: dict[str, Any] = type(loaded)(checked)
    return splits


def _checked(part: Any, version: str | None, place: str) -> Any:
    """Return *part* when card and rows are of *version*, that of the card when None; a stream checks as it is read."""
    card = str(part.info.version)
    wanted = card if version is None else version
    _refuse_others([card], wanted, f"{place}: card")
    if hasattr(part, "num_rows"):
        _refuse_others(part.unique("release"), wanted, place)
        return part
    return part.filter(partial(_is_of, wanted=wanted, place=place), input_columns=["release"])


def _is_of(release: str, wanted: str, place: str) -> bool:
    _refuse_others([release], wanted, place)
    return True


def _refuse_others(releases: Iterable[str], wanted: str, place: str) -> None:
    others = sorted(set(releases) - {wanted})
    if others:
        what = f"of release {', '.join(map(repr, others))}, where {wanted!r} is wanted"
        raise ReleaseError(what, fix=FIX, place=Place(place))
