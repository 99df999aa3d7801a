"""The options of a build that change its content: one immutable object with documented defaults."""

from dataclasses import asdict, dataclass, fields
from typing import Literal

Pool = Literal["composed", "attested"]  # words of the lexicon put together, or compounds seen in a counted corpus
Matching = Literal["components", "mean"]  # each component's frequency, or (the published rule) the mean alone
LATER = ("pool", "match")  # listed only where they are used: the manifests of older releases do not have them


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Options of a build; recorded in the manifest of the release."""

    release: str = "0.1.0"  # version of the data
    seed: str = "ncimp"
    """First part of every keyed hash; another seed gives another, equally matched, set of random compounds."""
    neighbours: int = 24
    """How many of the nearest words in frequency are considered for each component of a composed compound."""
    max_delta: float = 0.75
    """Largest |difference of Zipf values| of what is matched (`match`); a worse match is an error."""
    pool: Pool = "composed"  # where random compounds come from; `attested` needs counts of pairs, so a statistics store
    match: Matching = "components"  # what random compounds are matched in

    def as_row(self) -> dict[str, object]:
        """Return the options as plain values, those of `LATER` only where they are not the default."""
        unused = {field.name for field in fields(self) if getattr(self, field.name) == field.default}
        return {name: value for name, value in asdict(self).items() if name not in LATER or name not in unused}
