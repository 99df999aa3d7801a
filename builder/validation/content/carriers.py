"""The written sentences of a pack as the checks of their content see them: the words left and right of a compound."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ncimp.builder.records import Compound, Incident, Span
from ncimp.builder.validation.lookup import Lookup

FIRST_LINE = 2
"""Line of the first row of a table; the header stands above it."""

INNER_MARK = re.compile(r"[-']")
"""What joins the parts of one word: *knee-deep*, *grandfather's*."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """One authored sentence around a compound."""

    place: str
    """Id of the context, such as `en/rat-race/nat1`: it stays when rows are added above."""
    line: int
    """Line of contexts.tsv."""
    compound: Compound
    context: str
    text: str
    span: Span
    left: tuple[str, ...]
    """Tokens left of the span."""
    right: tuple[str, ...]

    def incident(self, code: str, message: str) -> Incident:
        """Return an incident of this sentence that names its line, too."""
        return Incident(code, self.place, f"contexts.tsv:{self.line}: {message}")

    def masked(self, slot: str) -> str:
        """Return the sentence with *slot* in the place of the compound."""
        return self.text[: self.span[0]] + slot + self.text[self.span[1] :]


def carriers_of(lookup: Lookup) -> list[Carrier]:
    """Return the authored sentences of the pack, in its order; what a corpus says is not for a writer to mend."""
    pack = lookup.pack
    compounds = {row.text: row for row in pack.compounds}
    found = []
    for line, row in enumerate(pack.contexts, start=FIRST_LINE):
        compound = compounds.get(row.compound)
        if compound is not None and row.source == "authored":
            marked = pack.marked[row.compound, row.context]
            left, right = marked.text[: marked.span[0]], marked.text[marked.span[1] :]
            found.append(
                Carrier(
                    f"{pack.compound_id(row.compound)}/{row.context}",
                    line,
                    compound,
                    row.context,
                    marked.text,
                    marked.span,
                    tuple(lookup.tokens(left)),
                    tuple(lookup.tokens(right)),
                )
            )
    return found


def is_word(token: str) -> bool:
    """Tell whether *token* is a word or a number and not a mark."""
    return any(letter.isalnum() for letter in token)


def lemmas_of(word: str, lookup: Lookup) -> set[str]:
    """Return all that *word* may be a form of, itself included, and the same of its parts, in small letters."""
    words = {word, *INNER_MARK.split(word)}
    return set().union(*(word_lemmas(part, lookup) for part in words if part))


def word_lemmas(word: str, lookup: Lookup) -> set[str]:
    """Return all that *word* as a whole may be a form of, itself included, in small letters."""
    return {word.lower(), *(form.lemma.lower() for form in lookup.readings(word))}
