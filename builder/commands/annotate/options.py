"""What the actions on a campaign share: its rules, the experts' classes, the normalisers of its languages."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from ncimp.builder.annotation.answers.judgements import declared_rules
from ncimp.builder.annotation.answers.rules import Rules, read_rules
from ncimp.builder.annotation.scores.paraphrases import Normaliser, NormaliserOf, articles_of
from ncimp.builder.records import CompoundClass, Judgement
from ncimp.schemas.errors import Place, SchemaError, UsageError
from ncimp.schemas.files import read_text, read_tsv

TRUTH = ("compound_id", "item_id", "comp", "head", "modifier")
HABITS = ("worker", "habit", "lean")
TRUTH_FILE, HABITS_FILE = "truth.tsv", "workers.tsv"
"""What a simulation says of itself."""


def register_packs(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where language packs are."""
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")


def rules_for(campaign: Path, other: Path | None) -> tuple[Rules, bool]:
    """Return the rules for *campaign*, those of the file *other* if given, and whether they are the declared ones."""
    declared = declared_rules(campaign) if campaign.is_dir() else None
    if other is None:
        return declared or Rules(), declared is not None
    rules = read_rules(other)
    return rules, rules == declared


def register_mode(parser: argparse.ArgumentParser) -> None:
    """Add the option that says which judgements are meant."""
    parser.add_argument("--mode", choices=("token", "type"), help="take only these judgements (default: all)")


def of_one_mode(rows: Sequence[Judgement], mode: str | None) -> list[Judgement]:
    """Return the judgements of *mode*, all without one; raise `UsageError` when there is none, or two modes."""
    found = [row for row in rows if mode in (None, row.mode)]
    modes = sorted({row.mode for row in found if row.kind == "item"})
    if len(modes) != 1:
        what = f"judgements of {' and '.join(modes)} mode" if modes else "no judgement of that mode"
        raise UsageError(what, fix="choose one with --mode; the two are never averaged")
    return found


def known_packs(args: argparse.Namespace, langs: Iterable[str]) -> dict[str, Path]:
    """Return the pack of each language that has one."""
    from ncimp.builder.sources.packs.packs import pack_names, packs_folder

    packs = args.packs or packs_folder()
    held = pack_names(packs)
    return {lang: packs / lang for lang in langs if lang in held}


def expert_classes(packs: Iterable[Path]) -> dict[str, CompoundClass]:
    """Return the experts' class of every compound of *packs*, by its id."""
    from ncimp.builder.sources.packs.packs import read_pack

    read = [read_pack(folder) for folder in packs]
    return {pack.compound_id(row.text): row.compound_class for pack in read for row in pack.compounds}


def normalisers(packs: dict[str, Path], spellings: Path | None) -> NormaliserOf:
    """Return what gives a language its normaliser: forms of its pack and its rules, and the *spellings* of a file."""
    from ncimp.builder.sources.inflection.rules import RuleMorphology
    from ncimp.builder.sources.lexicons.layered import LayeredMorphology
    from ncimp.builder.sources.packs.forms import PackMorphology
    from ncimp.builder.sources.packs.packs import read_pack

    known = read_spellings(spellings) if spellings else {}

    def normaliser(lang: str) -> Normaliser:
        if lang not in packs:
            return Normaliser(spellings=known)
        pack = read_pack(packs[lang])
        forms = PackMorphology(pack.forms, pack.language)
        morphology = LayeredMorphology(forms, [], rules=RuleMorphology(pack.language), widely=True)
        return Normaliser(morphology, articles_of(pack), known)

    return normaliser


def read_spellings(path: Path) -> dict[str, str]:
    """Return the spelling to use by its variant: a file with one pair a line, a tab between them."""
    found = {}
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), start=1):
        cells = [cell.strip().casefold() for cell in line.split("\t")]
        if len(cells) != len(("variant", "spelling")) or not all(cells):
            raise SchemaError("not two words with a tab between", fix="mend the line", place=Place(str(path), number))
        found[cells[0]] = cells[1]
    return found


def read_truth(folder: Path) -> dict[str, tuple[str, float]]:
    """Return (compound, true score) of every sentence that `annotate simulate` wrote into *folder*."""
    rows = read_tsv(folder / TRUTH_FILE, TRUTH)
    return {row["item_id"]: (row["compound_id"], float(row["comp"])) for _, row in rows}


def read_habits(folder: Path) -> dict[str, str]:
    """Return what each simulated annotator was."""
    return {row["worker"]: row["habit"] for _, row in read_tsv(folder / HABITS_FILE, HABITS)}
