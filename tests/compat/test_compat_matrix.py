"""Every generation of `datasets` that is in use gets the same rows and types of a release, in every way there is.

`make compat` runs it: it makes four environments from the pins beside this file, which takes a package index and
some minutes. What is expected is read from the card and the parquet files without `datasets`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from tests.loopback_hub import LoopbackHub, serving

from .environments import interpreter, make_environment
from .publishing import published

HERE = Path(__file__).parent
GENERATIONS = ("2.21", "3.6", "4", "5")
PYTHON = "3.11"
REPO = "org/ncimp"
CORES = 2
"""How many environments are made and used at a time."""

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Ways = Mapping[str, tuple[str, ...]]
"""The arguments of `load_all.py` by the name of a way to load."""


@dataclass(frozen=True, slots=True)
class Environment:
    """One generation of `datasets`, what it is to load, and what came of it."""

    generation: str
    release: Path
    hub: LoopbackHub
    ways: Mapping[str, Done]

    @property
    def runs_scripts(self) -> bool:
        return int(self.generation.partition(".")[0]) < 4

    def loaded(self, way: str) -> dict[str, Any]:
        """Return what `load_all.py` found in one way."""
        done = self.ways[way]
        assert done.returncode == 0, done.stderr[-3000:]
        found: dict[str, Any] = json.loads(done.stdout)
        assert (found.pop("datasets") + ".").startswith(self.generation + ".")
        return found


def load_in_all_ways(generation: str, release: Path, hub: LoopbackHub, ways: Ways, folder: Path) -> Environment:
    """Make a fresh environment with the pins of *generation* in *folder*, load in all *ways* in turn, and remove it."""
    python = interpreter(PYTHON)
    assert python is not None
    pins = HERE / f"datasets-{generation}.txt"
    made = make_environment(folder / "venv", python, ["--no-deps", "--requirement", str(pins)])
    done = {way: load(made, arguments, release.parent, hub, folder / "cache") for way, arguments in ways.items()}
    shutil.rmtree(folder)
    return Environment(generation, release, hub, done)


def load(python: Path, arguments: tuple[str, ...], place: Path, hub: LoopbackHub, cache: Path) -> Done:
    """Run `load_all.py` in *place*, with a cache of its own."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "PYTHON"))}
    reach = {"HF_ENDPOINT": hub.url} if REPO in arguments else {"HF_HUB_OFFLINE": "1"}
    told = {"HF_HOME": str(cache), "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}
    shutil.rmtree(cache, ignore_errors=True)
    return subprocess.run(
        [python, HERE / "load_all.py", *arguments],
        cwd=place,
        env=own | reach | told,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="module")
def release(pytestconfig: pytest.Config) -> Path:
    """The release that `--compat` names."""
    named = pytestconfig.getoption("--compat")
    if not named:
        pytest.skip("it makes four environments: run `make compat`")
    if interpreter(PYTHON) is None:
        pytest.skip(f"no Python {PYTHON} here, and the oldest generation runs on no newer one")
    return Path(named).resolve()


@pytest.fixture(scope="module")
def mixed(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release with a script of another version."""
    folder = Path(shutil.copytree(release, tmp_path_factory.mktemp("mixed") / "ncimp"))
    script = folder / "legacy" / "ncimp.py"
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace(f'"version": "{version_of(release)}"', '"version": "9.9.9"'), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def environments(
    release: Path, mixed: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Future[Environment]]]:
    """Every generation at work, as many at a time as there are cores, on a hub to which the release was published."""
    ways = {
        "folder": ("folder", release.name),
        "hub": ("hub", REPO, f"v{version_of(release)}"),
        "class": ("class", str(release)),
        "script": ("script", str(release / "legacy" / "ncimp.py")),
        "branch": ("script", REPO, "script"),
        "mixed": ("class", str(mixed)),
    }
    repos = published(release, REPO)
    with ThreadPoolExecutor(CORES) as pool:
        yield {
            generation: pool.submit(
                _on_its_own_hub, generation, release, repos, ways, tmp_path_factory.mktemp("compat")
            )
            for generation in GENERATIONS
        }


def _on_its_own_hub(generation: str, release: Path, published: LoopbackHub, ways: Ways, folder: Path) -> Environment:
    """Load from a hub with the content of *published*, so that what is asked of it was asked by this generation."""
    hub = LoopbackHub()
    hub.repos.update(published.repos)
    with serving(hub):
        return load_in_all_ways(generation, release, hub, ways, folder)


@pytest.fixture(params=GENERATIONS)
def environment(request: pytest.FixtureRequest, environments: Mapping[str, Future[Environment]]) -> Environment:
    """What one generation loaded."""
    return environments[request.param].result()


def version_of(release: Path) -> str:
    """Return the version of *release*."""
    return str(json.loads((release / "manifest.json").read_text(encoding="utf-8"))["release"])


@pytest.fixture(scope="module")
def expected(release: Path) -> dict[str, Any]:
    """What loading has to give, from the card and the files."""
    card = yaml.safe_load((release / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    infos = {info["config_name"]: info for info in card["dataset_info"]}
    (default,) = [config["config_name"] for config in card["configs"] if config.get("default")]
    configs = {config["config_name"]: config for config in card["configs"]}
    return {"default": default, "configs": {name: described(release, configs[name], infos[name]) for name in configs}}


def described(release: Path, config: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
    """Return what `load_all.py` has to say of one config."""
    features = {column["name"]: plain(column) for column in info["features"]}
    rows = {part["split"]: digest(release, part["path"]) for part in config["data_files"]}
    counts = {split["name"]: split["num_examples"] for split in info["splits"]}
    return {
        "features": features,
        "streamed features": features,
        "loaded": rows,
        "streamed": rows,
        "splits": {split: [counts[split], told["rows"]] for split, told in rows.items()},
        "version": config["version"],
    }


def plain(column: dict[str, Any]) -> Any:
    """Return a column of the card in the notation of `load_all.py`."""
    if "list" in column:
        part = column["list"]
        return ["list", part if isinstance(part, str) else {entry["name"]: plain(entry) for entry in part}]
    return column["dtype"]


def digest(release: Path, paths: list[str]) -> dict[str, Any]:
    """Return number and hash of the rows of the files *paths*."""
    made, count = hashlib.sha256(), 0
    for path in paths:
        for row in pq.ParquetFile(release / path).read().to_pylist():
            made.update(json.dumps(row, sort_keys=True, ensure_ascii=False).encode() + b"\n")
            count += 1
    return {"rows": count, "sha256": made.hexdigest()}


def test_the_folder_by_its_name(environment: Environment, expected: dict[str, Any]) -> None:
    assert environment.loaded("folder") == expected


def test_the_hub_by_the_tag_of_the_version(environment: Environment, expected: dict[str, Any]) -> None:
    assert environment.loaded("hub") == expected
    repo = environment.hub.repos[REPO]
    tag = f"v{version_of(environment.release)}"
    asked = {path for path in environment.hub.paths if path.endswith(".parquet")}
    of_the_tag = [path for path in asked if f"/resolve/{tag}/" in path or f"/resolve/{repo.tags[tag]}/" in path]
    assert len(of_the_tag) >= len(expected["configs"])


def test_the_builder_class(environment: Environment, expected: dict[str, Any]) -> None:
    assert environment.loaded("class") == expected


def test_the_script_where_it_lies_in_a_release(environment: Environment, expected: dict[str, Any]) -> None:
    found = environment.loaded("script")
    if environment.runs_scripts:
        assert found == expected
    else:
        assert found == {"refused": "Dataset scripts are no longer supported, but found ncimp.py"}


def test_the_script_on_its_branch_of_the_hub(environment: Environment, expected: dict[str, Any]) -> None:
    found = environment.loaded("branch")
    if environment.runs_scripts:
        assert found == expected
    else:
        assert found == {"refused": "Dataset scripts are no longer supported, but found ncimp.py"}


def test_the_class_refuses_rows_of_another_release(environment: Environment) -> None:
    done = environment.ways["mixed"]
    assert done.returncode == 1
    version = version_of(environment.release)
    assert f"rows of release ['{version}'], the script is of 9.9.9; do not mix releases" in done.stderr
