"""From replacements and marked sentences to the sentences of the grid, with every change outside the span recorded."""
