"""From a release and vectors to the measures of idiomaticity. Needs a release folder only.

`release` reads the folder, `vectors` opens word vectors or precomputed ones, `grid` turns both into
cosines, `measures` holds the equations, `correlation` the statistics; `evaluate` puts them together
and `report` and `output` show and store what comes out.
"""
