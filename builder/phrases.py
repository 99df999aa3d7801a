"""Phrases put together from lemmas by a pattern of the language: for selection (citation forms) and filling."""

from __future__ import annotations

from ncimp.builder.ports import Morphology
from ncimp.builder.records import Gender, Number, Pattern


def inflect_phrase(
    pattern: Pattern, *, modifier: str | None, head: str, gender: Gender | None, number: Number, morphology: Morphology
) -> str | None:
    """Return the phrase of *modifier* and *head* in *number* as *pattern* builds it, or None when a form is not known.

    The head takes *number*; a modifier that agrees takes *gender* and *number*, a fixed one keeps its
    citation form. With the pattern N_A, `negro`, `ovelha`, f and pl this is *ovelhas negras*.
    """
    forms: list[str] = []
    for index, pos in enumerate(pattern.parts):
        lemma = head if index == pattern.head else modifier
        agrees = index == pattern.head or pattern.modifier == "agrees"
        form = lemma and morphology.inflect(
            lemma, pos, gender=gender if agrees else None, number=number if agrees else "sg"
        )
        if not form:
            return None
        forms.append(form)
    return pattern.join.join(forms)
