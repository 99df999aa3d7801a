"""Small releases to publish, and what a loopback hub holds of them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from ncimp.builder.commands import publish
from ncimp.builder.records import Manifest, ReleaseFile
from ncimp.schemas.files import write_json
from ncimp.schemas.records import to_row
from tests.loopback_hub import LoopbackHub, Repo

REPO = "group/ncimp"

OLD: Mapping[str, str] = {
    "README.md": "---\nlicense: cc-by-4.0\n---\n\n# Old\n",
    "LICENSE-DATA": "The same in every version.\n",
    "legacy/ncimp.py": "# the script of the old version\n",
    "sentences/train-00000-of-00001.parquet": "old rows",
    "literal/train-00000-of-00001.parquet": "rows of a config that left",
}
NEW: Mapping[str, str] = {
    "README.md": "---\nlicense: cc-by-4.0\n---\n\n# New\n",
    "LICENSE-DATA": "The same in every version.\n",
    "legacy/ncimp.py": "# the script of the new version\n",
    "sentences/train-00000-of-00001.parquet": "new rows",
    "compounds/train-00000-of-00001.parquet": "rows of a config that came",
}
"""Files of two versions: between them one is added, three are changed, one leaves, and one stays."""

SCRIPT = "ncimp.py"
"""What the branch of the script has besides: the script under the name of the repository."""


NOT_LISTED = (".gitattributes", "manifest.json", "notes.txt")
"""Files that no manifest lists: the hub's, the manifest itself, and somebody else's."""


def make_release(folder: Path, version: str, files: Mapping[str, str]) -> Path:
    """Write *files* to *folder* with a manifest that lists them; return it."""
    entries = []
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
        rows = 1 if path.endswith(".parquet") else None
        digest = hashlib.sha256(text.encode()).hexdigest()
        entries.append(ReleaseFile(path, len(text), digest, rows, digest if rows else None))
    manifest = Manifest(
        format=1,
        name="ncimp",
        release=version,
        code_version="0.1.0",
        edition="test",
        languages=("en",),
        options={},
        inputs=(),
        files=tuple(entries),
        logical_sha256=hashlib.sha256(version.encode()).hexdigest(),
        counts={},
    )
    write_json(folder / "manifest.json", to_row(manifest))
    return folder


def use_hub(hub: LoopbackHub, patch: pytest.MonkeyPatch, token: str | None) -> None:
    """Point this process's `huggingface_hub` to *hub* for one test: it has read its environment already.

    The small releases here hold no tables, so they are not verified.
    """
    patch.setattr(publish, "check", lambda _release, _packs: ([], None))
    patch.setenv("HF_ENDPOINT", hub.url)
    patch.delenv("HF_HUB_OFFLINE", raising=False)
    if token is None:
        patch.delenv("HF_TOKEN", raising=False)
        patch.setenv("HF_TOKEN_PATH", os.devnull)
    else:
        patch.setenv("HF_TOKEN", token)
    patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    patch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
    patch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    patch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", os.devnull)
    patch.setattr("huggingface_hub.utils._http.time.sleep", lambda _seconds: None)  # between attempts


def held(repo: Repo, revision: str) -> dict[str, str]:
    """Return the text of every file of *revision* but the hub's own and the manifest."""
    files = repo.tree(revision).items()
    return {path: blob.data.decode() for path, blob in files if path not in NOT_LISTED[:2]}


def version_of(repo: Repo, revision: str) -> str:
    """Return the version that *revision* is, and check that it is that version whole."""
    files = repo.tree(revision)
    if "manifest.json" not in files:
        return "nothing"
    manifest = json.loads(files["manifest.json"].data)
    listed = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    own = {path: blob.sha256 for path, blob in files.items() if path not in (*NOT_LISTED, SCRIPT)}
    assert own == listed, "a half-changed repository"
    assert SCRIPT not in files or files[SCRIPT] == files["legacy/ncimp.py"], "the script of another version"
    assert revision == "script" or SCRIPT not in files, "a script at the root of the release"
    lacks = " without its script" if revision == "script" and SCRIPT not in files else ""
    return str(manifest["release"]) + lacks + (" and a file of somebody else" if "notes.txt" in files else "")


def state(hub: LoopbackHub, name: str = REPO) -> str:
    """Return in words what *hub* holds of the repository *name*."""
    if name not in hub.repos:
        return "no repository"
    repo = hub.repos[name]
    branches = [f"{branch} is {version_of(repo, branch)}" for branch in sorted(repo.branches)]
    tags = [f"{tag} is {version_of(repo, oid)}" for tag, oid in sorted(repo.tags.items())]
    return f"{', '.join(branches)}; {', '.join(tags) or 'no tags'}"
