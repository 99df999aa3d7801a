"""Phrases put together from lemmas by a pattern of the language: for selection (citation forms) and filling."""

from __future__ import annotations

from ncimp.builder.ports import Morphology
from ncimp.builder.records import Gender, Number, Pattern


def inflect_phrase(
    pattern: Pattern, *, modifier: str | None, head: str, gender: Gender | None, number: Number, morphology: Morphology
) -> str | None:
    """Return the phrase of *modifier* and *head* in *number* as *pattern* builds it, or None when a form is not known.

    The head takes *number*; a modifier that agrees takes *gender* and *number*, one in apposition
    *number* only; a fixed one stands as it is given. N_A, `podre`, `maçã`, f and pl give *maçãs podres*.
    """
    forms: list[str] = []
    for index, pos in enumerate(pattern.parts):
        if index == pattern.head:
            form = morphology.inflect(head, pos, gender=gender, number=number)
        elif pattern.modifier != "fixed" and modifier is not None:
            own = gender if pattern.modifier == "agrees" else None
            form = morphology.inflect(modifier, pos, gender=own, number=number)
        else:
            form = modifier
        if form is None:
            return None
        forms.append(form)
    return pattern.join.join(forms)
