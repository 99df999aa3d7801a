"""How well random compounds match in frequency, beside the experts' own, and how long the search takes.

    PYTHONPATH=src python bench/linguistics_randoms.py --shared ../shared
    PYTHONPATH=src python bench/linguistics_randoms.py --speed

Every figure is of |difference of log10 frequency| of the worse component (and of the mean), median and 90th
percentile over all draws. `lower bound` is the nearest five of a pool when pairs and words may be drawn again and
again, the compound's own words included; `best assignment` is the best of all compounds together that uses a
pair once, and may still repeat words; `alone` draws for each compound as if it were the only one, so that
what competition for the pairs costs shows. Frequencies of the gold are the Zipf values it was measured with.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.config import BuildOptions, Matching
from ncimp.builder.selection.matching import (
    FIRST_RADIUS,
    Match,
    NearestSearch,
    PairIndex,
    PoolPair,
    PoolWord,
    Target,
    composed_by_mean,
    measure,
    nearest_pairs,
)
from ncimp.builder.selection.replacements import Matcher, Usage, best_first, draw, established, in_order
from ncimp.builder.selection.words import are_kin, kin_test
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.corpus_stats.counting.run import count_files
from ncimp.corpus_stats.counting.sources import Job
from ncimp.schemas.errors import SelectionError
from ncimp.schemas.files import keyed_hash

ROOT = Path(__file__).resolve().parents[1]
MATCHINGS: tuple[Matching, ...] = ("components", "mean")
EVERYTHING = 9.0
"""A limit that no distance reaches: the gold's pool is small, and each compound is to have its five."""

Sample = dict[str, tuple[float, ...]]
"""Zipf values by compound."""


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the development data")
    parser.add_argument("--speed", action="store_true", help="only the speed of the search")
    args = parser.parse_args()
    if args.speed:
        speed()
        return
    head = ("lang", "pool", "match", "draws", "worse: median", "p90", "mean: median", "p90")
    say("| " + " | ".join(head) + " |\n| " + " | ".join("---" for _ in head) + " |")
    for lang in ("en", "pt"):
        gold(lang, args.shared / "gold" / "dev_random.jsonl")
        edition(lang, {})
        with tempfile.TemporaryDirectory() as folder:
            edition(lang, count_corpus(lang, args.shared / "sources" / "corpora", Path(folder)))


def say(line: str) -> None:
    """Write *line* at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def row(lang: str, pool: str, match: str, matches: Sequence[Match]) -> None:
    """Print one line of the table."""
    worse = figures([match.worse for match in matches])
    mean = figures([abs(match.mean_delta) for match in matches])
    say(f"| {lang} | {pool} | {match} | {len(matches)} | {worse} | {mean} |")


def figures(values: Sequence[float]) -> str:
    """Return median and 90th percentile of *values* as two cells."""
    ranked = sorted(values)
    return " | ".join(f"{ranked[int(share * (len(ranked) - 1))]:.3f}" for share in (0.5, 0.9))


def gold(lang: str, path: Path) -> None:
    """Print how the experts matched, and how their own random compounds can be matched as a pool."""
    rows = gold_rows(lang, path)
    compounds = gold_compounds(rows)
    own = [row for row in rows if row["variant_type"] == "rand_freq"]
    experts = [measure(pair_of(row["rand"], row["zipf_rand"]), Target(*row["zipf_nc"])) for row in own]
    row_of = partial(row, lang)
    row_of("gold: the experts' draws", "by the mean", experts)
    for label, drawn in (("frequency-matched", own), ("all", rows)):
        pool = {row["rand"].lower(): tuple(row["zipf_rand"]) for row in drawn}
        pairs = [pair_of(text, zipfs) for text, zipfs in pool.items()]
        row_of(f"gold: {len(pool)} {label} randoms", "lower bound", bound(compounds, pairs))
        row_of(f"gold: {len(pool)} {label} randoms", "best assignment", assigned(compounds, pairs))
        title = f"gold: {len(pool)} {label} randoms, {len(compounds)} compounds"
        for match in MATCHINGS:
            index = PairIndex(pairs)
            search = NearestSearch(index.by_components if match == "components" else index.by_mean, FIRST_RADIUS[match])
            row_of(title, match, serve(compounds, always(search), match))
            row_of(f"{title}, alone", match, serve(compounds, always(search), match, alone=True))
    row_of("gold: words of all randoms, composed", "components", serve(compounds, composed(rows), "components"))
    row_of("gold: words of all randoms, composed", "mean", serve(compounds, composed(rows, mean=True), "mean"))


def gold_rows(lang: str, path: Path) -> list[dict[str, Any]]:
    """Return the experts' draws of *lang* whose two words both have a frequency."""
    rows: list[dict[str, Any]] = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [row for row in rows if row["lang"] == lang and min(row["zipf_rand"]) > 0]


def gold_compounds(rows: Iterable[dict[str, Any]]) -> Sample:
    """Return the Zipf values of the components of each compound of *rows*, in its short context."""
    return {row["compound"]: tuple(row["zipf_nc"]) for row in rows if row["context"] == "short"}


def pair_of(text: str, zipfs: Sequence[float]) -> PoolPair:
    """Return the first and the last word of *text* as a pair of a pool."""
    first, second = re.split(r"[\s-]+", text.lower())[:: len(re.split(r"[\s-]+", text)) - 1]
    return PoolPair(PoolWord(zipfs[0], first, None), PoolWord(zipfs[1], second, None), 1)


def composed(rows: Iterable[dict[str, Any]], *, mean: bool = False) -> Callable[[str], NearestSearch]:
    """Return the search, by compound, of every first word of *rows* with every second word."""
    words = [pair_of(row["rand"], row["zipf_rand"]) for row in rows]
    firsts = sorted({pair.modifier for pair in words}, key=lambda word: (word.zipf, word.lemma))
    seconds = sorted({pair.head for pair in words}, key=lambda word: (word.zipf, word.lemma))
    if mean:
        return lambda _: NearestSearch(partial(composed_by_mean, firsts, seconds), FIRST_RADIUS["mean"])

    def search(text: str) -> NearestSearch:
        is_kin = kin_test(re.split(r"[\s-]", text))
        return NearestSearch(
            partial(nearest_pairs, firsts, seconds, 24, lambda _, lemma: not is_kin(lemma), lambda _: 0.0), None
        )

    return search


def always(search: NearestSearch) -> Callable[[str], NearestSearch]:
    """Return *search* for every compound."""
    return lambda _text: search


def bound(compounds: Sample, pairs: Sequence[PoolPair]) -> list[Match]:
    """Return the five nearest of *pairs* for each of *compounds*, by the worse component alone, whatever they share."""
    found: list[Match] = []
    for zipfs in compounds.values():
        found += sorted((measure(pair, Target(*zipfs)) for pair in pairs), key=lambda match: match.worse)[:5]
    return found


def assigned(compounds: Sample, pairs: Sequence[PoolPair]) -> list[Match]:
    """Return five of *pairs* for each of *compounds*, each pair once, with the least sum of the worse components."""
    matches = [[measure(pair, Target(*zipfs)) for pair in pairs] for zipfs in compounds.values() for _ in range(5)]
    costs = np.array([[match.worse for match in row] for row in matches])
    return [matches[slot][place] for slot, place in zip(*linear_sum_assignment(costs), strict=True)]


def serve(
    compounds: Sample, search: Callable[[str], NearestSearch], match: Matching, *, alone: bool = False
) -> list[Match]:
    """Return five matches of each of *compounds*, as a build draws them; *alone*, without what others have drawn."""
    options = BuildOptions(match=match, max_delta=EVERYTHING)
    found: list[Match] = []
    drawn = Usage(set())
    for text in sorted(compounds, key=lambda text: keyed_hash(options.seed, text)):
        drawn = Usage(set()) if alone else drawn
        words = re.split(r"[\s-]", text.lower())

        def allowed(candidate: Match, words: Sequence[str] = words) -> bool:
            return not any(are_kin(lemma, word) for lemma in candidate.lemmas for word in words)

        found += draw(best_first(text, Target(*compounds[text]), search(text), drawn, options), drawn, allowed)
    return found


def edition(lang: str, stores: dict[str, Path]) -> None:
    """Print how the compounds of the project's pack are matched, from its lexicon or from a store."""
    for match in MATCHINGS:
        options = BuildOptions(match=match, pool="attested" if stores else "composed")
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(LanguageResources(lang, packs_folder(), Path(folder), stores.get(lang))) as shop,
        ):
            row(lang, *_served(shop, options))
            row(lang, *_served(shop, options, alone=True))


def _served(shop: LanguageResources, options: BuildOptions, *, alone: bool = False) -> tuple[str, str, list[Match]]:
    matcher = Matcher(shop.selection, options)
    found: list[Match] = []
    unknown = few = 0
    for compound in in_order(shop.selection, options.seed):
        try:
            matches = matcher.draw(compound, Usage(established(shop.pack)) if alone else None)
        except SelectionError:
            unknown += 1
            continue
        few += len(matches) < 5
        found += matches if len(matches) == 5 else []
    title = f"open edition, {options.pool}: {shop.frequencies.name}{', alone' if alone else ''}"
    left = f", {unknown} without a frequency, {few} with too few" if unknown or few else ""
    return f"{title}{left}", options.match, found


def count_corpus(lang: str, corpora: Path, folder: Path) -> dict[str, Path]:
    """Count the corpora at hand of *lang* and return the store by language."""
    store = folder / f"{lang}.stats"
    if lang == "en":
        text = folder / "brown.txt"
        text.write_text("\n".join(brown_sentences(corpora / "brown.zip")) + "\n", "utf-8")
        count_files([str(text)], store, Job(lang, "text", name="Brown"))
    else:
        files = sorted(map(str, corpora.glob(f"{lang}_*.conllu")))
        count_files(files, store, Job(lang, "conllu", name="UD"))
    return {lang: store}


def brown_sentences(path: Path) -> Iterator[str]:
    """Yield the sentences of the tagged corpus in the archive *path*, without the tags."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(name for name in archive.namelist() if re.fullmatch(r"brown/c[a-r]\d\d", name)):
            for line in archive.read(name).decode("utf-8").splitlines():
                if line.strip():
                    yield " ".join(token.rsplit("/", 1)[0] for token in line.split())


def speed(words: int = 1000, compounds: int = 280, scanned: int = 2) -> None:
    """Print the seconds of matching *compounds* in *words* x *words* pairs, by index and by scanning all pairs."""
    firsts, seconds = (made_up(part, words) for part in ("modifier", "head"))
    wanted = [made_up(part, compounds) for part in ("rat", "race")]
    targets: Sample = {word.lemma: (word.zipf, other.zipf) for word, other in zip(*wanted, strict=True)}
    pairs = [PoolPair(first, second, 1) for first, second in product(firsts, seconds)]
    say(f"{len(pairs):,} pairs, {compounds} compounds, five draws each; seconds")
    naive = compounds / scanned * timed(lambda: scan(targets, pairs, scanned))
    say(f"scan of all pairs (the frozen reference, {scanned} compounds, scaled up): {naive:.0f}")
    start = time.perf_counter()
    index = PairIndex(pairs)
    index.by_components(Target(4.0, 4.0), 0.0)
    index.by_mean(Target(4.0, 4.0), 0.0)
    say(f"making the index of a list of pairs: {time.perf_counter() - start:.1f}")
    nearest = NearestSearch(partial(nearest_pairs, firsts, seconds, 24, lambda *_: True, lambda _: 0.0), None)
    sums = NearestSearch(partial(composed_by_mean, firsts, seconds), FIRST_RADIUS["mean"])
    for label, search, match in (
        ("composed pool, components", nearest, MATCHINGS[0]),
        ("list of pairs, components", NearestSearch(index.by_components, FIRST_RADIUS["components"]), MATCHINGS[0]),
        ("composed pool, mean", sums, MATCHINGS[1]),
        ("list of pairs, mean", NearestSearch(index.by_mean, FIRST_RADIUS["mean"]), MATCHINGS[1]),
    ):
        taken = timed(partial(serve, targets, always(search), match))
        say(f"{label}: {taken:.2f} (scan / this: {naive / taken:,.0f})")


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that *work* takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def made_up(kind: str, count: int) -> list[PoolWord]:
    """Return words of letters drawn by hash, with Zipf values heaped around 4 as those of a lexicon are, sorted."""
    found = []
    for number in range(count):
        digest = keyed_hash(kind, str(number))
        parts = [int(digest[place : place + 4], 16) / 65535 for place in range(0, 24, 4)]
        letters = digest[24:34].translate(str.maketrans("0123456789", "ghijklmnop"))
        found.append(PoolWord(round(2.0 + 4.0 * sum(parts) / len(parts), 6), letters, None))
    return sorted(found, key=lambda word: (word.zipf, word.lemma))


def scan(compounds: Sample, pairs: Sequence[PoolPair], count: int) -> None:
    """Match the first *count* of *compounds* as the frozen reference does: every pair measured, all sorted."""
    spec = importlib.util.spec_from_file_location("naive", ROOT / "tests" / "reference" / "pair_matcher_reference.py")
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - a file of this checkout
    naive = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(naive)
    plain = [(p.modifier.lemma, p.modifier.zipf, p.head.lemma, p.head.zipf, None) for p in pairs]
    taken: set[tuple[str, str]] = set()
    uses: Counter[str] = Counter()
    for text in sorted(compounds)[:count]:
        naive.draw(("ncimp", text), plain, (*compounds[text], None), [text], taken, uses, EVERYTHING, False)


if __name__ == "__main__":
    main()
