"""What `--download` does, with a hub on this computer: fetch what is needed, once, and only where it is asked to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ncimp.evaluator.models import OTHER_FORMATS, files_hash
from tests.evaluator.tiny import Tiny
from tests.evaluator.tiny_models import make
from tests.loopback_hub import Blob, Fault, LoopbackHub, serving

pytestmark = pytest.mark.slow
NAME = "group/tiny-bert"
OTHERS = ("model.onnx", "tf_model.h5", "flax_model.msgpack", "rust_model.ot", "onnx/model.onnx")
"""The same model in formats that are not read."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("models") / "bert", "bert", layers=2)


@pytest.fixture
def hub(model: Path) -> Iterator[LoopbackHub]:
    made = LoopbackHub()
    files = {path.name: path.read_bytes() for path in model.iterdir()} | dict.fromkeys(OTHERS, b"never read")
    files["README.md"] = b"# Tiny\n"
    made.create(NAME).commit({path: Blob(data, path.endswith(".safetensors")) for path, data in files.items()}, "model")
    with serving(made):
        yield made


FOLDER = """
import sys
from ncimp.evaluator.models import model_folder
from ncimp.schemas.errors import EvaluationError
try:
    model_folder(sys.argv[1], download=sys.argv[2] == "--download")
except EvaluationError as error:
    print(error)
"""


def outside(home: Path, *command: object, hub: LoopbackHub | None) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, because the libraries read their settings once."""
    settings = {"HF_HOME": str(home), "HF_ENDPOINT": hub.url} if hub else {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    known = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "TRANSFORMERS_"))}
    environment = known | settings | {"PYTHONPATH": str(Path(__file__).parents[2] / "src"), "NO_PROXY": "127.0.0.1"}
    environment |= {"HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}
    words = [sys.executable, *map(str, command)]
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environment)


def test_a_model_is_fetched_once_and_without_what_is_not_read(hub: LoopbackHub, model: Path, tmp_path: Path) -> None:
    release = Tiny(tmp_path / "ncimp").write()
    command = ["-m", "ncimp.builder.cli", "evaluate", "--release", str(release), "--model", NAME, "--device", "cpu"]
    command += ["--json", "--resamples", "100"]
    fetched = outside(tmp_path, *command, "--download", hub=hub)
    assert fetched.returncode == 0, fetched.stderr
    asked = {path.partition("/resolve/")[2].partition("/")[2] for path in hub.paths if "/resolve/" in path}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= asked
    assert not [path for path in asked if Path(path).suffix in OTHER_FORMATS - {".md"}]
    found = json.loads(fetched.stdout)["signature"]["model"]
    assert (found["name"], found["kind"], found["sha256"]) == (NAME, "transformers", files_hash(model))
    again = outside(tmp_path, *command, hub=None)
    assert (again.returncode, again.stdout) == (0, fetched.stdout)


def test_nothing_is_asked_of_a_hub_unless_it_is_wanted(hub: LoopbackHub, tmp_path: Path) -> None:
    done = outside(tmp_path, "-c", FOLDER, NAME, "--here", hub=hub)
    assert f"the model {NAME!r} is neither a folder nor in the Hugging Face cache" in done.stdout
    assert "let --download fetch it" in done.stdout
    assert hub.asked == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("group/other", None),
        (NAME, Fault("info", "401")),
        (NAME, Fault("info", "cut")),
        (NAME, Fault("resolve", "404")),
        (NAME, Fault("resolve", "cut")),
    ],
)
def test_what_cannot_be_fetched_is_one_message(
    hub: LoopbackHub, tmp_path: Path, name: str, fault: Fault | None
) -> None:
    hub.faults = [fault] if fault else []
    done = outside(tmp_path, "-c", FOLDER, name, "--download", hub=hub)
    assert done.returncode == 0, done.stderr
    (message,) = done.stdout.splitlines()
    assert message.startswith(f"the model {name!r} could not be fetched (")
    assert message.endswith("; check name and connection; or give the folder of a model")
    assert hub.asked != []
