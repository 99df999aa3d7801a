"""Faults in the published NCTTI and NCS files, and what two releases say differently of the same compounds."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, permutations
from pathlib import Path

from ncimp.builder.records import NATURALISTIC
from ncimp.builder.sources.published import audit
from ncimp.builder.sources.published import ncimp as layout
from ncimp.builder.sources.published.audit import Audit, Compounds, English, Fault, Key, Measurement
from ncimp.builder.sources.published.audit_ncimp import TEXT_RULES, sentence_scores
from ncimp.builder.sources.published.ncimp import LANGS, NcimpFiles, PublishedTable
from ncimp.builder.sources.published.nctti import HEADER, CorpusPlace, NcttiRow, read_nctti
from ncimp.schemas.records import compound_key

RAGGED = (".", ",", ";", ":")  # begin a stretch of words that is no sentence
UNLIKE, ALIKE = 1.0, 0.6  # standard deviations of the three sentences of a compound that the paper counts
ROUNDED = 0.0051  # two scores are the same up to this: one has two decimals
LAYERS = (
    "judgements of single annotators",
    "numbers of annotators and spread by sentence",
    "scores of head and modifier",
)
PRINTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {  # Garcia et al. (2021, ACL), tables 2 and 3, sections 3.1-4.4
    "en": {
        "compounds": ("280",),
        "classes": ("103", "88", "89"),
        "rho": ("0.92", "0.71", "0.78", "0.66"),
        "mean": ("0.95", "2.34", "4.13"),
        "sd": ("0.58", "1.01", "0.67"),
        "type": ("1.1", "2.4", "4.2"),
        "spread": ("5", "85.7"),
        "paraphrases": ("1,506", "353", "118", "69", "16"),
    },
    "pt": {
        "compounds": ("180",),
        "classes": ("60", "60", "60"),
        "rho": ("0.90", "0.82", "0.78", "0.91"),
        "mean": ("1.52", "2.46", "3.61"),
        "sd": ("0.81", "0.91", "0.94"),
        "type": ("1.3", "2.5", "3.9"),
        "spread": ("4", "91.1"),
        "paraphrases": ("743", "192", "61", "38", "6"),
    },
}
NCS_COPY = "a copy of the published repository, as of commit a062ffc"  # of marcospln/noun_compound_senses
NCS_FILE = "{}/neutral/{}_sents.csv"
NCS_COLUMNS = {  # of each variant: its file and column
    "orig": ("P1", "neutral sentence"),
    "syn": ("P1", "mwe synonym"),
    "head": ("P2", "head only"),
    "mod": ("P2", "modifier only"),
    "ws1": ("P3", "both synonyms"),
}
NCIMP_COLUMNS = {"orig": layout.ORIGINALS["neutral"], **layout.VARIANTS}
NcsFile = Mapping[str, tuple[int, Mapping[str, str]]]
"""Row of each compound by its key."""
NCS_PRINTED = {"en": ("280", "5,620"), "pt": ("180", "3,600")}  # its README: compounds, items
ITEMS_OF_COMPOUND = 4 * 5  # contexts, and the original with four variants


def audit_nctti(folder: Path) -> Audit:
    """Return the faults and figures of the NCTTI files in *folder*."""
    rows = read_nctti(folder)
    faults = [
        *(fault for row in rows for fault in (*row_faults(row), *sentence_faults(row))),
        *(fault for lang in LANGS for fault in language_faults([row for row in rows if row.lang == lang])),
        *audit.missing_licence(folder),
        *(Fault("layer-missing", "data_en.tsv", layer) for layer in LAYERS),  # headers are checked when they are read
    ]
    figures = [figure for lang in LANGS for figure in nctti_figures([row for row in rows if row.lang == lang], lang)]
    parts = {lang: {row.key: row.compound for row in rows if row.lang == lang} for lang in LANGS}
    return Audit("NCTTI", tuple(faults), tuple(figures), parts, nctti=rows)


def row_faults(row: NcttiRow) -> Iterator[Fault]:
    """Find missing scores, scores far apart, and paraphrases given twice."""
    fault = partial(Fault, file=f"data_{row.lang}.tsv", row=row.number, compound=row.compound)
    scores = [score for score in row.sentence_scores if score is not None]
    for column, score in zip(HEADER[2:6], (row.type_score, *row.sentence_scores), strict=True):
        if score is None:
            yield fault("cell-empty", column=column, message="empty")
    if len(scores) > 1 and (spread := statistics.stdev(scores)) > UNLIKE:
        yield fault("score-spread", message=f"{', '.join(map(str, scores))}: {spread:.2f}")
    if twice := [text for text, count in Counter(row.paraphrases).items() if count > 1]:
        yield fault("paraphrase-twin", column=HEADER[6], message=", ".join(twice))


def sentence_faults(row: NcttiRow) -> Iterator[Fault]:
    """Find sentences that are only named, are no sentence, or have the compound in another form."""
    file = f"sentids_{row.lang}.csv"
    if not row.sentences:
        yield Fault("compound-missing", file, f"not here, but in data_{row.lang}.tsv", compound=row.compound)
    documents = [text.document for text in row.sentences if isinstance(text, CorpusPlace)]
    for number, text in enumerate(row.sentences, start=1):
        fault = partial(Fault, file=file, row=row.sentence_row, column=f"sentence{number}", compound=row.compound)
        if isinstance(text, CorpusPlace):
            yield fault("text-missing", message=f"sentence {text.number} of {text.document}")
            continue
        if row.compound.lower() not in text.lower():
            yield fault("sentence-form", message=text)
        if text.strip().startswith(RAGGED):
            yield fault("sentence-ragged", message=text)
    for document, count in Counter(documents).items():
        if count > 1:
            what = f"{count} sentences of {document}"
            yield Fault("sentence-neighbour", file, what, row.sentence_row, compound=row.compound)


def _given(rows: Iterable[NcttiRow]) -> list[str]:
    """Return the sentences that are given in full."""
    return [text for row in rows for text in row.sentences if isinstance(text, str)]


def language_faults(rows: Sequence[NcttiRow]) -> Iterator[Fault]:
    """Find languages whose sentences are all in lower case."""
    if (texts := _given(rows)) and all(text == text.lower() for text in texts):
        yield Fault("text-lower", f"sentids_{rows[0].lang}.csv", f"{len(texts)} sentences")


def nctti_figures(rows: Sequence[NcttiRow], lang: str) -> Iterator[Measurement]:
    """Yield the figures of a language, and those of tables 2 and 3 of the paper."""
    figure, printed = partial(Measurement, f"data_{lang}.tsv"), PRINTED[lang]
    yield figure("compounds", len(rows), *printed["compounds"])
    groups: dict[str, Sequence[NcttiRow]] = {
        name: [row for row in rows if row.short_class == name] for name in ("NC", "PC", "C")
    }
    for (name, group), count in zip(groups.items(), printed["classes"], strict=True):
        yield figure(f"compounds of class {name}", len(group), count)
    for (name, group), rho in zip((("all", rows), *groups.items()), printed["rho"], strict=True):
        pairs = [(row.type_score, _mean(row)) for row in group if row.type_score is not None and _scores(row)]
        if (value := audit.rank_correlation(pairs)) is not None:
            yield figure(f"correlation of type and token scores: {name}", value, rho)
    for place, (name, group) in enumerate(groups.items()):
        means = [_mean(row) for row in group if _scores(row)]
        if len(means) > 1:
            yield figure(f"mean token score: {name}", statistics.mean(means), printed["mean"][place])
            yield figure(f"standard deviation of token scores: {name}", statistics.stdev(means), printed["sd"][place])
        if types := [row.type_score for row in group if row.type_score is not None]:
            yield figure(f"mean type score: {name}", statistics.mean(types), printed["type"][place])
    spreads = [statistics.stdev(_scores(row)) for row in rows if len(_scores(row)) > 1]
    yield figure(
        f"compounds with a spread above {UNLIKE:g}", sum(one > UNLIKE for one in spreads), printed["spread"][0]
    )
    share = 100 * sum(one < ALIKE for one in spreads) / max(1, len(spreads))
    yield figure(f"% of compounds with a spread below {ALIKE:g}", share, printed["spread"][1])
    yield from _text_figures(rows, lang)


def _text_figures(rows: Sequence[NcttiRow], lang: str) -> Iterator[Measurement]:
    figure, printed = partial(Measurement, f"data_{lang}.tsv"), PRINTED[lang]["paraphrases"]
    yield figure("paraphrases at type level", sum(len(row.paraphrases) for row in rows), printed[0])
    yield figure("different paraphrases at type level", sum(len({*row.paraphrases}) for row in rows))
    by_sentence = [list(filter(None, row.sentence_paraphrases)) for row in rows]
    total = sum(map(len, chain.from_iterable(by_sentence)))
    yield figure("paraphrases at token level", total, printed[1])
    for count, stated in zip((1, 2, 3), printed[2:], strict=True):
        number = sum(len(lists) == count for lists in by_sentence)
        yield figure(f"compounds with paraphrases at token level in {count} sentences", number, stated)
    figure = partial(Measurement, f"sentids_{lang}.csv")
    yield figure("sentences in full", len(_given(rows)))
    yield figure("sentences that are only named", sum(len(row.sentences) for row in rows) - len(_given(rows)))
    yield figure("compounds with a sentence in full", sum(bool(_given([row])) for row in rows))
    if texts := _given(rows):
        yield figure("words of a sentence in full", statistics.mean(len(text.split()) for text in texts))


def _scores(row: NcttiRow) -> list[float]:
    return [score for score in row.sentence_scores if score is not None]


def _mean(row: NcttiRow) -> float:
    return statistics.mean(_scores(row))


# NCS: three files of neutral sentences a language, read as one table of NCIMP


def audit_ncs(folder: Path) -> Audit:
    """Return the faults and figures of the NCS files in *folder*."""
    base = folder / "dataset" if (folder / "dataset").is_dir() else folder
    english, faults, figures = English(), [*audit.missing_licence(folder)], list[Measurement]()
    tables, parts = list[PublishedTable](), dict[str, Compounds]()
    for lang in LANGS:
        files = {name: ncs_file(base, lang, name) for name in ("P1", "P2", "P3")}
        names = {
            NCS_FILE.format(lang, name): {(lang, key): row[layout.COMPOUND] for key, (_, row) in rows.items()}
            for name, rows in files.items()
        }
        keys = [key for key in files["P1"] if all(key in rows for rows in files.values())]
        table = ncs_table(lang, files, keys)
        faults += audit.missing_compounds(names)
        faults += (in_ncs(fault, lang, files, keys) for rule in TEXT_RULES for fault in rule(table, english))
        faults += commas(folder / "input", lang)
        parts[lang] = {key: name for rows in names.values() for key, name in rows.items()}
        (compounds, items), count = NCS_PRINTED[lang], len(parts[lang])
        figures.append(Measurement(f"{lang}/neutral/", "compounds", count, compounds))
        figures.append(Measurement(f"{lang}/neutral/", "items", count * ITEMS_OF_COMPOUND, items))
        tables.append(table)
    return Audit("NCS", tuple(faults), tuple(figures), parts, ncs=tables)


def ncs_file(base: Path, lang: str, name: str) -> NcsFile:
    """Return number and content of the row of each compound."""
    columns = [column for file, column in NCS_COLUMNS.values() if file == name]
    rows = audit.read_rows(base / NCS_FILE.format(lang, name), (layout.COMPOUND, *columns), NCS_COPY)
    return {compound_key(row[layout.COMPOUND]): (number, row) for number, row in enumerate(rows, start=2)}


def ncs_table(lang: str, files: Mapping[str, NcsFile], keys: Sequence[str]) -> PublishedTable:
    """Return the compounds *keys* as a table of NCIMP, with tags for what is behind *This is a*."""
    header, rows = [layout.COMPOUND], []
    for variant in NCS_COLUMNS:
        column = NCIMP_COLUMNS[variant]
        header += [column, layout.ORIGINAL_TAG if variant == "orig" else f"{column}{layout.TAG}"]
    for key in keys:
        texts = [files[name][key][1][column] for name, column in NCS_COLUMNS.values()]
        cells = [files["P1"][key][1][layout.COMPOUND]]
        for words in map(str.split, texts):
            begin = 3 if words[2:3] in (["a"], ["an"], ["um"], ["uma"]) else 2
            tags = [begin <= place and word != "." for place, word in enumerate(words)]
            cells += [" ".join(words), str(tags)]
        rows.append(tuple(cells))
    starts = tuple((0,) * len(header) for _ in rows)
    return PublishedTable(lang, "neutral", "neut_short", f"{lang}/neutral/", tuple(header), tuple(rows), starts)


def in_ncs(fault: Fault, lang: str, files: Mapping[str, NcsFile], keys: Sequence[str]) -> Fault:
    """Return a fault of the table at its place in the files."""
    name, column = next((NCS_COLUMNS[key] for key, text in NCIMP_COLUMNS.items() if text == fault.column), ("P1", None))
    row = files[name][keys[fault.row - 2]][0] if fault.row else None
    return fault._replace(file=NCS_FILE.format(lang, name), row=row, column=column or fault.column)


def commas(folder: Path, lang: str) -> Iterator[Fault]:
    """Find scores with a decimal comma."""
    path, column = folder / f"sentids_{lang}.csv", "compositionality"
    rows = audit.read_rows(path, (layout.COMPOUND, column), NCS_COPY) if path.is_file() else []
    for number, row in enumerate(rows, start=2):
        if "," in row[column]:
            yield Fault("score-comma", f"input/{path.name}", row[column], number, column, row[layout.COMPOUND])


# Two releases


def compare(audits: Sequence[Audit]) -> Audit:
    """Return the faults and figures of two audits together: what one says of the compounds of the other."""
    faults: list[Fault] = []
    figures: list[Measurement] = []
    for one, other in permutations(audits):
        if one.ncimp:
            faults += ncimp_and_nctti(one.ncimp, {row.key: row for row in other.nctti})
            faults += ncimp_and_ncs(one.ncimp, other.ncs)
        if other.trains or (one is audits[1] and not one.trains):
            continue
        for part, compounds in one.compounds.items():
            shared = len(compounds.keys() & other.all_compounds.keys())
            figures.append(Measurement(one.name, f"{part}: compounds that {other.name} has", shared))
            if one.trains and shared:
                faults.append(Fault("split-overlap", one.name, f"{part}: {shared} of {len(compounds)} in {other.name}"))
    if not any(audit.trains for audit in audits):
        faults += audit.missing_compounds({audit.name: audit.all_compounds for audit in audits})
    return Audit(" and ".join(audit.name for audit in audits), tuple(faults), tuple(figures), {})


def ncimp_and_nctti(ncimp: NcimpFiles, nctti: Mapping[Key, NcttiRow]) -> Iterator[Fault]:
    """Find classes and scores of NCIMP that are not those of NCTTI, and sentences that NCTTI withholds."""
    for key, rows in ncimp.scores_by_compound.items():
        if (other := nctti.get(key)) is None:
            continue
        first = rows[0]
        fault = partial(Fault, file=layout.SCORES, compound=first.values["compound"])
        if first.values["ClassToken"] != other.short_class:
            what = f"{first.values['ClassToken']}, and {other.short_class} by the experts of NCTTI"
            yield fault("class-expert", row=first.number, column="ClassToken", message=what)
        for context, (row, score) in sentence_scores(rows).items():
            stated = other.sentence_scores[NATURALISTIC.index(context)]
            if stated is not None and abs(score - stated) > ROUNDED:
                what = f"{score:.2f}, in NCTTI {stated:.2f}"
                yield fault("score-differs", row=row.number, column="CompositionalityToken", message=what)
    tables = {(table.lang, table.context): table for table in ncimp.tables}
    for (lang, compound), other in nctti.items():
        for context, place in zip(NATURALISTIC, other.sentences, strict=False):
            table = tables.get((lang, context))
            number = table.numbers.get(compound) if table else None
            if table and number is not None and isinstance(place, CorpusPlace):
                what = f"NCTTI names it only: sentence {place.number} of {place.document}"
                column = table.original
                yield Fault("sentence-republished", table.document, what, number + 2, column, other.compound)


def ncimp_and_ncs(ncimp: NcimpFiles, ncs: Sequence[PublishedTable]) -> Iterator[Fault]:
    """Find neutral sentences of NCIMP that are not those of NCS."""
    for table, older in ((table, older) for table in ncimp.tables for older in ncs):
        if (table.lang, table.context) != (older.lang, older.context):
            continue
        for key, number in table.numbers.items():
            for column in older.variants.values() if key in older.numbers else ():
                texts = [one.text(at, column) for one, at in ((table, number), (older, older.numbers[key]))]
                if texts[0].rstrip(" .").split() != texts[1].rstrip(" .").split():
                    what = f"{texts[0]}, in NCS {texts[1]}"
                    yield Fault("text-differs", table.document, what, number + 2, column, table.rows[number][0])
