"""The prose of the card: whatever is a figure is a placeholder, and what a datasheet asks is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ncimp.builder.release.card import PLACEHOLDER
from ncimp.builder.validation.card import HEADING, SECTIONS, figures_in

PROSE = (Path(__file__).parents[2] / "dataset_card.md").read_text("utf-8")
NUMBER_WORDS = re.compile(
    r"\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|hundred|thousand)s?\b", re.I
)


def test_no_figure_stands_in_the_prose_but_through_a_placeholder() -> None:
    assert figures_in(PROSE) == []
    assert NUMBER_WORDS.findall(PROSE) == []
    assert len(PLACEHOLDER.findall(PROSE)) > 20


@pytest.mark.parametrize(
    "stray", ["It holds 460 compounds.", "32,200 sentences", "(12 of them)", "a median of 0.02", "1.0.0"]
)
def test_a_stray_figure_would_be_found(stray: str) -> None:
    assert len(figures_in(f"{PROSE}\n{stray}\n")) == 1


@pytest.mark.parametrize("section", SECTIONS)
def test_the_prose_has_every_section_of_a_datasheet(section: str) -> None:
    assert section in " ".join(HEADING.findall(PROSE)).lower()
