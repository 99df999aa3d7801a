"""Records of an evaluation: the rows of its files, each described by the JSON schema of its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ncimp.schemas.records import Lang, Sha256, Version
from ncimp.schemas.suites import InBits, Rule, UnparsedAnswer

LevelName = Literal["sentence", "nc"]  # whole sentences, or the spans of the NC and its replacements
ClassName = Literal["idiomatic", "partly_compositional", "compositional"]  # class of a compound, from its pack
ContextKind = Literal["naturalistic", "neutral", "all"]  # the contexts that a figure is over
Context = Literal["nat1", "nat2", "nat3", "neut_short", "neut_long"]  # one of the five sentences of a compound
Variant = Literal[
    "orig", "syn", "head", "mod", "ws1", "ws2", "ws3", "ws4", "ws5", "rand1", "rand2", "rand3", "rand4", "rand5"
]
"""The variants: the NC itself and its replacements."""

Score = Literal["human", "pack_class"]  # the score that rho is with
Aspect = Literal["sign", "level", "correlation"]  # what a prediction is about
Outcome = Literal["met", "not met", "undecided", "reversed"]  # of a rule of the scorecard; reversed: only of a sign


@dataclass(frozen=True, slots=True)
class Model:
    """The source of the vectors (`model`); without a hash where there are no files."""

    name: Annotated[str, "Name of the model."]
    kind: Annotated[str, "Kind: static, precomputed, callable, or the back end of a model."]
    sha256: Annotated[Sha256 | None, "Hash of its files; empty for a callable or an endpoint."]
    options: Annotated[Mapping[str, Any], "Options that change its vectors."]


@dataclass(frozen=True, slots=True)
class Signature:
    """All that an evaluation depends on (`signature`)."""

    release: Annotated[Version, "Version of the release evaluated."]
    logical_sha256: Annotated[Sha256, "Hash of its tables."]
    model: Annotated[Model, "What the vectors are from."]
    options: Annotated[Mapping[str, Any], "Its languages, resamples, standardise, experiments, limit and split."]
    seed: Annotated[int, "Seed of resamples and permutations."]
    code_version: Annotated[str, "Version of the code."]


@dataclass(frozen=True, slots=True)
class OfMeasure:
    """The columns that say which figure of a measure a row is about."""

    model: Annotated[str, "Name of the model or the baseline."]
    lang: Annotated[Lang, "Language id."]
    context_kind: Annotated[ContextKind, "Contexts the figure is over."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    measure: Annotated[str, "Sim, Affinity or SimR, with its probe, such as Sim_PSyn."]


@dataclass(frozen=True, slots=True)
class Result(OfMeasure):
    """One figure (`result`)."""

    release: Annotated[Version, "Version of the release evaluated."]
    mean: Annotated[float | None, "Mean over compounds."]
    rho: Annotated[float | None, "Spearman correlation with the score."]
    p: Annotated[float | None, "Two-sided p value, by permutation."]
    p_holm: Annotated[float | None, "p after Holm's correction over the rows of the model and the language."]
    low: Annotated[float | None, "Lower bound of the 95 % BCa bootstrap interval of rho over compounds."]
    high: Annotated[float | None, "Upper bound."]
    n: Annotated[int, "Compounds with a value."]
    missing: Annotated[int, "Items (for SimR also sentences) without a value."]
    score: Annotated[Score, "What rho is with."]


@dataclass(frozen=True, slots=True)
class ScorecardLine(OfMeasure):
    """One linguistic prediction, tested (`scorecard_line`)."""

    aspect: Aspect
    """What is predicted: that a class has a mean above 0, the level of some classes, or the correlation with the score.
    """
    wanted: Annotated[str, "The prediction in words."]
    published: Annotated[bool, "Whether the measure is the published choice; the others are ours."]
    outcome: Annotated[Outcome, "What the rule of the scorecard decides."]
    ideal: Outcome
    """What the rule decides of the ideal model: met, and the line counts; undecided, and there are too few compounds to
    meet it; not met, and a model that is right does not meet it."""
    compound_class: ClassName | None
    """The class that decides a prediction about means; empty for a correlation."""
    effect: Annotated[float | None, "Mean of the measure in that class, or rho."]
    low: Annotated[float | None, "Lower bound of the 95 % BCa bootstrap interval of the effect over compounds."]
    high: Annotated[float | None, "Upper bound."]
    n: Annotated[int, "Compounds the effect is over."]


@dataclass(frozen=True, slots=True)
class Distribution(OfMeasure):
    """The distribution of a measure over the compounds of a class (`distribution`)."""

    compound_class: Literal["idiomatic", "partly_compositional", "compositional", "all"]
    """Class of the pack, or all compounds."""
    n: Annotated[int, "Compounds with a value."]
    missing: Annotated[int, "Compounds without one."]
    mean: Annotated[float | None, "Mean."]
    low: Annotated[float | None, "Lower bound of the 95 % BCa bootstrap interval of the mean over compounds."]
    high: Annotated[float | None, "Upper bound."]
    sd: Annotated[float | None, "Standard deviation of the sample."]
    minimum: Annotated[float | None, "Smallest value."]
    q05: Annotated[float | None, "5 % quantile."]
    q25: Annotated[float | None, "25 % quantile."]
    median: Annotated[float | None, "Median."]
    q75: Annotated[float | None, "75 % quantile."]
    q95: Annotated[float | None, "95 % quantile."]
    maximum: Annotated[float | None, "Largest value."]


@dataclass(frozen=True, slots=True)
class Partial(OfMeasure):
    """Rho of a measure with the score when something else is held constant (`partial`)."""

    given: Literal["overlap", "length", "frequency", "all"]
    """What is held constant: lexical overlap, sentence length, log frequency, or all three."""
    rho: Annotated[float | None, "Partial Spearman correlation."]
    rho_plain: Annotated[float | None, "Rho of the same compounds without the control."]
    p: Annotated[float | None, "Two-sided p value, from the t distribution."]
    p_holm: Annotated[float | None, "p after Holm's correction over the rows of the model and the language."]
    low: Annotated[float | None, "Lower bound of the approximate 95 % interval by Fisher's z."]
    high: Annotated[float | None, "Upper bound."]
    n: Annotated[int, "Compounds with a value, a score and the control."]
    missing: Annotated[int, "Compounds left out because the control has no value."]


@dataclass(frozen=True, slots=True)
class Standardised(OfMeasure):
    """A figure before and after the vectors are standardised (`standardised`)."""

    method: Annotated[str, "Method: z-score, or top-K for the K dimensions that contribute most to cosines."]
    mean_before: Annotated[float | None, "Mean over compounds before."]
    mean_after: Annotated[float | None, "Mean over compounds after."]
    rho_before: Annotated[float | None, "Rho with the score before."]
    rho_after: Annotated[float | None, "Rho with the score after."]
    n: Annotated[int, "Compounds with both values and a score."]
    rho_between: Annotated[float | None, "Spearman correlation of the values before and after."] = None


@dataclass(frozen=True, slots=True)
class Experiment:
    """One figure of the experiments of NCTTI (`experiment`)."""

    model: Annotated[str, "Name of the model or the shortcut baseline."]
    lang: Annotated[Lang, "Language id."]
    experiment: Literal["phrase", "words", "nuance", "spread"]
    """Compound in its sentence against the two words alone (as one phrase, or as a sum of two words); nuance across
    sentences; spread."""
    level: Annotated[LevelName, "Whole sentence, or the span."]
    unit: Literal["token", "type"]
    """What one observation is: a sentence (or two of a compound), or a compound."""
    rho: Annotated[float | None, "Spearman correlation."]
    p: float | None
    """Two-sided p value: by permutation where a compound has one observation, else that of the interval, which is
    below .05 where the 95 % interval leaves zero out."""
    p_holm: Annotated[float | None, "p after Holm's correction over the rows of the model and the language."]
    low: Annotated[float | None, "Lower bound of the 95 % BCa bootstrap interval over compounds."]
    high: Annotated[float | None, "Upper bound."]
    n: Annotated[int, "Observations."]
    compounds: Annotated[int, "Compounds they are from."]
    missing: Annotated[int, "Observations without a score or a vector."]


@dataclass(frozen=True, slots=True)
class LiteralUse(OfMeasure):
    """A measure of compounds in naturalistic sentences against the same in a literal context (`literal_use`)."""

    idiomatic: Annotated[float | None, "Mean over compounds in their naturalistic sentences."]
    literal: Annotated[float | None, "Mean over the same compounds in the sentence that means them literally."]
    difference: float | None
    """Mean over compounds of idiomatic minus literal: above 0 where a model tells both apart, but below 0 for
    Sim_PWordsSyn_first."""
    low: Annotated[float | None, "Lower bound of its 95 % BCa bootstrap interval over compounds."]
    high: Annotated[float | None, "Upper bound."]
    n: Annotated[int, "Compounds with a value of both."]
    missing: Annotated[int, "Compounds with a sentence in the literal sense, but without one."]


@dataclass(frozen=True, slots=True)
class AttestedUse(OfMeasure):
    """A measure of compounds in authored naturalistic sentences against the same in found ones (`attested_use`)."""

    authored: Annotated[float | None, "Mean over compounds in the sentences written for them."]
    attested: Annotated[float | None, "Mean over the same compounds, in the same sense, in sentences of corpora."]
    difference: Annotated[float | None, "Mean over compounds of authored minus attested."]
    low: Annotated[float | None, "Lower bound of its 95 % BCa bootstrap interval over compounds."]
    high: Annotated[float | None, "Upper bound."]
    n: Annotated[int, "Compounds with a value of both."]
    missing: Annotated[int, "Compounds with an attested sentence, but without one."]


@dataclass(frozen=True, slots=True)
class Missing:
    """The number of items of one kind without a vector (`missing`)."""

    lang: Annotated[Lang, "Language id."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    context: Annotated[Context, "Which sentence."]
    variant: Annotated[Variant, "What stands in the place of the NC."]
    items: Annotated[int, "Cells of the grid."]
    missing: Annotated[int, "Those without a vector."]


Metric = Literal["macro_f1", "micro_f1", "weighted_f1", "accuracy", "rho", "span_f1", Rule, InBits]  # of the answers


@dataclass(frozen=True, slots=True)
class OfTask:
    """The columns that say which task of a suite a row is about."""

    suite: Annotated[str, "Name of the suite."]
    lang: Annotated[Lang, "Language id."]
    task: Annotated[str, "Task of the suite, such as detection_coarse."]
    split: Annotated[Literal["validation", "test"], "Split of the items that were judged."]
    setting: Annotated[str, "Training set or split, such as zero_shot; or the part of the items, such as idiom."]
    inputs: str
    """Texts of an item that the model was given, such as context+compound, and /fine-tuned where it was trained; of a
    probe, the layer, the encoder and what is left out, such as all/none/-phrase."""


@dataclass(frozen=True, slots=True)
class OfAnswers(OfTask):
    """The columns that say whose answers to which task of a suite a row is about."""

    model: Annotated[str, "Name of the model or the shortcut baseline."]
    baseline: Annotated[bool, "Whether it is a baseline, which asks no model."]


@dataclass(frozen=True, slots=True)
class SuiteResult(OfAnswers):
    """One figure of a task of a suite (`suite_result`)."""

    metric: Annotated[Metric, "Macro-F1 and the like, F1 over phrases, or the rule by which an answer is right."]
    value: Annotated[float | None, "The figure; empty where it is undefined."]
    low: Annotated[float | None, "Lower bound of its 95 % BCa bootstrap interval over compounds."]
    high: Annotated[float | None, "Upper bound."]
    n: Annotated[int, "Items; of tags, words; each as often as there are seeds."]
    compounds: Annotated[int, "Compounds that they are of; a pair or a sentence without a compound counts as one."]
    missing: Annotated[int, "Items without an answer: wrong, or left out of rho and of surprisals."]
    refused: Annotated[int, "Answers that are refusals: wrong."] = 0
    unparsed: Annotated[int, "Answers that have none of the accepted shapes: wrong."] = 0
    seeds: Annotated[int, "Seeds that the model was trained with; the figure is the mean over them."] = 1
    outcome: Annotated[Outcome | None, "Of a predicted difference: whether it is above 0; empty for others."] = None


@dataclass(frozen=True, slots=True)
class Document:
    """The content of `results.json` (`evaluation`)."""

    format: Annotated[Literal[1], "Version of this file format."]
    signature: Annotated[Signature, "All that the figures depend on."]
    results: Annotated[tuple[Result, ...], "Every measure."]
    scorecard: Annotated[tuple[ScorecardLine, ...], "The linguistic predictions, tested."]
    distributions: Annotated[tuple[Distribution, ...], "Every measure by class."]
    baselines: Annotated[tuple[Result, ...], "Every measure of the ideal model and the shortcut baselines."]
    baseline_scorecard: Annotated[tuple[ScorecardLine, ...], "The predictions, tested on the same."]
    partial: Annotated[tuple[Partial, ...], "Correlations with overlap, length or frequency held constant."]
    overlap_free: tuple[Result, ...]
    """Every measure over the compounds that share no lemma with their synonym."""
    standardised: tuple[Standardised, ...]
    """Figures before and after standardisation, where it was asked for."""
    experiments: tuple[Experiment, ...]
    """The experiments of NCTTI, where they were asked for and the release has scores."""
    literal: Annotated[tuple[LiteralUse, ...], "Idiomatic against literal use, where the release has both."]
    attested: Annotated[tuple[AttestedUse, ...], "Authored against found sentences, where the release has both."]
    missing: Annotated[tuple[Missing, ...], "Kinds of items of which some have no vector."]
    notes: Annotated[tuple[str, ...], "What a reader should know, in sentences."]
    suites: Annotated[tuple[SuiteResult, ...], "The figures of a suite, where it was asked for one."] = ()
    unparsed: Annotated[tuple[UnparsedAnswer, ...], "Answers to a suite that do not parse."] = ()


@dataclass(frozen=True, slots=True)
class EvaluatedItem:
    """One item at one level: a row of `items.parquet` (`evaluated_item`)."""

    id: Annotated[str, "lang/compound/context/variant."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[str, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    compound_class: Annotated[ClassName, "Class that the authors of the pack gave the NC."]
    comp: Annotated[float | None, "Human compositionality score of the NC."]
    context: Annotated[str, "Which sentence."]
    context_kind: Annotated[Literal["naturalistic", "neutral"], "Naturalistic or neutral."]
    probe: Literal["orig", "PSyn", "PComp", "PWordsSyn", "PRand"]
    """Which probe the variant belongs to; `orig` for the original."""
    variant: Annotated[str, "What stands in the place of the NC."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    similarity: float | None
    """Cosine with the original of the context; empty where one of the two has no vector."""
    has_vector: Annotated[bool, "Whether the item has a vector with a direction."]
    overlap: float | None
    """Share of the tokens of the original, at this level, that stand in the item; empty without an original."""
    tokens: Annotated[int, "Tokens of the item at this level."]


@dataclass(frozen=True, slots=True)
class EvaluatedSentence:
    """One measure of one compound in one sentence: a row of `sentences.parquet` (`evaluated_sentence`)."""

    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[str, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    compound_class: Annotated[ClassName, "Class that the authors of the pack gave the NC."]
    comp: Annotated[float | None, "Human compositionality score of the NC."]
    context: Annotated[str, "Which sentence."]
    context_kind: Annotated[Literal["naturalistic", "neutral"], "Naturalistic or neutral."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    measure: Annotated[str, "Sim, Affinity or SimR, with its probe, such as Sim_PSyn."]
    value: Annotated[float | None, "The measure; empty where it is undefined."]


@dataclass(frozen=True, slots=True)
class EvaluatedCompound:
    """One measure of one compound: a row of `compounds.parquet` (`evaluated_compound`)."""

    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[str, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    compound_class: Annotated[ClassName, "Class that the authors of the pack gave the NC."]
    comp: Annotated[float | None, "Human compositionality score of the NC."]
    context_kind: Annotated[ContextKind, "Contexts the mean is over."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    measure: Annotated[str, "Sim, Affinity or SimR, with its probe, such as Sim_PSyn."]
    value: Annotated[float | None, "The measure; empty where it is undefined."]
    sentences: Annotated[int, "Sentences with a value."]


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """One model on one kind of contexts at one level (`leaderboard_line`)."""

    place: int
    """Place by predictions met, then not met, then by the correlation of Sim_PWordsSyn_first; 0 for the ideal model."""
    place_low: Annotated[int, "First place that it has in 95 % of resamples of the compounds, about."]
    place_high: Annotated[int, "Last such place."]
    model: Annotated[str, "Name of the model or the shortcut baseline."]
    lang: Annotated[Lang, "Language id."]
    context_kind: Annotated[ContextKind, "Contexts the figure is over."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    met: Annotated[int, "Published predictions that are met, of those that the ideal model meets."]
    not_met: Annotated[int, "Those that are not, reversed ones among them."]
    undecided: Annotated[int, "Those that cannot be decided."]
    apart: Annotated[int, "Published predictions that the ideal model does not meet, which do not count."]
    rho: Annotated[float | None, "Rho of Sim_PWordsSyn_first with the score."]
    low: Annotated[float | None, "Lower bound of its interval."]
    high: Annotated[float | None, "Upper bound."]
    affinity: Annotated[float | None, "Mean of A_Syn|WordsSyn_first."]
    scaled: Annotated[float | None, "Mean of SimR_PSyn."]
    n: Annotated[int, "Compounds with a value of Sim_PWordsSyn_first and a score."]
    missing: Annotated[int, "Items without a vector, over all variants."]


@dataclass(frozen=True, slots=True)
class CorrelogramCell:
    """The correlation of two models over compounds (`correlogram_cell`)."""

    first: Annotated[str, "Name of one model."]
    second: Annotated[str, "Name of the other."]
    lang: Annotated[Lang, "Language id."]
    context_kind: Annotated[ContextKind, "Contexts the figure is over."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    measure: Annotated[str, "Sim, Affinity or SimR, with its probe, such as Sim_PSyn."]
    rho: Annotated[float | None, "Spearman correlation of the measure of both over compounds."]
    n: Annotated[int, "Compounds with a value from both."]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two models on the same compounds (`difference`)."""

    first: Annotated[str, "Name of one model."]
    second: Annotated[str, "Name of the other."]
    lang: Annotated[Lang, "Language id."]
    context_kind: Annotated[ContextKind, "Contexts the figure is over."]
    level: Annotated[LevelName, "Whole sentence, or the span."]
    measure: Annotated[str, "Sim, Affinity or SimR, with its probe, such as Sim_PSyn."]
    quantity: Annotated[Literal["mean", "rho"], "What is compared: the mean over compounds, or rho with the score."]
    first_value: Annotated[float | None, "That of the first."]
    second_value: Annotated[float | None, "That of the second."]
    difference: Annotated[float | None, "First minus second."]
    low: Annotated[float | None, "Lower bound of its 95 % BCa bootstrap interval over compounds."]
    high: Annotated[float | None, "Upper bound."]
    p: Annotated[float | None, "Two-sided p value of the interval: below .05 where the 95 % interval leaves zero out."]
    p_holm: float | None
    """p after Holm's correction over all differences of the published measures; over those of the others for them."""
    n: Annotated[int, "Compounds with a value from both, and for rho a score."]


@dataclass(frozen=True, slots=True)
class SuiteDifference(OfTask):
    """Two models on the same items of a task of a suite (`suite_difference`)."""

    first: Annotated[str, "Name of one model."]
    second: Annotated[str, "Name of the other."]
    metric: Annotated[Metric, "Macro-F1 and the like, F1 over phrases, or the rule by which an answer is right."]
    first_value: Annotated[float | None, "That of the first."]
    second_value: Annotated[float | None, "That of the second."]
    difference: Annotated[float | None, "First minus second."]
    low: Annotated[float | None, "Lower bound of its 95 % BCa bootstrap interval over compounds."]
    high: Annotated[float | None, "Upper bound."]
    p: Annotated[float | None, "Two-sided p value of the interval: below .05 where the 95 % interval leaves zero out."]
    p_holm: Annotated[float | None, "p after Holm's correction over all differences of the comparison."]
    n: Annotated[int, "Items that both answered."]
    compounds: Annotated[int, "Compounds that they are of."]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The content of `comparison.json` (`comparison`)."""

    format: Annotated[Literal[1], "Version of this file format."]
    release: Annotated[Version, "Version of the release evaluated."]
    logical_sha256: Annotated[Sha256, "Hash of its tables."]
    code_version: Annotated[str, "Version of the code."]
    resamples: Annotated[int, "Bootstrap resamples."]
    seed: Annotated[int, "Seed of the resamples."]
    signatures: Annotated[tuple[Signature, ...], "What each evaluation depends on, in the order given."]
    leaderboard: Annotated[tuple[LeaderboardLine, ...], "The models by place."]
    correlogram: Annotated[tuple[CorrelogramCell, ...], "Each two models, with themselves left out."]
    differences: Annotated[tuple[Difference, ...], "Each two models, measure by measure."]
    suites: Annotated[tuple[SuiteDifference, ...], "Each two models, task by task of a suite."] = ()
