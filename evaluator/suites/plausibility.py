"""Plausibility: the surprisal of sentences with a compound and its variants, and predictions about it.

    surprisal of w in its context    I(w) = -log2 P(w | context), in bits (Hale 2001; Levy 2008)

The probability is that of a causal model, or the pseudo-likelihood of a masked one. Of each sentence there are three
figures: of all of it, of the span, and of the rest behind the span, whose words are the same in every variant but for
repaired agreement. A variant with several items in a sentence (`ws`, `rand`) has their mean.

Predictions are those of the scorecard that can be said of surprisal; each is a difference in bits that is above 0 where
it holds. Random compounds are matched in frequency, and so are the control for it.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

import numpy as np

from ncimp.evaluator.answers import Answers, by_membership
from ncimp.evaluator.records import ClassName, Metric, OfAnswers
from ncimp.evaluator.scorecard import C, I, P
from ncimp.evaluator.suites.lexbench.recorded import AnswerFile, file_rows
from ncimp.schemas import EvaluationError, Place
from ncimp.schemas.records import from_row
from ncimp.schemas.suites import PlausibilityItem

NAME = "plausibility"
SAMPLES = "samples_ncimp_plausibility"  # how the names of its files begin
PARTS = ("sentence", "span", "rest")
GROUPS = ("orig", "syn", "ws", "rand")
LENGTH = "length in characters"  # the shortcut: a surprisal that only counts


class Expectation(NamedTuple):
    """A prediction: `more` is more surprising than `less` in `classes`, or more so in the first than in the second."""

    more: str
    less: str
    classes: tuple[ClassName, ...]
    compared: bool = False


EXPECTATIONS = (  # in the order of the scorecard's predictions
    *(Expectation("rand", "orig", (name,)) for name in (I, P, C)),
    *(Expectation("rand", "syn", (name,)) for name in (I, P, C)),
    Expectation("ws", "syn", (I,)),
    Expectation("ws", "syn", (I, C), compared=True),
    Expectation("rand", "ws", (C,)),
    Expectation("rand", "ws", (C, I), compared=True),
)


@dataclass(frozen=True, slots=True)
class ModelSurprisals:
    """The surprisals that a model gave the sentences of a language, by compound and context, variant and part."""

    model: str
    lang: str
    classes: Mapping[str, ClassName]
    """By compound."""
    listed: Mapping[str, bool]
    """By compound: whether another benchmark holds it."""
    values: Mapping[tuple[str, str], Mapping[str, Sequence[tuple[float, ...]]]]
    baseline: bool = False

    def means(self, group: str, part: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the mean of *part* over the variants of *group* in each sentence; NaN where there is none."""
        place = PARTS.index(part)
        rows = ([one[place] for one in cell.get(group, ())] for cell in self.values.values())
        return np.array([np.mean(row) if row else np.nan for row in rows])


def is_sample(path: AnswerFile) -> bool:
    """Tell whether *path* has log-likelihoods of these sentences."""
    return path.name.startswith(SAMPLES)


def surprisals(item: PlausibilityItem, responses: Iterable[Any]) -> tuple[float, float, float]:
    """Return the bits of sentence, span and rest, from the log-likelihoods of the parts of *item*."""
    bits = [-float(response[0]) / math.log(2) for response in responses]
    if len(bits) != len(item.parts):
        raise ValueError(f"{len(bits)} log-likelihoods for {len(item.parts)} parts")
    if not all(map(math.isfinite, bits)):
        return (math.nan,) * 3
    place = int(item.parts[0][1] != item.sentence[: item.span[1]])  # a span may be the first
    return sum(bits), bits[place], sum(bits[place + 1 :])


def read_surprisals(paths: Iterable[AnswerFile]) -> list[ModelSurprisals]:
    """Return the surprisals in the files of *paths*, by model and language, and after each those of the shortcut."""
    by_model: dict[tuple[str, str], dict[str, tuple[PlausibilityItem, tuple[float, ...]]]] = defaultdict(dict)
    for path in paths:
        model = str(path.parent).rpartition("/")[2]
        for place, row in file_rows(path):
            try:
                item = from_row(PlausibilityItem, dict(row["doc"]), table="plausibility_item", place=place)
                one = surprisals(item, row["filtered_resps"])
            except (KeyError, TypeError, ValueError, IndexError) as error:
                fix = "give samples of the task ncimp_plausibility, as lm-eval logs them"
                raise EvaluationError(f"no log-likelihoods ({error})", fix=fix, place=place) from None
            if item.id in by_model[model, item.lang]:
                what, fix = f"{model} was asked of {item.id!r} twice", "give the files of one run of each model"
                raise EvaluationError(what, fix=fix, place=Place(str(path)))
            by_model[model, item.lang][item.id] = item, one
    parts = [_arranged(model, lang, rows.values()) for (model, lang), rows in sorted(by_model.items())]
    for lang in sorted({part.lang for part in parts}):
        items = {key: item for (_, of), rows in by_model.items() if of == lang for key, (item, _) in rows.items()}
        rows = [(item, _lengths(item)) for _, item in sorted(items.items())]
        parts.append(_arranged(LENGTH, lang, rows, baseline=True))
    return parts


def _arranged(
    model: str, lang: str, rows: Iterable[tuple[PlausibilityItem, tuple[float, ...]]], *, baseline: bool = False
) -> ModelSurprisals:
    values: defaultdict[tuple[str, str], dict[str, list[tuple[float, ...]]]] = defaultdict(dict)
    classes, listed = {}, {}
    for item, bits in sorted(rows, key=lambda row: row[0].id):
        context, _, variant = item.id.removeprefix(f"{item.compound_id}/").partition("/")
        values[item.compound_id, context].setdefault(variant.rstrip("12345"), []).append(bits)
        classes[item.compound_id] = item.compound_class
        listed[item.compound_id] = bool(item.benchmarks)
    return ModelSurprisals(model, lang, classes, listed, values, baseline)


def _lengths(item: PlausibilityItem) -> tuple[float, float, float]:
    return float(len(item.sentence)), float(item.span[1] - item.span[0]), float(len(item.sentence) - item.span[1])


def plausibility_answers(models: Sequence[ModelSurprisals]) -> Iterator[Answers]:
    """Yield the surprisals by class and variant, and each expected difference: an item is a compound in a context."""
    for lang, part in itertools.product(dict.fromkeys(one.lang for one in models), PARTS):
        for one in (one for one in models if one.lang == lang):
            means = {group: one.means(group, part) for group in GROUPS}
            for name, group in itertools.product(get_args(ClassName), GROUPS if not one.baseline else ()):
                yield from _answers(one, part, "surprisal", means[group], group, (name,))
            for more, less, classes, compared in EXPECTATIONS:
                metric: Metric = "contrast" if compared else "difference"
                yield from _answers(one, part, metric, means[more] - means[less], f"{more} − {less}", classes)


def _answers(
    one: ModelSurprisals, part: str, metric: Metric, values: Any, inputs: str, classes: Sequence[ClassName]
) -> Iterator[Answers]:
    """Yield the *values* of the compounds in *classes*, where any of them has one; those in the first have gold 1.

    Differences are also those of the compounds that some benchmark holds, and of the others, where there are both.
    """
    setting = " − ".join(classes)
    place = OfAnswers(NAME, one.lang, f"surprisal_{part}", "test", setting, inputs, one.model, one.baseline)
    groups = [compound for compound, _ in one.values]
    names, listed = ([by_compound[name] for name in groups] for by_compound in (one.classes, one.listed))
    gold = np.array([float(name == classes[0]) for name in names])
    whole = Answers(place, (metric,), ["/".join(key) for key in one.values], groups, gold, values)
    of_class = np.isin(names, classes)
    parts = by_membership(of_class, np.array(listed)) if metric != "surprisal" else [("", of_class)]
    for name, mask in parts:
        if not np.isnan(values[mask]).all():
            yield whole.of(mask, inputs=", ".join(filter(None, (inputs, name))))
