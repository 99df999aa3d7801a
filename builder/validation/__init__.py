"""Coded checks of a release's tables: shape, agreement, the grid, pairs, balance. It applies no rule of filling.

Every check looks words up in the pack's `forms.tsv` and paradigms and asks whether what stands in a
sentence may stand there; none of them makes a sentence. What filling does wrong by rule is thus found.
"""
