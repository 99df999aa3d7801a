"""Models of `sentence-transformers` as they were made: their own pooling, projection and normalisation.

A sentence vector is what `SentenceTransformer.encode` gives; a span vector, which such a model does not define, is the
mean of the last layer over the span's sub-tokens, out of the same pass.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sentence_transformers
import torch

from ncimp.evaluator.models.batches import Batch, Pooled, encode_in_batches
from ncimp.evaluator.models.options import ModelOptions
from ncimp.evaluator.models.passages import Encoded, Passage
from ncimp.evaluator.models.tokens import Masking, Tokeniser
from ncimp.evaluator.models.transformer import LOADING_FAULTS, TYPES, chosen_device, damaged, quiet
from ncimp.schemas.errors import EvaluationError, Place


class SentenceTransformerEncoder:
    """A model of `sentence-transformers` on a device."""

    def __init__(self, folder: Path, options: ModelOptions) -> None:
        """Load the model in *folder*, or raise `EvaluationError` when it cannot be or needs a prompt."""
        self.device = chosen_device(options.device)
        self._model = _load(folder, options, self.device)
        if self._model.default_prompt_name and self._model.prompts[self._model.default_prompt_name]:
            what = f"it puts the prompt {self._model.prompts[self._model.default_prompt_name]!r} before every sentence"
            fix = "use --pooling mean, or bring its vectors as .npz"
            raise EvaluationError(what, fix=fix, place=Place(str(folder)))
        limit = min(self._model.max_seq_length or options.max_tokens or 512, options.max_tokens or 1_000_000)
        self.tokeniser = Tokeniser(self._model.tokenizer, limit, Masking("mean", special_tokens=True))
        self._budget = options.batch_tokens

    def encode(self, passages: list[Passage]) -> Encoded:
        """Return the vectors of *passages*."""
        return encode_in_batches(passages, self.tokeniser, self._budget, self.device, self._run)

    def _run(self, batch: Batch) -> Pooled:
        output = self._model.forward({**batch.inputs, "modality": "text"})
        masks = batch.masks[:, 1:]
        sums = torch.bmm(masks, output["token_embeddings"].float())
        return Pooled(output["sentence_embedding"], sums / masks.sum(dim=-1, keepdim=True))


def _load(folder: Path, options: ModelOptions, device: Any) -> Any:
    with quiet():
        try:
            return sentence_transformers.SentenceTransformer(
                str(folder), device=str(device), local_files_only=True, model_kwargs={"dtype": TYPES[options.dtype]}
            ).eval()
        except LOADING_FAULTS as error:
            raise damaged(folder, error) from None
