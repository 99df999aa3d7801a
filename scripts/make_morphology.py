"""Make the lexicons of a pack's folder `morphology`: a dictionary of forms, and counts of treebanks.

    python -P scripts/make_morphology.py --dictionary morphobr/ --counts pt_bosque-ud-dev.conllu ... \
        --out builder/languages/pt/morphology

The dictionary is MorphoBr (the file or the folder): nouns, adjectives and past participles without diminutives and
augmentatives, sorted by class and form, which packs best. The counts say how often each form stands in the treebanks
in each reading; names are left out. Both are packed with xz; the same inputs give the same bytes.
"""

from __future__ import annotations

import argparse
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ncimp.builder.sources.lexicons.files import lexicon_files, read_lexicon, read_lines
from ncimp.builder.sources.lexicons.readers import COUNTED_COLUMNS, PROPER, Entry

DEGREES = {"DIM", "AUG"}
NOUN, ADJECTIVE, VERB, PARTICIPLE = "N", "A", "V", "PTPST"


def main() -> None:
    """Write the two files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dictionary", type=Path, required=True, help="MorphoBr, a file or a folder")
    parser.add_argument("--counts", type=Path, required=True, nargs="+", help="treebanks in CoNLL-U")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the pack")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    write(args.out / "morphobr.dict.xz", dictionary(args.dictionary))
    write(args.out / "treebanks.tsv.xz", counts(entry for path in args.counts for entry in read_lexicon(path)[1]))


def write(path: Path, lines: Iterable[str]) -> None:
    """Write *lines* packed."""
    text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(lzma.compress(text.encode(), check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME))


def dictionary(path: Path) -> list[str]:
    """Return the lines of MorphoBr that agreement needs, sorted by class and form."""
    lines = {line for file in lexicon_files(path) for _, line in read_lines(file) if is_needed(line)}
    return sorted(lines, key=lambda line: (word_class(line), line))


def is_needed(line: str) -> bool:
    """Tell whether a line is of a noun, an adjective or a participle, and no degree form."""
    tags = set(line.split("+")[2:])
    wanted = word_class(line) in (NOUN, ADJECTIVE) or (word_class(line) == VERB and PARTICIPLE in tags)
    return wanted and not DEGREES & tags


def word_class(line: str) -> str:
    """Return the class of a line, `form<TAB>lemma+CLASS+FEATURE…`."""
    return line.split("+")[1]


def counts(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of the table of counts."""
    times: Counter[Entry] = Counter()
    for entry in entries:
        if PROPER not in entry.feats:
            times[entry._replace(times=0)] += entry.times
    yield "\t".join(COUNTED_COLUMNS)
    yield from sorted("\t".join([*(cell or "_" for cell in entry[:-1]), str(n)]) for entry, n in times.items())


if __name__ == "__main__":
    main()
