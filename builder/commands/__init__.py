"""The commands of `ncimp`, one module each: its docstring is the help text, with `register` and `run`."""
