"""Train a small dependency parser for the repair of far agreement, from treebanks of Universal Dependencies.

    python -P scripts/train_parser.py --lang pt --out pt-parser pt_bosque-ud-*.conllu pt_porttinari-ud-*.conllu
    ncimp task repair --parser pt-parser --input rows.jsonl --out repaired.jsonl

The treebank that `--held-out` names is not trained on: heads and relations are compared with its own, punctuation
left out. Contractions are one word, as in running text. It needs `pip install "ncimp[spacy]"`; the same treebanks give
the same model on one machine, and on another one whose weights may differ in their last digits.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.converters import conllu_to_docs
from spacy.util import fix_random_seed, minibatch
from spacy.vocab import Vocab
from tqdm import tqdm

WIDTH, DEPTH, ROWS = 96, 4, 2000  # of the vectors of words, in numbers, layers and rows of their table
BATCH, DROPOUT, SEED = 32, 0.1, 0
WORDS = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": WIDTH,
    "depth": DEPTH,
    "embed_size": ROWS,
    "window_size": 1,
    "maxout_pieces": 3,
    "subword_features": True,
}
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": WIDTH, "upstream": "tok2vec"}
TAGGER = {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER}
PARSER = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "tok2vec": LISTENER,
}


def main() -> None:
    """Train, save, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+", metavar="CONLLU")
    parser.add_argument("--lang", required=True, help="language code of spaCy, such as pt")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the pipeline")
    parser.add_argument("--epochs", type=int, default=12, help="passes over the treebanks (default: 12)")
    parser.add_argument("--held-out", type=Path, metavar="CONLLU", help="a treebank to compare with")
    args = parser.parse_args()
    fix_random_seed(SEED)
    pipeline = spacy.blank(args.lang)
    pipeline.add_pipe("tok2vec", config={"model": WORDS})
    pipeline.add_pipe("morphologizer", config={"model": TAGGER})  # what it learns of words, the parser knows as well
    pipeline.add_pipe("parser", config={"model": PARSER})
    examples = [Example(bare(tree, pipeline.vocab), tree) for path in args.treebanks for tree in trees(path)]
    optimizer = pipeline.initialize(lambda: examples)
    chance = random.Random(SEED)  # noqa: S311 (no secret)
    for _ in tqdm(range(args.epochs), unit="epoch", disable=None):
        chance.shuffle(examples)
        for batch in minibatch(examples, size=BATCH):
            pipeline.update(batch, drop=DROPOUT, sgd=optimizer)
    pipeline.remove_pipe("morphologizer")
    pipeline.to_disk(args.out)
    size = sum(file.stat().st_size for file in args.out.rglob("*") if file.is_file())
    sys.stdout.write(f"{len(examples)} sentences; {args.out}: {size / 1e6:.1f} MB\n")
    if args.held_out:
        heads, relations = compare(pipeline, trees(args.held_out))
        sys.stdout.write(f"{args.held_out.name}: heads {heads:.1%}, heads and relations {relations:.1%}\n")


def trees(path: Path) -> Iterator[Doc]:
    """Yield the sentences of a treebank, the words of a contraction as one."""
    yield from conllu_to_docs(path.read_text(encoding="utf-8"), n_sents=1, merge_subtokens=True, no_print=True)


def bare(tree: Doc, vocabulary: Vocab) -> Doc:
    """Return the words of *tree* without what the treebank says of them."""
    return Doc(vocabulary, words=[word.text for word in tree], spaces=[bool(word.whitespace_) for word in tree])


def compare(pipeline: Language, treebank: Iterable[Doc]) -> tuple[float, float]:
    """Return the shares of words with the treebank's head, and with its head and relation."""
    words = heads = relations = 0
    for tree in treebank:
        for given, found in zip(tree, pipeline(bare(tree, pipeline.vocab)), strict=True):
            if given.dep_ != "punct":
                words += 1
                heads += given.head.i == found.head.i
                relations += given.head.i == found.head.i and given.dep_ == found.dep_
    return heads / words, relations / words


if __name__ == "__main__":
    main()
