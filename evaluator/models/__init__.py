"""Back ends that turn sentences into vectors, and the store that keeps them.

`passages` is what is encoded, `store` keeps the vectors (on disk when asked), `source` brings both together for the
measures. `transformer` and `sentence_transformer` run a model, `endpoint` asks a server; only these three, `pooling`
and `tokens` need libraries of the extra `models`, and nothing imports them before a model is asked for.
"""
