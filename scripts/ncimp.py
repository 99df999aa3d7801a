"""Loading script of NCIMP for `datasets` before version 4, and an importable builder class for every version.

Current versions of `datasets` read the parquet files through the card; they need no script and refuse one
at the root of a dataset. The copy in a release (`legacy/ncimp.py`) has the release's files filled in. One
import a line, and the old names of types, because the import scanner of those versions asks for them.

    from ncimp_legacy import Ncimp                       # the file under a name of your own, on any version
    builder = Ncimp(config_name="sentences", base_path="ncimp")
    builder.download_and_prepare()
    sentences = builder.as_dataset()                     # or, without preparing: builder.as_streaming_dataset()

A file whose rows are of another release than the script is refused with a `ValueError`.
"""

from pathlib import Path
from typing import Any
from typing import Dict
from typing import Iterator
from typing import List
from typing import Tuple

import datasets
import pyarrow.parquet as pq
from datasets.table import table_cast

LAYOUT: Dict[str, Any] = {}
RELEASE = datasets.Version(LAYOUT.get("version", "0.0.0"))


class Ncimp(datasets.ArrowBasedBuilder):  # type: ignore[misc]
    """Noun compound idiomaticity minimal pairs, one config per table, language and paper column."""

    VERSION = RELEASE
    BUILDER_CONFIGS = [  # noqa: RUF012 (the base class asks for a list)
        datasets.BuilderConfig(name=name, version=RELEASE) for name in LAYOUT.get("configs", {})
    ]
    DEFAULT_CONFIG_NAME = "pairs"

    def _info(self) -> datasets.DatasetInfo:
        columns = LAYOUT["features"][LAYOUT["configs"][self.config.name]["table"]]
        features = datasets.Features({column["name"]: _feature(column) for column in columns})
        return datasets.DatasetInfo(features=features, license="CC BY 4.0")

    def _split_generators(self, dl_manager: Any) -> List[datasets.SplitGenerator]:
        # a script loaded from where it lies in a release has its own folder, not the release, as its base
        root = "../" if Path(self.base_path or "").name == "legacy" else ""
        splits = LAYOUT["configs"][self.config.name]["splits"]
        held = {split: [root + path for path in paths] for split, paths in splits.items()}
        found = dl_manager.download_and_extract(held)
        return [datasets.SplitGenerator(name=split, gen_kwargs={"paths": paths}) for split, paths in found.items()]

    def _generate_tables(self, paths: List[str]) -> Iterator[Tuple[int, Any]]:
        for number, path in enumerate(paths):
            with open(path, "rb") as file:  # noqa: PTH123 (streaming puts another `open` in its place)
                table = pq.ParquetFile(file).read()
            held = table.column("release").unique().to_pylist()
            if held not in ([], [str(RELEASE)]):
                raise ValueError(f"{path}: rows of release {held}, the script is of {RELEASE}; do not mix releases")
            yield number, table_cast(table, self.info.features.arrow_schema)


def _feature(column: Dict[str, Any]) -> Any:
    """Return the feature that an entry of the card describes."""
    if "list" in column:
        part = column["list"]
        if isinstance(part, str):
            return [datasets.Value(part)]
        return [{entry["name"]: _feature(entry) for entry in part}]
    return datasets.Value(column["dtype"])
