"""Every column of every table of an evaluation, one figure after the other, against the references."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.release import Release, read_release
from ncimp.evaluator.results import write_evaluation
from ncimp.schemas.files import keyed_hash
from tests.evaluator.naive_document import differences, naive_tables, written_tables
from tests.evaluator.tiny import file_model
from tests.evaluator.word_pieces import word_piece_vectors

BOUND = 1e-9
"""How far a figure may be from the reference's; both begin with the same vectors."""


def drawn(release: Release, each: int) -> Release:
    """Return *each* compounds of each class and language of *release*, chosen by hash."""
    groups: dict[tuple[str, str], list[str]] = {}
    for compound in release.compounds:
        groups.setdefault((compound.lang, compound.compound_class), []).append(compound.id)
    ids = {
        name
        for group in groups.values()
        for name in sorted(group, key=lambda name: keyed_hash("document", name))[:each]
    }
    items = tuple(item for item in release.items if item.compound_id in ids)
    return replace(release, items=items, compounds=tuple(row for row in release.compounds if row.id in ids))


@pytest.mark.slow
def test_every_figure_of_a_part_of_the_edition_is_that_of_the_references(edition: Path, tmp_path: Path) -> None:
    release = drawn(read_release(edition), each=14)
    source = word_piece_vectors(release.items, tmp_path / "words.vec")
    made = evaluate_source(release, source, model=file_model(tmp_path / "words.vec"), options=Options(resamples=200))
    write_evaluation(tmp_path / "results", made)
    vectors = {"sentence": source.sentence(release.items), "nc": source.span(release.items)}
    found = differences(naive_tables(release, vectors, resamples=200), written_tables(tmp_path / "results"))
    counts = {column: count for column, (count, _) in found.items()}
    figures = 2 * 2 * 3 * 18  # languages, levels, kinds of contexts, measures
    assert counts["results.rho"] == counts["overlap_free.high"] == figures
    assert counts["distributions.q05"] == counts["partial.p_holm"] == 4 * figures
    assert counts["sentences.value"] == 84 * 2 * 5 * 18
    assert {column: far for column, (_, far) in found.items() if not far <= BOUND} == {}
    assert not np.isnan([far for _, far in found.values()]).any()
