"""Count corpora, look counts and association up, and find sentences with compounds.

Every format of `docs/reference/corpora.md` is read: text, CoNLL-U, vertical files, tables, archives and datasets.

Examples:
    ncimp corpus count wiki-1.txt wiki-2.txt.gz --lang en --out stats
    ncimp corpus show "eager beaver" --stats stats
    ncimp corpus find --lang en --compounds list.txt --corpus wiki-1.txt --out contexts.jsonl
"""
