"""The subcommands of `ncimp`: one module each, with `register(parser)` and `run(args)`; its docstring is its help."""
