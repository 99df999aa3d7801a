"""All replacements of a language: one record per compound and variant, in the order of the pack."""

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import VARIANTS, Compound, LanguagePack, Replacement
from ncimp.builder.selection.randoms import random_compounds
from ncimp.builder.selection.synonyms import Resources, component_synonyms
from ncimp.schemas.errors import SelectionError


def select(resources: Resources, options: BuildOptions) -> list[Replacement]:
    """Return the 14 replacements (`orig` included) of every compound, or raise `SelectionError`."""
    pack = resources.pack
    rows = random_compounds(resources, options)
    for compound in pack.compounds:
        rows += [*_from_pack(compound, pack), *component_synonyms(compound, resources)]
    order = {pack.compound_id(compound.text): index for index, compound in enumerate(pack.compounds)}
    return sorted(rows, key=lambda row: (order[row.compound_id], VARIANTS.index(row.variant)))


def _from_pack(compound: Compound, pack: LanguagePack) -> list[Replacement]:
    """Return the replacements that the pack names: the original, its best true synonym, and its components."""
    source = f"{pack.language.code} pack {pack.language.version}"
    compound_id = pack.compound_id(compound.text)
    synonyms = [row for row in pack.synonyms if row.compound == compound.text]
    if not synonyms:
        raise SelectionError(f"{compound.text!r} has no true synonym", fix="add one to synonyms.tsv")
    synonym = min(synonyms, key=lambda row: row.rank)
    whole = (compound.text, compound.modifier, compound.head, compound.pattern, compound.gender, source)
    other = (synonym.text, synonym.modifier, synonym.head, synonym.pattern, synonym.gender, source)
    head = (compound.head, None, compound.head, None, None, source)
    modifier = (compound.modifier, compound.modifier, None, None, None, source)
    reason = f"true synonym number {synonym.rank} of the pack"
    return [
        Replacement(compound_id, "orig", *whole, explanation="the compound itself"),
        Replacement(compound_id, "syn", *other, rank=synonym.rank, explanation=reason),
        Replacement(compound_id, "head", *head, explanation="the head alone, as it stands in the compound"),
        Replacement(compound_id, "mod", *modifier, explanation="the modifier alone, as it stands in the compound"),
    ]
