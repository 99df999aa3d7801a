"""Run inside an environment of the matrix, which has no `ncimp`: load a release one way, print what came.

    python load_all.py folder NAME|FOLDER        through the card, from a folder
    python load_all.py hub REPO REVISION         through the card, from the hub in HF_ENDPOINT
    python load_all.py script PATH|REPO REVISION as a loading script (`datasets` < 4)
    python load_all.py class FOLDER              the builder class, imported

The answer is canonical JSON: config -> split -> rows, hash of the rows, the same streamed; and the features
in a notation that is the same whatever a version calls its lists.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets

OLD = int(datasets.__version__.split(".")[0]) < 4
"""Whether this version runs loading scripts."""


def plain(feature: Any) -> Any:
    """Return a feature in the same notation on every version: lists are `["list", inner]`."""
    if isinstance(feature, datasets.Value):
        return feature.dtype
    if isinstance(feature, dict):
        return {name: plain(part) for name, part in feature.items()}
    inner = feature[0] if isinstance(feature, list) else feature.feature
    return ["list", plain(inner)]


def rows_of(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a split, asked for by the thousand, which is many times faster than one by one."""
    for batch in part.iter(batch_size=1000):
        for values in zip(*batch.values(), strict=True):
            yield dict(zip(batch, values, strict=True))


def digest(part: Any) -> dict[str, Any]:
    """Return the number of rows of a split and the hash of their canonical JSON."""
    made, count = hashlib.sha256(), 0
    for row in rows_of(part):
        assert count or row == next(iter(part))
        made.update(json.dumps(row, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n")
        count += 1
    return {"rows": count, "sha256": made.hexdigest()}


def told(loaded: Any, streamed: Any) -> dict[str, Any]:
    """Return what there is to say of one config, loaded and streamed."""
    features = {json.dumps(plain(dict(part.features))) for part in loaded.values()}
    typed = {json.dumps(plain(dict(part.features))) for part in streamed.values()}
    assert len(features) == 1
    return {
        "features": json.loads(features.pop()),
        "streamed features": sorted(json.loads(one) for one in typed)[0] if len(typed) == 1 else "unlike",
        "loaded": {split: digest(part) for split, part in loaded.items()},
        "streamed": {split: digest(part) for split, part in streamed.items()},
        "splits": {split: [part.info.splits[split].num_examples, part.num_rows] for split, part in loaded.items()},
        "version": str(next(iter(loaded.values())).info.version),
    }


def through_the_card(path: str, **options: Any) -> dict[str, Any]:
    """Load every config of *path*, and without a name the default one."""
    names = datasets.get_dataset_config_names(path, **options)
    default = next(iter(datasets.load_dataset(path, **options).values())).info.config_name
    streams = {name: datasets.load_dataset(path, name, streaming=True, **options) for name in names}
    configs = {name: told(datasets.load_dataset(path, name, **options), streams[name]) for name in names}
    return {"default": default, "configs": configs}


def through_the_class(folder: Path) -> dict[str, Any]:
    """Import the loading script as a module and use its class, which no version forbids."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("ncimp_legacy", folder / "legacy" / "ncimp.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # `datasets` looks the module of a builder up again by its name
    spec.loader.exec_module(module)
    configs = {}
    for name in module.Ncimp.builder_configs:
        builder = module.Ncimp(config_name=name, base_path=str(folder))
        builder.download_and_prepare()
        configs[name] = told(builder.as_dataset(), builder.as_streaming_dataset())
    return {"default": module.Ncimp(base_path=str(folder)).config.name, "configs": configs}


def main(way: str, path: str, revision: str | None = None) -> None:
    datasets.disable_progress_bars()
    options: dict[str, Any] = {"revision": revision} if revision else {}
    if way == "class":
        found = through_the_class(Path(path))
    else:
        if way == "script" and OLD:
            options["trust_remote_code"] = True
        try:
            found = through_the_card(path, **options)
        except RuntimeError as error:
            found = {"refused": str(error).splitlines()[0]}
    sys.stdout.write(json.dumps({"datasets": datasets.__version__, **found}, sort_keys=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
