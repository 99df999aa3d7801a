"""Marks in the sentences and neutral frames of a pack.

A context marks its compound with square brackets. Words elsewhere in the sentence that agree with it stand in braces;
a word directly beside it that looks as if it agreed, and does not, stands in braces with `=`. A word that may be of two
paradigms names its own behind a colon (`{des:indefinite article}`):

    O [peixe grande] foi {visto} em Santos, {=dona} de tudo.
"""

import re
from collections.abc import Mapping

from ncimp.builder.records import NEUTRAL, Compound, Language, MarkedSentence, Span
from ncimp.schemas import Place, SourceError

FRAME_SLOT = "[NC]"  # the slot of the compound in a neutral frame
MARK = re.compile(
    r"\[(?P<nc>[^\[\]{}]+)\]|\{=(?P<fixed>[^\[\]{}]+)\}|\{(?P<agrees>[^\[\]{}=:]+)(?::(?P<paradigm>[^\[\]{}=:]+))?\}"
)


def read_marked(text: str, place: Place) -> MarkedSentence:
    """Return the sentence *text* without its markup, and the marked spans.

    Raises `SourceError` at *place* unless exactly one compound is marked and every mark is closed.

    >>> read_marked("A [saia justa] ficou {famosa}.", Place("contexts.tsv", 2))
    MarkedSentence(text='A saia justa ficou famosa.', span=(2, 12), agreeing=((19, 25),), fixed=(), paradigms={})
    """
    plain: list[str] = []
    spans: dict[str, list[Span]] = {"nc": [], "agrees": [], "fixed": []}
    position = length = 0
    paradigms: dict[Span, str] = {}
    for match in MARK.finditer(text):
        plain.append(text[position : match.start()])
        length += len(plain[-1])
        kind = next(name for name in spans if match[name])
        spans[kind].append((length, length + len(match[kind])))
        if match["paradigm"]:
            paradigms[spans[kind][-1]] = match["paradigm"]
        plain.append(match[kind])
        length += len(match[kind])
        position = match.end()
    plain.append(text[position:])
    sentence = "".join(plain)
    stray = next((mark for mark in sentence if mark in "[]{}"), None)
    if stray is not None:
        fix = "write [compound], {agrees} or {=does not agree}"
        raise SourceError(f"unpaired or empty mark {stray!r}", fix=fix, place=place)
    if len(spans["nc"]) != 1:
        what = f"{len(spans['nc'])} compounds are marked"
        raise SourceError(what, fix="put exactly one in [square brackets]", place=place)
    return MarkedSentence(sentence, spans["nc"][0], tuple(spans["agrees"]), tuple(spans["fixed"]), paradigms)


def marked_frames(
    language: Language, compounds: Mapping[str, Compound], place: Place
) -> dict[tuple[str, str], MarkedSentence]:
    """Return the neutral frames with each compound put into them, by (compound, frame)."""
    marked: dict[tuple[str, str], MarkedSentence] = {}
    for text, compound in compounds.items():
        key = compound.number if compound.number == "pl" else compound.countability
        for name in NEUTRAL:
            frames = language.frames[name]
            frame = frames.get(key, frames["sg"]) if key != "pl" else frames.get("pl")
            if frame is None:
                fix = f"add the key {key!r} to the frames"
                raise SourceError(f"no frame for {text!r}, which is {key}", fix=fix, place=place)
            if FRAME_SLOT not in frame:
                what = f"the frame {frame!r} has no place for a compound"
                raise SourceError(what, fix=f"put {FRAME_SLOT} into it", place=place)
            marked[text, name] = read_marked(frame.replace(FRAME_SLOT, f"[{text}]"), place)
    return marked
