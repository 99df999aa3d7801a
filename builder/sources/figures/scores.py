"""Human scores of compounds, from files that `ncimp annotate scores` made (`score`), and the judgements behind them.

A score that a program's answers came to is refused unless it is asked for, and stays marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncimp.builder.records import Judgement, Score, Source
from ncimp.schemas.errors import Place, SchemaError, SourceError, UsageError
from ncimp.schemas.hashing import file_hash
from ncimp.schemas.records import read_records

FIX = "use judgements of people, or add --allow-simulated: the release will say that it is a rehearsal"


@dataclass(frozen=True, slots=True)
class HumanScores:
    """Files of scores and of judgements, as a build is given them."""

    scores: tuple[Path, ...] = ()
    annotations: tuple[Path, ...] = ()
    allow_simulated: bool = False

    @property
    def hashes(self) -> dict[str, str]:
        """What a build depends on: the bytes of each file."""
        named = [("scores", path) for path in self.scores] + [("annotations", path) for path in self.annotations]
        return {f"{kind}/{number}": file_hash(path) for number, (kind, path) in enumerate(named)}

    def sources(self) -> Iterator[Source]:
        """Yield the files as inputs of a build; the name of one says whether its scores are simulated."""
        for path in self.scores:
            rows = [row for _, row in read_records(path, Score, "score")]
            simulated = any(row.simulated for row in rows)
            told = "; ".join(sorted({row.source for row in rows}))
            yield _source("simulated-scores" if simulated else "scores", path, f"Human judgements: {told}.", simulated)
        for path in self.annotations:
            simulated = any(row.simulated for _, row in read_records(path, Judgement, "annotation"))
            name = "simulated-annotations" if simulated else "annotations"
            yield _source(name, path, "Human judgements, one by one.", simulated)


def _source(name: str, path: Path, citation: str, simulated: bool) -> Source:
    return Source(
        name=f"{name}/{file_hash(path)[:12]}",
        kind="scores",
        version="not stated",
        licence="as the release",
        citation="Simulated: a program gave the answers. No person did." if simulated else citation,
        address=None,
        sha256=file_hash(path),
    )


def read_scores(human: HumanScores, langs: Sequence[str]) -> dict[str, Score]:
    """Return the score of each compound of *langs* by its id.

    Raises `SchemaError` for a compound that has two, `SourceError` for a file without scores, and `UsageError` for
    simulated scores that were not asked for.
    """
    found: dict[str, Score] = {}
    for path in human.scores:
        rows = list(read_records(path, Score, "score"))
        _refuse_empty(rows, "score", path)
        for number, row in rows:
            _refuse_simulated(row.simulated, human, Place(str(path), number))
            if row.level != "compound" or row.lang not in langs:
                continue
            if row.compound_id in found:
                what = f"{row.compound_id} has a score already"
                raise SchemaError(what, fix="give each compound one score", place=Place(str(path), number))
            found[row.compound_id] = row
    return found


def read_annotations(human: HumanScores, langs: Sequence[str]) -> list[Judgement]:
    """Return the judgements about items in *langs*; checks of annotators are no part of a release."""
    found = []
    for path in human.annotations:
        rows = list(read_records(path, Judgement, "annotation"))
        _refuse_empty(rows, "judgement", path)
        for number, row in rows:
            _refuse_simulated(row.simulated, human, Place(str(path), number))
            if row.kind == "item" and row.lang in langs:
                found.append(row)
    return found


def _refuse_empty(rows: Sequence[object], what: str, path: Path) -> None:
    if not rows:
        fix = "see `ncimp annotate report` on who was left out, and give what `ncimp annotate scores` then makes"
        raise SourceError(f"it holds no {what}", fix=fix, place=Place(str(path)))


def _refuse_simulated(simulated: bool, human: HumanScores, place: Place) -> None:
    if simulated and not human.allow_simulated:
        raise UsageError("a simulated judgement: a program gave the answer", fix=FIX, place=place)


def check_known(ids: Iterable[str | None], known: Mapping[str, object] | set[str], what: str) -> None:
    """Raise `SchemaError` when one of *ids* is not *known*: scores of another edition would silently go nowhere."""
    unknown = sorted({name for name in ids if name is not None and name not in known})
    if unknown:
        shown = ", ".join(unknown[:3]) + (" and others" if len(unknown) > len(unknown[:3]) else "")
        raise SchemaError(f"{what} of {shown}, which this build does not have", fix="give those of this edition")
