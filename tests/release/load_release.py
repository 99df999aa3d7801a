"""Run by the loading tests in a process of its own: load a release in every way and print what came as JSON.

python load_release.py RELEASE-FOLDER
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

import datasets


def digest(rows: Any) -> str:
    """Hash of rows, whatever Python objects stand for lists."""
    text = json.dumps([dict(row) for row in rows], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def described(loaded: Any) -> dict[str, Any]:
    return {
        split: {
            "rows": part.num_rows,
            "columns": part.column_names,
            "features": {name: str(feature) for name, feature in part.features.items()},
            "digest": digest(part),
        }
        for split, part in loaded.items()
    }


def streamed(folder: str, config: str) -> dict[str, Any]:
    loaded = datasets.load_dataset(folder, config, streaming=True)
    rows = {split: list(part) for split, part in loaded.items()}
    return {split: {"rows": len(held), "digest": digest(held)} for split, held in rows.items()}


def legacy(folder: Path, configs: list[str]) -> dict[str, Any]:
    """Import the loading script as a module and use its class, as no version of `datasets` forbids."""
    spec = importlib.util.spec_from_file_location("ncimp_legacy", folder / "legacy" / "ncimp.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # `datasets` looks the module of a builder up again by its name
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    found: dict[str, Any] = {"names": [config.name for config in module.Ncimp.BUILDER_CONFIGS]}
    for config in configs:
        builder = module.Ncimp(config_name=config, base_path=str(folder))
        builder.download_and_prepare()
        found[config] = described(builder.as_dataset())
        found["version"] = str(builder.info.version)
    return found


def legacy_in_its_place(folder: Path) -> dict[str, Any]:
    """Do as `load_dataset("ncimp/legacy/ncimp.py")` of `datasets` < 4 does: paths start where the script is."""
    module = sys.modules["ncimp_legacy"]
    elsewhere = str(Path(os.environ["HF_HOME"]) / "in-place")  # or what was loaded from the right place is served again
    builder = module.Ncimp(config_name="compounds", base_path=str(folder / "legacy"), cache_dir=elsewhere)
    try:
        builder.download_and_prepare()
    except (OSError, datasets.exceptions.DatasetsError) as error:
        return {"error": str(error)}
    return described(builder.as_dataset())


def main(folder: Path) -> None:
    datasets.disable_progress_bars()
    configs = datasets.get_dataset_config_names(str(folder))
    os.chdir(folder.parent)
    found = {
        "configs": configs,
        "default": described(datasets.load_dataset(folder.name)),
        "loaded": {config: described(datasets.load_dataset(str(folder), config)) for config in configs},
        "streamed": {config: streamed(str(folder), config) for config in configs},
        "legacy": legacy(folder, configs),
        "legacy in its place": legacy_in_its_place(folder),
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
