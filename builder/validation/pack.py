"""K0xx and T8xx: has a pack what every compound of a release needs, and is every written sentence one?

A written sentence must not give its compound away; its length, names, words and shape are looked at.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean

from ncimp.builder.records import NATURALISTIC, Compound, Number, TrueSynonym
from ncimp.builder.validation.scope import CONTENT, LANGUAGE, PACK, Found, Lookup, Scope, fits, is_word

MIN_SYNONYMS, MAX_SYNONYMS = 1, 4  # docs/adr/0008
EDGE = 4  # letters of a component heard at the edge of a longer word: nighthawk for night owl, not bigwig
STEM = 3  # letters that words of one stem share at least: cruzadinha for palavra cruzada

MIN_WORDS, MAX_WORDS = 8, 32  # of an authored sentence, the compound's included
# distance of the mean of a language from the pack's `mean_words`, as a share of it: a tenth is as near as writers come
# who do not count (in the open edition 21.5 and 18.4 words, 8 percent more than the aims)
MEAN_BAND = 0.1
APOSTROPHE = "'"  # as packs write it
NEAR = 4  # tokens on either side of a span in which a hedge gives it away
SLOT = "_"  # stands for the compound, so that the words beside it are no neighbours
SENTENCE_ENDS = frozenset(".!?:")
SECOND = re.compile(r"(\S+)[.!?]\s+\w")  # two sentences in one, and the word before the border between them
ANY_ENDING = "*"


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
            where = f"synonyms.tsv:{line}: {row.text!r} is"
            if row.overlap_free and shared:
                yield place, f"{where} marked as free of overlap and holds {shared[0]!r}"
            elif not row.overlap_free and not shared and not are_kin:
                yield place, f"{where} not marked as free of overlap and shares nothing"


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
    parts = lookup.split(text, pattern, row.modifier, row.head, row.parts)
    if pattern is None or parts is None:
        return False
    heads = lookup.readings(parts[pattern.head], "noun")
    if not any(form.lemma == row.head and form.number in (None, number) for form in heads):
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
        elif fault := scope.lookup.sounds.fault(row.text):
            yield place, f"{row.text!r} has {fault}; mend compounds.tsv"


@PACK.check("K008", "a true synonym is not its head and its modifier, put together by its pattern")
def _synonym_not_composed(scope: Scope) -> Found:
    """A synonym stands in the singular, and both of its words have a plural in `forms.tsv`.

    Its modifier is a lemma and no other form, unless it never changes. Each form suits the next sound (*bel amant*).
    """
    for place, compound in scope.by_compound():
        for line, row in scope.synonyms[compound.text]:
            what = composition_fault(row, scope.lookup)
            if what is None and (fault := scope.lookup.sounds.fault(row.text)):
                what = f"has {fault}"
            if what is not None:
                yield place, f"synonyms.tsv:{line}: {row.text!r} {what}"


def composition_fault(row: TrueSynonym, lookup: Lookup) -> str | None:
    """Return how *row* is not its head and its modifier by its pattern, or None."""
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


@PACK.check("K012", "the adjective of a true synonym stands on the other side of its noun than the language has it")
def _misplaced(scope: Scope) -> Found:
    """The lists are those of `[agreement.adjectives]`; an established expression may be waived (*faux frère*)."""
    for place, compound in scope.by_compound():
        for line, row in scope.synonyms[compound.text]:
            where = scope.lookup.misplaced(scope.pack.language.patterns.get(row.pattern), row.modifier)
            if where:
                yield place, f"synonyms.tsv:{line}: {row.modifier!r} {where} in {row.text!r}; mend it or the list"


@PACK.check("K009", "the ranks of the true synonyms of a compound are not 1, 2, 3 ...")
def _gap_in_ranks(scope: Scope) -> Found:
    for place, compound in scope.by_compound():
        ranks = sorted(row.rank for _, row in scope.synonyms[compound.text])
        if ranks != list(range(1, len(ranks) + 1)):
            yield place, f"{', '.join(map(str, ranks))}; number them from 1 in synonyms.tsv"


@PACK.check("K010", "the first true synonym of a compound cannot stand where the compound stands")
def _uncountable_synonym(scope: Scope) -> Found:
    """A mass noun has neither the plural nor the indefinite article of a compound that can be counted."""
    for place, compound in scope.by_compound():
        for line, row in scope.synonyms[compound.text]:
            if row.rank == 1 and row.countability == "mass" and compound.countability != "mass":
                yield place, f"synonyms.tsv:{line}: {row.text!r} is a mass noun; rank one first that can be counted"


@PACK.check("T803", "a word outside the compound gives it away: a component or a true synonym")
def _give_away(scope: Scope) -> Found:
    """A word, or a part of a hyphenated one, may be a form of a lemma of the compound or of a true synonym.

    Forms are those of `forms.tsv`; kinship that only spelling shows (*bank*, *banker*) is not found.
    """
    own = _own_lemmas(scope)
    for row in scope.carriers:
        lemmas = own[row.compound.text]
        for word in filter(is_word, (*row.left, *row.right)):
            for lemma in sorted(scope.lookup.lemmas_of_parts(word) & lemmas.keys()):
                yield row.located(f"{word!r} is a form of {lemma!r}, {lemmas[lemma]}; say it in other words")


def _own_lemmas(scope: Scope) -> Mapping[str, dict[str, str]]:
    """Return, by compound, the lemmas that must not stand in its sentences, and where each is from."""
    rows: list[tuple[str, Compound | TrueSynonym, str]] = [
        (row.text, row, "its component") for row in scope.pack.compounds
    ]
    rows += [(row.compound, row, f"its synonym {row.text!r}") for row in scope.pack.synonyms]
    own: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for compound, row, source in rows:
        # not the parts of a word: of *all-star* the first says nothing
        for lemma in scope.lookup.lemmas(row.head) | (scope.lookup.lemmas(row.modifier) if row.modifier else set()):
            if scope.lookup.may_be(lemma, {*CONTENT, "adv"}):
                own[compound].setdefault(lemma, source)
    return own


@PACK.check("T804", "a written sentence is too short or too long")
def _length(scope: Scope) -> Found:
    """8 to 32 words, the compound's included. Only a reader can tell whether a sentence says enough."""
    for row in scope.carriers:
        length = sum(map(is_word, scope.lookup.tokens(row.text)))
        if not MIN_WORDS <= length <= MAX_WORDS:
            yield row.located(f"{length} words, where {MIN_WORDS} to {MAX_WORDS} are allowed")


@PACK.check("T805", "the written sentences of a language are too short or too long on average")
def _mean_length(scope: Scope) -> Found:
    """The mean of the naturalistic contexts has to be within a tenth of `mean_words` in `pack.toml`."""
    texts = [row.text for row in scope.carriers if row.context in NATURALISTIC]
    lengths = [sum(map(is_word, scope.lookup.tokens(text))) for text in texts]
    aim = scope.pack.language.content.mean_words
    if lengths and abs(fmean(lengths) - aim) > MEAN_BAND * aim:
        what = f"{fmean(lengths):.1f} words on average, where {aim:g} is the aim"
        yield scope.lang, f"{what}; write longer or shorter ones"


@PACK.check("T806", "quotation marks or a hedge give the compound away")
def _set_off(scope: Scope) -> Found:
    """Quotation marks are the words `quote` of `pack.toml`; one that joins the letters of a word may also end it."""
    language, quotes = scope.pack.language, frozenset(scope.pack.language.words.get("quote", ()))
    ending = {mark for mark in quotes if re.fullmatch(language.token, f"a{mark.replace('’', APOSTROPHE)}a")}
    for row in scope.carriers:
        before, after = (*row.left, "")[len(row.left) - 1], (*row.right, "")[0]
        opens = before in quotes and row.text[: row.span[0]].endswith(before)
        if opens or (after in quotes - ending and row.text[row.span[1] :].startswith(after)):
            yield row.located(f"{before if opens else after!r} beside the compound; take the marks out")
        beside = [[token.lower() for token in side] for side in (row.left[-NEAR:], row.right[:NEAR])]
        for hedge in scope.pack.language.content.hedges:
            if any(f" {hedge} " in f" {' '.join(side)} " for side in beside):
                yield row.located(f"{hedge!r} beside the compound; say it without")


@LANGUAGE.check("T807", "a word is in the pack's list of profanity")
def _profanity(scope: Scope) -> Found:
    """The whole sentence of an original and the span of every other item are looked at.

    The list in `pack.toml` is short; words that offend only in their sentence (a component that stands alone, a
    random pair) are for readers, and for `exclusions.tsv`.
    """
    entries = scope.pack.language.content.profanity
    whole = {entry for entry in entries if not entry.endswith(ANY_ENDING)}
    stems = tuple(entry.removesuffix(ANY_ENDING) for entry in entries if entry.endswith(ANY_ENDING))

    @cache
    def offence(word: str) -> str | None:
        lemmas = sorted(scope.lookup.lemmas_of_parts(word)) if is_word(word) else []
        return next((lemma for lemma in lemmas if lemma in whole or (stems and lemma.startswith(stems))), None)

    for item in scope.sentences:
        for word in item.tokens if item.variant == "orig" else item.tokens[slice(*item.token_span)]:
            if offence(word) is not None:
                yield item.id, f"{word!r} is a form of {offence(word)!r}; take another word"


@PACK.check("T808", "a name of several words is not in the pack's list of names")
def _unlisted_names(scope: Scope) -> Found:
    """Two or more capitalised words in a row are a name that `pack.toml` has to list.

    No list of living people may be shipped with the project, so this makes a person look and does no more. It
    cannot find a person who is called by one name, one who is in `forms.tsv` and alone, one whom the description
    gives away without a name, or a listed name that somebody bears by chance.
    """
    listed, readings = set(_names(scope)), scope.lookup.readings
    nouns = [form for form in scope.pack.forms if form.pos == "noun"]
    if 2 * sum(form.form[0].isupper() for form in nouns) > len(nouns):
        return  # where every noun has a capital, it shows no name
    for row in scope.carriers:
        for name in _capitalised((*row.left, SLOT, *row.right), scope.lookup):
            # Otto for Otto's
            lemmas = (next((f.lemma for f in readings(word) if f.lemma[0].isupper()), word) for word in name)
            if len(name) > 1 and tuple(lemmas) not in listed:
                yield row.located(f"{' '.join(name)!r}; if it is no living person, list it in pack.toml")


def _names(scope: Scope) -> Iterator[tuple[str, ...]]:
    return (tuple(scope.lookup.tokens(name)) for name in scope.pack.language.content.names)


def _capitalised(tokens: Sequence[str], lookup: Lookup) -> Iterator[list[str]]:
    """Yield each run of capitalised words; one that begins a sentence belongs to it only when it is always a name."""
    run: list[str] = []
    for index, token in enumerate((*tokens, SLOT)):
        opens, readings = index == 0 or tokens[index - 1] in SENTENCE_ENDS, lookup.readings(token)
        is_name = bool(readings) and all(form.form[0].isupper() for form in readings)
        if len(token) > 1 and token[0].isupper() and (not opens or is_name):
            run.append(token)
            continue
        yield run
        run = []


@PACK.check("T809", "a word of a written sentence has no entry in forms.tsv")
def _unknown_words(scope: Scope) -> Found:
    """Words outside the span, single names included; `A106` looks at those inside."""
    lookup, names = scope.lookup, {word for name in _names(scope) for word in name}
    for row in scope.carriers:
        unknown = [
            word
            for word in dict.fromkeys(filter(is_word, (*row.left, *row.right)))
            if not (word[0].isdigit() or word in names or lookup.is_closed(word) or lookup.knows(word))
        ]
        if unknown:
            yield row.located(f"{', '.join(map(repr, unknown))}; add what is missing to forms.tsv")


@PACK.check("T810", "the compound does not stand in a written sentence once, in the number of the context")
def _not_the_compound(scope: Scope) -> Found:
    """The words in brackets have to be the head in that number and a form of the modifier, by `forms.tsv`."""
    for row in scope.carriers:
        form = row.text[slice(*row.span)]
        if row.text.lower().count(form.lower()) != 1:
            yield row.located(f"{form!r} stands in it more than once; write another")
        elif not composes(form, row.compound, row.number, scope.lookup):
            yield row.located(f"{form!r} is not {row.compound.text!r} in number {row.number!r}; inflect it")


@PACK.check("T811", "a written sentence is not one sentence from its capital letter to its final mark")
def _not_one_sentence(scope: Scope) -> Found:
    """It begins with a capital or a figure and ends with a full stop, a question or an exclamation mark.

    There is no space before a mark or beside another, and no second sentence. An abbreviation in a listed name
    (*St. Petersburg*) is allowed.
    """
    listed = " ".join(scope.pack.language.content.names)
    for row in scope.carriers:
        text = row.text
        if not (text[:1].isupper() or text[:1].isdigit()) or text[-1:] not in ".!?":
            yield row.located("begin with a capital letter and end with a mark")
        elif scope.lookup.has_stray_space(text):
            yield row.located("it has stray spaces; take them out")
        elif any(f"{match[1]}." not in listed for match in SECOND.finditer(text)):
            yield row.located("it is two sentences; write one")


GLOSS_NEAR = 10  # words on either side of a span in which the gloss may not speak


@PACK.check("T812", "a written sentence says near the compound what it means")
def _glossed(scope: Scope) -> Found:
    """A noun, adjective or verb of the sense note stands within ten words of the span, in any form.

    Words that may be something else (*back*, *on*), components, and those that the pack lists as `light` are left out.
    Without that list nothing is looked for.
    """
    for row in scope.carriers if scope.pack.language.content.light is not None else ():
        own = scope.lookup.lemmas_of_parts(f"{row.compound.modifier}-{row.compound.head}")
        told = _content(scope.lookup.tokens(row.compound.sense_note), scope) - own
        left, right = ([token for token in side if is_word(token)] for side in (row.left, row.right))
        shared = told & _content((*left[-GLOSS_NEAR:], *right[:GLOSS_NEAR]), scope)
        if row.context in NATURALISTIC and shared:
            yield row.located(f"{', '.join(sorted(shared))} of the sense note; say it otherwise, or further away")


def _content(words: Iterable[str], scope: Scope) -> set[str]:
    """Return the lemmas of those *words* that are nouns, adjectives or verbs for sure, and in no reading light."""
    light = scope.pack.language.content.light or frozenset()
    readings = (scope.lookup.readings(word) for word in words if scope.lookup.parts_of_speech(word) <= CONTENT)
    lemmas = ({form.lemma for form in forms} for forms in readings)
    return {lemma for some in lemmas if not some & light for lemma in some}


@PACK.check("K011", "counts.tsv counts other compounds than the pack has")
def _counted_others(scope: Scope) -> Found:
    """A pack that names corpora has the counts of all its compounds in each, but for those with words only."""
    due = {(row.text, corpus.corpus) for row in scope.pack.compounds for corpus in scope.pack.counted}
    differing = sorted({text for text, _ in due ^ {(row.compound, row.corpus) for row in scope.pack.counts}})
    if differing:
        shown = ", ".join(differing[:3])
        yield scope.lang, f"{len(differing)} differ ({shown}); run `ncimp pack counts {scope.lang}` again"


@PACK.check("K017", "a noun has another gender in pool.tsv than in forms.tsv")
def _other_gender(scope: Scope) -> Found:
    """Random compounds go by forms.tsv, so that the table of the pool would say what nobody does."""
    for row in scope.pack.pool:
        gender = scope.lookup.genders.get(row.lemma) if row.pos == "noun" else None
        if gender not in (None, row.gender):
            yield scope.lang, f"{row.lemma!r}: {row.gender} in pool.tsv, {gender} in forms.tsv; mend the wrong one"
