"""Loading script of NCIMP for `datasets` before version 4, and an importable builder class for every version.

Current versions of `datasets` read the parquet files through the card; they need no script and refuse one
at the root of a dataset. The copy in a release (`legacy/ncimp.py`) has the release's files filled in. One
import a line, and the old names of types, because the import scanner of those versions asks for them.
"""

from pathlib import Path
from typing import Any
from typing import Dict
from typing import Iterator
from typing import List
from typing import Tuple

import datasets
import pyarrow.parquet as pq

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
        return datasets.DatasetInfo(license="CC BY 4.0")

    def _split_generators(self, dl_manager: Any) -> List[datasets.SplitGenerator]:
        # a script loaded from where it lies in a release has its own folder, not the release, as its base
        root = "../" if Path(self.base_path or "").name == "legacy" else ""
        paths = {split: [root + path for path in held] for split, held in LAYOUT["configs"][self.config.name].items()}
        found = dl_manager.download_and_extract(paths)
        return [datasets.SplitGenerator(name=split, gen_kwargs={"paths": paths}) for split, paths in found.items()]

    def _generate_tables(self, paths: List[str]) -> Iterator[Tuple[int, Any]]:
        for number, path in enumerate(paths):
            yield number, pq.read_table(path)
