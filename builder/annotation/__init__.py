"""Human judgements: out to annotators, back as scores."""
