"""What the second opinion says of an item, where the stricter look-up of `agreement` has nothing to say.

Around an item more is known than in any sentence: which words its pack marks, the gender and number it
claims, the original of its context, and that every word beside a span has to be in forms.tsv. `agreement` asks for
all that, so its codes come first; what is left for the second opinion are words that are neither marked nor
beside the span: the verb, a predicate, an adjective in a list.
"""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.records import COMPONENTS, NEUTRAL, Incident, Item
from ncimp.builder.validation.agreement.agreement import marks_of
from ncimp.builder.validation.agreement.pack_forms import PackForms
from ncimp.builder.validation.agreement.second_opinion import SecondOpinion
from ncimp.builder.validation.lookup import Lookup


class Unmarked:
    """The second opinion on the items of one language."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._opinion = SecondOpinion(lookup.pack.language, PackForms(lookup))

    def check(self, item: Item, told: frozenset[str]) -> Iterator[Incident]:
        """Yield what does not agree with the span of *item*, but for marked words and codes already *told* of it.

        A component that stands alone in a written sentence leaves it as it was, by policy, and is not looked at.
        """
        if not self._lookup.agrees or (item.variant in COMPONENTS and item.context not in NEUTRAL):
            return
        marked = {
            index % len(item.tokens)
            for agreeing in (True, False)
            for index, _ in marks_of(item, self._lookup, agreeing=agreeing)
        }
        for finding in self._opinion.findings(item.tokens, *item.token_span, gender=item.gender, number=item.number):
            if finding.index not in marked and finding.code not in told:
                yield Incident(finding.code, item.id, finding.message)
