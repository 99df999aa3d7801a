"""Planters of D1xx: a card that is not what its manifest and the Hub ask, signed so that its hash fits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from tests.validation.planters_folder import FolderPlanter, sign

CARD = "README.md"


def edited(change: Callable[[str], str]) -> FolderPlanter:
    """Change the text of the card."""

    def plant(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
        text = (folder / CARD).read_text("utf-8")
        changed = change(text)
        assert changed != text
        (folder / CARD).write_text(changed, "utf-8")
        sign(folder, CARD)
        return (CARD,), frozenset()

    return plant


def worded(old: str, new: str) -> FolderPlanter:
    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return edited(change)


def headed(change: Callable[[dict[str, Any]], object]) -> FolderPlanter:
    """Change the header of the card, and write it anew."""

    def rewrite(text: str) -> str:
        _, header, body = text.split("---\n", 2)
        values = yaml.safe_load(header)
        change(values)
        return f"---\n{yaml.safe_dump(values, sort_keys=False)}---\n{body}"

    return edited(rewrite)


def config(number: int, **values: Any) -> FolderPlanter:
    return headed(lambda header: header["configs"][number].update(values))


def _rename(header: dict[str, Any]) -> None:
    for part in ("configs", "dataset_info"):
        header[part][3]["config_name"] = "pairs"


def _drop_feature(header: dict[str, Any]) -> None:
    del header["dataset_info"][1]["features"][4]


def _retype(header: dict[str, Any]) -> None:
    header["dataset_info"][0]["features"][5]["dtype"] = "string"


def _turn_features(header: dict[str, Any]) -> None:
    header["dataset_info"][0]["features"].reverse()


def _one_more(header: dict[str, Any]) -> None:
    header["dataset_info"][0]["splits"][1]["num_examples"] += 1


def _file_twice(header: dict[str, Any]) -> None:
    paths = header["configs"][0]["data_files"][0]["path"]
    paths.append(paths[0].replace("-00000-of-00001", "-*"))


def _no_such_file(header: dict[str, Any]) -> None:
    header["configs"][1]["data_files"][0]["path"].append("sentence/train-*.parquet")


def _licence_with_title(header: dict[str, Any]) -> None:
    header.update(license="other", license_name="My own licence", license_link="https://a.b")


def _licence_without_text(header: dict[str, Any]) -> None:
    header.update(license=["cc-by-4.0", "other"], license_name="mine-1.0", license_link="LICENSE.md")


def _without_compounds(header: dict[str, Any]) -> None:
    for part in ("configs", "dataset_info"):
        del header[part][2]


CARDS: list[tuple[str, str, FolderPlanter]] = [
    ("D101", "no header", edited(lambda text: text.split("---\n", 2)[2])),
    ("D101", "a header that is no YAML", worded("pretty_name:", "pretty_name: [")),
    ("D101", "a header that is a list", edited(lambda text: "---\n- 1\n---\n" + text.split("---\n", 2)[2])),
    ("D101", "a key twice", worded("license: cc-by-4.0\n", "license: cc-by-4.0\nlicense: mit\n")),
    ("D101", "a key twice in a config", worded("  default: true\n", "  default: true\n  default: true\n")),
    ("D102", "a key misspelt", worded("pretty_name:", "prety_name:")),
    ("D102", "a key misspelt in a config", config(1, defualt=True)),
    ("D102", "no licence", headed(lambda header: header.pop("license"))),
    ("D102", "an unknown licence", worded("license: cc-by-4.0", "license: cc-by-4")),
    (
        "D102",
        "another licence without a name",
        worded("license: cc-by-4.0\n", "license: other\nlicense_link: https://a.b\n"),
    ),
    ("D102", "another licence with a title for a name", headed(_licence_with_title)),
    ("D102", "another licence whose text is not there", headed(_licence_without_text)),
    ("D102", "a name for a known licence", worded("license: cc-by-4.0\n", "license: cc-by-4.0\nlicense_name: mine\n")),
    ("D102", "an unknown task", headed(lambda header: header["task_categories"].append("idiom-detection"))),
    ("D102", "a task id of no category", headed(lambda header: header["task_ids"].append("open-domain-qa"))),
    ("D102", "another size", worded("n<1K", "1K<n<10K")),
    ("D102", "an unknown size", worded("n<1K", "n<2K")),
    ("D102", "an unknown language", headed(lambda header: header["language"].append("zz"))),
    ("D102", "a language less", headed(lambda header: header["language"].pop())),
    ("D102", "an unknown creator", headed(lambda header: header["language_creators"].append("poet"))),
    ("D103", "two defaults", config(1, default=True)),
    ("D103", "no default", config(0, default=False)),
    ("D103", "a default that is no truth value", config(0, default="yes")),
    ("D103", "another version", config(2, version="0.0.9")),
    ("D103", "a config without features", headed(lambda header: header["dataset_info"].pop(4))),
    ("D104", "a file that is not there", headed(_no_such_file)),
    ("D104", "a file twice in a config", headed(_file_twice)),
    ("D105", "a column less", headed(_drop_feature)),
    ("D105", "another type", headed(_retype)),
    ("D105", "another order", headed(_turn_features)),
    ("D106", "one example more", headed(_one_more)),
    ("D106", "another download size", headed(lambda header: header["dataset_info"][0].update(download_size=1))),
    ("D106", "another size in memory", headed(lambda header: header["dataset_info"][0].update(dataset_size=1))),
    ("D107", "no limits", worded("## Limits", "## More")),
    ("D107", "no maintenance", worded("## Maintenance", "## More")),
    ("D108", "a total in the text", worded("780 minimal pairs", "781 minimal pairs")),
    ("D108", "a number in the composition", worded("| 6 | 420 | 390 |", "| 6 | 420 | 420 |")),
    ("D108", "a number of rows", worded("| sentence | 840 |", "| sentence | 780 |")),
    ("D108", "a split", worded("| English | 3 | 3 |", "| English | 2 | 3 |")),
    ("D108", "a language that is not there", worded("| Portuguese | 3 | 3 |\n", "")),
    ("D108", "a realised match", worded("| English | 0.0", "| English | 0.9")),
]
"""Code, what is wrong, and the planter."""

TOGETHER: list[tuple[str, frozenset[str], FolderPlanter]] = [
    ("a config left out", frozenset({"D104", "D108"}), headed(_without_compounds)),
    ("two configs of one name", frozenset({"D103", "D106"}), headed(_rename)),
]
"""What is wrong, all codes that tell of it, and the planter."""
