"""Everything a build reads: language packs, lexicons, forms and frequencies, with licence, citation and hash."""
