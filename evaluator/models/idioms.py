"""Tokens of their own for compounds: the idiom principle (Tayyar Madabushi et al., Findings of EMNLP 2021).

    Eager beavers build dams.    ->    IDeagerbeaverID build dams.

A compound gives way to its token before the tokeniser of a model reads a text, in every form that is known, and nothing
else changes. A token that the model has keeps its vector; a new one has the mean vector of the pieces of its compound.
(The published vectors come from continued pre-training, which `scripts/pretrain.py` does.)
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ncimp.evaluator.models.store import Encoded, EncodedPassage, Encoder
from ncimp.schemas import value_hash
from ncimp.schemas.records import Span, compound_key, compound_pattern

ALL, SELECT = "all", "select"  # texts in which compounds give way to tokens


class RewrittenText(NamedTuple):
    """A text with tokens in the place of compounds: where these stood, and where those stand, as characters."""

    text: str
    places: tuple[tuple[Span, Span], ...]

    def span(self, old: Span) -> Span:
        """Return the characters that stand for *old*: all of a token where it shares a character with the compound."""
        start, end = (self._moved(place, side) for side, place in enumerate(old))
        return start, end

    def _moved(self, place: int, side: int) -> int:
        shift = 0
        for (start, end), token in self.places:
            if start < place < end:
                return token[side]
            if end <= place:
                shift = token[1] - end
        return place + shift


class IdiomTokens:
    """Tokens of compounds, and the texts in which they stand for them."""

    def __init__(self, forms: Mapping[str, Iterable[str]], only: Iterable[str] | None = None) -> None:
        """Take compounds with their other *forms*, and the texts that are rewritten: these *only*, or any."""
        self.compounds = {idiom_token(compound): compound for compound in sorted(forms)}
        self._tokens = {
            compound_key(form): idiom_token(compound)
            for compound in sorted(forms, reverse=True)  # of two compounds with one form, the first has it
            for form in (*forms[compound], compound)
        } | {compound_key(compound): idiom_token(compound) for compound in forms}
        self._only = None if only is None else frozenset(only)

    @property
    def facts(self) -> str:
        """Whether all texts are rewritten or some are selected, and a hash of all that decides how."""
        kind, texts = (ALL, None) if self._only is None else (SELECT, sorted(self._only))
        return f"{kind} {value_hash([self._tokens, texts])[:16]}"

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._tokens, key=lambda form: (-len(form), form))
        forms = "|".join(map(compound_pattern, longest_first)) or "(?!)"
        return re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.IGNORECASE)

    def __call__(self, text: str) -> RewrittenText:
        """Return *text* with a token in the place of each compound.

        >>> IdiomTokens({"eager beaver": ["eager beavers"]})("Eager beavers build.").text
        'IDeagerbeaverID build.'
        """
        parts, places, size, behind = list[str](), list[tuple[Span, Span]](), 0, 0
        for match in self._pattern.finditer(text) if self._only is None or text in self._only else ():
            token = self._tokens.get(compound_key(match[0]))
            if token is not None:
                parts += [text[behind : match.start()], token]
                size += match.start() - behind + len(token)
                places.append((match.span(), (size - len(token), size)))
                behind = match.end()
        return RewrittenText("".join((*parts, text[behind:])), tuple(places))

    def teach(self, model: Any, tokenizer: Any) -> None:
        """Add the tokens to *tokenizer*, and to *model* a vector for each that it lacks."""
        from tokenizers import AddedToken

        vocabulary = tokenizer.get_vocab()
        new = {token: compound for token, compound in self.compounds.items() if token not in vocabulary}
        # the space before it belongs to a word for some tokenisers, and to nothing for others
        pieces = [tokenizer(f" {compound}", add_special_tokens=False)["input_ids"] for compound in new.values()]
        tokenizer.add_tokens([AddedToken(token, lstrip=True, normalized=False) for token in new])
        vectors = model.get_input_embeddings()
        if len(tokenizer) > vectors.num_embeddings:
            vectors = model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
        for token, parts in zip(new, pieces, strict=True):
            vectors.weight.data[tokenizer.convert_tokens_to_ids(token)] = vectors.weight.data[parts].mean(dim=0)


class IdiomEncoder:
    """A model that is given texts with tokens in the place of compounds."""

    def __init__(self, encoder: Encoder, idioms: IdiomTokens) -> None:
        self._encoder, self._idioms = encoder, idioms

    def encode(self, passages: list[EncodedPassage]) -> Encoded:
        """Return the vectors of *passages*; that of a span in a compound is the vector of its token."""
        texts = [self._idioms(passage.sentence) for passage in passages]
        pairs = zip(texts, passages, strict=True)
        return self._encoder.encode(
            [EncodedPassage(new.text, tuple(map(new.span, passage.spans))) for new, passage in pairs]
        )


def idiom_token(compound: str) -> str:
    """Return the token of *compound*.

    >>> idiom_token("Pão-duro")
    'IDpãoduroID'
    """
    return f"ID{compound_key(compound).replace(' ', '')}ID"
