r"""How often component synonyms meet the experts' choices, and how often five pairs can be built.

Gold is `dev_synonyms.jsonl`: one row per expert's synonym of a component. A lexicon that is not given is said
to be absent, and the figures of a language without any are left out. The two halves are the compounds by the
first bit of a hash; their distance shows what chance does.

Example:
    PYTHONPATH=src python bench/linguistics_synonyms.py --gold ../shared/gold \
        --morphology pt=morphobr-nouns.dict.xz --morphology pt=morphobr-adjectives.dict.xz \
        --oewn oewn-2025.xml.xz --omw-pt omw-pt.xml.xz --mythes-pt-pt th_pt_PT_v2.dat --mythes-pt-br th_pt_BR.dat
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncimp.builder.commands.options import DATA
from ncimp.builder.commands.task import MORPHOLOGY, resources_by_language
from ncimp.builder.ports import Morphology
from ncimp.builder.records import WORDS_SYN
from ncimp.builder.selection.synonyms import Component, Synonym, SynonymFinder, independent_pairs
from ncimp.builder.sources.collection import NamedLexicon, open_lexicons
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.schemas.files import keyed_hash

USED = {"en": ("oewn",), "pt": ("omw-pt", "mythes-pt-pt", "mythes-pt-br")}
"""What stands behind the figures of each language; `omw-pt` takes its relations from `oewn`."""

FEW = 5
"""Candidates that are looked at: as many as a compound has variants."""

TARGETS = {
    ("en", "any gold in the first 5"): 70.0,
    ("en", "five pairs"): 97.0,
    ("pt", "gold 1 in the first 5"): 50.0,
    ("pt", "five pairs"): 96.0,
}
"""Percent to reach."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    lang: str
    name: str
    part: str
    """`all`, a role, or a half of the compounds."""
    items: int
    percent: float

    @property
    def target(self) -> float | None:
        """What is to be reached, where something is."""
        return TARGETS.get((self.lang, self.name)) if self.part == "all" else None


@dataclass(frozen=True, slots=True)
class Asked:
    """A component with the experts' synonyms of it, by their number."""

    component: Component
    gold: Mapping[int, str]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the table that it counts for."""
        return "all", self.component.role, half_of(self.component.compound)


def half_of(compound: str) -> str:
    """Return the half of the compounds that *compound* is in."""
    return f"half {'ab'[int(keyed_hash('half', compound)[0], 16) % 2]}"


def read_gold(path: Path, lang: str) -> list[Asked]:
    """Return the components of *lang* in the gold file *path*."""
    found: dict[Component, dict[int, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["lang"] == lang:
            component = Component(row["compound"], row["role"], row["word"])
            found.setdefault(component, {})[row["index"]] = row["syn"].lower()
    return [Asked(component, gold) for component, gold in found.items()]


def figures(lang: str, asked: Sequence[Asked], find: Callable[[Component], list[Synonym]]) -> Iterator[Figure]:
    """Yield every figure of one language."""
    answers = {row.component: find(row.component) for row in asked}
    few = {component: [one.form.lower() for one in found[:FEW]] for component, found in answers.items()}
    tests: dict[str, Callable[[Asked], bool]] = {
        "any gold in the first 5": lambda row: bool(set(row.gold.values()) & set(few[row.component])),
        "gold 1 in the first 5": lambda row: row.gold.get(1) in few[row.component],
        "gold 1 first": lambda row: few[row.component][:1] == [row.gold.get(1)],
    }
    for name, test in tests.items():
        for part in ("all", "head", "mod", "half a", "half b"):
            counted = [test(row) for row in asked if part in row.parts]
            yield Figure(lang, name, part, len(counted), percent(counted))
    yield from _pairs(lang, answers)


def _pairs(lang: str, answers: Mapping[Component, list[Synonym]]) -> Iterator[Figure]:
    """Yield how many compounds have five pairs that share no word, and five combinations of any kind."""
    by_compound: dict[str, dict[str, list[Synonym]]] = {}
    for component, found in answers.items():
        by_compound.setdefault(component.compound, {})[component.role] = found
    for part in ("all", "half a", "half b"):
        chosen = [roles for text, roles in by_compound.items() if part in ("all", half_of(text))]
        whole = [roles for roles in chosen if {"mod", "head"} <= set(roles)]
        enough = len(WORDS_SYN)
        rows = [{role: [one.row for one in found] for role, found in roles.items()} for roles in whole]
        pairs = [len(list(independent_pairs(row["mod"], row["head"]))) >= enough for row in rows]
        products = [len(roles["mod"]) * len(roles["head"]) >= enough for roles in whole]
        yield Figure(lang, "five pairs", part, len(pairs), percent(pairs))
        yield Figure(lang, "five combinations", part, len(products), percent(products))


def percent(counted: Sequence[bool]) -> float:
    """Return the share of what is true, in percent."""
    return 100 * sum(counted) / len(counted) if counted else 0.0


def rows(
    gold: Path, paths: Mapping[str, Path | None], morphology: Mapping[str, Morphology], data: Path
) -> tuple[list[Figure], list[str]]:
    """Return the figures of each language with a lexicon, and the lexicons that are absent."""
    here = {name: path for name, path in paths.items() if path is not None and path.exists()}
    absent = sorted({name for names in USED.values() for name in names} - set(here))
    lexicons = open_lexicons([NamedLexicon(path, None) for path in here.values()], data=data)
    found: list[Figure] = []
    for lang in USED:
        sources = lexicons.get(lang)
        if sources:
            finder = SynonymFinder(sources, frequencies=WordfreqTable(lang), morphology=morphology[lang])
            found += figures(lang, read_gold(gold / "dev_synonyms.jsonl", lang), finder.of_word)
    return found, absent


def table(found: Iterable[Figure], absent: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the table as Markdown."""
    yield "| lang | figure | part | items | % | to reach |"
    yield "| --- | --- | --- | ---: | ---: | ---: |"
    for row in found:
        target = "" if row.target is None else f"≥ {row.target:.0f}{'' if row.percent >= row.target else ' (missed)'}"
        yield f"| {row.lang} | {row.name} | {row.part} | {row.items} | {row.percent:.1f} | {target} |"
    if absent:
        yield ""
        yield f"Absent, so not part of the figures: {', '.join(absent)}."


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", type=Path, required=True, metavar="DIR")
    for name in sorted({name for names in USED.values() for name in names}):
        parser.add_argument(f"--{name}", type=Path, metavar="PATH")
    MORPHOLOGY(parser)
    DATA(parser)
    args = parser.parse_args()
    paths = {name: getattr(args, name.replace("-", "_")) for names in USED.values() for name in names}
    resources = resources_by_language(argparse.Namespace(**vars(args), packs=packs_folder(), lang=list(USED)))
    morphology = {lang: resources[lang].inflector for lang in USED}
    found, absent = rows(args.gold, paths, morphology, args.data)
    sys.stdout.write("\n".join(table(found, absent)) + "\n")


if __name__ == "__main__":
    main()
