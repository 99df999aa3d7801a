"""K0xx: does a pack have what every compound of a release needs, and do its tables agree with each other?"""

from collections.abc import Iterator

from ncimp.builder.records import NATURALISTIC, Compound, Number, TrueSynonym
from ncimp.builder.validation.scope import PACK, Lookup, Scope, fits, split_phrase

MIN_SYNONYMS, MAX_SYNONYMS = 2, 4  # docs/adr/0008
EDGE = 4  # letters of a component heard at the edge of a longer word: nighthawk for night owl, not bigwig
STEM = 3  # letters that words of one stem share at least: cruzadinha for palavra cruzada

Found = Iterator[tuple[str, str]]


@PACK.check("K001", "a compound has not three naturalistic contexts")
def _missing_contexts(scope: Scope) -> Found:
    for place, compound in scope.by_compound():
        present = {row.context for row in scope.contexts[compound.text]}
        missing = [name for name in NATURALISTIC if name not in present]
        if missing:
            yield place, f"no {', '.join(missing)}; write it in contexts.tsv"


@PACK.check("K002", "a compound has too few or too many true synonyms")
def _number_of_synonyms(scope: Scope) -> Found:
    for place, compound in scope.by_compound():
        count = len(scope.synonyms[compound.text])
        if not MIN_SYNONYMS <= count <= MAX_SYNONYMS:
            yield place, f"{count}, where {MIN_SYNONYMS} to {MAX_SYNONYMS} belong into synonyms.tsv"


@PACK.check("K003", "no true synonym of a compound is free of overlap")
def _no_free_synonym(scope: Scope) -> Found:
    for place, compound in scope.by_compound():
        rows = scope.synonyms[compound.text]
        if rows and not any(row.overlap_free for _, row in rows):
            yield place, "add one to synonyms.tsv that shares no lemma with it"


@PACK.check("K004", "the mark overlap_free of a true synonym is not true")
def _false_overlap(scope: Scope) -> Found:
    """A synonym overlaps when one of its words is a form of a component, or begins or ends with one.

    Components of fewer than four letters are not looked for inside words. The author may also mark a kinship that
    spelling shows only in part, such as three equal letters.
    """
    for place, compound in scope.by_compound():
        components = (compound.modifier, compound.head)
        for line, row in scope.synonyms[compound.text]:
            words = {*scope.lookup.tokens(row.text), row.head, row.modifier or row.head}
            shared = [part for part in components if _shares(part, words, scope.lookup)]
            texts = [(part.lower(), word.lower()) for part in components for word in words]
            are_kin = any(word[:STEM] == part[:STEM] or part in word for part, word in texts)
            what = None
            if row.overlap_free and shared:
                what = f"is marked as free of overlap and holds {shared[0]!r}"
            elif not row.overlap_free and not shared and not are_kin:
                what = "is not marked as free of overlap and shares nothing"
            if what is not None:
                yield place, f"synonyms.tsv:{line}: {row.text!r} {what}"


def _shares(part: str, words: set[str], lookup: Lookup) -> bool:
    lemmas = set().union(*map(lookup.lemmas_of_parts, words))
    edge = len(part) >= EDGE and any(word.startswith(part) or word.endswith(part) for word in lemmas)
    return edge or bool(lemmas & lookup.lemmas_of_parts(part))


@PACK.check("K005", "a compound has no split")
def _no_split(scope: Scope) -> Found:
    assigned = {row.compound for row in scope.pack.splits}
    for place, compound in scope.by_compound():
        if compound.text not in assigned:
            yield place, f"{place!r} has no split in the pack {scope.lang!r}; run `ncimp pack split {scope.lang}`"


@PACK.check("K006", "a compound that can be counted has no plural context")
def _no_plural_context(scope: Scope) -> Found:
    for place, compound in scope.by_compound():
        naturalistic = [row for row in scope.contexts[compound.text] if row.context in NATURALISTIC]
        if naturalistic and compound.countability == "count" and all(row.number == "sg" for row in naturalistic):
            yield place, "every sentence has the singular; write one of the three in the plural"


def composes(text: str, row: Compound | TrueSynonym, number: Number, lookup: Lookup) -> bool:
    """Tell whether *text* is made of the head of *row* in *number* and a form of its modifier, as its pattern says.

    A modifier that agrees has to stand in that number, too, and in the gender of *row*; that of a compound may also
    have the gender of the head (*o longa-metragem*).
    """
    pattern = lookup.language.patterns.get(row.pattern)
    parts = split_phrase(text, pattern)
    if pattern is None or parts is None:
        return False
    head = parts[pattern.head]
    if not any(form.lemma == row.head and form.number in (None, number) for form in lookup.readings(head, "noun")):
        return False
    if row.modifier is None or len(parts) == 1:
        return True
    modifier = parts[1 - pattern.head]
    if pattern.modifier != "agrees":
        return lookup.is_form(modifier, row.modifier) or modifier.lower() == row.modifier
    pos = pattern.parts[1 - pattern.head]
    cells = [(form.gender, form.number) for form in lookup.readings(modifier, pos) if form.lemma == row.modifier]
    genders = {row.gender, lookup.genders.get(row.head)} if isinstance(row, Compound) else {row.gender}
    return any(fits(cells, gender, number) for gender in genders)


@PACK.check("K007", "a compound is not its head and its modifier, put together by its pattern")
def _not_composed(scope: Scope) -> Found:
    """The head has to be a noun of `forms.tsv` in the number of the compound, the modifier a form of its lemma.

    A modifier that agrees has the number of the head; others vary (*conto de fadas*, *sequestros relâmpago*).
    """
    for place, row in scope.by_compound():
        pattern = scope.pack.language.patterns.get(row.pattern)
        if pattern is None or row.head_index != pattern.head:
            yield place, f"its head is not where the pattern {row.pattern!r} has it; mend compounds.tsv"
        elif not composes(row.text, row, row.number, scope.lookup):
            yield place, f"{row.text!r} is not {row.modifier!r} and {row.head!r}; mend compounds.tsv or forms.tsv"


@PACK.check("K008", "a true synonym is not its head and its modifier, put together by its pattern")
def _synonym_not_composed(scope: Scope) -> Found:
    """A synonym stands in the singular, and both of its words have a plural in `forms.tsv`.

    Its modifier is a lemma and no other form, unless it never changes.
    """
    for place, compound in scope.by_compound():
        for line, row in scope.synonyms[compound.text]:
            what = _fault(row, scope.lookup)
            if what is not None:
                yield place, f"synonyms.tsv:{line}: {row.text!r} {what}"


def _fault(row: TrueSynonym, lookup: Lookup) -> str | None:
    pattern = lookup.language.patterns.get(row.pattern)
    if not composes(row.text, row, "sg", lookup) or pattern is None:
        return f"is not {row.modifier or 'nothing'!r} and {row.head!r} by the pattern {row.pattern!r}"
    if not lookup.has_plural(row.head, "noun"):
        return f"has no plural; add that of {row.head!r} to forms.tsv"
    if row.modifier is None or pattern.modifier == "fixed":
        return None
    pos = pattern.parts[1 - pattern.head]
    if {form.lemma for form in lookup.readings(row.modifier, pos)} != {row.modifier}:
        return f"has the modifier {row.modifier!r}, which is no lemma; write the lemma"
    if not lookup.has_plural(row.modifier, pos):
        return f"has no plural; add that of {row.modifier!r} to forms.tsv"
    return None


@PACK.check("K009", "the ranks of the true synonyms of a compound are not 1, 2, 3 ...")
def _gap_in_ranks(scope: Scope) -> Found:
    for place, compound in scope.by_compound():
        ranks = sorted(row.rank for _, row in scope.synonyms[compound.text])
        if ranks != list(range(1, len(ranks) + 1)):
            yield place, f"{', '.join(map(str, ranks))}; number them from 1 in synonyms.tsv"
