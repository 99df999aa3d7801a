"""Where clauses begin."""

from __future__ import annotations

from ncimp.builder.validation.agreement.passage import Passage


def is_clause_border(passage: Passage, index: int) -> bool:
    """Tell whether a clause begins after *index*; not in a comparison (*teses como o controle civil*)."""
    opens = passage.is_boundary(index) or passage.is_of(index, "subordinator", "wh", "relative")
    return opens and not passage.is_of(index, "role")


def opens_clause(passage: Passage, verb: int) -> bool:
    """Tell whether the verb at *verb* is the first of its clause, so that no subject stands before it."""
    before = passage.skip_adverbs(passage.skip(verb - 1, -1, "clitic"), -1)
    return is_clause_border(passage, before) and not passage.is_of(before, "relative")
