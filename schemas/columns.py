"""Types of columns that several records share: closed forms of text, and ranges of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

LINE_END = r"(?!\n)"
"""What Python needs behind `$`, which otherwise takes a line end; the JSON schemas are written without it."""


def matching(pattern: str) -> Meta:
    """Return the constraint that a text has the form *pattern*, from begin to end."""
    return Meta(pattern=f"^{pattern}${LINE_END}")


def one_of(words: Iterable[str]) -> Meta:
    """Return the constraint that a text is one of *words*, for closed sets that code computes with as `str`."""
    return Meta(pattern=f"^(?:{'|'.join(words)})${LINE_END}", extra_json_schema={"enum": list(words)})


LANG = "[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"
COMPOUND = rf"{LANG}/[^/\s]+"

Lang = Annotated[str, matching(LANG)]
CompoundId = Annotated[str, matching(COMPOUND)]
"""`lang/compound`."""
ItemId = Annotated[str, matching(rf"{COMPOUND}/[a-z0-9_]+/[a-z0-9]+")]
"""`lang/compound/context/variant`."""
Version = Annotated[str, matching(r"[0-9]+\.[0-9]+\.[0-9]+")]
Day = Annotated[str, matching(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")]
IncidentCode = Annotated[str, matching(r"[A-Z][0-9]{3}")]
Sha256 = Annotated[str, matching("[0-9a-f]{64}")]
ShortHash = Annotated[str, matching("[0-9a-f]{16}")]
SourceName = Annotated[str, matching("[A-Za-z0-9][A-Za-z0-9_.:+-]*")]
Money = Annotated[str, matching(r"[0-9]+(\.[0-9]+)?")]
Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0)]
Ordinal = Annotated[int, Meta(ge=1)]
HeadIndex = Annotated[int, Meta(ge=0, le=1)]
Rating = Annotated[int, Meta(ge=0, le=5)]
MeanRating = Annotated[float, Meta(ge=0, le=5)]
Span = tuple[Count, Count]
"""Half-open [start, end)."""
