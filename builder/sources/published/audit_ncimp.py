"""Faults in the published NCIMP files: rules over one table of sentences, and over the scores, and figures of both."""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from ftfy.badness import is_bad

from ncimp.builder.records import COMPONENTS, CONTEXTS, NATURALISTIC, RANDOMS, VARIANTS, WORDS_SYN
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.builder.sources.published import audit
from ncimp.builder.sources.published.audit import Audit, Compounds, English, Fault, Measurement
from ncimp.builder.sources.published.ncimp import LANGS, SCORES, NcimpFiles, PublishedTable, ScoreRow, read_ncimp
from ncimp.schemas.records import SEPARATORS

FRAMES = {
    "en": re.compile(r"(?:This is an?|These are) \S.*"),
    "pt": re.compile(r"(?:Este é um|Esta é uma|Est[ea]s são) \S.*"),
}
"""The short neutral frames of the paper."""
PLURAL_FRAME = re.compile(r"These are |Est[ea]s são ")
DAMAGED = re.compile(r"\ufffd|\w\?\w")
DAMAGED_PHRASE = re.compile(r"\ufffd|\w\?")  # where no sentence ends
DOUBLED = re.compile(r'""|““|””|„„')
LIMITS = (("NC", 1.5), ("PC", 3.5), ("C", float("inf")))  # a class has scores below its limit
OVERLAP, POOLED = "MWE Synonym Overlap", "CompositionalityTokenSents"
LAYERS = (
    "judgements of single annotators",
    "scores of head and modifier",
    "frequency, PMI and PPMI of the compounds",
    "paraphrases that annotators gave",
)
PRINTED = {  # He et al. (2025), section 3.1: compounds, sentences, mean words of a sentence from a corpus
    "en": ("280", "19,600", "23.4"),
    "pt": ("180", "12,600", "13.0"),
}
CORRELATION = "rank correlation of frequencies of compounds and random compounds:"
MATCHED = 0.5  # from this correlation on, frequencies count as matched
REPLACED = tuple(name for name in VARIANTS if name not in ("orig", *COMPONENTS))


def audit_ncimp(folder: Path) -> Audit:
    """Return the faults and figures of the NCIMP files in *folder*."""
    ncimp, english = read_ncimp(folder), English()
    figures = [
        Measurement(SCORES, "rows", len(ncimp.scores)),
        *(figure for table in ncimp.tables for figure in table_figures(table)),
        *(figure for lang in LANGS for figure in (*sentence_figures(ncimp, lang), *score_figures(ncimp, lang))),
    ]
    faults = [
        *missing(ncimp),
        *(fault for table in ncimp.tables for rule in TEXT_RULES for fault in rule(table, english)),
        *(fault for rule in SCORE_RULES for fault in rule(ncimp)),
        *random_sets(ncimp),
        *(
            Fault("random-match", row.file, f"{row.name}: {row.shown}, {MATCHED} and more would be matched")
            for row in figures
            if row.name.startswith(CORRELATION) and row.value < MATCHED
        ),
    ]
    names = [item for file in compounds_by_file(ncimp).values() for item in file.items()]
    parts = {lang: {key: name for key, name in names if key[0] == lang} for lang in LANGS}
    return Audit("NCIMP", tuple(faults), tuple(figures), parts, ncimp=ncimp)


def compounds_by_file(ncimp: NcimpFiles) -> dict[str, Compounds]:
    """Return the compounds of each file."""
    files = {
        table.document: {(table.lang, key): table.rows[number][0] for key, number in table.numbers.items()}
        for table in ncimp.tables
    }
    return {**files, SCORES: {row.key: row.values["compound"] for row in ncimp.scores}}


def missing(ncimp: NcimpFiles) -> Iterator[Fault]:
    """Find compounds, contexts, variants and layers that the paper describes and the files lack."""
    yield from audit.missing_compounds(compounds_by_file(ncimp))
    for lang in LANGS:
        contexts = {table.context for table in ncimp.of(lang)}
        for context in CONTEXTS if contexts else ():
            if context not in contexts:
                yield Fault("context-missing", f"{lang.upper()}/", f"no file has sentences of {context}")
    for table in ncimp.tables:
        for variant in VARIANTS:
            if variant not in table.variants:
                yield Fault("variant-missing", table.document, f"no column has {variant}")
    for layer in LAYERS:  # the columns of all files are checked when they are read
        yield Fault("layer-missing", SCORES, layer)
    yield from audit.missing_licence(ncimp.folder)


# Text: rules look at one table, with English at hand


def _fault(kind: str, table: PublishedTable, number: int, column: str | None, message: str) -> Fault:
    return Fault(kind, table.document, message, number + 2, column, table.rows[number][0])


def _phrases(table: PublishedTable, variants: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    """Yield row, variant, column and phrase of each sentence of *variants* that has one."""
    for variant, column in table.variants.items():
        for number in range(len(table.rows)) if variant in variants else ():
            if text := table.phrase(number, column):
                yield number, variant, column, text


def cells(table: PublishedTable, english: English) -> Iterator[Fault]:  # noqa: ARG001
    """Find empty cells, and tags that do not fit the words."""
    for column in table.header:
        for number in range(len(table.rows)):
            if not table.text(number, column).strip():
                yield _fault("cell-empty", table, number, column, "empty")
            elif column in table.tagged and table.cell(number, column) is None:
                tags, words = table.tags(number, column), table.words(number, column)
                what = f"{len(tags)} tags, {sum(tags)} of them True, and {len(words)} words"
                yield _fault("tags-words", table, number, column, what)


def articles(table: PublishedTable, english: English) -> Iterator[Fault]:
    """Find a/an before a wrong sound in every column, and before a noun that takes none in those of the paper."""
    variants = {column: variant for variant, column in table.variants.items()}
    for column in table.tagged if table.lang == "en" else ():
        for number in range(len(table.rows)):
            text, (before, _) = table.phrase(number, column), table.carrier(number, column)
            if not before or before[-1].lower() not in english.articles:
                continue
            if right := english.wrong_article(before[-1], text):
                kind = "article-sound" if column in variants else "article-sound-further"
                yield _fault(kind, table, number, column, f"{before[-1]} {text}: should be {right}")
            if variants.get(column, "head") not in COMPONENTS and (noun := english.uncounted(text)):
                yield _fault("article-number", table, number, column, f"{before[-1]} {text}: a {noun} noun")


def frames(table: PublishedTable, english: English) -> Iterator[Fault]:  # noqa: ARG001
    """Find neutral sentences outside the frame, and plural frames of random compounds beside a singular original."""
    for variant, column in table.variants.items() if table.kind == "neutral" else ():
        for number in range(len(table.rows)):
            text, original = table.text(number, column).strip(), table.text(number, table.original)
            if text and not FRAMES[table.lang].fullmatch(text):
                yield _fault("frame-broken", table, number, column, text)
            elif variant in RANDOMS and PLURAL_FRAME.match(text) and not PLURAL_FRAME.match(original):
                yield _fault("random-number", table, number, column, text)


def heads(table: PublishedTable, english: English) -> Iterator[Fault]:
    """Find English replacements whose last word is no noun."""
    for number, variant, column, text in _phrases(table, REPLACED if table.lang == "en" else ()):
        if not english.is_noun(text):
            yield _fault("random-head" if variant in RANDOMS else "head-other", table, number, column, text)


def twins(table: PublishedTable, english: English) -> Iterator[Fault]:  # noqa: ARG001
    """Find rows in which two variants are the same sentence."""
    for number in range(len(table.rows)):
        variants = defaultdict(list)
        for variant, column in table.variants.items():
            variants[table.text(number, column).strip()].append(variant)
        same = [" = ".join(group) for text, group in variants.items() if text and len(group) > 1]
        if same:
            yield _fault("variant-twin", table, number, None, ", ".join(same))


def synonyms(table: PublishedTable, english: English) -> Iterator[Fault]:  # noqa: ARG001
    """Find synonyms that are a component, pairs that keep one or are not two words, and compounds of one word."""
    for number, _, column, text in _phrases(table, ("syn",)):
        if text.lower() in SEPARATORS.split(table.phrase(number, table.original).lower()):
            yield _fault("variant-component", table, number, column, text)
    for number, _, column, text in _phrases(table, WORDS_SYN if table.lang == "en" else ()):
        words, components = text.lower().split(), table.phrase(number, table.original).lower().split()
        if len(words) != len(components):
            yield _fault("words-number", table, number, column, text)
        elif any(word == other for word, other in zip(words, components, strict=True)):
            yield _fault("variant-unchanged", table, number, column, text)
    further = defaultdict(set)
    for number, _, _, text in _phrases(table, WORDS_SYN[1:]):
        further[number].add(text)
    for number, pairs in further.items():
        if len(pairs) == 4 and all(len({pair.split()[at] for pair in pairs}) == 2 for at in (0, -1)):
            yield _fault("variant-product", table, number, None, ", ".join(sorted(pairs)))
    for number, row in enumerate(table.rows if table.kind == "neutral" else ()):
        if len(row[0].split()) == 1:
            yield _fault("compound-joined", table, number, table.header[0], row[0])


def damage(table: PublishedTable, english: English) -> Iterator[Fault]:  # noqa: ARG001
    """Find damaged characters, doubled quotes, words that no list has, and text without capital letters."""
    frequencies = WordfreqTable(table.lang)
    originals = [table.text(number, table.original) for number in range(len(table.rows))]
    for number, text in enumerate(originals):
        if is_bad(text) or DAMAGED.search(text):
            yield _fault("text-damaged", table, number, table.original, text)
        if DOUBLED.search(text):
            yield _fault("text-quotes", table, number, table.original, text)
    if originals and "".join(originals).islower():
        yield Fault("text-lower", table.document, f"{len(originals)} sentences", column=table.original)
    for number, _, column, text in _phrases(table, REPLACED):
        if is_bad(text) or DAMAGED_PHRASE.search(text):
            yield _fault("text-damaged", table, number, column, text)
        elif words := [word for word in SEPARATORS.split(text) if word.isalpha() and not frequencies.frequency(word)]:
            yield _fault("text-unlisted", table, number, column, f"{text}: {', '.join(words)}")
    randoms = [text for _, _, _, text in _phrases(table, RANDOMS)]
    if table.lang == "en" and "".join(randoms).islower():
        yield Fault("text-lower", table.document, f"{len(randoms)} random compounds, also those with a name")


TEXT_RULES = (cells, articles, frames, heads, twins, synonyms, damage)


# Scores


def _score_fault(kind: str, row: ScoreRow, column: str, message: str) -> Fault:
    return Fault(kind, SCORES, message, row.number, column, row.values["compound"])


def sentence_scores(rows: Sequence[ScoreRow]) -> dict[str, tuple[ScoreRow, float]]:
    """Return row and score of each naturalistic sentence of a compound, by its context."""
    scores = ((row.context, row, row.score("CompositionalityToken")) for row in rows)
    return {name: (row, score) for name, row, score in scores if name in NATURALISTIC and score is not None}


def classes(ncimp: NcimpFiles) -> Iterator[Fault]:
    """Find classes that differ from each other, and from what their score gives."""
    for row, *_ in ncimp.scores_by_compound.values():
        if row.values["ClassType"] != row.values["ClassToken"]:
            what = f"{row.values['ClassType']} by type, {row.values['ClassToken']} by token"
            yield _score_fault("class-layers", row, "ClassType", what)
        for column, score in (("ClassType", "CompositionalityType"), ("ClassToken", POOLED)):
            value = row.score(score)
            right = next(name for name, limit in LIMITS if value is None or value < limit)
            if value is not None and right != row.values[column]:
                yield _score_fault("class-limits", row, column, f"{row.values[column]}, and {value:g} gives {right}")


def ranges(ncimp: NcimpFiles) -> Iterator[Fault]:
    """Find scores of all sentences that lie outside those of the sentences."""
    for rows in ncimp.scores_by_compound.values():
        single, pooled = [score for _, score in sentence_scores(rows).values()], rows[0].score(POOLED)
        if pooled is not None and len(single) == len(NATURALISTIC) and not min(single) <= pooled <= max(single):
            what = f"{pooled:.2f} is not between {min(single):.2f} and {max(single):.2f}"
            yield _score_fault("score-range", rows[0], POOLED, what)


def blanks(ncimp: NcimpFiles) -> Iterator[Fault]:
    """Find empty cells of the spreadsheet."""
    for row in ncimp.scores:
        for column, text in row.values.items():
            if not text.strip():
                yield _score_fault("cell-empty", row, column, f"{row.values['file']}: empty")


def overlaps(ncimp: NcimpFiles) -> Iterator[Fault]:
    """Find numbers of words that compound and synonym share that do not recompute."""
    scores = {(*row.key, row.context): row for row in ncimp.scores}
    for table in ncimp.tables:
        for (key, number), shared in zip(table.numbers.items(), shared_words(table), strict=True):
            row = scores.get((table.lang, key, table.context))
            if row and (stated := row.score(OVERLAP)) not in (None, shared):
                what = f"{table.document}, row {number + 2}: {stated:g}, and they share {shared}"
                yield _score_fault("score-overlap", row, OVERLAP, what)


def shared_words(table: PublishedTable) -> list[int]:
    """Return the number of words that compound and synonym of each row share: cased, and split at spaces."""
    columns = [table.variants[name] for name in ("orig", "syn")]
    pairs = ([set(table.phrase(number, name).split()) for name in columns] for number in range(len(table.rows)))
    return [len(compound & synonym) for compound, synonym in pairs]


SCORE_RULES = (classes, ranges, blanks, overlaps)


def random_sets(ncimp: NcimpFiles) -> Iterator[Fault]:
    """Find compounds whose random compounds are not the same in all files of the language."""
    for lang in LANGS:
        sets: dict[str, set[frozenset[str]]] = defaultdict(set)
        for table in ncimp.of(lang):
            phrases: dict[int, set[str]] = {number: set() for number in table.numbers.values()}
            for number, _, _, text in _phrases(table, RANDOMS):
                phrases[number].add(text.lower())
            for key, number in table.numbers.items():
                sets[key].add(frozenset(phrases[number]))
        for table in ncimp.of(lang)[:1]:
            for key, number in table.numbers.items():
                if len(sets[key]) > 1:
                    yield _fault("random-sets", table, number, None, f"{len(sets[key])} sets in the files of {lang}")


# Figures


def table_figures(table: PublishedTable) -> Iterator[Measurement]:
    """Yield the figures of one file."""
    figure, rows = partial(Measurement, table.document), range(len(table.rows))
    yield figure("compounds", len(rows), PRINTED[table.lang][0])
    yield figure("columns", len(table.header))
    yield figure("compounds that share no word with their synonym", shared_words(table).count(0))
    lengths = Counter(len(text.split()) for _, _, _, text in _phrases(table, ("syn",)))
    for length, count in sorted(lengths.items()):
        yield figure(f"synonyms of length {length}", count)
    pairs = Counter((number, text) for number, _, _, text in _phrases(table, WORDS_SYN))
    twice = {number for (number, _), count in pairs.items() if count > 1}
    yield figure("rows with a pair of component synonyms twice", len(twice))
    for variant, column in table.variants.items():
        carriers = [table.carrier(number, column) for number in rows]
        if table.lang == "pt":
            count = sum(table.carrier(number, table.original) != carriers[number] for number in rows)
            yield figure(f"rows in which {variant} changes other words", count)
        elif table.kind == "naturalistic":
            count = sum(before[-1:] in (["a"], ["an"]) for before, _ in carriers)  # they are in lower case
            yield figure(f"a/an before {variant}", count)
    if table.kind == "neutral":
        yield from frequency_figures(table)


def frequency_figures(table: PublishedTable) -> Iterator[Measurement]:
    """Yield rank correlations of frequencies: of means, and of single words in the usual order of the language."""
    frequencies = WordfreqTable(table.lang)
    order = ("modifier", "head") if table.lang == "en" else ("head", "modifier")
    columns: dict[str, list[tuple[float, float]]] = {"mean": [], **{name: [] for name in order}}
    for number, _, _, text in _phrases(table, RANDOMS):
        words = SEPARATORS.split(text)
        random = [frequencies.frequency(words[at]) for at in (0, -1)]
        components = [frequencies.frequency(table.text(number, f"compound noun {name}")) for name in order]
        for name, pair in zip(order, zip(components, random, strict=True), strict=True):
            columns[name].append(pair)
        columns["mean"].append((statistics.mean(components), statistics.mean(random)))
    for name, pairs in columns.items():
        if (value := audit.rank_correlation(pairs)) is not None:
            yield Measurement(table.document, f"{CORRELATION} {name}", value)


def sentence_figures(ncimp: NcimpFiles, lang: str) -> Iterator[Measurement]:
    """Yield the figures of a language over its files."""
    tables, (compounds, sentences, length) = ncimp.of(lang), PRINTED[lang]
    figure = partial(Measurement, f"{lang.upper()}/")
    everywhere = {key for code, key in ncimp.scores_by_compound if code == lang}.intersection(
        *(table.numbers for table in tables)
    )
    yield figure("compounds that all files have", len(everywhere), compounds)
    yield figure("sentences", sum(len(table.rows) * len(table.variants) for table in tables), sentences)
    originals = [
        (row[0].lower(), table.text(number, table.original))
        for table in tables
        for number, row in enumerate(table.rows if table.kind == "naturalistic" else ())
    ]
    if originals:
        words = [text.split() for _, text in originals]
        yield figure("words of a sentence from a corpus", statistics.mean(map(len, words)), length)
        plain = statistics.mean(sum(any(map(str.isalnum, word)) for word in sentence) for sentence in words)
        yield figure("words of a sentence from a corpus without punctuation", plain)
        verbatim = sum(compound in text.lower() for compound, text in originals)
        yield figure("sentences from a corpus with the compound as it is listed", verbatim)


def score_figures(ncimp: NcimpFiles, lang: str) -> Iterator[Measurement]:
    """Yield the figures of a language in the spreadsheet."""
    figure = partial(Measurement, SCORES)
    scores = [rows for (code, _), rows in ncimp.scores_by_compound.items() if code == lang]
    yield figure(f"{lang}: compounds", len(scores), PRINTED[lang][0])
    for column in ("ClassType", "ClassToken"):
        counts = Counter(rows[0].values[column] for rows in scores)
        for name, _ in LIMITS:
            yield figure(f"{lang}: {column} {name}", counts[name])
    without = sum(row.score(OVERLAP) == 0 for rows in scores for row in rows if row.context == "neut_short")
    yield figure(f"{lang}: compounds that share no word with their synonym", without)
    gaps = [
        abs(pooled - statistics.mean(score for _, score in single.values()))
        for rows in scores
        if (pooled := rows[0].score(POOLED)) is not None and (single := sentence_scores(rows))
    ]
    if gaps:
        yield figure(f"{lang}: mean distance of {POOLED} from the mean of the sentences", statistics.mean(gaps))
        yield figure(f"{lang}: largest distance of {POOLED} from the mean of the sentences", max(gaps))
