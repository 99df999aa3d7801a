"""Forms that the following sound asks for: *a / an*, *le / l'*, *bel / beau*.

They are chosen from right to left on the sentence as it will be, because a form that was just chosen begins the next
sound: *son [ami]*, *sa propre [amie]*, *l'ancienne [amie]*. A form without a space behind it takes the space away, and
gives it back.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ncimp.builder.filling.rules.beside import Link, chain
from ncimp.builder.filling.scene import SOUND, Finding, Scene, next_part
from ncimp.builder.records import Paradigm


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
    words = chain(scene) if language.agrees else []
    links = {link.index + link.size - 1: link for link in words}  # by the last token
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
        link = links.get(index)
        start, size = (link.index, link.size) if link is not None else (index, 1)
        finding = findings.get(start)
        standing = scene.several(start, size)
        if scene.words[index] in transparent or (finding is not None and finding.form == ""):
            index -= 1
            continue
        depends = finding or link or following.is_nc or following.changes
        turned = (
            _turned(scene, start, size, finding, link, following) if standing and following.will and depends else None
        )
        if turned is not None:
            yield turned
        final = turned or finding
        word = final.form if final is not None and final.form else scene.text(start)
        is_word = any(letter.isalnum() for letter in word)
        parts = (next_part(link is not None and link.adjective),) * 2
        if link is not None and link.paradigm is None and not link.adjective:
            parts = following.parts  # an adverb of degree is part of what it describes
        following = _Next(scene.text(start), scene.reader.tokens(word)[0], parts) if is_word else _Next()
        index = start - 1


def _turned(
    scene: Scene, index: int, size: int, finding: Finding | None, link: Link | None, following: _Next
) -> Finding | None:
    """Return the word at *index* in the form that its features and the next word ask for.

    None where nothing of the next word shows in it; a finding without a form where its own features are not clear.
    """
    standing = scene.several(index, size)
    word = finding.form if finding is not None and finding.form else standing
    was, will = _values(scene, following.was, following.parts[0]), _values(scene, following.will, following.parts[1])
    paradigm = _paradigm(scene, word, finding, link, is_near=following.is_nc, names=will.keys())
    if paradigm is None:
        return None
    sound = scene.reader.language.sound
    if sound is not None and paradigm.kind == "adj" and link is None and not following.is_nc:
        silence = {sound[0]: sound[1].default or ""}  # the sound counts only before a noun: *il est beau et grand*
        was, will = was | silence, will | silence
    agrees = link is not None or finding is not None
    old = {**(scene.old.values if agrees else {}), **was}
    if agrees:
        new = {**(link.features(scene) if link is not None else scene.new).values, **will}
        # whatever paradigm the word may be of: *des* is a plural of *un* and of *du*
        unclear = link is not None and index not in scene.paradigms
        rivals = [row for row in scene.reader.paradigms(standing) if row.stands(standing, old)] if unclear else []
        cells = [cell for row in rivals or [paradigm] if (cell := row.cell(new))]
    else:
        uses = [cell.values for cell in paradigm.cells if word in cell.forms]
        options = [{name: min(values) for name, values in use.items() if len(values) == 1} for use in uses]
        cells = [cell for option in options if (cell := paradigm.cell({**option, **will}))]
    if len({cell.forms[0] for cell in cells}) > 1:
        return Finding(index, None, paradigm.id, size)
    for cell in cells:
        form = standing if standing in cell.forms and cell.fits(old) else cell.forms[0]
        return Finding(index, form, paradigm.id, size, form in cell.joined)
    return None


def _paradigm(
    scene: Scene, word: str, finding: Finding | None, link: Link | None, *, is_near: bool, names: Collection[str]
) -> Paradigm | None:
    """Return the paradigm of *word* in which one of the features *names* shows; that of the rule, if it is one."""
    rows: Iterable[Paradigm] = scene.reader.paradigms(word)
    if finding is not None and (pronoun := scene.reader.named(word, finding.rule)):
        rows = (pronoun, *rows)
    if link is None and not is_near:  # farther away stand pronouns (*uno dei* [NC])
        rows = (row for row in rows if row.kind == SOUND or finding is not None)
    rule = link.paradigm.id if link is not None and link.paradigm is not None else finding.rule if finding else ""
    varying = [row for row in rows if any(name in cell.values for cell in row.cells for name in names)]
    return min(varying, key=lambda row: (row.id != rule, row.kind != SOUND), default=None)


def _values(scene: Scene, word: str | None, part: str) -> dict[str, str]:
    """Return the values that the next *word*, a *part* of speech, asks for, by feature."""
    values: dict[str, str] = {}
    for name, feature in scene.reader.language.features.items():
        if feature.source == "next sound" and word is not None:
            values[name] = scene.reader.analyser.onset(word)
        elif feature.source == "next part":
            values[name] = part
    return values
