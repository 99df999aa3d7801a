"""Grammar that every room shares: features of agreement, phrases and their inflection."""
