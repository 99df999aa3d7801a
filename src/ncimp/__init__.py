"""Build, validate, publish and evaluate noun compound idiomaticity minimal pairs (NCIMP).

The rooms of the house are packages of their own: `ncimp.schemas` (tables and files),
`ncimp.corpus_stats` (counting), `ncimp.builder` (from language packs to a release) and
`ncimp.evaluator` (from a release and vectors to measures). Importing `ncimp` imports none of them.
"""

__version__ = "0.1.0"
"""Version of the code. The version of the data is in each release's manifest."""
