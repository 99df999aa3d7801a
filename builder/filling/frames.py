"""Neutral frames recognised in a sentence: there is nothing in them that does not follow from the NC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ncimp.builder.filling.reader import Features, Reader
from ncimp.builder.records import Gender, Language, MarkedSentence, Number

NC = "[NC]"
PIECE = re.compile(r"\[NC\]|\{(?P<agrees>[^}]+)\}")


def frame_features(sentence: MarkedSentence, reader: Reader) -> Features | None:
    """Return the features in which *sentence* is one of the language's neutral frames, or None when it is none.

    The number of a frame in the plural is its own and not that of what fills it.
    """
    tokens = re.findall(reader.language.token, sentence.text.lower())
    before = len(re.findall(reader.language.token, sentence.text[: sentence.span[0]]))
    inside = len(re.findall(reader.language.token, sentence.text[slice(*sentence.span)]))
    around = _without_stop([*tokens[:before], NC, *tokens[before + inside :]])
    for number, frame in _frames(reader.language):
        cells = _match(around, _without_stop(_pieces(frame, reader.language)), reader)
        if cells is not None:
            genders = {gender for gender, _ in cells}
            return Features(genders.pop() if len(genders) == 1 else None, number)
    return None


def _frames(language: Language) -> Iterator[tuple[Number, str]]:
    for frames in language.frames.values():
        for key, frame in frames.items():
            yield ("pl" if key == "pl" else "sg"), frame


def _pieces(frame: str, language: Language) -> list[str]:
    """Return the tokens of *frame*; those that agree keep their braces."""
    pieces, end = list[str](), 0
    for match in PIECE.finditer(frame):
        pieces += re.findall(language.token, frame[end : match.start()].lower())
        pieces.append(match[0].lower() if match["agrees"] else NC)
        end = match.end()
    return pieces + re.findall(language.token, frame[end:].lower())


def _match(tokens: Sequence[str], pieces: Sequence[str], reader: Reader) -> set[tuple[Gender, Number]] | None:
    """Return the cells that all agreeing words of a frame share, or None when *tokens* are not the frame."""
    if len(tokens) != len(pieces):
        return None
    cells: set[tuple[Gender, Number]] | None = None
    for token, piece in zip(tokens, pieces, strict=True):
        if not piece.startswith("{"):
            if token != piece:
                return None
            continue
        families = {paradigm.id for paradigm in reader.paradigms(piece.strip("{}"))}
        if not families & {paradigm.id for paradigm in reader.paradigms(token)}:
            return None
        own: set[tuple[Gender, Number]] = set(reader.cells(token))
        cells = own if cells is None else cells & own
    return cells or set()


def _without_stop(tokens: list[str]) -> list[str]:
    return tokens[:-1] if tokens and tokens[-1] == "." else tokens
