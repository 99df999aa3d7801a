"""Reader of `text`: plain text, one sentence per line.

    She is an eager beaver.
    The early bird, they say, catches the worm.

Words are found by `ncimp.corpus_stats.words.WORD`. Here the first line gives the words *she is an eager
beaver*; in the second, the commas keep *bird* and *they*, *say* and *catches* from being bigrams. Blank
lines are skipped. Plain text has no lemmas, so its lemma layer stays empty: surface words are never
passed off as lemmas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.streams import Line
from ncimp.corpus_stats.words import Sentence, Token, tokenise


def read_text_sentences(lines: Iterable[Line], *, file: str) -> Iterator[Sentence]:  # noqa: ARG001 - nothing can be wrong
    """Yield the tokens of each line of *lines* that is not blank; their lemmas are None."""
    for _, line in lines:
        tokens = tokenise(line)
        if tokens:
            yield tuple(Token(token, None) for token in tokens)
