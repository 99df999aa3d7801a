"""Run by the Croissant tests in a process of its own: read a `croissant.json` and print what is in it as JSON.

python read_croissant.py CROISSANT-FILE
"""

from __future__ import annotations

import json
import sys
from typing import Any

import mlcroissant


def plain(value: Any) -> Any:
    """Text for bytes, and the last part of an id for the whole."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, dict):
        return {str(key).rsplit("/", 1)[-1]: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


dataset = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = dataset.metadata.ctx.issues
found = {
    "errors": sorted(map(str, issues.errors)),
    "warnings": sorted(map(str, issues.warnings)),
    "version": dataset.metadata.version,
    "biases": plain(dataset.metadata.data_biases),
    "records": {
        part.uuid: [plain(record) for record in dataset.records(part.uuid)] for part in dataset.metadata.record_sets
    },
}
print(json.dumps(found))
