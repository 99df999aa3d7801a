-- Statistics store, format 1: counts of words and adjacent word pairs of one language.
-- A change here changes the hash of the schema: add it to COMPATIBLE_SCHEMA_HASHES (store_format.py), or,
-- when older stores can no longer be read, also raise STORE_FORMAT.

CREATE TABLE header (
    format_version INTEGER NOT NULL,
    lang TEXT NOT NULL,
    corpus_format TEXT NOT NULL,
    tokeniser_version INTEGER NOT NULL,
    sentences INTEGER NOT NULL,
    content_sha256 TEXT NOT NULL
);

CREATE TABLE sources (
    name TEXT NOT NULL,
    licence TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL PRIMARY KEY,
    bytes INTEGER NOT NULL
) WITHOUT ROWID;

-- tokens: N of the unigrams; bigrams: N of the pairs, the N of PMI
CREATE TABLE layers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    tokens INTEGER NOT NULL,
    bigrams INTEGER NOT NULL
);

-- id: rank of the word in code-point order, so the same counts get the same ids
-- as_first, as_second: sums over the bigrams that begin or end with the word, the margins of PMI
CREATE TABLE unigrams (
    layer INTEGER NOT NULL REFERENCES layers (id),
    id INTEGER NOT NULL,
    word TEXT NOT NULL,
    count INTEGER NOT NULL,
    as_first INTEGER NOT NULL,
    as_second INTEGER NOT NULL,
    PRIMARY KEY (layer, id),
    UNIQUE (layer, word)
) WITHOUT ROWID;

CREATE TABLE bigrams (
    layer INTEGER NOT NULL,
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (layer, first, second),
    FOREIGN KEY (layer, first) REFERENCES unigrams (layer, id),
    FOREIGN KEY (layer, second) REFERENCES unigrams (layer, id)
) WITHOUT ROWID;
