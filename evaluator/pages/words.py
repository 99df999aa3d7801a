"""Names, numbers and measures as a reader wants them."""

from __future__ import annotations

from collections.abc import Mapping

CLASSES: Mapping[str, str] = {
    "idiomatic": "idiomatic",
    "partly_compositional": "partly compositional",
    "compositional": "compositional",
}
"""The expert classes, in the order of the figures."""

LEVELS: Mapping[str, str] = {"sentence": "Sentence", "nc": "Compound"}
"""The levels, in order; the project calls the second NC level."""

KINDS: Mapping[str, str] = {"all": "All", "naturalistic": "Naturalistic", "neutral": "Neutral"}
"""The kinds of contexts, in order."""

LANGUAGES: Mapping[str, str] = {"en": "English", "pt": "Portuguese"}
"""Names of languages that the open edition has; another is shown by its code."""

CONTEXTS: Mapping[str, str] = {
    "nat1": "naturalistic 1",
    "nat2": "naturalistic 2",
    "nat3": "naturalistic 3",
    "neut_short": "neutral, short",
    "neut_long": "neutral, long",
}
"""The sentences of a compound."""

OUTCOMES: Mapping[str, tuple[str, str]] = {"met": ("yes", "✓"), "not met": ("no", "✕"), "undecided": ("open", "?")}
"""Class of style and sign of each outcome of the scorecard."""

MEASURES: Mapping[str, str] = {
    "Sim_PSyn": "similarity to the true synonym",
    "Sim_PComp_head": "similarity to the head alone",
    "Sim_PComp_mod": "similarity to the modifier alone",
    "Sim_PComp_max": "similarity to the nearer component",
    "Sim_PComp_mean": "similarity to the components, mean",
    "Sim_PWordsSyn_first": "similarity to synonyms of each word",
    "Sim_PWordsSyn_mean": "similarity to synonyms of each word, mean of five",
    "Sim_PRand": "similarity to random words",
    "A_Syn|WordsSyn_first": "true synonym against synonyms of each word",
    "A_Syn|WordsSyn_mean": "true synonym against synonyms of each word, mean of five",
    "A_Syn|Rand": "true synonym against random words",
    "SimR_PSyn": "true synonym, scaled from random (0) to the same (1)",
    "SimR_PComp_head": "head alone, scaled",
    "SimR_PComp_mod": "modifier alone, scaled",
    "SimR_PComp_max": "nearer component, scaled",
    "SimR_PComp_mean": "components, scaled, mean",
    "SimR_PWordsSyn_first": "synonyms of each word, scaled",
    "SimR_PWordsSyn_mean": "synonyms of each word, scaled, mean of five",
}
"""Each measure in words."""


def language(code: str) -> str:
    """Return the name of the language *code*, as far as it is known."""
    return LANGUAGES.get(code, code)


def number(value: float | None, decimals: int = 2) -> str:
    """Return *value* with a real minus sign, or a dash when there is none.

    >>> number(-0.123), number(None), number(-0.001)
    ('−0.12', '–', '0.00')
    """
    if value is None:
        return "–"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not any(digit in "123456789" for digit in text) else text.replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """Return an interval in brackets, or a dash."""
    return "–" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def p_value(p: float | None) -> str:
    """Return a p value as a paper would print it.

    >>> p_value(0.00001), p_value(0.0437), p_value(None)
    ('< 0.001', '0.044', '–')
    """
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def counted(count: int, noun: str) -> str:
    """Return *count* with its *noun*.

    >>> counted(1, "compound"), counted(1200, "item")
    ('1 compound', '1,200 items')
    """
    return f"{count:,} {noun if count == 1 else noun + 's'}"
