"""The tasks of `ncimp task`: one module each, with `register(parser)` and `run(args)`; its docstring is its help."""
