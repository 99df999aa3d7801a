"""Forms that the following sound asks for: *a / an*, *le / l'*, *bel / beau*.

They are chosen from right to left on the sentence as it will be, because a form that was just chosen begins the next
sound: *son [ami]*, *sa propre [amie]*, *l'ancienne [amie]*. A form without a space behind it takes the space away, and
gives it back.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ncimp.builder.filling.rules.beside import Link, chain
from ncimp.builder.filling.scene import SOUND, Finding, Scene, next_part
from ncimp.builder.records import Paradigm, ParadigmCell


@dataclass(slots=True)
class _Next:
    """The word behind the one that is looked at, as it was and as it will be; without one where a mark divides them."""

    was: str | None = None
    will: str | None = None
    parts: tuple[str, str] = ("other", "other")  # its part of speech, before and after
    is_nc: bool = False  # whether it begins the NC

    @property
    def changes(self) -> bool:
        """Whether it will be another word, or an adjective where it was none."""
        return (self.was or "").lower() != (self.will or "").lower() or self.parts[0] != self.parts[1]


def resounded(scene: Scene, findings: Mapping[int, Finding], surface: str) -> Iterator[Finding]:
    """Yield the words whose form the next word decides, with *surface* in the place of the NC and *findings* made."""
    language = scene.reader.language
    if language.sound is None:
        return
    links = {link.index: link for link in chain(scene)} if language.agrees else {}
    sizes = {index: link.size for index, link in links.items()}
    transparent = set(language.sound[1].transparent)
    following, index = _Next(), len(scene.words) - 1
    while index >= 0:
        if index == scene.last:
            first = next((word for word in scene.reader.tokens(surface) if word not in transparent), None)
            inside = (place for place in range(scene.first, scene.last + 1) if scene.words[place] not in transparent)
            was, will = (next_part(part == "adj") for part in scene.phrase.begins)
            following = _Next(next(map(scene.text, inside), None), first, (was, will), is_nc=True)
            index = scene.first - 1
            continue
        start = next((place for place, size in sizes.items() if place + size - 1 == index), index)
        size = sizes.get(start, 1)
        finding = findings.get(start)
        standing = scene.several(start, size)
        if scene.words[index] in transparent or (finding is not None and finding.form == ""):
            index -= 1
            continue
        asked = finding or start in links or following.is_nc or following.changes
        is_asked = bool(standing and following.will and asked)
        found = _respelled(scene, start, size, finding, links.get(start), following) if is_asked else None
        if found is not None:
            yield found
        final = found or finding
        word = final.form if final is not None and final.form else scene.text(start)
        is_word = any(letter.isalnum() for letter in word)
        link = links.get(start)
        parts = (next_part(link is not None and link.adjective),) * 2
        if link is not None and link.paradigm is None and not link.adjective:
            parts = following.parts  # an adverb of degree is part of what it describes
        following = _Next(scene.text(start), scene.reader.tokens(word)[0], parts) if is_word else _Next()
        index = start - 1


def _respelled(
    scene: Scene, index: int, size: int, finding: Finding | None, link: Link | None, following: _Next
) -> Finding | None:
    """Return the word at *index* in the form that its features and the next word ask for.

    None where nothing of the next word shows in it; a finding without a form where its own features are not known.
    """
    standing, ids = scene.several(index, size), {finding.rule} if finding else set[str]()
    ids = {link.paradigm.id} if link is not None and link.paradigm is not None else ids
    word = finding.form if finding is not None and finding.form else standing
    was, will = _asked(scene, following.was, following.parts[0]), _asked(scene, following.will, following.parts[1])
    rows: Iterable[Paradigm] = scene.reader.paradigms(word)
    if link is None and not following.is_nc:
        # farther away stand pronouns (*uno dei* [NC])
        rows = (row for row in rows if row.kind == SOUND or finding is not None)
    varying = [row for row in rows if any(will.keys() & cell.values.keys() for cell in row.cells)]
    varying.sort(key=lambda row: row.kind != SOUND)
    paradigm = next((row for row in varying if row.id in ids), next(iter(varying), None))
    if paradigm is None:
        return None
    sound = scene.reader.language.sound
    if sound is not None and paradigm.kind == "adj" and link is None and not following.is_nc:
        plain = {sound[0]: sound[1].default or ""}  # the sound counts only before a noun: *il est beau et grand*
        was, will = was | plain, will | plain
    agrees = link is not None or finding is not None
    features = link.features(scene).values if link is not None else scene.new.values
    before = scene.old.values if agrees else {}
    if not agrees:  # its own
        cells = [cell for cell in paradigm.cells if word in cell.forms]
        own = [{name: min(one) for name, one in cell.values.items() if len(one) == 1} for cell in cells]
        chosen = [cell for values in own if (cell := _cell(paradigm, {**values, **will}))]
    elif index in scene.named or link is None:
        chosen = [cell for cell in [_cell(paradigm, {**features, **will})] if cell]
    else:  # of whatever paradigm it may be: *des* is a plural of *un* and of *du*
        rivals = [row for row in scene.reader.paradigms(standing) if row.stands(standing, {**before, **was})]
        chosen = [cell for row in rivals or [paradigm] if (cell := _cell(row, {**features, **will}))]
    if len({cell.forms[0] for cell in chosen}) > 1:
        return Finding(index, None, paradigm.id, size)
    for cell in chosen:
        kept = standing in cell.forms and cell.fits({**before, **was})
        form = standing if kept else cell.forms[0]
        return Finding(index, form, paradigm.id, size, form in cell.joined)
    return None


def _cell(paradigm: Paradigm, features: Mapping[str, str | None]) -> ParadigmCell | None:
    return next((cell for cell in paradigm.cells if cell.fits(features)), None)


def _asked(scene: Scene, word: str | None, part: str) -> dict[str, str]:
    """Return the values that the next *word*, a *part* of speech, asks for, by feature."""
    asked: dict[str, str] = {}
    for name, feature in scene.reader.language.features.items():
        if feature.source == "next sound" and word is not None:
            asked[name] = scene.reader.analyser.onset(word)
        elif feature.source == "next part":
            asked[name] = part
    return asked
