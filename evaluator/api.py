"""The evaluation from Python."""

from __future__ import annotations

from pathlib import Path

from ncimp.evaluator.encoding import BATCH, Encode, EncodedVectors
from ncimp.evaluator.evaluation import Evaluation, Options, evaluate_source
from ncimp.evaluator.records import Model
from ncimp.evaluator.release import Release, read_release


def evaluate(
    release: Release | Path | str,
    encode: Encode,
    *,
    name: str = "callable",
    options: Options | None = None,
    batch: int = BATCH,
) -> Evaluation:
    """Return the evaluation of the model behind *encode* on *release*, a folder or what `read_release` returned.

    *encode* gets a list of sentences and a list of spans, the characters [start, end) of the NC or its replacement
    in each; at most *batch* at a time, each distinct one once. It returns an array with one vector a sentence, or a
    pair of arrays: of the sentences and of the spans. A row of NaN is a sentence without a vector, which is counted.

        def encode(sentences, spans):
            return model.encode(sentences)

        found = evaluate("ncimp", encode, name="my-model", options=Options(languages=("en",)))
        found.document.scorecard    # rows of the scorecard; `write_evaluation(folder, found)` writes the files

    Raises `ReleaseError` for a damaged release, `UsageError` for options that do not fit it, and `EvaluationError` for
    vectors that cannot be right: partly NaN, of changing width, or all the same.
    """
    found = release if isinstance(release, Release) else read_release(Path(release))
    model = Model(name, "callable", None, {})
    return evaluate_source(found, EncodedVectors(encode, batch=batch), model=model, options=options or Options())
