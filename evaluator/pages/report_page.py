"""The page of one evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ncimp.evaluator.pages import account
from ncimp.evaluator.pages.compounds import all_compounds_section, compounds_section
from ncimp.evaluator.pages.correlations import correlations_section, correlogram_section
from ncimp.evaluator.pages.distributions import distributions_section
from ncimp.evaluator.pages.layout import Section, document
from ncimp.evaluator.pages.markup import Html, el, join
from ncimp.evaluator.pages.predictions import scorecard_section, verdict
from ncimp.evaluator.pages.reading import Results, read_results
from ncimp.evaluator.pages.words import counted, language
from ncimp.evaluator.release import Release
from ncimp.schemas.errors import EvaluationError
from ncimp.schemas.files import write_text

PAGE = "report.html"
"""The name of the page, in the folder of results."""


def write_report(folder: Path, release: Release | None = None) -> Path:
    """Write the page of the results in *folder* beside them and return its path.

    Sentences are in the page when the *release* that was evaluated is given; another one is refused.
    """
    results = read_results(folder)
    signature = results.document.signature
    if release is not None and release.logical_sha256 != signature.logical_sha256:
        what = f"the results are of release {signature.release}, with another hash than the release given"
        raise EvaluationError(what, fix="give the release that was evaluated, or none")
    write_text(folder / PAGE, report_page(results, release))
    return folder / PAGE


def report_page(results: Results, release: Release | None = None) -> str:
    """Return the page of *results* as HTML; the same results give the same bytes."""
    title = f"{results.document.signature.model.name} on ncimp {results.document.signature.release}"
    return document(title, _head(results), results.views, list(_sections(results, release)))


def _head(results: Results) -> Html:
    signature = results.document.signature
    counts = Counter(key.split("/", 1)[0] for key in results.facts)
    sizes = ", ".join(f"{counted(count, 'compound')} in {language(lang)}" for lang, count in counts.items())
    facts = f"Release ncimp {signature.release} ({signature.logical_sha256[:12]}) · {sizes}"
    return join(
        [
            el("p", "Does it represent idioms?", class_="eyebrow"),
            el("h1", signature.model.name),
            el("p", verdict(results), class_="lead"),
            el("p", facts, class_="soft small"),
        ]
    )


def _sections(results: Results, release: Release | None) -> Iterator[Section]:
    whole = results.document
    yield Section("scorecard", "Scorecard", scorecard_section(results))
    yield Section("distributions", "Distributions", distributions_section(results))
    yield Section("correlations", "Correlations", correlations_section(results))
    yield Section("correlogram", "Correlogram", correlogram_section(results))
    yield Section("compounds", "Best and worst", compounds_section(results, release))
    yield Section("all", "All compounds", all_compounds_section(results))
    if whole.standardised:
        yield Section("standardised", "Standardised", account.standardised_table(whole))
    if whole.experiments:
        yield Section("experiments", "Experiments", account.experiments_table(whole))
    yield Section("missing", "Missing", account.missing_section(whole))
    yield Section("signature", "Signature", account.signature_section(whole.signature))
