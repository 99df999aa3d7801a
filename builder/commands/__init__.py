"""The commands of `ncimp`, which `ncimp.builder.cli` finds and describes."""
