"""The release as tasks of other tools: mteb, lm-evaluation-harness, evaluators of sentence-transformers.

`rows` says what each task is made of and needs none of these tools; the other modules need the extra `ecosystem`.
"""
