"""A release so small that every figure of it can be worked out by hand."""

from __future__ import annotations

from typing import Any

from ncimp.builder.records import CarrierEdit, Item, ReleasedCompound, ReleasedSynonym
from ncimp.builder.release.tables import ReleaseTables

IDIOM, FORM = "en/rat-race", "en/application-form"
CLASSES = {IDIOM: "idiomatic", FORM: "compositional"}

NOTHING = dict.fromkeys(
    (
        *("gender", "genre", "head", "modifier", "modifier_synset", "head_synset", "modifier_relation"),
        *("head_relation", "rank", "modifier_zipf", "head_zipf", "modifier_delta", "head_delta", "mean_delta"),
    )
)


def item(compound_id: str, context: str, variant: str = "orig", *, probe: str = "orig", **own: Any) -> Item:
    """An item of the sentence *The NC ended.* unless it is told otherwise."""
    known: dict[str, Any] = {
        **NOTHING,
        "id": f"{compound_id}/{context}/{variant}",
        "lang": compound_id[:2],
        "compound_id": compound_id,
        "compound": compound_id[3:],
        "compound_class": CLASSES.get(compound_id, "idiomatic"),
        "context": context,
        "context_kind": "neutral" if context.startswith("neut") else "naturalistic",
        "probe": probe,
        "variant": variant,
        "sentence": "",
        "span": (0, 1),
        "tokens": ("The", "rat", "race", "ended", "."),
        "token_span": (1, 3),
        "replacement": "",
        "pattern": "N_N",
        "number": "sg",
        "carrier_edits": (),
        "uncertain": (),
        "context_source": "authored",
        "licence": "CC0-1.0",
        "origin": "generated",
        "published": None,
        "source": "",
        "explanation": "",
        "split": "train",
        "release": "1.0.0",
    }
    return Item(**(known | own))


def placed(before: int, after: int, *, mark: bool = True) -> dict[str, Any]:
    """Tokens with so many words before and after an NC of two, and a comma and a stop that are no words."""
    marks = (",",) if mark else ()
    tokens = (*["word"] * before, *marks, "rat", "race", *["word"] * after, ".")
    return {"tokens": tokens, "token_span": (before + len(marks), before + len(marks) + 2)}


def random(compound_id: str, number: int, modifier: float | None, head: float | None, mean: float | None) -> Item:
    """The random compound of this *number* with its differences, in the first context."""
    deltas = {"modifier_delta": modifier, "head_delta": head, "mean_delta": mean}
    return item(compound_id, "nat1", f"rand{number}", probe="PRand", **deltas)


def synonyms(compound_id: str, number: int, modifier: str | None, head: str | None, rank: int | None) -> Item:
    """The pair of component synonyms of this *number* with its relations, in the first context."""
    relations = {"modifier_relation": modifier, "head_relation": head, "rank": rank}
    return item(compound_id, "nat1", f"ws{number}", probe="PWordsSyn", **relations)


def compound(compound_id: str, pattern: str, split: str, *overlap_free: bool) -> ReleasedCompound:
    """A compound with a synonym for each of *overlap_free*."""
    nothing = dict.fromkeys(
        (
            *("gender", "comp", "comp_head", "comp_modifier", "modifier_zipf", "head_zipf"),
            *("comp_sd", "comp_n", "class_from_scores", "comp_source", "comp_type"),
            *("compound_count", "pmi", "ppmi", "count_source"),
        )
    )
    known: dict[str, Any] = {
        **nothing,
        "id": compound_id,
        "lang": compound_id[:2],
        "compound": compound_id[3:],
        "modifier": "m",
        "head": "h",
        "head_index": 1,
        "pattern": pattern,
        "number": "sg",
        "countability": "count",
        "compound_class": CLASSES[compound_id],
        "sense_note": "",
        "synonyms": tuple(ReleasedSynonym("s", free, "synonym", "count", "neutral") for free in overlap_free),
        "comp_sentences": (),
        "zipf_source": "",
        "benchmarks": (),
        "split": split,
        "source": "pack/zz 1.0.0",
        "licence": "CC0-1.0",
        "release": "1.0.0",
    }
    return ReleasedCompound(**known)


def edit(rule: str) -> CarrierEdit:
    """A change of the carrier by *rule*."""
    return CarrierEdit(0, "a", "an", rule)


def tiny() -> ReleaseTables:
    """Two English compounds, in two of the five contexts, with some of their variants and a literal context."""
    return ReleaseTables(
        release="1.0.0",
        edition="open",
        logical_sha256="ab" * 32,
        languages=("en",),
        items=(
            item(IDIOM, "nat1", genre="news", **placed(0, 2)),
            item(FORM, "nat1", genre="news", **placed(1, 5)),
            item(IDIOM, "nat2", genre="talk", **placed(6, 2)),
            item(FORM, "nat2", genre="news", **placed(3, 0, mark=False)),
            item(IDIOM, "neut_short", context_source="frame", **placed(2, 0)),
            item(IDIOM, "nat1", "syn", probe="PSyn", carrier_edits=(edit("a / an"), edit("a / an"), edit("this"))),
            item(IDIOM, "nat2", "syn", probe="PSyn", carrier_edits=(edit("a / an"),)),
            synonyms(IDIOM, 1, "synonym", "similar", 1),
            synonyms(FORM, 1, "hypernym", "similar", 4),
            synonyms(IDIOM, 2, None, "synonym", None),
            random(IDIOM, 1, -0.10, 0.05, 0.02),
            random(IDIOM, 2, 0.0, -0.25, -0.2),
            random(FORM, 1, 0.3, 0.0, 0.1),
            random(FORM, 2, 0.0, 0.0, 0.0),
            random(FORM, 3, None, 0.0, 0.0),
        ),
        literal=(
            item(IDIOM, "literal", genre="fiction", **placed(4, 0)),
            item(IDIOM, "literal", "syn", probe="PSyn", genre="fiction"),
        ),
        compounds=(compound(IDIOM, "N_N", "train", False, True), compound(FORM, "A_N", "test", True, True, False)),
    )
