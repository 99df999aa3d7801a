"""A dataset repository on a hub: what it holds, one commit, one tag; and errors in our words, without secrets.

Everything goes through `huggingface_hub`, with its own retries (six attempts at the steps that may be repeated:
asking how files are stored, uploading them). It has no limit of time of its own for these calls, so
there is one here. It is imported late, because it reads its environment when it is imported.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ncimp.schemas.errors import Place, ReleaseError

if TYPE_CHECKING:
    from huggingface_hub import HfApi

PUBLIC = "https://huggingface.co"
"""The hub where `HF_ENDPOINT` names no other."""

NO_XET = "HF_HUB_DISABLE_XET"
"""Set for every other hub: the client would upload through Xet without asking whether the hub has it."""

AGAIN = "run the same command again: it goes on from what the hub holds"
"""Advice after a failure that may pass."""

MAIN, SCRIPT = "main", "script"
"""Branches: of the release, and of the release with its loading script at the root, which `datasets` < 4 runs."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of the repository: bytes, the id of its git blob, and its sha256 where it is in large file storage."""

    bytes: int
    blob: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Refs:
    """Branches and tags of a repository, with their commits."""

    exists: bool
    heads: Mapping[str, str] = field(default_factory=dict)
    """Commit by branch."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Commit by tag."""

    @property
    def head(self) -> str | None:
        """Commit of the main branch, None where there is none yet."""
        return self.heads.get(MAIN)


class Hub:
    """One dataset repository; every method raises `ReleaseError` when the hub refuses or does not answer."""

    def __init__(self, repo: str, *, timeout: float) -> None:
        self.repo = repo
        self._timeout = timeout
        endpoint = (os.environ.get("HF_ENDPOINT") or PUBLIC).rstrip("/")
        if endpoint != PUBLIC:
            os.environ.setdefault(NO_XET, "1")
        self._api, self._token = _connect(endpoint)
        self.place = Place(f"{_without_user(endpoint)}/datasets/{repo}")

    @property
    def has_token(self) -> bool:
        """True when the user has given or saved a token."""
        return self._token is not None

    def refs(self) -> Refs:
        """Return branches and tags of the repository, which may not exist."""
        from huggingface_hub.errors import RepositoryNotFoundError

        with self._reported("look at the repository"):
            try:
                refs = self._api.list_repo_refs(self.repo, repo_type="dataset")
            except RepositoryNotFoundError as error:
                if error.response.status_code != 404:  # 401: it may be there, for others
                    raise
                return Refs(exists=False)
        heads = {branch.name: branch.target_commit for branch in refs.branches}
        return Refs(True, heads, {tag.name: tag.target_commit for tag in refs.tags})

    def files(self, revision: str) -> dict[str, RemoteFile]:
        """Return every file at *revision* (a commit or tag) by path."""
        from huggingface_hub.hf_api import RepoFile

        with self._reported(f"list the files at {revision}"):
            tree = self._api.list_repo_tree(self.repo, recursive=True, revision=revision, repo_type="dataset")
            files = [entry for entry in tree if isinstance(entry, RepoFile)]  # the others are folders
        return {file.path: RemoteFile(file.size, file.blob_id, file.lfs.sha256 if file.lfs else None) for file in files}

    def create(self, *, private: bool) -> None:
        """Create the repository; nothing happens where it exists."""
        with self._reported("create the repository"):
            self._api.create_repo(self.repo, repo_type="dataset", private=private, exist_ok=True)

    def commit(
        self,
        files: Mapping[str, Path],
        deleted: Iterable[str],
        *,
        message: str,
        parent: str | None,
        branch: str = MAIN,
    ) -> str:
        """Add or replace the *files* and delete others in one commit on top of *parent*, the head of *branch*.

        Returns the commit.
        """
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        operations: list[Any] = [CommitOperationAdd(path, file) for path, file in files.items()]
        operations += [CommitOperationDelete(path, is_folder=False) for path in deleted]
        with self._reported("commit" if branch == MAIN else f"commit to the branch {branch}"):
            commit = self._api.create_commit(
                self.repo,
                operations,
                commit_message=message,
                repo_type="dataset",
                revision=branch,
                parent_commit=parent,
            )
        return commit.oid

    def branch(self, name: str, commit: str) -> None:
        """Make the branch *name*, which must not be there, with *commit* as its head."""
        with self._reported(f"make the branch {name}"):
            self._api.create_branch(self.repo, branch=name, revision=commit, repo_type="dataset")

    def tag(self, name: str, commit: str, *, message: str) -> None:
        """Give *commit* the tag *name*, which must be free."""
        with self._reported(f"make the tag {name}"):
            self._api.create_tag(self.repo, tag=name, tag_message=message, revision=commit, repo_type="dataset")

    @contextmanager
    def _reported(self, doing: str) -> Iterator[None]:
        """Turn what the library raises into a `ReleaseError`, and keep it from talking by itself."""
        from huggingface_hub import get_session
        from huggingface_hub.errors import HfHubHTTPError

        get_session().timeout = self._timeout  # each time: the library may renew its client
        # its error has the base class of its transport, whichever that is in this version
        trouble: tuple[Any, ...] = (*HfHubHTTPError.__bases__, OSError, RuntimeError, ValueError)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except trouble as error:
            raise self._error(doing, error) from None

    def _error(self, doing: str, error: BaseException) -> ReleaseError:
        while error.__cause__ is not None and _status(error) is None:
            error = error.__cause__
        status = _status(error)
        reason = " ".join((str(error) or type(error).__name__).split())
        if self._token:
            reason = reason.replace(self._token, "***")  # a hub may send back what it got
        reason = reason.replace(str(self._api.endpoint), _without_user(str(self._api.endpoint)))
        fixes = {
            401: f"check HF_TOKEN: it must be valid, and may have to read or write {self.repo}",
            403: f"use a token that may write to {self.repo}",
            412: "somebody has just changed the repository; look at it, and " + AGAIN,
            409: "somebody is just changing the repository; look at it, and " + AGAIN,
        }
        return ReleaseError(f"cannot {doing} ({reason})", fix=fixes.get(status or 0, AGAIN), place=self.place)


def _connect(endpoint: str) -> tuple[HfApi, str | None]:
    """Return the client of *endpoint* and the user's token, after telling the library to be silent."""
    from huggingface_hub import HfApi, get_token
    from huggingface_hub.utils.logging import set_verbosity
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    set_verbosity(logging.ERROR)  # it logs addresses, and those of an upload may be signed
    token = get_token()
    return HfApi(endpoint=endpoint, token=token), token


def _status(error: BaseException) -> int | None:
    """Return the HTTP status that *error* is about, if it is about one."""
    return getattr(getattr(error, "response", None), "status_code", None)


def _without_user(address: str) -> str:
    """Return *address* without a user name and password.

    >>> _without_user("https://me:secret@hub.example:8080/path")
    'https://hub.example:8080/path'
    """
    host = urlsplit(address).netloc
    return address.replace(host, host.rpartition("@")[2], 1)
