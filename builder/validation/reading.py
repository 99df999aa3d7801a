"""A112, K011 and V101: was all read and counted that a pack has now, and does nothing stand that was found at fault?"""

from ncimp.builder.records import OPEN_SEVERITY, settled, texts_to_read
from ncimp.builder.validation.scope import LANGUAGE, PACK, Found, Scope


@LANGUAGE.check("A112", "a word of the carrier was changed in a way that nobody has read")
def _unread_changes(scope: Scope) -> Found:
    """Each word that filling has changed, and what it became, has to stand in the `changes.tsv` of a pack that has one.

    A pair is reported once, at the first item that has it.
    """
    if scope.pack.changes is None:
        return
    read = {(row.form, row.changed) for row in scope.pack.changes}
    for item in scope.sentences:
        for edit in item.carrier_edits:
            before, after = edit.before.strip().lower(), edit.after.lower() or None
            if (before, after) not in read:
                read.add((before, after))
                todo = f"read it and list it in changes.tsv, or mark it {{={before}}}"
                yield item.id, f"{before!r} became {after!r} in {item.sentence!r}; {todo}"


@LANGUAGE.check("V101", "a reader found a fault in a sentence that still stands")
def _open_faults(scope: Scope) -> Found:
    """A verdict of severity 2 or 3 in `readings.tsv` on the very text that the edition has.

    The last verdict on a text decides.
    """
    texts = texts_to_read(scope.sentences) if scope.pack.readings else {}
    for (place, family, text), row in settled(scope.pack.readings).items():
        if row.severity >= OPEN_SEVERITY and texts.get((place, family)) == text:
            yield (
                place,
                f"{row.reason} of severity {row.severity} in {row.reading!r}: {row.note}; mend it, and read again",
            )


@PACK.check("K011", "counts.tsv counts other compounds than the pack has")
def _counted_others(scope: Scope) -> Found:
    """A pack that names corpora has the counts of all its compounds in each of them."""
    corpora = [row.corpus for row in scope.pack.corpora]
    due = {(row.text, corpus) for row in scope.pack.compounds for corpus in corpora}
    differing = sorted({text for text, _ in due ^ {(row.compound, row.corpus) for row in scope.pack.counts}})
    if differing:
        shown = ", ".join(differing[:3])
        yield scope.lang, f"{len(differing)} differ ({shown}); run `ncimp pack counts {scope.lang}` again"
