"""Random compounds: five per compound, matched in frequency, composed of the lexicon's words or attested in a corpus.

A random compound is drawn once per language, and shares no word, and no kin of one, with its
compound, its true synonyms, its components' synonyms or its other randoms. Compounds are served
in keyed-hash order, so that the order of the table does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from ncimp.builder.config import BuildOptions
from ncimp.builder.grammar.phrases import inflect_phrase
from ncimp.builder.records import RANDOMS, Compound, LanguagePack, Pattern, Replacement
from ncimp.builder.selection.draws import Drawn, draw
from ncimp.builder.selection.matches import Match
from ncimp.builder.selection.pools import Pools, check_frequencies, quoted
from ncimp.builder.selection.synonyms import Resources, replacement_pattern, usable_candidates
from ncimp.builder.selection.words import are_kin, own_words
from ncimp.schemas.errors import SelectionError
from ncimp.schemas.hashing import keyed_hash


def random_compounds(resources: Resources, options: BuildOptions) -> list[Replacement]:
    """Return `rand1` to `rand5` of every compound of the pack, or raise `SelectionError` where too few match."""
    served = in_order(resources.pack, options.seed)
    check_frequencies(served, resources)
    matcher = Matcher(resources, options)
    drawn = [(compound, matcher.draw(compound)) for compound in served]
    short = [(compound, len(matches)) for compound, matches in drawn if len(matches) < len(RANDOMS)]
    if short:
        raise matcher.too_few(*short[0], [compound.text for compound, _ in short[1:]])
    return [
        _replacement(compound, variant, match, resources)
        for compound, matches in drawn
        for variant, match in zip(RANDOMS, matches, strict=True)
    ]


def in_order(pack: LanguagePack, seed: str) -> list[Compound]:
    """Return the compounds of *pack* in the order in which they are served."""
    return sorted(pack.compounds, key=lambda row: keyed_hash(seed, pack.language.code, row.text))


class Matcher:
    """Draws random compounds for one compound of a language after the other, and knows what is drawn already."""

    def __init__(self, resources: Resources, options: BuildOptions) -> None:
        self._resources = resources
        self._options = options
        self._pools = Pools(resources, options)
        self._earlier = Drawn(established(resources.pack))

    def draw(self, compound: Compound, earlier: Drawn | None = None) -> list[Match]:
        """Return up to five matches of *compound*, best first, which are not drawn again.

        *earlier* is what may not be drawn; without it, what this matcher has drawn and the pack holds. Raises
        `SelectionError` where a component of *compound* has no frequency.
        """
        banned = _banned(compound, self._resources)
        target, search = self._pools.target(compound), self._pools.search(compound, banned)
        earlier = self._earlier if earlier is None else earlier
        return draw(compound.text, target, search, earlier, self._allowed(banned), self._options)

    def _allowed(self, banned: frozenset[str]) -> Callable[[Match], bool]:
        """Return the test that a match holds no kin of a *banned* word, and is no pair that a person has ruled out."""

        @cache
        def is_free(lemma: str) -> bool:
            return not any(are_kin(lemma, other) for other in banned)

        def allowed(match: Match) -> bool:
            modifier, head = match.lemmas
            out = are_kin(modifier, head) or self._resources.pack.excludes(modifier, head)
            return not out and is_free(modifier) and is_free(head)

        return allowed

    def too_few(self, compound: Compound, found: int, others: Sequence[str]) -> SelectionError:
        """Return the error that *compound* has only *found*, and *others* too few as well, with what to do about it."""
        limit = self._options.max_delta
        what = f"{compound.text!r} has {found} random compounds within {limit} Zipf, not {len(RANDOMS)}"
        if others:
            what += f" (and too few for {quoted(others)})"
        if not self._pools.is_attested(compound):
            return SelectionError(what, fix="add words of its frequency to the lexicon, with their forms in forms.tsv")
        pattern = replacement_pattern(compound, self._resources).id
        size = len(self._pools.index(compound))
        held = f"{self._resources.frequencies.name} attests {size} compounds of its pattern {pattern} and gender"
        fix = "count a larger corpus, add forms of its words to forms.tsv, or use --pool composed"
        return SelectionError(f"{what}: {held}", fix=fix)


def established(pack: LanguagePack) -> set[tuple[str, str]]:
    """Return the (modifier, head) pairs that are compounds or synonyms of the pack."""
    pairs = {(row.modifier, row.head) for row in pack.compounds}
    return pairs | {(row.modifier, row.head) for row in pack.synonyms if row.modifier is not None}


def _banned(compound: Compound, resources: Resources) -> frozenset[str]:
    own = own_words(compound, [row for row in resources.pack.synonyms if row.compound == compound.text])
    near = {word.lemma for part in ("head", "modifier") for word in usable_candidates(compound, part, resources)}
    return own | near


def _replacement(compound: Compound, variant: str, match: Match, resources: Resources) -> Replacement:
    pattern: Pattern = replacement_pattern(compound, resources)
    modifier, head = match.pair.modifier, match.pair.head
    text = inflect_phrase(
        pattern,
        modifier=modifier.lemma,
        head=head.lemma,
        gender=head.gender,
        number="sg",
        morphology=resources.morphology,
    )
    return Replacement(
        compound_id=resources.pack.compound_id(compound.text),
        variant=variant,
        text=str(text),
        modifier=modifier.lemma,
        head=head.lemma,
        pattern=pattern.id,
        gender=head.gender,
        source=resources.frequencies.name,
        rank=RANDOMS.index(variant) + 1,
        modifier_zipf=modifier.zipf,
        head_zipf=head.zipf,
        modifier_delta=match.modifier_delta,
        head_delta=match.head_delta,
        mean_delta=match.mean_delta,
        explanation=_explanation(compound, match),
    )


def _explanation(compound: Compound, match: Match) -> str:
    modifier, head = match.lemmas
    parts = [
        f"{modifier!r} {match.modifier_delta:+.2f} from {compound.modifier!r}",
        f"{head!r} {match.head_delta:+.2f} from {compound.head!r}",
        f"mean frequency {match.mean_delta:+.2f}",
    ]
    if match.pair.count is not None:
        parts += [f"{match.whole_delta:+.2f} with the compounds' own", f"counted {match.pair.count} times"]
    return f"matched in log10 frequency: {', '.join(parts)}"
