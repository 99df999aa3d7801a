"""From a release and vectors to the measures of idiomaticity. Needs a release folder only.

`release` reads the folder, `vectors` opens word vectors or precomputed ones, `encoding` takes them from a function,
`grid` turns them into cosines, `measures` holds the equations, `correlation` and `resampling` the statistics;
`figures`, `scorecard`, `partial`, `standardise` and `experiments` are what is said with them. `evaluation` does all,
`report` and `output` show and store what comes out, and `comparison` sets several evaluations side by side.
"""

from ncimp.evaluator.evaluation import Evaluation, Options, evaluate
from ncimp.evaluator.release import read_release
from ncimp.evaluator.results import write_evaluation

__all__ = ["Evaluation", "Options", "evaluate", "read_release", "write_evaluation"]
