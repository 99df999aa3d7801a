"""C306, C307, S2xx, U4xx, A112 and V101: is every item a sentence that holds its replacement, and else as it was?"""

import unicodedata
from collections.abc import Iterator, Sequence

from ftfy.badness import is_bad

from ncimp.builder.records import COMPONENTS, NEUTRAL, OPEN_SEVERITY, PROBES, Item, settled, texts_to_read
from ncimp.builder.validation.agreement.items import replacements
from ncimp.builder.validation.scope import LANGUAGE, Found, Lookup, Scope, span_text

# columns in which the items of one variant of one compound are alike
SAME_EVERYWHERE = ("replacement", "head", "modifier", "source", "modifier_delta", "head_delta")
FINAL = (".", "!", "?")
REPLACEMENT_CHARACTER = "\ufffd"
LOST = "?"  # what some programs write for a letter that they do not know
QUOTED = 30  # characters of a difference that a message quotes


@LANGUAGE.check("C306", "a row contradicts its id, its variant or its compound")
def _contradictions(scope: Scope) -> Found:
    released = {compound.id: compound for compound in scope.tables.compounds}
    packed = dict(scope.by_compound())
    for item in scope.sentences:
        compound = released.get(item.compound_id)
        expected = {
            "id": f"{item.compound_id}/{item.context}/{item.variant}",
            "lang": item.compound_id.split("/", 1)[0],
            "probe": PROBES[item.variant],
            "context_kind": "neutral" if item.context in NEUTRAL else "naturalistic",
        }
        if compound is None:
            yield item.id, f"no row of the table compounds is {item.compound_id!r}; build the release again"
        else:
            expected |= {name: getattr(compound, name) for name in ("compound", "compound_class", "split")}
        record = packed.get(item.compound_id)
        texts = {"orig": record.text, "head": record.head, "mod": record.modifier} if record else {}
        expected |= {"replacement": texts[item.variant]} if item.variant in texts else {}
        for column, value in expected.items():
            if (actual := getattr(item, column)) != value:
                yield item.id, f"{column} is {actual!r} and should be {value!r}; build the release again"


@LANGUAGE.check("C307", "a variant is not the same in all contexts of its compound")
def _differences(scope: Scope) -> Found:
    first: dict[tuple[str, str], Item] = {}
    for item in scope.sentences:
        other = first.setdefault((item.compound_id, item.variant), item)
        differing = [name for name in SAME_EVERYWHERE if getattr(item, name) != getattr(other, name)]
        if differing:
            yield item.id, f"{', '.join(differing)} differ from {other.id}; build it again"


@LANGUAGE.check("U401", "the text is damaged: mojibake, replacement or control characters")
def _damaged_text(scope: Scope) -> Found:
    for item, _ in scope.cells:
        text = item.sentence
        if (
            text.isascii() and text.isprintable() and LOST not in text
        ):  # the usual case, without a look at each character
            continue
        # a mark that ends a sentence does not stand in a phrase: *raisonn?* has lost a letter
        lost = LOST in span_text(item)
        hidden = any(unicodedata.category(mark).startswith("C") for mark in text)
        if lost or hidden or REPLACEMENT_CHARACTER in text or is_bad(text):
            yield item.id, f"{text!r}; restore the text from its source"


@LANGUAGE.check("U402", "the text is not in Unicode form NFC")
def _not_normal(scope: Scope) -> Found:
    for item, _ in scope.cells:
        if not unicodedata.is_normalized("NFC", item.sentence):
            yield item.id, "normalise the text"


@LANGUAGE.check("S201", "the span does not hold the replacement")
def _replacement(scope: Scope) -> Found:
    """The span has to hold forms of the item's head and modifier, in the places of its pattern."""
    for item, original in scope.cells:
        yield from ((item.id, message) for message in _faults_of_span(item, original, scope.lookup))


def _faults_of_span(item: Item, original: Item, lookup: Lookup) -> Iterator[str]:
    text, patterns = span_text(item), lookup.language.patterns
    if item.variant in COMPONENTS:
        pattern = patterns.get(original.pattern or "")
        components = [part.lower() for part in lookup.split_item(original) or ()]
        cited = lookup.language.components == "citation" and pattern is not None and pattern.modifier != "agrees"
        if cited or (pattern is not None and not pattern.join):
            components += [str(lemma).lower() for lemma in (original.modifier, original.head)]
        if text.lower() not in components:
            yield f"{text!r} is not a component of {span_text(original)!r}"
        return
    pattern = patterns.get(item.pattern or "")
    citation = lookup.split_item(item, item.replacement)
    places = range(len(pattern.parts)) if pattern else ()
    lemmas = [item.head if pattern and place == pattern.head else item.modifier for place in places]
    is_form = lookup.is_form if pattern and pattern.join else lookup.is_part
    if citation is None or not all(map(is_form, citation, lemmas)):
        yield f"{item.replacement!r} is not a phrase of {item.modifier!r} and {item.head!r}"
    elif fault := lookup.sounds.fault(item.replacement):
        yield f"{item.replacement!r} has {fault}"
    parts = lookup.split_item(item)
    if parts is None:
        yield f"{text!r} is not a phrase of pattern {item.pattern!r}"
        return
    for part, lemma in zip(parts, lemmas, strict=True):
        if part.lower() != lemma and not is_form(part, lemma):
            yield f"{part!r} in {text!r} is no form of {lemma!r}"


@LANGUAGE.check("S202", "the tokens or their span do not match the sentence")
def _tokens(scope: Scope) -> Found:
    for item, _ in scope.cells:
        start, end = item.token_span
        inside = "".join(item.tokens[start:end])
        if scope.lookup.tokens(item.sentence) != list(item.tokens):
            yield item.id, "the tokens are not those of the sentence; tokenise it again"
        elif not 0 <= start < end <= len(item.tokens) or inside != "".join(span_text(item).split()):
            yield item.id, f"the token span holds {inside!r} and the span {span_text(item)!r}"


@LANGUAGE.check("S203", "the sentence does not look like a sentence")
def _shape(scope: Scope) -> Found:
    for item, _ in scope.cells:
        text = item.sentence
        if not text[:1].isupper() and not text[:1].isdigit():
            yield item.id, f"it begins with {text[:1]!r}; begin with a capital letter"
        if not text.endswith(FINAL):
            yield item.id, f"it ends with {text[-1:]!r}; end with one of {' '.join(FINAL)}"
        if text != " ".join(text.split()) or scope.lookup.has_stray_space(text):
            yield item.id, "it has stray spaces; take them out"


@LANGUAGE.check("S204", "the carrier was changed beyond agreement, or without a record")
def _carrier(scope: Scope) -> Found:
    """Outside the span, an item differs from the original of its context in recorded forms of the same words.

    An article before a plural may go. The original is the sentence of the pack, but for a frame that was made to
    agree.
    """
    for item, original in scope.cells:
        yield from ((item.id, message) for message in _changes(item, original, scope.lookup))


def _changes(item: Item, original: Item, lookup: Lookup) -> Iterator[str]:
    for edit in item.carrier_edits:
        old, new = edit.before.strip(), edit.after.strip()
        if not new:
            if item.number != "pl" or "article" not in lookup.kinds[old.lower()]:
                yield f"{old!r} is gone; only an article before a plural may go"
        elif old == new or not lookup.same_word(old, new):
            yield f"{old!r} became {new!r}"
        if item.sentence[edit.start : edit.start + len(edit.after)] != edit.after:
            yield f"{edit.after!r} does not stand at {edit.start}"
    for mine, its in zip(_undone(item), _undone(original), strict=True):
        if mine != its:
            alike = next((at for at, pair in enumerate(zip(mine, its, strict=False)) if pair[0] != pair[1]), 0)
            place = mine.rfind(" ", 0, alike) + 1
            had = its[place:][:QUOTED]
            yield f"{mine[place:][:QUOTED]!r} where the original has {had!r}, without a record; record the change"
    yield from _difference_from_pack(item, lookup)


def _undone(item: Item) -> tuple[str, str]:
    """Return the text left and right of the span with the recorded edits undone, character by character."""
    before, right = item.sentence[: item.span[0]], item.sentence[item.span[1] :]
    for edit in sorted(item.carrier_edits, key=lambda edit: -edit.start):
        start, side = edit.start, before
        if edit.start >= item.span[1]:
            start, side = edit.start - item.span[1], right
        side = side[:start] + edit.before + side[start + len(edit.after) :]
        before, right = (before, side) if edit.start >= item.span[1] else (side, right)
    return before, right


def _difference_from_pack(item: Item, lookup: Lookup) -> Iterator[str]:
    marked = lookup.pack.marked.get((item.compound, item.context))
    if item.variant != "orig" or marked is None or item.sentence == marked.text:
        return
    packed = lookup.tokens(marked.text)
    alike = all(
        _same_words(packed[slice(*old)], item.tokens[slice(*new)], lookup)
        for old, new in replacements(packed, item.tokens)
    )
    if item.context_source != "frame" or not alike:  # a frame may have been made to agree
        yield f"the pack has {marked.text!r}"


def _same_words(old: Sequence[str], new: Sequence[str], lookup: Lookup) -> bool:
    if len(old) == len(new):
        return all(map(lookup.same_word, old, new))
    return lookup.same_word(" ".join(old), " ".join(new))


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
            before, after = edit.before.strip().lower(), edit.after.strip().lower() or None
            if (before, after) not in read:
                read.add((before, after))
                todo = f"read it and list it in changes.tsv, or mark it {{={before}}}"
                yield item.id, f"{before!r} became {after!r} in {item.sentence!r}; {todo}"


@LANGUAGE.check("V101", "a reader found a fault in a sentence that still stands")
def _open_faults(scope: Scope) -> Found:
    """A verdict of severity 2 or 3 in `readings.tsv` on the very text that the edition has.

    The last verdict on a text decides.
    """
    texts = texts_to_read(scope.sentences, scope.tables.examples, scope.tables.senses) if scope.pack.readings else {}
    for (place, family, text), row in settled(scope.pack.readings).items():
        if row.severity >= OPEN_SEVERITY and texts.get((place, family)) == text:
            yield (
                place,
                f"{row.reason} of severity {row.severity} in {row.reading!r}: {row.note}; mend it, and read again",
            )
