"""A tiny made-up copy of each published layout, right in all that an audit can check, for tests that plant faults."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from ncimp.builder.records import RANDOMS, WORDS_SYN
from ncimp.builder.sources.published.audit_suites import SENSE_COLUMNS, TASKS, astitch_tables
from ncimp.builder.sources.published.ncimp import (
    FURTHER,
    ORIGINAL_TAG,
    ORIGINALS,
    SCORE_COLUMNS,
    SCORES,
    TAG,
    VARIANTS,
)
from ncimp.builder.sources.published.nctti import HEADER, SENTENCES

Row = dict[str, str]
Tables = dict[str, list[Row]]

COLUMNS = {**VARIANTS, **FURTHER}
FURTHER_SYNONYM = "synonym for compound2"
FRAMES = {"en": "This is a {}", "pt": "Este é um {} ."}
CARRIERS = {"en": "Nobody had seen a {} in YEARS years .", "pt": "Ninguém viu um {} em YEARS anos ."}
COMPOUNDS = {  # components; synonym, five pairs of component synonyms, five random compounds
    "en": {
        "time table": ("time", "table", "schedule", "night list|day chart|week list|year grid|period chart"),
        "garden gnome": ("garden", "gnome", "lawn ornament", "yard dwarf|lawn goblin|lawn dwarf|plot elf|yard sprite"),
        "walnut trellis": (
            "walnut",
            "trellis",
            "lattice",
            "hazel grille|pecan grid|hazel frame|nut screen|cashew lattice",
        ),
    },
    "pt": {
        "tempo livre": ("livre", "tempo", "lazer", "prazo solto|momento vago|prazo vago|dia aberto|período solto"),
        "muro baixo": ("baixo", "muro", "murinho", "tapume curto|cerco raso|tapume raso|anteparo curto|murinho breve"),
        "cravo murcho": (
            "murcho",
            "cravo",
            "botão seco",
            "jasmim seco|lírio gasto|jasmim gasto|botão frouxo|cacto seco",
        ),
    },
}
RANDOM = {
    "en": (
        "world man|life day|Roman year|state way|home week",
        "castle bishop|barn lantern|Tuscan pillow|rope basket|tent candle",
        "quiver gazebo|Tuscan thimble|samovar ferret|mallet gherkin|zither lozenge",
    ),
    "pt": (
        "homem novo|dia grande|ano bom|mundo novo|país grande",
        "cesto roxo|balde torto|tijolo roxo|prego torto|barril roxo",
        "alfinete xadrez|bule felpudo|funil xadrez|dedal felpudo|coreto xadrez",
    ),
}
SCORED = {"en": (0.8, 2.5, 4.2), "pt": (0.6, 2.4, 4.0)}
CLASSES = ("NC", "PC", "C")


def sentence(column: str, text: str, phrase: str, lang: str = "en", frame: str = "") -> Row:
    """Return the cells of a sentence: *frame* with *phrase* in it, and tags of the words of *phrase*."""
    before = (frame or FRAMES[lang]).split("{}", maxsplit=1)[0].split()
    words, count = text.split(), len(phrase.split())
    tags = [len(before) <= place < len(before) + count for place in range(len(words))]
    return {column: text, ORIGINAL_TAG if column in ORIGINALS.values() else f"{column}{TAG}": str(tags)}


def ncimp_tables() -> Tables:
    """Return the tables of sentences, four a language."""
    tables: Tables = {}
    for lang, compounds in COMPOUNDS.items():
        for context in range(4):
            name = f"naturalistics_examplesent{context}.csv" if context else "neutral.csv"
            frame = CARRIERS[lang].replace("YEARS", str(context + 1)) if context else FRAMES[lang]
            rows = tables[f"{lang.upper()}/{name}"] = []
            for place, (compound, (modifier, head, synonym, pairs)) in enumerate(compounds.items()):
                phrases = {"syn": synonym, "head": head, "mod": modifier}
                phrases |= dict(zip(WORDS_SYN, pairs.split("|"), strict=True))
                phrases |= dict(zip(RANDOMS, RANDOM[lang][place].split("|"), strict=True))
                row = {"compound": compound, "compound noun": compound}
                original = ORIGINALS["naturalistic" if context else "neutral"]
                row |= sentence(original, frame.format(compound), compound, frame=frame)
                for variant, phrase in phrases.items():
                    row |= sentence(COLUMNS[variant], frame.format(phrase), phrase, frame=frame)
                if not context:
                    row |= {"compound noun head": head, "compound noun modifier": modifier}
                    row |= sentence(FURTHER_SYNONYM, frame.format(synonym), synonym, frame=frame)
                rows.append(row)
    return tables


def ncimp_scores() -> list[Row]:
    """Return the rows of the spreadsheet: four contexts of each compound."""
    rows = []
    for lang, compounds in COMPOUNDS.items():
        for context in range(4):
            name = f"naturalistics_examplesent{context}.csv" if context else "neutral.csv"
            for compound, score, label in zip(compounds, SCORED[lang], CLASSES, strict=True):
                token = score + (context - 2) / 10 if context else score
                kind = "Naturalistic" if context else "Neutral"
                values = (
                    lang,
                    kind,
                    f"datasets/{name}",
                    compound,
                    label,
                    label,
                    score,
                    round(token, 2),
                    score,
                    0,
                    8,
                    "X",
                )
                rows.append(dict(zip(SCORE_COLUMNS, map(str, values), strict=True)))
    return rows


def write_ncimp(folder: Path, tables: Tables, scores: list[Row]) -> Path:
    """Write a copy of NCIMP, with a licence."""
    for name, rows in tables.items():
        write_csv(folder / name, rows)
    write_xlsx(folder / SCORES, [SCORE_COLUMNS, *([row[name] for name in SCORE_COLUMNS] for row in scores)])
    (folder / "LICENSE").write_text("Made up.\n", encoding="utf-8")
    return folder


def write_csv(
    path: Path, rows: Iterable[Mapping[str, str]], delimiter: str = ",", quoting: Any = csv.QUOTE_MINIMAL
) -> None:
    """Write *rows* with the columns of the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=delimiter, quoting=quoting, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_xlsx(path: Path, rows: Iterable[Iterable[str]]) -> None:
    """Write a spreadsheet with one sheet of text."""
    cell = '<c t="inlineStr"><is><t>{}</t></is></c>'
    lines = (f"<row>{''.join(cell.format(escape(text)) for text in row)}</row>" for row in rows)
    main, office = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org"
    relations = f"{office}/officeDocument/2006/relationships"
    links = f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="r1" Type="{relations}/'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{office}/package/2006/content-types"/>',
        "_rels/.rels": f'{links}officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'{links}worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/workbook.xml": (
            f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/>'
            "</sheets></workbook>"
        ),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{"".join(lines)}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def nctti_rows() -> Tables:
    """Return the tables of NCTTI for the compounds of `ncimp_tables`, with all sentences in full."""
    tables: Tables = {}
    for lang, compounds in COMPOUNDS.items():
        data: list[Row] = []
        sentences: list[Row] = []
        for compound, score, label in zip(compounds, SCORED[lang], CLASSES, strict=True):
            scores = [round(score + shift / 10, 2) for shift in (-1, 0, 1)]
            values = [compound, label, str(score), *map(str, scores), "thing;something", "one", "", "two"]
            data.append(dict(zip(HEADER, values, strict=True)))
            texts = [CARRIERS[lang].format(compound).replace("YEARS", str(year)) for year in (2, 3, 4)]
            sentences.append(dict(zip(SENTENCES, [compound, *texts], strict=True)))
        tables |= {f"data_{lang}.tsv": data, f"sentids_{lang}.csv": sentences}
    return tables


def write_nctti(folder: Path, tables: Tables) -> Path:
    """Write a copy of NCTTI, with a licence."""
    for name, rows in tables.items():
        write_csv(folder / "data" / name, rows, "\t" if name.endswith("tsv") else ",", csv.QUOTE_ALL)
    (folder / "LICENSE").write_text("Made up.\n", encoding="utf-8")
    return folder


def write_ncs(folder: Path, tables: Tables, scores: Iterable[Row] = ()) -> Path:
    """Write the neutral sentences of *tables* as NCS has them, with a licence and *scores*."""
    columns = {
        "P1": {"synonym for compound": "mwe synonym"},
        "P2": {"original head only": "head only", "original modifier only": "modifier only"},
        "P3": {"synonym both": "both synonyms"},
    }
    for lang in COMPOUNDS:
        for name, own in columns.items():
            names = {"compound": "compound", "neutral sentence": "neutral sentence", **own}
            rows = ({new: row[old] for old, new in names.items()} for row in tables[f"{lang.upper()}/neutral.csv"])
            write_csv(folder / f"dataset/{lang}/neutral/{name}_sents.csv", rows)
        rows = (row for row in scores if row["lang"] == lang)
        inputs = [{"compound": row["compound"], "compositionality": row["compositionality"]} for row in rows]
        if inputs:
            write_csv(folder / f"input/sentids_{lang}.csv", inputs)
    (folder / "LICENSE").write_text("Made up.\n", encoding="utf-8")
    return folder


def astitch() -> Tables:
    """Return every table of AStitch: two compounds a language in both senses in every split, another in zero-shot."""
    tables: Tables = {}
    for file, columns in astitch_tables():
        lang = "PT" if "PT" in file.split("/") or "PT_" in file else "EN"
        rows: list[Row] = []
        split = Path(file).stem
        for compound in list(COMPOUNDS[lang.lower()])[slice(2, 3) if split == "train_zero_shot" else slice(2)]:
            for label in "01":
                text = f"They saw the {compound} there, {label}, {split}."
                cells = {
                    "label": label,
                    "sentence1": text,
                    "sentence2": compound,
                    "sent_idiom": text,
                    "idiom": compound,
                }
                cells |= {"sim": "1", "correct": text, "similarity": "1"}
                cells["sent_other"] = text.replace(compound, "replacement")
                cells |= dict(zip(SENSE_COLUMNS, (compound, "sense", "None", "None", "dev"), strict=True))
                rows.append({name: cells[name] for name in columns})
        tables[file] = rows[::2] if "Senses" in file else rows
    return tables


def write_astitch(folder: Path, tables: Tables, readme: str = "") -> Path:
    """Write a copy of AStitch, with a licence and task-independent data of one example with meta usage."""
    for name, rows in tables.items():
        write_csv(folder / "Dataset" / name, rows)
    independent = folder / "Dataset" / "TaskIndependentData"
    independent.mkdir(parents=True)
    (independent / "README.md").write_text(readme, encoding="utf-8")
    for lang in ("en", "pt"):
        example = [1, "time table", *["None"] * 6, 0, "Meta Usage", "", "A time table.", "", ""]
        (independent / f"{lang}_TaskIndependentData.json").write_text(
            json.dumps({"dev": [[example]]}), encoding="utf-8"
        )
    (folder / "LICENSE").write_text("Made up.\n", encoding="utf-8")
    return folder


def lexcomp() -> dict[str, list[dict[str, Any]]]:
    """Return the files of lexcomp, each with two rows about words that no other file has."""
    files: dict[str, list[dict[str, Any]]] = {}
    for name, task in TASKS.items():
        for part in ("train", "val", "test"):
            rows = []
            for number, label in enumerate(("true", "false")):
                first, last = f"{part}{number}", f"{part}word{number}"
                row = {
                    "sentence": f"A {first} {last} of {name} .", "start": 1, "end": 2, "label": label,
                    "paraphrase": f"{first} refers to {last}", "span": f"{first} {last}", "nc": f"{first}_{last}",
                    "target_index": 1, "target_word": first, "bnc_id": first, "span_text": f"{first} {last}",
                    "sentence_words": [first, last], "sentence_tags": ["B-N", "O"],
                }  # fmt: skip
                rows.append({field: row[field] for field in task.fields})
            files[f"{name}/{'ids_' if 'bnc_id' in task.fields else ''}{part}.jsonl"] = rows
    return files


def write_lexcomp(folder: Path, files: Mapping[str, list[dict[str, Any]]]) -> Path:
    """Write a copy of lexcomp, with a licence."""
    for name, rows in files.items():
        path = folder / "diagnostic_classifiers" / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    (folder / "LICENSE").write_text("Made up.\n", encoding="utf-8")
    return folder
