"""A WordNet of a few synsets in the format of Princeton's, written by hand: offsets are found while it is written."""

from __future__ import annotations

from pathlib import Path

HEAD = "  1 WordNet 3.7 Copyright 2026 by nobody: a few synsets for tests.\n"
SUFFIX = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
Synset = tuple[str, str, list[str], list[tuple[str, str]]]
"""Name, type (n v a s r), words, and (pointer symbol, name of the target)."""

NET: list[Synset] = [
    ("money", "n", ["lender", "bank", "money_box"], [("@", "business")]),
    ("river", "n", ["bank", "shore"], [("@", "slope")]),
    ("business", "n", ["firm", "house"], [("~", "money"), ("~", "shop")]),
    ("shop", "n", ["shop", "store"], [("@", "business")]),
    ("slope", "n", ["slope"], [("~", "river")]),
    ("country", "n", ["land"], [("~i", "china")]),
    ("china", "n", ["China", "Cathay"], [("@i", "country")]),
    ("dishes", "n", ["china", "crockery"], []),
    ("hard", "a", ["hard"], [("&", "solid"), ("&", "firm")]),
    ("solid", "s", ["solid"], [("&", "hard")]),
    ("firm", "s", ["firm", "steady(p)"], [("&", "hard")]),
    ("rely", "v", ["bank", "rely"], []),
]
SENSES: dict[tuple[str, str], list[str]] = {
    ("bank", "n"): ["money", "river"],
    ("china", "n"): ["china", "dishes"],
}
"""Order of the senses of words that have several; of the others, the order of `NET`."""


def write_wndb(folder: Path, net: list[Synset] = NET) -> Path:
    """Write *net* to *folder* and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    places: dict[str, tuple[str, int]] = {}
    for _ in range(2):  # once to find the offsets, which are eight digits either way, and once to write them
        for tag, suffix in SUFFIX.items():
            text = HEAD
            for name, kind, words, pointers in net:
                if kind.replace("s", "a") == tag:
                    places[name] = (tag, len(text.encode()))
                    text += _data_line(name, kind, words, pointers, places)
            (folder / f"data.{suffix}").write_text(text, encoding="utf-8")
    for tag, suffix in SUFFIX.items():
        (folder / f"index.{suffix}").write_text(HEAD + _index(net, tag, places), encoding="utf-8")
        (folder / f"{suffix}.exc").write_text("", encoding="utf-8")
    return folder


def _data_line(
    name: str, kind: str, words: list[str], pointers: list[tuple[str, str]], places: dict[str, tuple[str, int]]
) -> str:
    written = " ".join(f"{word} 0" for word in words)
    targets = [(symbol, *places.get(target, ("n", 0))) for symbol, target in pointers]
    links = "".join(f" {symbol} {offset:08d} {tag} 0000" for symbol, tag, offset in targets)
    frames = " 01 + 02 00" if kind == "v" else ""
    return f"{places[name][1]:08d} 03 {kind} {len(words):02x} {written} {len(pointers):03d}{links}{frames} | made up\n"


def _index(net: list[Synset], tag: str, places: dict[str, tuple[str, int]]) -> str:
    names: dict[str, list[str]] = {}
    for name, kind, words, _ in net:
        if kind.replace("s", "a") == tag:
            for word in words:
                names.setdefault(word.split("(")[0].lower(), []).append(name)
    lines = []
    for word, found in sorted(names.items()):
        offsets = [f"{places[name][1]:08d}" for name in SENSES.get((word, tag), found)]
        lines.append(f"{word} {tag} {len(offsets)} 0 {len(offsets)} 0 {' '.join(offsets)}\n")
    return "".join(lines)
