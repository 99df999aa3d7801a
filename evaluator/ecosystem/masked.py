"""Masked models as models of lm-evaluation-harness.

A masked model has the pseudo-log-likelihood of a text (Salazar et al. 2020): the sum over its tokens of the
log-probability of each, while it is masked, and those behind it in its word are, too (Kauf and Ivanova 2023); else the
end of a long word gives its beginning away. A word is what the tokeniser splits a text into before it makes tokens.
"""

import json
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import torch
import transformers
from lm_eval.api.model import LM
from tqdm import tqdm

from ncimp.evaluator.models import files_hash
from ncimp.evaluator.models.transformer import LOADING_FAULTS, damaged, load_tokenizer, quiet, token_limit
from ncimp.schemas import EvaluationError, UsageError, keyed_hash

COPIES = 32  # of a text, each with other tokens masked, that the model sees at once


class MaskedModel(LM):  # type: ignore[misc]
    """A masked model of `transformers` in a folder, which has pseudo-log-likelihoods."""

    def __init__(self, folder: Path, answers: MutableMapping[str, str]) -> None:
        """Load model and tokeniser, or raise `EvaluationError`: also where the files lack the part that tells words.

        *answers* holds what is known of each text by a hash of the model's files and the text, and takes what is new.
        """
        super().__init__()
        with quiet():
            try:
                if not folder.is_dir():
                    raise OSError("there is no such folder")
                self._tokenizer = load_tokenizer(folder)
                report = {"local_files_only": True, "output_loading_info": True}
                model, missing = transformers.AutoModelForMaskedLM.from_pretrained(folder, **report)
                if self._tokenizer.mask_token_id is None or missing["missing_keys"]:
                    raise OSError("its files lack what tells a masked word")
            except LOADING_FAULTS as error:
                raise damaged(folder, error) from None
        self._model = model.eval()
        self._limit = token_limit(model.config, self._tokenizer)
        self._identity, self._answers = files_hash(folder), answers

    def loglikelihood(self, requests: list[Any], **_further: Any) -> list[tuple[float, bool]]:
        """Return the pseudo-log-likelihood of each continuation; the model sees what follows it in the item's sentence.

        Where the item has no sentence that begins so, nothing follows it.
        """
        return [(self._likelihood(request), False) for request in tqdm(requests, desc="Masking words")]

    def loglikelihood_rolling(self, requests: list[Any], **_further: Any) -> list[float]:
        """Return the pseudo-log-likelihood of each text."""
        return [sum(value for _, value in self._known(request.args[0])) for request in requests]

    def generate_until(self, _requests: list[Any], **_further: Any) -> list[str]:
        """Raise `UsageError`: a masked model writes no text."""
        raise UsageError("a masked model writes no answers", fix="name tasks by likelihood: --tasks ncimp_plausibility")

    def _likelihood(self, request: Any) -> float:
        context, continuation = request.args
        text, sentence = context + continuation, str(request.doc.get("sentence"))
        ends = self._known(sentence if sentence.startswith(text) else text)
        return sum(value for end, value in ends if len(context) < end <= len(text))

    def _known(self, text: str) -> list[tuple[int, float]]:
        """Return the tokens of *text* as `_tokens` does, which it asks only once."""
        key = keyed_hash("pseudo-log-likelihood", self._identity, text)
        if key not in self._answers:
            self._answers[key] = json.dumps(self._tokens(text))
        return [(end, value) for end, value in json.loads(self._answers[key])]

    def _tokens(self, text: str) -> list[tuple[int, float]]:
        """Return the end of each token in *text*, and its log-probability."""
        encoded = self._tokenizer(text, return_offsets_mapping=True, return_tensors="pt")
        ids, words = encoded["input_ids"][0], encoded.word_ids()
        if len(ids) > self._limit:
            raise EvaluationError(f"{text[:60]!r} is too long for the model", fix="leave its item out")
        places = [place for place, word in enumerate(words) if word is not None]
        copies = ids.repeat(len(places), 1)
        for copy, place in zip(copies, places, strict=True):
            copy[[one for one in places if one >= place and words[one] == words[place]]] = self._tokenizer.mask_token_id
        rows = []
        with torch.inference_mode():
            for some, part in zip(torch.tensor(places).split(COPIES), copies.split(COPIES), strict=True):
                scores = self._model(input_ids=part).logits[torch.arange(len(some)), some].log_softmax(-1)
                rows += scores.gather(1, ids[some, None])[:, 0].tolist()
        ends = encoded["offset_mapping"][0, places, 1].tolist()
        return list(zip(ends, rows, strict=True))
