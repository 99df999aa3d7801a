"""A copy of the published files in miniature: their layout, with invented compounds and sentences."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from ncimp.builder.sources.published.ncimp import FURTHER, SCORE_COLUMNS, SCORES, SHEET, VARIANTS

Words = tuple[str, str]  # modifier and head
EN: Mapping[str, Sequence[str]] = {
    # compound: synonym, five pairs of component synonyms, five random compounds
    "rubber stamp": ("formality", "latex seal", "vinyl mark", "gum seal", "latex mark", "gum print",
                     "oak lantern", "weekly tide", "old harvest", "blue ladder", "calm engine"),
    "Iron curtain": ("border", "steel veil", "metal drape", "ore sheet", "steel drape", "metal sheet",
                     "sweet folder", "early goat", "narrow song", "pale bridge", "dry pencil"),
    "tea bag": ("sachet", "brew sack", "drink pouch", "leaf purse", "brew pouch", "drink purse",
                "tall cousin", "lazy river", "green tower", "short poem", "raw cotton"),
}  # fmt: skip
PT: Mapping[str, Sequence[str]] = {
    "pé-quente": ("talismã", "pata morna", "tijolo rápido", "nuvem vazia", "festa calma", "lápis gordo", "rua doce"),
    "mesa redonda": ("debate", "bancada circular", "vento lento", "lã grossa", "chuva verde", "prato azul", "ilha má"),
}  # fmt: skip
PARTS: Mapping[str, Words] = {
    "rubber stamp": ("rubber", "stamp"), "Iron curtain": ("Iron", "curtain"), "tea bag": ("tea", "bag"),
    "pé-quente": ("quente", "pé"), "mesa redonda": ("redonda", "mesa"),
}  # fmt: skip
CARRIERS = ('Ele disse que {un} {} " basta " .', "Chegou {o} {} da rua .", "Vimos {un} {} ontem .")
FEMININE = {"un": "uma", "o": "a", "este": "Esta"}
MASCULINE = {"un": "um", "o": "o", "este": "Este"}
NOUNS_F = ("redonda", "bancada", "lã", "chuva", "ilha", "mesa", "pata", "nuvem", "festa", "rua")


def gender(phrase: str) -> Mapping[str, str]:
    return FEMININE if phrase.split()[0] in NOUNS_F else MASCULINE


def tagged(before: str, phrase: str, after: str = "") -> tuple[str, str]:
    """A sentence and its tags."""
    sides = [before.split(), phrase.split(), after.split()]
    tags = [place == 1 for place, words in enumerate(sides) for _ in words]
    return " ".join(word for words in sides for word in words), str(tags)


def english(compound: str) -> dict[str, tuple[str, str]]:
    """The cells of the neutral file; *an* stands before vowels but for one random compound."""
    synonym, *others = EN[compound]
    modifier, head = PARTS[compound]

    def frame(phrase: str) -> tuple[str, str]:
        return tagged("This is an" if phrase[0].lower() in "aeiou" and phrase != "oak lantern" else "This is a", phrase)

    columns = ["synonym for compound", VARIANTS["ws1"], *FURTHER.values()]
    columns += [VARIANTS[f"rand{number}"] for number in range(1, 6)]
    return {
        "compound noun": tagged("", compound),
        "neutral sentence": frame(compound),
        VARIANTS["head"]: frame(head),
        VARIANTS["mod"]: frame(modifier),
        **dict(zip(columns, map(frame, (synonym, *others)), strict=True)),
        "compound noun head": tagged("", head),
        "compound noun modifier": tagged("", modifier),
    }


def portuguese(compound: str, carrier: int | None) -> dict[str, tuple[str, str]]:
    """The cells of the neutral file, or of that of one sentence."""
    synonym, pair, *randoms = PT[compound]
    modifier, head = PARTS[compound]

    def frame(phrase: str) -> tuple[str, str]:
        words = gender(phrase)
        if carrier is None:
            return tagged(f"{words['este']} é {words['un']}", phrase, ".")
        before, after = CARRIERS[carrier].split("{}")
        return tagged(before.format(**words), phrase, after)

    original = "neutral sentence" if carrier is None else "original sentence"
    cells = {
        "compound noun": tagged("", compound),
        original: frame(compound),
        VARIANTS["head"]: frame(head),
        VARIANTS["mod"]: frame(modifier),
        VARIANTS["syn"]: frame(synonym),
        VARIANTS["ws1"]: frame(pair),
        **{VARIANTS[f"rand{number}"]: frame(text) for number, text in enumerate(randoms, start=1)},
    }
    if carrier is None:
        cells |= {"compound noun head": tagged("", head), "compound noun modifier": tagged("", modifier)}
    return cells


def write_table(path: Path, rows: Mapping[str, Mapping[str, tuple[str, str]]], line_end: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    names = list(next(iter(rows.values())))
    header = ["compound"]
    for name in names:
        tag = "original sentence_tag" if name in ("neutral sentence", "original sentence") else f"{name}_tag"
        header += [name, tag]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=line_end)
    writer.writerow(header)
    for compound, cells in rows.items():
        writer.writerow([compound, *(part for name in names for part in cells[name])])
    path.write_bytes(text.getvalue().encode("utf-8"))


def write_scores(path: Path, rows: Sequence[Sequence[str | float]], sheet: str = SHEET) -> None:
    """A workbook of one sheet, as small as a spreadsheet can be."""

    def cell(value: str | float) -> str:
        if isinstance(value, float):
            return f"<c><v>{value}</v></c>"
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    lines = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in (SCORE_COLUMNS, *rows))
    relation = f'<Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
    sheets = f'<sheets><sheet name="{sheet}" sheetId="1" r:id="r1"/></sheets>'
    root = f'<Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/>'
    files = {  # all that a reader asks for
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">{root}</Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}">{sheets}</workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{relation}</Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{lines}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w") as book:
        for name, text in files.items():
            book.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')


CLASSES = {"rubber stamp": "NC", "Iron curtain": "PC", "pé-quente": "NC", "mesa redonda": "PC"}  # tea bag has none


def score_rows() -> list[list[str | float]]:
    rows: list[list[str | float]] = []
    names = ["naturalistics_examplesent1", "naturalistics_examplesent2", "naturalistics_examplesent3"]
    for compound, label in CLASSES.items():
        lang = "en" if compound in EN else "pt"
        for number, name in enumerate([*names, "neutral"]):
            kind = "Neutral" if name == "neutral" else "Naturalistic"
            path = f"datasets/{lang}/generated/{'' if name == 'neutral' else 'naturalistics/'}{name}.csv"
            token = 1.5 if name == "neutral" else 1.0 + number / 2
            rows.append([lang, kind, path, compound, label, label, 1.2, token, 1.5, 0.0, 5.0, f"{lang.upper()}-Nat"])
    return rows


def write_copy(folder: Path) -> Path:
    """Write the files of both languages; English sentences from corpora are not among them."""
    write_table(folder / "EN/neutral.csv", {compound: english(compound) for compound in EN}, "\r\n")
    write_table(folder / "PT/neutral.csv", {compound: portuguese(compound, None) for compound in PT}, "\n")
    for number in range(3):
        rows = {compound: portuguese(compound, number) for compound in PT}
        write_table(folder / f"PT/naturalistics_examplesent{number + 1}.csv", rows, "\n")
    write_scores(folder / SCORES, score_rows())
    return folder
