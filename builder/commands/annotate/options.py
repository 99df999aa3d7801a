"""Rules, expert classes and normalisers for the actions on a campaign."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from ncimp.builder.annotation.answers.annotators import Rules, read_rules
from ncimp.builder.annotation.campaign import declared_rules
from ncimp.builder.annotation.scores import Normaliser, NormaliserOf, articles_of
from ncimp.builder.records import CompoundClass, Judgement
from ncimp.builder.sources.inflection import RuleMorphology
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import pack_names, packs_folder, read_pack
from ncimp.schemas.errors import Place, SchemaError, UsageError
from ncimp.schemas.files import read_text


def rules_for(campaign: Path, other: Path | None) -> tuple[Rules, bool]:
    """Return the rules for *campaign*, those of the file *other* if given, and whether they are the declared ones."""
    declared = declared_rules(campaign) if campaign.is_dir() else None
    if other is None:
        return declared or Rules(), declared is not None
    rules = read_rules(other)
    return rules, rules == declared


def register_mode(parser: argparse.ArgumentParser) -> None:
    """Add `--mode`, which selects judgements."""
    parser.add_argument("--mode", choices=("token", "type"), help="take only these judgements (default: all)")


def of_one_mode(rows: Sequence[Judgement], mode: str | None) -> list[Judgement]:
    """Return the judgements of *mode*, all without one; raise `UsageError` when there is none, or two modes."""
    rows = [row for row in rows if mode in (None, row.mode)]
    modes = sorted({row.mode for row in rows if row.kind == "item"})
    if len(modes) != 1:
        what = f"judgements of {' and '.join(modes)} mode" if modes else "no judgement of that mode"
        raise UsageError(what, fix="choose one with --mode; the two are never averaged")
    return rows


def known_packs(args: argparse.Namespace, langs: Iterable[str]) -> dict[str, Path]:
    """Return the pack of each language that has one."""
    packs = args.packs or packs_folder()
    names = pack_names(packs)
    return {lang: packs / lang for lang in langs if lang in names}


def expert_classes(packs: Iterable[Path]) -> dict[str, CompoundClass]:
    """Return the expert class of every compound of *packs*, by its id."""
    read = [read_pack(folder) for folder in packs]
    return {pack.compound_id(row.text): row.compound_class for pack in read for row in pack.compounds}


def normalisers(packs: dict[str, Path], spellings: Path | None) -> NormaliserOf:
    """Return a function from a language to its normaliser: forms of its pack, its rules, and the *spellings*."""
    table = read_spellings(spellings) if spellings else {}

    def normaliser(lang: str) -> Normaliser:
        if lang not in packs:
            return Normaliser(spellings=table)
        pack = read_pack(packs[lang])
        forms = PackMorphology(pack.forms, pack.language)
        morphology = LayeredMorphology(forms, [], rules=RuleMorphology(pack.language), widely=True)
        return Normaliser(morphology, articles_of(pack), table)

    return normaliser


def read_spellings(path: Path) -> dict[str, str]:
    """Return the spelling to use by its variant: a file with one pair a line, a tab between them."""
    table = {}
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), start=1):
        cells = [cell.strip().casefold() for cell in line.split("\t")]
        if len(cells) != len(("variant", "spelling")) or not all(cells):
            raise SchemaError("not two words with a tab between", fix="repair the line", place=Place(str(path), number))
        table[cells[0]] = cells[1]
    return table
