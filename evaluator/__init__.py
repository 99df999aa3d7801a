"""From a release and vectors to the measures of idiomaticity. Needs a release folder only."""
