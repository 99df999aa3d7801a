"""K013 to K016, T814, T815, B506 to B508: senses of compounds, their paraphrases, and the sentences that use them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from ncimp.builder.records import MEANT, MarkedExample, PackSense, TrueSynonym
from ncimp.builder.validation.pack import composition_fault
from ncimp.builder.validation.scope import FIRST_LINE, LANGUAGE, PACK, Found, Scope
from ncimp.schemas.suites import LITERALLY

LEAST = 3  # sentences of a compound on each side: idiomatic or meta, and literal or part of a name
MAX_MAJORITY = 0.55  # macro-F1 of who tells the label by the compound alone; .5 is that of a coin


def _examples(scope: Scope) -> Mapping[str, list[tuple[int, MarkedExample, PackSense]]]:
    """Return the examples of each compound with their lines and senses."""
    senses = {(row.compound, row.sense): row for row in scope.pack.senses}
    rows: defaultdict[str, list[tuple[int, MarkedExample, PackSense]]] = defaultdict(list)
    for line, one in enumerate(scope.pack.examples, start=FIRST_LINE):
        rows[one.row.compound].append((line, one, senses[one.row.compound, one.row.sense]))
    return rows


def _texts(example: MarkedExample) -> Iterator[str]:
    return (text for text in (example.row.previous, example.marked.text, example.row.next) if text)


@PACK.check("K013", "a compound with examples has too few of one side")
def _few_examples(scope: Scope) -> Found:
    """Three idiomatic ones (or inside a metaphor), and three literal ones (or as part of a name)."""
    for compound, rows in _examples(scope).items():
        literal = sum(sense.kind in LITERALLY for _, _, sense in rows)
        if min(literal, len(rows) - literal) < LEAST:
            what = f"{len(rows) - literal} idiomatic and {literal} literal examples, where {LEAST} of each are due"
            yield scope.pack.compound_id(compound), f"{what}; add some to examples.tsv"


@PACK.check("K014", "a sense has no paraphrase, or that of another sense, or is a name with one")
def _paraphrases(scope: Scope) -> Found:
    seen: dict[tuple[str, str], str] = {}
    for line, row in enumerate(scope.pack.senses, start=FIRST_LINE):
        place, where = f"{scope.pack.compound_id(row.compound)}", f"senses.tsv:{line}: {row.sense!r}"
        other = seen.setdefault((row.compound, row.text.lower()), row.sense) if row.text else row.sense
        if row.text is None and row.kind in MEANT:
            yield place, f"{where} has no paraphrase; write one that can stand in the compound's place"
        elif row.text is not None and row.kind == "proper_noun":
            yield place, f"{where} is a name and has a paraphrase; write _"
        elif other != row.sense or (row.text or "").lower() == row.compound.lower():
            yield place, f"{where} has the words of {other!r} or of the compound; write others"


@PACK.check("K015", "a paraphrase is not its head and its modifier, put together by its pattern")
def _not_composed(scope: Scope) -> Found:
    """As for a true synonym (K008), where the row has a head and a pattern."""
    for line, row in enumerate(scope.pack.senses, start=FIRST_LINE):
        if row.text is None or row.head is None or row.pattern is None:
            continue
        synonym = TrueSynonym(row.compound, 1, row.text, row.modifier, row.head, row.pattern, row.gender,
            overlap_free=True, relation="synonym", countability="count", register="neutral")  # fmt: skip
        if fault := composition_fault(synonym, scope.lookup):
            yield scope.pack.compound_id(row.compound), f"senses.tsv:{line}: {row.text!r} {fault}"


@PACK.check("K016", "a compound has more paraphrases of its relation with one label than with the other")
def _unbalanced(scope: Scope) -> Found:
    """As many are true as false, so that neither the compound nor a word of it tells the label."""
    surplus: Counter[str] = Counter()
    for row in scope.pack.composition:
        surplus[row.compound] += (2 * row.label - 1) * (row.task == "nc_relations")
    for compound, more in surplus.items():
        if more:
            many, few = ("true", "false") if more > 0 else ("false", "true")
            what = f"composition.tsv: {abs(more)} more {many} paraphrases of {compound!r} than {few} ones"
            yield scope.pack.compound_id(compound), f"{what}; add some or take some out"


@PACK.check("T814", "a sentence stands in two examples, or beside one and in another")
def _sentence_again(scope: Scope) -> Found:
    first: dict[str, int] = {}
    for compound, rows in _examples(scope).items():
        for line, example, _ in rows:
            text = example.marked.text.casefold()
            if first.setdefault(text, line) != line:
                place = scope.pack.compound_id(compound)
                yield place, f"examples.tsv:{line}: the sentence of line {first[text]} again; write another"


@PACK.check("T815", "an example gives its sense away: a paraphrase of the compound stands in it")
def _told(scope: Scope) -> Found:
    """In the sentence, the one before or the one after, as whole words."""
    paraphrases: defaultdict[str, list[str]] = defaultdict(list)
    for row in scope.pack.senses:
        if row.text:
            paraphrases[row.compound].append(row.text)
    for compound, rows in _examples(scope).items():
        for line, example, _ in rows:
            for text in paraphrases[compound]:
                if any(re.search(rf"\b{re.escape(text)}\b", part, re.IGNORECASE) for part in _texts(example)):
                    place = scope.pack.compound_id(compound)
                    yield place, f"examples.tsv:{line}: {text!r} stands there; say it in other words"


@LANGUAGE.check("B506", "the compound alone tells whether it is meant literally")
def _told_by_compound(scope: Scope) -> Found:
    """Whoever answers with the label of most judged sentences of a compound, 0 where there are as many, reaches .55."""
    judged = [row for row in scope.tables.examples if row.shot == "none"]
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for row in judged:
        counts[row.compound_id][row.label] += 1
    answers = Counter((row.label, int(counts[row.compound_id][1] > counts[row.compound_id][0])) for row in judged)
    shares = [2 * answers[x, x] / max(1, 2 * answers[x, x] + answers[0, 1] + answers[1, 0]) for x in (0, 1)]
    if sum(shares) / 2 > MAX_MAJORITY:
        yield scope.lang, f"macro-F1 {sum(shares) / 2:.2f}, where {MAX_MAJORITY} is the most; balance the examples"


@LANGUAGE.check("B507", "an example leaks: what is judged was trained on")
def _leaks(scope: Scope) -> Found:
    """A compound of zero-shot training or a sentence trained on is judged, or one-shot has two of a sense.

    In `composition`, no sentence, no compound (by `split`) and no head (by `lexical`) is in two parts.
    """
    trained = [row for row in scope.tables.examples if row.shot != "none"]
    zero = {row.compound_id for row in trained if row.shot == "zero"}
    sentences = {row.sentence.casefold() for row in trained}
    ones = Counter((row.compound_id, row.sense) for row in trained if row.shot == "one")
    for row in scope.tables.examples:
        if row.shot != "zero" and row.compound_id in zero:
            yield row.id, "its compound is one of zero-shot training; build the release again"
        if row.shot == "none" and row.sentence.casefold() in sentences:
            yield row.id, "its sentence is also trained on; write another"
        if row.shot == "one" and ones[row.compound_id, row.sense] > 1:
            yield row.id, "one-shot has two sentences of this sense; build the release again"
    first: dict[tuple[object, ...], str] = {}
    for item in scope.tables.composition:
        for column, part, keys in (
            ("split", item.split, (item.phrase, item.words)),
            ("lexical", item.lexical, (item.word, item.words)),
        ):
            for key in keys if part else ():
                if first.setdefault((item.task, column, key), str(part)) != part:
                    name = "its sentence" if key == item.words else repr(key)
                    yield item.id, f"{name} is in two parts of `{column}`; build the release again"


@LANGUAGE.check("B508", "a sentence is not under its sense")
def _under_senses(scope: Scope) -> Found:
    """A literal item has a literal sense in `senses` whose id begins its own; an example is the item that it names."""
    literal = {row.id for row in scope.tables.senses if row.kind in LITERALLY}
    sentences = {row.id: row.sentence for row in scope.sentences}
    for item in scope.tables.literal:
        if f"{item.compound_id}/{item.context}" not in literal:
            yield item.id, "its sense is not in `senses`; build the release again"
    for row in scope.tables.examples:
        if row.item is not None and sentences.get(row.item) != row.sentence:
            yield row.id, f"{row.item!r} is another sentence, or none; build the release again"
