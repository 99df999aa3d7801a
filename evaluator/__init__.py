"""Evaluate vectors on a release: from a release folder and vectors to the measures of idiomaticity.

`release` reads the folder; `vectors` and `models` are sources of vectors; `measures` holds the equations, `correlation`
the statistics. `figures` computes cosines, means and correlations, `controls` shortcut baselines, partial correlations
and standardised vectors, `scorecard` the predictions. `evaluation` does all, `comparison` compares several; `results`
writes and reads files, `configurations` counts as NCIMP does, `report` prints tables, `pages` draws pages, `ecosystem`
offers the release to other tools.
"""

from ncimp.evaluator.evaluation import Evaluation, Options, evaluate
from ncimp.evaluator.release import read_release
from ncimp.evaluator.results import write_evaluation

__all__ = ["Evaluation", "Options", "evaluate", "read_release", "write_evaluation"]
