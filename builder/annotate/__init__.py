"""Actions of `ncimp annotate`: one module each, with `configure(parser)` and `run(args)`; its docstring is its help."""
