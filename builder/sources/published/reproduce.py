"""The tables of both papers from the user's copy of their files, cell by cell beside what is printed."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, pstdev, stdev

from scipy.stats import spearmanr

from ncimp.builder.records import CONTEXTS, NEUTRAL, VARIANTS
from ncimp.builder.sources.published.ncimp import COPY, LANGS, SCORES, NcimpFiles, PublishedTable
from ncimp.builder.sources.published.nctti import CLASSES, CorpusPlace, NcttiRow
from ncimp.builder.sources.published.printed import (
    LANGUAGES,
    Paper,
    PaperCell,
    PaperTable,
    agrees,
    annotation_cells,
    compare,
    contradictions,
    paper,
)
from ncimp.schemas import Place, SourceError

CLASS_NAMES = [name.replace("_", " ") for name in CLASSES.values()]
QUESTIONS = ("whole", "head", "modifier")
EXPERT = "expert class"  # the layer of classes that the paper counts
GIVE = "the files of NCTTI have these classes: give --nctti"
NATURALISTIC = "Naturalistic"  # rows of the spreadsheet with scores of single sentences
Key = tuple[str, str]  # of a compound: language, and the compound without case and hyphens
NcttiCells = Callable[[str, Sequence[NcttiRow], Paper], Iterator[PaperCell]]


def token_score(row: NcttiRow) -> float | None:
    """Return Comp of a compound, 0 to 5: the mean over its sentences of the means over annotators, equation (1)."""
    scores = [score for score in row.sentence_scores if score is not None]
    return round(fmean(scores), 10) if scores else None  # so that equal means are ties


def by_class(rows: Sequence[NcttiRow]) -> list[list[NcttiRow]]:
    """Return the compounds of each expert class, from idiomatic to compositional."""
    return [[row for row in rows if row.short_class == name] for name in CLASSES]


def mean(values: Sequence[float]) -> float | None:
    """Return the mean of *values*, or None of none."""
    return fmean(values) if values else None


def rho(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Spearman's rho of *pairs*, or None of fewer than three or where one side is constant."""
    if len(pairs) < 3 or any(len(set(side)) == 1 for side in zip(*pairs, strict=True)):
        return None
    return float(spearmanr(*zip(*pairs, strict=True)).statistic)


def nctti_tables(rows: Sequence[NcttiRow]) -> list[PaperTable]:
    """Return the tables of NCTTI from the compounds of its files; Tables 5 and 6 need vectors."""
    tables = []
    for name, title, cells_of in NCTTI:
        parts = [(lang, [row for row in rows if row.lang == lang]) for lang in LANGS]
        cells = [cell for lang, part in parts for cell in cells_of(LANGUAGES[lang], part, paper("nctti")[lang])]
        tables.append(PaperTable(name, title, tuple(cells)))
    return tables


def count_cells(lang: str, rows: Sequence[NcttiRow], figures: Paper) -> Iterator[PaperCell]:
    """Yield the numbers of compounds, by class, of sentences and of annotations."""
    yield compare(lang, "compounds", figures["compounds"], len(rows))
    for name, figure, part in zip(CLASS_NAMES, figures["classes"].split(), by_class(rows), strict=True):
        yield compare(lang, name, figure, len(part))
    places = sum(isinstance(one, CorpusPlace) for row in rows for one in row.sentences)
    why = f"{places} of them are places in a corpus"
    yield compare(lang, "sentences", figures["sentences"], sum(len(row.sentences) for row in rows), why)
    yield from annotation_cells(lang, figures)


def reliability_cells(lang: str, _rows: Sequence[NcttiRow], figures: Paper) -> Iterator[PaperCell]:
    """Yield Krippendorff's alpha of the 2 and 3 annotators with most sentences in common: never computable."""
    for question in QUESTIONS:
        for count, figure in zip((2, 3), figures["alpha"][question].split(), strict=True):
            why = "the files hold no single judgements"
            yield compare(lang, f"{question}, {count} annotators", figure, None, why)


def type_token_cells(lang: str, rows: Sequence[NcttiRow], figures: Paper) -> Iterator[PaperCell]:
    """Yield Spearman's rho of type and token score, equation (1), over all compounds and those of each class."""
    names, parts = ("all", *CLASS_NAMES), (rows, *by_class(rows))
    for name, figure, part in zip(names, figures["rho"].split(), parts, strict=True):
        scores = [(token_score(row), row.type_score) for row in part]
        pairs = [(token, of_type) for token, of_type in scores if token is not None and of_type is not None]
        yield compare(lang, f"{name}, {len(pairs)} compounds", figure, rho(pairs))


def score_cells(lang: str, rows: Sequence[NcttiRow], figures: Paper) -> Iterator[PaperCell]:
    """Yield mean and standard deviation (of the sample of compounds) of each question, and the mean type score."""
    for place, (name, part) in enumerate(zip(CLASS_NAMES, by_class(rows), strict=True)):
        row = f"{lang}, {name}"
        for question in QUESTIONS:
            why = "" if question == "whole" else f"the files hold no scores of the {question}"
            scores = [] if why else [score for one in part if (score := token_score(one)) is not None]
            average, deviation = (figures[what][question].split()[place] for what in ("means", "deviations"))
            yield compare(row, f"{question}, mean", average, mean(scores), why)
            yield compare(row, f"{question}, sd", deviation, stdev(scores) if len(scores) > 1 else None, why)
        types = [one.type_score for one in part if one.type_score is not None]
        yield compare(row, "type, mean", figures["type_means"].split()[place], mean(types))


def example_cells(lang: str, rows: Sequence[NcttiRow], figures: Paper) -> Iterator[PaperCell]:
    """Yield the scores of the example compound: its three sentences and its type."""
    columns = ("sentence 1", "sentence 2", "sentence 3", "type")
    for name, line in figures.get("table4", {}).items():
        scores = next(((*row.sentence_scores, row.type_score) for row in rows if row.compound == name), (None,) * 4)
        for column, figure, value in zip(columns, line.split(), scores, strict=True):
            yield compare(f"{lang}, {name}", column, figure, value, f"{name} has no such score")


def paraphrase_cells(lang: str, rows: Sequence[NcttiRow], figures: Paper) -> Iterator[PaperCell]:
    """Yield the numbers of paraphrases; those of the type are distinct ones, which the published list repeats."""
    for name, figure in figures["proposals"].items():
        yield compare(lang, f"proposals, {name}", figure, None, "the files hold no proposals of single annotators")
    entries, count = sum(len(row.paraphrases) for row in rows), len(rows) or 1
    distinct = sum(len(set(row.paraphrases)) for row in rows)
    repeating = sum(len(set(row.paraphrases)) < len(row.paraphrases) for row in rows)
    why = f"of {entries:,} entries, {entries - distinct:,} repeat one of the same compound, in {repeating} rows"
    for column, figure, listed, value in (
        ("type-level", figures["type_level"], entries, distinct),
        ("type-level by compound", figures["type_level_per_compound"], entries / count, distinct / count),
    ):
        wrong = distinct < entries and agrees(figure, listed)
        yield compare(lang, column, figure, value, why if distinct < entries else "", wrong=wrong)
    lists = [[len(set(one)) for one in row.sentence_paraphrases] for row in rows]
    total = sum(map(sum, lists))
    yield compare(lang, "token-level", figures["token_level"], total)
    yield compare(lang, "token-level by compound", figures["token_level_per_compound"], total / count)
    if "token_level_per_sentence" in figures:
        yield compare(lang, "token-level by sentence", figures["token_level_per_sentence"], total / count / 3)
    sentences = Counter(sum(one > 0 for one in row) for row in lists)
    for number, figure in enumerate(figures["token_level_sentences"].split(), start=1):
        yield compare(lang, f"compounds with some in {number} of 3 sentences", figure, sentences[number])


def spread_cells(lang: str, rows: Sequence[NcttiRow], figures: Paper) -> Iterator[PaperCell]:
    """Yield the spread of the scores of a compound over its sentences: the standard deviation of a sample of three."""
    scores = {row.compound: [one for one in row.sentence_scores if one is not None] for row in rows}
    three = [one for one in scores.values() if len(one) == 3]
    deviations = [round(stdev(one), 10) for one in three]  # so that rounding puts none on the other side of 0.6 or 1
    below = sum(one < 0.6 for one in deviations)
    share = 100 * below / len(three) if three else None
    yield compare(lang, "share below 0.6, %", figures["below"], share, f"{below} of {len(three)} compounds")
    why = f"{sum(pstdev(one) > 1 for one in three)} by the standard deviation of the three as a population"
    yield compare(lang, "compounds above 1", figures["above"], sum(one > 1 for one in deviations), why)
    for name, line in figures["examples"].items():
        *others, highest = sorted(scores.get(name, ())) or (None,)
        why, (first, second) = f"its scores are {scores.get(name)}", line.split()
        yield compare(f"{lang}, {name}", "highest", first, highest, why)
        yield compare(f"{lang}, {name}", "mean of the others", second, mean(others), why)


NCTTI: tuple[tuple[str, str, NcttiCells], ...] = (
    ("Section 3.1", "Compounds, sentences and annotations", count_cells),
    ("Table 1", "Krippendorff's alpha", reliability_cells),
    ("Table 2", "Spearman's rho of token and type scores", type_token_cells),
    ("Table 3", "Scores by expert class, mean and standard deviation", score_cells),
    ("Table 4", "Scores of an example", example_cells),
    ("Section 3.3", "Paraphrases", paraphrase_cells),
    ("Section 4.4", "Experiment 3: standard deviation of the three sentences of a compound", spread_cells),
)


def ncimp_tables(copy: NcimpFiles, nctti: Sequence[NcttiRow] = ()) -> list[PaperTable]:
    """Return the tables of NCIMP that need no model, with the expert classes of *nctti* where there are any."""
    # the class of each compound in three layers: by experts, and by thresholds (1.5 and 3.5) of its scores
    layers = {EXPERT: {row.key: row.short_class for row in nctti}}
    layers |= {name: {row.key: row.values[name] for row in copy.scores} for name in ("ClassType", "ClassToken")}
    annotations = [cell for lang in LANGS for cell in annotation_cells(LANGUAGES[lang], paper("ncimp")[lang])]
    people = "NCTTI has 412 annotators of English: 21 annotations each with either number."
    unsaid = "The paper does not say how many compounds are left."
    return [
        PaperTable("Section 3.1", "Sentences and pairs", tuple(grid_cells(copy))),
        PaperTable("Section 3.1, classes", "Compounds by class, in three layers", tuple(class_cells(layers))),
        PaperTable("Section 3.1, scores", "Mean Comp by class", tuple(comp_cells(copy, layers))),
        PaperTable("Section 3.1, annotations", "Annotations", tuple(annotations), (people,)),
        PaperTable("Section 4.1", "Words of a sentence, and lexical overlap", tuple(length_cells(copy))),
        PaperTable("Appendix B", "Compounds without a word of their synonym", tuple(overlap_cells(copy)), (unsaid,)),
        *contradictions(),
    ]


def grid_cells(copy: NcimpFiles) -> Iterator[PaperCell]:
    """Yield sentences (14 variants of each context) and pairs (13): by the paper's arithmetic, and in the copy."""
    figures, size, total, pairs, compounds = paper("ncimp"), len(CONTEXTS) * len(VARIANTS), 0, 0, 0
    for lang in LANGS:
        number, language = int(figures[lang]["compounds"]), LANGUAGES[lang]
        tables, in_copy = {table.context: table for table in copy.of(lang)}, 0
        for context in CONTEXTS:
            why = "no such file was published" if context == NEUTRAL[-1] else "the copy has no such file"
            count, product = None, f"{number} × {len(VARIANTS)}"
            if table := tables.get(context):
                rows = [variants_in(table, at) for at in range(len(table.rows))]
                count = sum(map(len, rows))
                pairs += sum(len(row) - 1 for row in rows if "orig" in row)
                lacking = [name for name in VARIANTS if name not in table.variants]
                why = f"{len(rows)} compounds" + (f"; no {', '.join(lacking)}" if lacking else "")
            in_copy += count or 0
            yield compare(language, f"{context}: {product}", str(number * len(VARIANTS)), count, why)
        yield compare(language, f"{number} × {size}", figures[lang]["sentences"], number * size, wrong=True)
        yield compare(language, "sentences in the copy", figures[lang]["sentences"], in_copy)
        total, compounds = total + in_copy, compounds + number
    both, replaced = "both languages", size - len(CONTEXTS)
    yield compare(both, f"sentences: {compounds} × {size}", figures["sentences"], compounds * size, wrong=True)
    yield compare(both, "sentences in the copy", figures["sentences"], total)
    yield compare(both, f"pairs: {compounds} × {replaced}", figures["pairs"], compounds * replaced, wrong=True)
    yield compare(both, "pairs in the copy", figures["pairs"], pairs)


def variants_in(table: PublishedTable, at: int) -> set[str]:
    """Return the variants that have a sentence in row *at*."""
    return {name for name, column in table.variants.items() if table.text(at, column).strip()}


def class_cells(layers: Mapping[str, Mapping[Key, str]]) -> Iterator[PaperCell]:
    """Yield the number of compounds of each class in each layer; the paper has those of the experts."""
    for layer, classes in layers.items():
        why = "by thresholds of the scores, not by experts" if layer != EXPERT else "" if classes else GIVE
        for lang in LANGS:
            counts = Counter(name for (code, _), name in classes.items() if code == lang)
            for name, short, figure in zip(CLASS_NAMES, CLASSES, paper("ncimp")[lang]["classes"].split(), strict=True):
                value = counts[short] if classes else None
                yield compare(f"{LANGUAGES[lang]}, {layer}", name, figure, value, why)


def comp_cells(copy: NcimpFiles, layers: Mapping[str, Mapping[Key, str]]) -> Iterator[PaperCell]:
    """Yield the mean Comp of each class in each layer, by equation (1) from the scores of single sentences.

    For the expert classes also by the column of the spreadsheet that is meant to have it.
    """
    column = "CompositionalityTokenSents"
    scores, pooled = numbers(copy, "CompositionalityToken", naturalistic=True), numbers(copy, column)
    parts = [(layer, layer, scores) for layer in layers]
    for row, layer, values in (*parts, (f"{EXPERT}, {column}", EXPERT, pooled)):
        for lang in LANGS:
            for name, short, figure in zip(CLASS_NAMES, CLASSES, paper("ncimp")[lang]["means"].split(), strict=True):
                keys = [key for key, class_name in layers[layer].items() if (key[0], class_name) == (lang, short)]
                here = [fmean(values[key]) for key in keys if key in values]
                why = f"{len(here)} of {len(keys)} compounds have a score" if len(here) < len(keys) else ""
                why = why if layers[layer] else GIVE
                yield compare(f"{LANGUAGES[lang]}, {row}", name, figure, mean(here), why)


def numbers(copy: NcimpFiles, column: str, *, naturalistic: bool = False) -> dict[Key, list[float]]:
    """Return a *column* of the spreadsheet: what its rows, or only the *naturalistic* ones, have by compound.

    Raises `SourceError` for a cell that is neither empty nor a number.
    """
    by_compound: dict[Key, list[float]] = {}
    for row in copy.scores:
        text = row.values[column]
        if text and not (naturalistic and row.values["experiment_type"] != NATURALISTIC):
            try:
                by_compound.setdefault(row.key, []).append(float(text))
            except ValueError:
                place = Place(SCORES, row.number, column)
                raise SourceError(f"{text!r} is no number", fix=f"give {COPY}", place=place) from None
    return by_compound


def length_cells(copy: NcimpFiles) -> Iterator[PaperCell]:
    """Yield the mean number of words L, split at spaces, of the originals, and the overlap (L - 2) / L that follows."""
    by_spreadsheet = numbers(copy, "naturalistics_sentence_length", naturalistic=True)
    for lang in LANGS:
        for kind, line in paper("ncimp")[lang]["lengths"].items():
            (figure, share), row = line.split(), f"{LANGUAGES[lang]}, {kind}"
            tables = [(table, len(table.rows)) for table in copy.of(lang) if kind in (table.kind, table.context)]
            lengths = [len(table.words(at, table.variants["orig"])) for table, size in tables for at in range(size)]
            why = "punctuation counts; a hyphenated compound is one word" if lengths else "the copy has no such file"
            yield compare(row, "words", figure, mean(lengths), why)
            if kind == "naturalistic":
                cells = [one for (code, _), values in by_spreadsheet.items() if code == lang for one in values]
                why = "its lengths leave most punctuation out"
                yield compare(row, "words, by the spreadsheet", figure, mean(cells), why)
            overlap = 100 * (float(figure) - 2) / float(figure)
            yield compare(row, f"overlap, %: ({figure} − 2) / {figure}", share, overlap, wrong=True)


def overlap_cells(copy: NcimpFiles) -> Iterator[PaperCell]:
    """Yield N of Appendix B: compounds of which no word, as written, is a word of their synonym."""
    for table in copy.tables:
        columns = table.variants["orig"], table.variants["syn"]
        rows = [[words_marked(table, at, column) for column in columns] for at in range(len(table.rows))]
        count = sum(one.isdisjoint(other) for one, other in rows)
        yield compare(LANGUAGES[table.lang], table.document, None, count, f"of {len(rows)}")
    for lang in LANGS:
        cells = [values[0] for (code, _), values in numbers(copy, "MWE Synonym Overlap").items() if code == lang]
        yield compare(LANGUAGES[lang], "spreadsheet", None, cells.count(0), f"of {len(cells)}")


def words_marked(table: PublishedTable, at: int, column: str) -> set[str]:
    """Return the words of a sentence that its tags mark."""
    spans = zip(table.words(at, column), table.tags(at, column), strict=False)
    return {table.text(at, column)[slice(*span)] for span, tag in spans if tag}
