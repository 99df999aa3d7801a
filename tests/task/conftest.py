"""The databases of the packs' own lexicons, made once: making them takes seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.sources.registry import DATA_VARIABLE


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the databases; tests add to it and take nothing away."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(autouse=True)
def use_databases(monkeypatch: pytest.MonkeyPatch, databases: Path) -> None:
    """Let every command that names no folder find the databases."""
    monkeypatch.setenv(DATA_VARIABLE, str(databases))
