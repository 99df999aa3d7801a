"""A frozen, slow, plain implementation of how a transformer represents a sentence and a span.

One sentence at a time, all layers kept, no batch, no padding. It may not import what it checks.
"""

from __future__ import annotations

from typing import Any

import torch


def vectors(model: Any, tokenizer: Any, sentence: str, span: tuple[int, int], last: int = 4) -> tuple[Any, Any]:
    """The mean over all sub-tokens, and over those of the span, of the average of the last layers; None without one."""
    encoded = tokenizer(sentence, return_tensors="pt", return_offsets_mapping=True)
    offsets = encoded.pop("offset_mapping")[0].tolist()
    with torch.no_grad():
        states = model(**encoded, output_hidden_states=True).hidden_states
    layers = [state[0].double() for state in states[-last:]]
    average = sum(layers) / len(layers)
    inside = [place for place, (start, end) in enumerate(offsets) if end > start and start < span[1] and end > span[0]]
    return average.mean(dim=0), average[inside].mean(dim=0) if inside else None
