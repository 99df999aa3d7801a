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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from .environments import interpreter, make_environment
from .loopback_hub import Hub, serve

HERE = Path(__file__).parent
GENERATIONS = ("2.21", "3.6", "4", "5")
PYTHON = "3.11"
REPO = "org/ncimp"

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Environment:
    """One generation of `datasets`, the release it is to load and the hub that has it."""

    generation: str
    python: Path
    release: Path
    hub: Hub
    scratch: Path

    @property
    def runs_scripts(self) -> bool:
        return int(self.generation.partition(".")[0]) < 4

    def run(self, *arguments: str, online: bool = False) -> subprocess.CompletedProcess[str]:
        """Run `load_all.py` with a cache of its own, beside the release."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "PYTHON"))}
        reach = {"HF_ENDPOINT": self.hub.address} if online else {"HF_HUB_OFFLINE": "1"}
        cache = self.scratch / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        told = {"HF_HOME": str(cache), "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}
        return subprocess.run(
            [self.python, HERE / "load_all.py", *arguments],
            cwd=self.release.parent,
            env=own | reach | told,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def load(self, *arguments: str, online: bool = False) -> dict[str, Any]:
        """Return what `load_all.py` found."""
        done = self.run(*arguments, online=online)
        assert done.returncode == 0, done.stderr[-3000:]
        found: dict[str, Any] = json.loads(done.stdout)
        assert (found.pop("datasets") + ".").startswith(self.generation + ".")
        return found


@pytest.fixture(scope="module")
def release(pytestconfig: pytest.Config) -> Path:
    """The release that `--compat` names."""
    named = pytestconfig.getoption("--compat")
    if not named:
        pytest.skip("it makes four environments: run `make compat`")
    return Path(named).resolve()


@pytest.fixture(scope="module")
def hub(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """A hub with the release as `main` and as the tag of its version, and with the script at the root of `script`."""
    script = tmp_path_factory.mktemp("hub") / "script"
    shutil.copytree(release, script)
    shutil.move(script / "legacy" / "ncimp.py", script / "ncimp.py")
    tag = "v" + json.loads((release / "manifest.json").read_text(encoding="utf-8"))["release"]
    with serve(REPO, {"main": release, tag: release, "script": script}) as made:
        yield made


@pytest.fixture(scope="module", params=GENERATIONS)
def environment(
    request: pytest.FixtureRequest, release: Path, hub: Hub, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Environment]:
    """A fresh environment with the pins of one generation."""
    python = interpreter(PYTHON)
    if python is None:
        pytest.skip(f"no Python {PYTHON} here, and the oldest generation runs on no newer one")
    folder = tmp_path_factory.mktemp("compat")
    pins = HERE / f"datasets-{request.param}.txt"
    made = make_environment(folder / "venv", python, ["--no-deps", "--requirement", str(pins)])
    yield Environment(request.param, made, release, hub, folder)
    shutil.rmtree(folder)


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
    rows = {part["split"]: digest(release, part["path"], features) for part in config["data_files"]}
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
    kind = column["dtype"]
    return kind if isinstance(kind, str) else {"labels": list(kind["class_label"]["names"].values())}


def digest(release: Path, paths: list[str], features: dict[str, Any]) -> dict[str, Any]:
    """Return number and hash of the rows of the files *paths*, labels as their numbers."""
    labels = {name: kind["labels"] for name, kind in features.items() if isinstance(kind, dict)}
    made, count = hashlib.sha256(), 0
    for path in paths:
        for row in pq.ParquetFile(release / path).read().to_pylist():
            row |= {name: names.index(row[name]) for name, names in labels.items()}
            made.update(json.dumps(row, sort_keys=True, ensure_ascii=False).encode() + b"\n")
            count += 1
    return {"rows": count, "sha256": made.hexdigest()}


def test_the_folder_by_its_name(environment: Environment, expected: dict[str, Any]) -> None:
    assert environment.load("folder", environment.release.name) == expected


def test_the_hub_by_the_tag_of_the_version(environment: Environment, expected: dict[str, Any]) -> None:
    tag = "v" + expected["configs"]["pairs"]["version"]
    asked = len(environment.hub.asked)
    assert environment.load("hub", REPO, tag, online=True) == expected
    files = [line for line in environment.hub.asked[asked:] if line.startswith("GET") and ".parquet" in line]
    assert len(files) >= len(expected["configs"])


def test_the_builder_class(environment: Environment, expected: dict[str, Any]) -> None:
    assert environment.load("class", str(environment.release)) == expected


def test_the_script_where_it_lies_in_a_release(environment: Environment, expected: dict[str, Any]) -> None:
    script = environment.release / "legacy" / "ncimp.py"
    found = environment.load("script", str(script))
    if environment.runs_scripts:
        assert found == expected
    else:
        assert found == {"refused": "Dataset scripts are no longer supported, but found ncimp.py"}


def test_the_script_on_its_branch_of_the_hub(environment: Environment, expected: dict[str, Any]) -> None:
    found = environment.load("script", REPO, "script", online=True)
    if environment.runs_scripts:
        assert found == expected
    else:
        assert found == {"refused": "Dataset scripts are no longer supported, but found ncimp.py"}


def test_the_class_refuses_rows_of_another_release(environment: Environment, tmp_path: Path) -> None:
    mixed = Path(shutil.copytree(environment.release, tmp_path / "ncimp"))
    script = mixed / "legacy" / "ncimp.py"
    text = script.read_text(encoding="utf-8")
    version = json.loads((mixed / "manifest.json").read_text(encoding="utf-8"))["release"]
    script.write_text(text.replace(f'"version": "{version}"', '"version": "9.9.9"'), encoding="utf-8")
    done = environment.run("class", str(mixed))
    assert done.returncode == 1
    assert f"rows of release ['{version}'], the script is of 9.9.9; do not mix releases" in done.stderr
