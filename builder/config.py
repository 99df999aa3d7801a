"""The options of a build that change its content: one immutable object with documented defaults."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Options of a build; recorded in the manifest of the release."""

    release: str = "0.1.0"
    """Version of the data."""
    seed: str = "ncimp"
    """First part of every keyed hash; another seed gives another, equally matched, set of random compounds."""
    neighbours: int = 24
    """How many of the nearest words in frequency are considered for each component of a random compound."""
    max_delta: float = 0.5
    """Largest |difference of Zipf values| of a component and its match; a worse match is an error."""

    def as_row(self) -> dict[str, object]:
        """Return the options as plain values."""
        return asdict(self)
