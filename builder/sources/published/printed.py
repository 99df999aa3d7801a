"""Figures printed in the two papers, cells that hold ours beside them, and what the print contradicts by itself.

Tables 8, 11 and 12 of NCIMP do not follow from the other figures of the paper; `contradictions` does the arithmetic.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Status = Literal["equal", "differs", "not computable", "wrong in print", "not printed"]
Paper = Mapping[str, Any]  # a part of `printed.toml`
HALF = Decimal("0.51")  # of the last decimal: a figure that is rounded lies as near, give or take a hundredth
ROUNDING = Decimal("0.0015")  # error of a sum of three figures that are printed with three decimals
LANGUAGES = {"en": "English", "pt": "Portuguese"}


@dataclass(frozen=True, slots=True)
class PaperCell:
    """One cell of a table of a paper, and what comes out in its place."""

    row: str
    column: str
    printed: str | None  # None where the paper does not say
    value: float | None  # ours, not rounded; None where it cannot be computed
    status: Status
    why: str = ""

    @property
    def difference(self) -> float | None:
        """Ours minus the printed figure, where there are both."""
        return None if self.printed is None or self.value is None else self.value - float(self.printed)


@dataclass(frozen=True, slots=True)
class PaperTable:
    """Cells that belong together."""

    name: str  # of the table or section in the paper
    title: str
    cells: tuple[PaperCell, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvaluatedCell:
    """A figure of an evaluation of ours."""

    value: float | None
    sd: float | None  # of a mean: the standard deviation over compounds
    compounds: int
    why: str  # there is no value


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One probe in one configuration."""

    probe: str
    configuration: str
    ours: Mapping[str, EvaluatedCell]  # by name of the evaluation
    printed: Mapping[str, str]  # by model


@dataclass(frozen=True, slots=True)
class ModelTable:
    """A table of NCIMP by probe and configuration, with evaluations of ours before the models of the paper."""

    name: str
    title: str
    rows: tuple[ModelRow, ...]
    notes: tuple[str, ...] = ()


Figures = Callable[[str, str, str, str], tuple[float | None, float | None, int, str]]
"""From configuration, level, measure and kind of figure to the parts of an `EvaluatedCell`."""


MEASURES = {  # of an evaluation, by the name in the paper
    **{name: f"Sim_{name}" for name in ("PSyn", "PRand")},
    "PComp": "Sim_PComp_max",
    "PWordsSyn": "Sim_PWordsSyn_first",
    "ASyn|WordsSyn": "A_Syn|WordsSyn_first",
    "ASyn|Rand": "A_Syn|Rand",
    "SimR|Syn": "SimR_PSyn",
    "SimR|WordsSyn": "SimR_PWordsSyn_first",
}


@cache
def paper(name: Literal["ncimp", "nctti"]) -> Paper:
    """Return the printed figures of a paper, as text."""
    text = (files("ncimp.builder.sources.published") / "printed.toml").read_text(encoding="utf-8")
    figures: Paper = tomllib.loads(text)[name]
    return figures


def agrees(figure: str, value: float) -> bool:
    """Test whether *value*, rounded to the decimals of the printed *figure*, is that figure.

    A hundredth of the last decimal is let pass, because the files round the scores themselves.

    >>> agrees("0.90", 0.896), agrees("0.90", 0.894), agrees("0.78", 0.77499)
    (True, False, True)
    """
    unit = Decimal(1).scaleb(int(Decimal(figure).as_tuple().exponent))
    return abs(Decimal(value) - Decimal(figure)) <= HALF * unit


def compare(
    row: str, column: str, figure: str | None, value: float | None, why: str = "", *, wrong: bool = False
) -> PaperCell:
    """Return the cell of the printed *figure* and our *value*; *why* says why they differ or one of them is missing.

    A cell is *wrong* in print where the figure does not follow from what else is printed or listed.
    """
    status: Status = "wrong in print" if wrong else "differs"
    if value is None:
        status = "not computable"
    elif figure is None:
        status = "not printed"
    elif agrees(figure, value):
        status, why = "equal", ""
    elif not why and Decimal(value).quantize(Decimal(figure), ROUND_DOWN) == Decimal(figure):
        why = "the printed figure is cut off, not rounded"
    return PaperCell(row, column, figure, value, status, why)


def annotation_cells(lang: str, figures: Paper) -> Iterator[PaperCell]:
    """Yield the counts of annotations, and the two means over sentences and annotators that follow from them."""
    count, people, compounds = (int(figures[name]) for name in ("annotations", "annotators", "compounds"))
    sentences = 3 * compounds
    single = "the files hold no single judgements"
    yield compare(lang, "annotations", figures["annotations"], None, single)
    yield compare(lang, "annotators", figures["annotators"], None, single)
    column = f"annotations per sentence ({count:,} / {sentences})"
    yield compare(lang, column, figures["per_sentence"], count / sentences, wrong=True)
    column = f"annotations per annotator ({count:,} / {people})"
    yield compare(lang, column, figures["per_annotator"], count / people, wrong=True)


def figures_of(table: str, probe: str, configuration: int) -> list[tuple[str, str]]:
    """Return mean and standard deviation of each model in a row of Table 10 or 11, as printed."""
    cells = paper("ncimp")["tables"][table]["rows"][probe][configuration].split()
    return [(mean, deviation) for mean, _, deviation in (cell.partition("/") for cell in cells)]


def contradictions() -> list[PaperTable]:
    """Return Tables 8, 11 and 12 of NCIMP, as far as other printed figures say what should stand in them."""
    table8 = (
        "Much of SimR of the contextual models does not follow from their similarities, either; and PComp of DistilBERT"
        " ML for eternal rest, 0.09, stands beside 0.75 to 0.93 of the other models."
    )
    table11 = "Ours is what Table 12, which pools both levels, implies."
    table12 = (
        "Ours is the difference of the means of compounds in Table 11, equal within the rounding of these figures. What"
        " is printed pools compounds and whole sentences; Figures 3 and 4 and Table 5 may do so, too."
    )
    return [
        PaperTable("Table 8", "Scaled Similarity of single compounds", tuple(scaled_cells()), (table8,)),
        PaperTable(
            "Table 11, PRand in PT-Nat", "Similarity of compounds to random words", tuple(copied_cells()), (table11,)
        ),
        PaperTable("Table 12", "Affinity at the level of compounds", tuple(pooled_cells()), (table12,)),
    ]


def scaled_cells() -> Iterator[PaperCell]:
    """Yield SimR = (Sim - Sim_Rand) / (1 - Sim_Rand), equation (5), of Table 8 from its own similarities.

    Only where all sentences give the same, so that the mean of ratios is the ratio. A cell is equal where some figures
    that are rounded to what is printed give it.
    """
    half = 0.005  # error of a figure that is printed with two decimals
    for compound, lines in paper("ncimp")["examples"].items():
        for model, line in zip(paper("ncimp")["models"], lines, strict=False):
            *similarities, random, synonym, by_word = line.split()
            for name, sim, figure in zip(("Syn", "WordsSyn"), similarities, (synonym, by_word), strict=True):
                low, value, high = (
                    1 - (1 - float(sim) - shift) / (1 - float(random) + shift) for shift in (-half, 0, half)
                )
                why = f"({sim} − {random}) / (1 − {random}) = {value:.2f}".replace("-", "−")
                fits = low <= float(figure) + half and float(figure) - half <= high
                status: Status = "equal" if fits else "wrong in print"
                yield PaperCell(f"{compound}, {model}", f"SimR|{name}", figure, value, status, "" if fits else why)


def copied_cells() -> Iterator[PaperCell]:
    """Yield the means of PRand in PT-Nat, Table 11, which are those of PWordsSyn, beside those that Table 12 implies.

    A pooled affinity a = ((Syn - Rand) of compounds + (Syn - Rand) of sentences) / 2 gives Rand of compounds.
    """
    place = paper("ncimp")["configurations"].index("PT-Nat")
    rows = [figures_of("11", name, place) for name in ("PSyn", "PWordsSyn", "PRand")]
    rows += [figures_of("10", name, place) for name in ("PSyn", "PRand")]
    affinities = paper("ncimp")["affinity"]["ASyn|Rand"][place].split()
    for model, affinity, *cells in zip(paper("ncimp")["models"], affinities, *rows, strict=False):
        (synonym, _), copy, (figure, deviation), (whole, _), (random, _) = cells
        value = Decimal(synonym) - 2 * Decimal(affinity) + Decimal(whole) - Decimal(random)
        why = f"{figure} ± {deviation} is PWordsSyn ({' ± '.join(copy)}); "
        why += f"{synonym} − 2 × {affinity} + ({whole} − {random}) = {value}".replace("-", "−")
        yield compare(f"PRand PT-Nat, {model}", "mean", figure, float(value), why, wrong=True)


def pooled_cells() -> Iterator[PaperCell]:
    """Yield the means of Table 12 beside the differences of the means of compounds, Table 11: equation (4).

    A cell is equal within the rounding of three figures, and wrong where the mean of the differences of compounds and
    of whole sentences (Table 10) is what is printed.
    """
    for name, lines in paper("ncimp")["affinity"].items():
        probe = name.replace("ASyn|", "P")
        for place, configuration in enumerate(paper("ncimp")["configurations"]):
            rows = [figures_of(table, one, place) for table in ("11", "10") for one in ("PSyn", probe)]
            for model, figure, *cells in zip(paper("ncimp")["models"], lines[place].split(), *rows, strict=False):
                means = [Decimal(mean) for mean, _ in cells]
                compounds, sentences = means[0] - means[1], means[2] - means[3]
                pooled, row = (compounds + sentences) / 2, f"{name} {configuration}, {model}"
                if (probe, configuration) == ("PRand", "PT-Nat"):
                    yield compare(row, "mean", figure, None, "PRand of Table 11 is a copy of PWordsSyn there")
                elif abs(compounds - Decimal(figure)) <= ROUNDING:
                    yield PaperCell(row, "mean", figure, float(compounds), "equal")
                else:
                    fits = abs(pooled - Decimal(figure)) <= ROUNDING
                    why = f"compounds {compounds}, sentences {sentences}: their mean is {pooled}".replace("-", "−")
                    yield compare(row, "mean", figure, float(compounds), why if fits else "", wrong=fits)


def model_tables(evaluations: Mapping[str, Figures]) -> Iterator[ModelTable]:
    """Yield Tables 2, 3, 5, 6, 10, 11 and 13 to 16 of NCIMP, *evaluations* by name before the models of the paper."""
    for number, part in paper("ncimp")["tables"].items():
        rows = []
        for probe, lines in part["rows"].items():
            level, measure = (part["level"], MEASURES[probe]) if "level" in part else (probe.lower(), "Sim_PSyn")
            for configuration, line in zip(paper("ncimp")["configurations"], lines, strict=True):
                place = configuration, level, measure, part["figure"]
                ours = {name: EvaluatedCell(*figures(*place)) for name, figures in evaluations.items()}
                shown = dict(zip(paper("ncimp")["models"], line.split(), strict=False))  # the last has no compounds
                rows.append(ModelRow(probe, configuration, ours, shown))
        yield ModelTable(f"Table {number}", part["title"], tuple(rows), notes_of(number))


def notes_of(number: str) -> tuple[str, ...]:
    """Return the notes on a table of NCIMP."""
    rows = [
        paper("ncimp")["tables"][name]["rows"][probe][:2] for name, probe in (("14", "ASyn|Rand"), ("15", "SimR|Syn"))
    ]
    same = [sum(map(str.__eq__, one.split(), other.split())) for one, other in zip(*rows, strict=True)]
    copy = f"SimR|Syn in EN-Nat and EN-Neut is A_Syn|Rand of Table 14 for {same[0]} and {same[1]} of 8 models."
    component = "PComp is that of the nearer component, as the paper says; the code that was published takes the head."
    omitted = "A dash is printed where the paper leaves a figure out; every printed rho is at least 0.10 in size."
    notes = {
        "2": (omitted, component),
        "3": (omitted, component),
        "5": (omitted, "The printed figures may pool both levels, as Table 12 does."),
        "6": (omitted,),
        "10": (component,),
        "11": (component, "Wrong in print: PRand in PT-Nat repeats PWordsSyn in PT-Nat."),
        "14": (omitted, "The paper does not say how many compounds are left."),
        "15": (omitted, f"Probably wrong in print: {copy}"),
        "16": ("Ours is over all neutral sentences of the release, where it has more than the short ones.",),
    }
    return notes.get(number, ())
