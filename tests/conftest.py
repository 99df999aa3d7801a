"""Shared fixtures: the mini world (12 compounds in two languages), built once, and editable copies of it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import BaseServer
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import settings

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.build.stages import Build, build_release
from ncimp.builder.config import BuildOptions
from ncimp.builder.sources.packs.packs import packs_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MINI = Path(__file__).parent / "data" / "mini"
SHARED = Path(__file__).parents[2] / "shared"

settings.register_profile("any machine", deadline=None)  # a busy one takes a second for what takes none
settings.load_profile("any machine")

AnyServer = TypeVar("AnyServer", bound=BaseServer)

Built = tuple[Path, Path]
"""Release folder and work folder."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`, whose diff is the review, and `--compat`, which needs minutes and a package index."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files; review the diff")
    parser.addoption("--compat", metavar="RELEASE", help="load this release on every generation of `datasets`")


def pytest_configure() -> None:
    """Let Ctrl-C reach the programs that tests start: a shell's background jobs ignore it, and so do their children."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether the golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep every test off the network and out of the user's caches."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if "datasets" in sys.modules:  # it has read the environment already
        monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "hf" / "datasets")


@pytest.fixture(scope="session")
def mini_packs() -> Path:
    """The folder of the mini language packs, `en` and `pt`; not to be changed."""
    return MINI


@pytest.fixture(scope="session")
def mini_built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Release and work folder of the mini world, built once; not to be changed."""
    folder = tmp_path_factory.mktemp("mini")
    release = build(folder / "ncimp", packs=MINI)
    return release, folder / "work"


@pytest.fixture(scope="session")
def mini_release(mini_built: Built) -> Path:
    """The release folder of the mini world; not to be changed."""
    return mini_built[0]


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release folder of the part of the open edition that has the paper's size; not to be changed."""
    return build(tmp_path_factory.mktemp("edition") / "ncimp", packs=packs_folder())


@pytest.fixture
def release_copy(mini_release: Path, tmp_path: Path) -> Path:
    """A copy of the mini release that a test may change."""
    return Path(shutil.copytree(mini_release, tmp_path / "ncimp"))


@pytest.fixture
def packs_copy(tmp_path: Path) -> Path:
    """A copy of the mini packs that a test may change."""
    return Path(shutil.copytree(MINI, tmp_path / "packs"))


@pytest.fixture(scope="session")
def mini_langs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LanguageResources]:
    """The packs and sources of the mini world by language, as selection and filling get them."""
    data = tmp_path_factory.mktemp("resources")
    return {lang: LanguageResources(lang, MINI, data) for lang in ("en", "pt")}


@pytest.fixture
def shared() -> Path:
    """The folder of read-only development data; tests that use it carry the mark `shared`."""
    if not SHARED.is_dir():
        pytest.skip("the development data are not beside this checkout")
    return SHARED


def build(
    out: Path,
    *,
    packs: Path,
    langs: tuple[str, ...] = ("en", "pt"),
    options: BuildOptions | None = None,
    report: Callable[[str, bool], None] = lambda _stage, _reused: None,
) -> Path:
    """Build a release of *packs* at *out*, with the work folder `work` beside it; return its path."""
    made = Build(langs, packs, out, out.parent / "work", options or BuildOptions())
    return build_release(made, report)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real Chromium without a window: the one in $CHROMIUM or on the path; CI, which sets $CHROMIUM, may not skip."""
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        pytest.skip("no Chromium on this machine; Debian: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def own_data_folder() -> Iterator[None]:
    """Give `wn` back the folder it had."""
    import wn

    before = wn.config.data_directory
    yield
    wn.config.data_directory = before


@contextmanager
def serving(server: AnyServer) -> Iterator[AnyServer]:
    """Let *server* answer in a thread of its own."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
