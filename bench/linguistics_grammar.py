"""The grammar of the packs on treebanks: another noun phrase put into a sentence, and the first one put back.

    PYTHONPATH=src python bench/linguistics_grammar.py fr DEV.conllu.xz TEST.conllu.xz [--errors 20]

Every noun of the test set that is a token of its own is a span, with the gender, number and case that the treebank
gives it. Three phrases of another gender take its place: a noun, an adjective and a noun, and a noun with a second one
(or an adjective) behind it; number and case stay. The treebank stands in for the marks of a pack: it says which words
farther away agree, and which beside the noun do not (adverbs, names, words of another tag). The words are those of the
treebanks, forms that these lack made by the regular endings of the language.

*accepted* is the share of replacements that were made (not: a form is missing, a rule is in doubt, or the original
disagrees with its own tags); *same*, the share of these whose sentence is the original again, letter by letter, when
the first noun is put back (*with the record*: but for which of the accepted forms of one cell stood there); *right*,
the share of the new sentences in which validation finds nothing that it does not find in the original, too. Words that
do not agree are left out of that; those that do are not.
"""

import argparse
import lzma
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import chain
from pathlib import Path

from ncimp.builder.filling.fill import Substitution
from ncimp.builder.filling.repair import NEAR
from ncimp.builder.filling.scene import SOUND, NewPhrase, Reader, plain
from ncimp.builder.grammar import Features, fits, inflect_phrase
from ncimp.builder.records import Form, Gender, Language, MarkedSentence, Number, Span
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import STEM, read_language, with_adjectives
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.schemas import AgreementError, keyed_hash

GENDERS: Mapping[str, Gender] = {"Masc": "m", "Fem": "f", "Neut": "n"}
NUMBERS: Mapping[str, Number] = {"Sing": "sg", "Plur": "pl"}
CASES = {"Nom": "nom", "Acc": "acc", "Dat": "dat", "Gen": "gen"}
BE = ("être", "essere", "ser", "estar")
OPEN = ("NOUN", "VERB", "ADJ", "AUX", "DET", "PROPN", "NUM")
APART = ("NOUN", "PROPN", "ADP", "VERB", "AUX", "PRON")
BESIDE = ("amod", "acl", "conj")  # what the rules find beside a noun by themselves
DEPENDENT = ("det", "amod", "acl", "nummod")
SUPERLATIVE = re.compile(r"(?:issim|ísim|íssim)[oaie]s?$")
ROMANCE = {"o": ("o", "a", "os", "as"), "e": ("e", "e", "es", "es"), "or": ("or", "ora", "ores", "oras")}
FRENCH = (
    (r"(eu)x$", "x", "se", "x", "ses"), (r"f$", "f", "ve", "fs", "ves"), (r"er$", "er", "ère", "ers", "ères"),
    (r"(?:el|en|on|eil|nul)$", "", "{}e", "s", "{}es"), (r"eau$", "eau", "elle", "eaux", "elles"),
    (r"anc$", "c", "che", "cs", "ches"),
    (r"ic$", "c", "que", "cs", "ques"), (r"al$", "al", "ale", "aux", "ales"), (r"e$", "e", "e", "es", "es"),
    (r"[sx]$", "", "e", "", "es"), (r"", "", "e", "s", "es"),
)  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A word of a treebank: its place in the text, and what the treebank says of it."""

    span: Span
    form: str
    lemma: str
    pos: str
    feats: Mapping[str, str]
    head: int
    relation: str

    @property
    def gender(self) -> Gender | None:
        """Its gender."""
        return GENDERS.get(self.feats.get("Gender", ""))

    @property
    def number(self) -> Number | None:
        """Its number."""
        return NUMBERS.get(self.feats.get("Number", ""))

    @property
    def is_passive(self) -> bool:
        """Whether it is a participle of the passive."""
        return self.feats.get("Voice") == "Pass"

    @property
    def is_of_lemma(self) -> bool:
        """Whether the regular endings lead from its lemma to it: no participle, nor a superlative (*larghissima*)."""
        return self.pos == "ADJ" and not SUPERLATIVE.search(self.form.lower())

    @property
    def is_attribute(self) -> bool:
        """Whether it is an adjective, or a participle that agrees."""
        return self.pos == "ADJ" or (self.pos in ("VERB", "AUX") and self.feats.get("VerbForm") == "Part")


def read_treebank(path: Path) -> Iterator[tuple[str, dict[int, Token]]]:
    """Yield the text of each sentence, and its words by id; the words of a contraction share its place."""
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            lines = block.splitlines()
            text = next((line[len("# text = ") :] for line in lines if line.startswith("# text = ")), "")
            tokens: dict[int, Token] = {}
            place, covered, span = 0, 0, (0, 0)
            for cells in (line.split("\t") for line in lines if line and line[0] != "#"):
                if "." in cells[0]:
                    continue
                first, _, last = cells[0].partition("-")
                if last or int(first) > covered:
                    start = text.find(cells[1], place)
                    if start < 0:
                        break
                    place = start + len(cells[1])
                    span, covered = (start, place), int(last or first)
                if not last:
                    feats = dict(feat.split("=", 1) for feat in cells[5].split("|") if "=" in feat)
                    tokens[int(first)] = Token(
                        span, cells[1], cells[2], cells[3], feats, int(cells[6]), cells[7].split(":")[0]
                    )
            else:
                yield text, tokens


def adjective_forms(lang: str, token: Token) -> tuple[str, ...]:
    """Return the forms for m sg, f sg, m pl, f pl by the regular endings of the language, or the stem in German."""
    form = token.form.lower()
    if lang == "de":
        stem = re.sub(r"e[nmrs]?$", "", form)
        return (stem,) if stem != form else ()
    plural, feminine = token.number == "pl", token.gender == "f"
    lemma = token.lemma.lower()
    is_verb = lang == "it" and lemma.endswith(("are", "ere", "ire", "rre")) and not form.startswith(lemma[:-1])
    if not token.is_of_lemma or is_verb or (lemma not in form[: len(lemma)] and not form.startswith(lemma[:2])):
        lemma = form  # of a participle, whose lemma is the verb: back from the form that stands there
        if lang == "fr":
            lemma = lemma.removesuffix("s") if plural and not (not feminine and lemma.endswith("is")) else lemma
            lemma = lemma.removesuffix("e") if feminine else lemma
        elif lang == "it":
            lemma = lemma[:-1] + ("e" if lemma.endswith(("nte", "nti")) else "o")
        else:
            lemma = (lemma.removesuffix("s") if plural else lemma)[:-1] + "o"
    if lang == "fr":
        _, *ends = next(rule for rule in FRENCH if re.search(rule[0], lemma))
        stem = lemma.removesuffix(ends[0]) if ends[0] else lemma
        return tuple(stem + end.format(lemma[-1]) for end in ends)
    if lang == "it":
        if lemma[-1:] == "e":
            return (lemma, lemma, lemma[:-1] + "i", lemma[:-1] + "i")
        stem, hard = lemma[:-1], lemma.endswith(("go", "ca", "ga", "sco"))
        plurals = (
            stem + "hi" if hard else stem.removesuffix("i") + "i",
            stem + ("he" if lemma.endswith(("co", "go", "ca", "ga")) else "e"),
        )
        return (stem + ("a" if lemma[-1:] == "a" else "o"), stem + "a", *plurals)
    if lemma.endswith("o"):
        return tuple(lemma[:-1] + end for end in ROMANCE["o"])
    if lemma.endswith("ol") and lemma.startswith("esp"):
        return (lemma, lemma + "a", lemma[:-2] + ("óis" if lang == "pt" else "ois"), lemma + "as")
    if lemma.endswith("or") and lemma not in (
        "maior",
        "menor",
        "mellor",
        "melhor",
        "peor",
        "pior",
        "superior",
        "inferior",
        "anterior",
        "posterior",
        "exterior",
        "interior",
        "ulterior",
    ):
        return tuple(lemma[:-2] + end for end in ROMANCE["or"])
    if lemma.endswith(("l",)):
        unstressed = re.search(r"[áéíóúâêô].*l$", lemma)
        if lang == "gl" and unstressed:  # *fáciles, amábeis*
            plural_form = lemma[:-1] + "is" if lemma.endswith("bel") else lemma + "es"
        elif lemma.endswith("il"):
            plural_form = lemma[:-2] + "eis" if unstressed else lemma[:-1] + "s"
        else:
            plural_form = lemma[:-1] + "is"
        return (lemma, lemma, plural_form, plural_form)
    if lemma.endswith("ês" if lang == "pt" else "és"):
        return (lemma, lemma[:-2] + "esa", lemma[:-2] + "eses", lemma[:-2] + "esas")
    if lang == "pt" and lemma.endswith("m"):
        plural_form = lemma[:-1] + "ns"
    elif lang == "gl" and lemma.endswith("z"):
        plural_form = lemma[:-1] + "ces"
    else:
        plural_form = lemma + ("es" if lemma[-1:] in "rz" else "s")
    return (lemma, lemma, plural_form, plural_form)


def is_inflected(token: Token) -> bool:
    """Tell whether a German adjective has an ending, and is none that never varies (*super, Kölner*)."""
    return token.relation == "amod" and "Case" in token.feats and token.form.lower() != token.lemma.lower()


def lexicon(lang: str, language: Language, sentences: Iterable[Mapping[int, Token]]) -> tuple[Language, PackMorphology]:
    """Return the words of the treebanks with their features, and every form of their adjectives.

    A form that the treebanks lack is made by the regular endings; of several, the most frequent comes first.
    """
    rows, made = Counter[Form](), dict[Form, None]()
    closed = {word for paradigm in language.paradigms for word in paradigm.words}

    def form(
        word: str, lemma: str, pos: str, gender: Gender | None, number: Number | None, further: str | None = None
    ) -> Form:
        return Form(word, lemma, pos, gender, number, None, further)

    for token in chain.from_iterable(tokens.values() for tokens in sentences):
        word, lemma = token.form.lower(), token.lemma.lower()
        if token.pos == "NOUN" and token.number and (token.gender or not language.agrees):
            if lang == "de" and token.form.islower():
                continue  # a misprint, or no noun
            case = CASES.get(token.feats.get("Case", "")) if "case" in language.features else None
            name = (token.form, token.lemma) if lang == "de" else (word, lemma)
            rows[form(*name, "noun", token.gender, token.number, case)] += 1
        elif token.pos == "ADJ" and not language.agrees:
            rows[form(word, word, "adj", None, None)] += 1
        elif token.is_attribute and len(word) > 2 and lang == "de":
            stems = adjective_forms(lang, token) if is_inflected(token) else ()
            made |= dict.fromkeys(form(stem, stem, "adj", None, None, STEM) for stem in stems)
            if token.relation == "amod" and not stems:
                rows[form(word, lemma, "det", None, None)] += 1
        elif token.pos == "ADJ" and lang != "de" and word[:2] != lemma[:2]:
            continue  # *melhor*, which treebanks call a form of *bom*
        elif token.is_attribute and len(word) > 2 and lang != "de" and (token.number or token.pos == "ADJ"):
            forms = adjective_forms(lang, token)
            lemma = lemma if token.is_of_lemma else forms[0]
            if token.is_of_lemma and token.number:
                rows[form(word, lemma, "adj", token.gender, token.number)] += 1
            cells = zip(forms, language.cells(), strict=True)
            made |= {form(one, lemma, "adj", gender, number): None for one, (gender, number) in cells}
        elif token.pos in ("NUM", "DET") and token.relation in DEPENDENT:
            rows[form(word, lemma, "num" if token.pos == "NUM" else "det", None, None)] += 1
    words = [row for row, _ in sorted(rows.items(), key=lambda pair: (pair[0].gender is None, -pair[1]))]
    attested = {(row.lemma, row.gender, row.number) for row in words if row.pos == "adj"}
    words += [row for row in made if (row.lemma, row.gender, row.number) not in attested]
    language, listed = with_adjectives(language, tuple(row for row in words if row.form not in closed))
    return language, PackMorphology(listed, language)


@dataclass
class Tally:
    """What became of the replacements."""

    tried: int = 0
    accepted: int = 0
    same: int = 0
    recorded: int = 0  # the same but for which of several accepted forms stands there, which a record of edits tells
    right: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A noun of a sentence as a span, with its features."""

    sentence: MarkedSentence
    features: Features


def own_words(index: int, tokens: Mapping[int, Token]) -> set[int]:
    """Return the determiners, numerals and adjectives left of a noun that hang on it, or on one another."""
    own = {index}
    for _ in range(3):  # *todos os, décima primeira*
        own |= {
            i
            for i, one in tokens.items()
            if one.head in own and one.span <= tokens[index].span and one.pos in ("DET", "NUM", "ADJ")
            and (one.relation in ("det", "nummod", "amod") or one.head != index)
        }  # fmt: skip
    return own


def is_foreign(span: Span, index: int, tokens: Mapping[int, Token], reader: Reader) -> bool:
    """Tell whether the treebank has the word at *span* beside a noun as no part of its phrase that may agree.

    An adverb or a preposition counts if the tables have it as an adjective or determiner, too (*prima, baixo, tanto*).
    """
    own = own_words(index, tokens)
    words = [one for one in tokens.items() if one[1].span == span]
    if any(i in own for i, _ in words):
        return False
    degree = [one.head for _, one in words if one.relation == "advmod"]
    if any(tokens.get(head) in [*agreeing(index, tokens)] for head in degree):
        return False
    for _, one in words:
        word = plain(one.form.lower())
        if one.pos in OPEN or (one.pos == "ADP" and word == "a"):
            return True
        is_adjective = any(form.pos == "adj" for form in reader.readings(word))
        determines = one.pos == "ADV" and any(row.kind != SOUND for row in reader.paradigms(word))
        if one.pos in ("ADV", "ADP", "PRON", "SCONJ") and (is_adjective or determines):
            return True
    return False


def cases(text: str, tokens: Mapping[int, Token], reader: Reader) -> Iterator[Case]:
    """Yield the nouns of a sentence that are tokens of the pack, and the words farther away that agree with them."""
    language = reader.language
    places = [match.span() for match in re.finditer(language.token, text)]
    for index, token in tokens.items():
        whole = sum(other.span == token.span for other in tokens.values()) == 1 and token.span in places
        case = CASES.get(token.feats.get("Case", ""))
        gendered = token.gender or not language.agrees
        if token.pos != "NOUN" or not (whole and gendered and token.number) or token.form.isupper():
            continue
        if "case" in language.features and case is None:
            continue
        further = (("case", case),) if "case" in language.features and case else ()
        varying = (
            other
            for other in agreeing(index, tokens)
            if other.pos != "PRON" or reader.any_paradigm(plain(other.form.lower()))  # not *c'est*
        )
        marks = sorted({other.span for other in varying if other.span in places})
        at = places.index(token.span)
        beside = {one.span for one in tokens.values() if one.relation in BESIDE}
        far = tuple(
            span for span in marks if span not in beside or places.index(span) > at + 1 or places.index(span) < at - 5
        )
        near = places[max(0, at - 5) : at] + places[at + 1 : at + 4]
        fixed = tuple(span for span in near if span not in marks and is_foreign(span, index, tokens, reader))
        articles = {one.span: one for one in tokens.values() if text[slice(*one.span)].lower() == "des"}
        paradigms = {
            span: "de + definite article" if one.pos == "ADP" else "indefinite article"
            for span, one in articles.items()
            if one.head == index
        }
        yield Case(
            MarkedSentence(text, token.span, (*far, *paradigms), fixed, paradigms),
            Features(token.gender, token.number, further),
        )


def agreeing(index: int, tokens: Mapping[int, Token]) -> Iterator[Token]:
    """Yield the adjectives, participles and demonstratives that agree with a noun by the dependencies."""
    noun = tokens[index]

    def alike(other: Token) -> bool:
        return other.gender in (None, noun.gender) and other.number == noun.number

    def said_of(verb: int) -> Iterator[Token]:
        """Yield what a verb says of its subject: a participle, a predicate, that of a verb below (*pode ser dito*)."""
        word = tokens[verb]
        is_said = any(one.head == verb and one.lemma in BE for one in tokens.values())
        if word.is_attribute and word.gender and alike(word) and (is_said or word.pos == "ADJ" or word.is_passive):
            yield word
        for below, other in tokens.items():
            if other.head == verb and other.relation == "xcomp":
                yield from said_of(below)

    for other in tokens.values():
        if other.head == index and other.relation in ("amod", "acl") and other.is_attribute and alike(other):
            yield other
            joined = (one for one in tokens.values() if tokens.get(one.head) is other and one.relation == "conj")
            yield from (one for one in joined if one.is_attribute and alike(one))
        # behind the determiner stands something else than adjectives (*der für Köln neue* [Plan])
        far = any(one.span > other.span and one.span < noun.span and one.pos in APART for one in tokens.values())
        if other.head == index and other.relation == "det" and far and other.number and alike(other):
            yield other
        is_demonstrative = other.feats.get("PronType") == "Dem" and other.gender == noun.gender
        if other.head == index and other.relation == "nsubj" and is_demonstrative and alike(other):
            yield other  # *Esta é uma* [casa]
        if other.relation == "nsubj" and other.feats.get("PronType") == "Rel" and other.head in tokens:
            yield from said_of(other.head) if tokens[other.head].head == index else ()  # [casa] *que está feita*
    if noun.relation == "nsubj" and noun.head in tokens:
        yield from said_of(noun.head)


def _pick(words: Sequence[str], *key: str) -> str:
    return words[int(keyed_hash(*key), 16) % len(words)]


class Trial:
    """Puts phrases into sentences and back."""

    def __init__(self, lang: str, language: Language, morphology: PackMorphology, forms: Sequence[Form]) -> None:
        self.lang, self.language, self.morphology = lang, language, morphology
        self.reader = Reader(language, morphology)
        self.substitution = Substitution(language, morphology, NEAR)
        self.checker = AgreementChecker(language, morphology)
        self.nouns: defaultdict[Gender | None, list[str]] = defaultdict(list)
        for form in forms:
            if (form.pos == "noun" and form.form == form.lemma.lower()) or (lang == "de" and form.form == form.lemma):
                self.nouns[form.gender].append(form.lemma)
        self.adjectives = sorted({form.lemma for form in forms if form.pos == "adj" and form.gender in ("f", None)})
        for nouns in self.nouns.values():
            nouns.sort()

    def phrases(self, case: Case, old: Features) -> Iterator[tuple[str, Features, NewPhrase]]:
        """Yield three phrases of another gender than the noun of *case*, in its number and case."""
        genders = [gender for gender in self.nouns if gender != case.features.gender] or [None]
        key = (case.sentence.text, str(case.sentence.span))
        for place, names in enumerate((("N",), ("A_N",), ("N_de_N", "N_di_N", "N_A", "N_N", "A_N"))):
            pattern = next((self.language.patterns[name] for name in names if name in self.language.patterns), None)
            if pattern is None:
                continue
            gender = genders[int(keyed_hash(*key, str(place), "gender"), 16) % len(genders)]
            new = replace(old, gender=gender)
            for attempt in range(20):
                head = _pick(self.nouns[gender], *key, str(place), str(attempt))
                others = (
                    self.adjectives if "adj" in pattern.parts else self.nouns["m" if self.language.agrees else None]
                )
                other = _pick(others, *key, str(place), str(attempt), "other")
                phrase = inflect_phrase(
                    self.language,
                    pattern,
                    modifier=None if len(pattern.parts) == 1 else other,
                    head=head,
                    features=new,
                    morphology=self.morphology,
                )
                if phrase is not None:
                    yield phrase, new, NewPhrase(phrase, begins=("noun", pattern.parts[0]))
                    break

    def run(self, case: Case, tally: Tally) -> None:
        """Count what becomes of the noun of *case*."""
        old = self.substitution.governed(case.sentence, case.features)
        noun = case.sentence.text[slice(*case.sentence.span)]
        try:
            disagrees = self.substitution.disagreeing(case.sentence, old) is not None
        except AgreementError:
            disagrees = True
        for phrase, new, kind in self.phrases(case, old):
            tally.tried += 1
            if disagrees:
                tally.refused["original disagrees"] += 1
                continue
            surface = phrase[:1].upper() + phrase[1:] if noun[:1].isupper() and self.lang != "de" else phrase
            try:
                there = self.substitution.replace(case.sentence, surface, old, new, kind)
                back = self.substitution.replace(
                    there.sentence, noun, new, old, replace(kind, begins=(kind.begins[1], "noun"))
                )
            except AgreementError as error:
                tally.refused[error.what.split("'")[0] + "…"] += 1
                tally.errors.append(f"REFUSED {error.what}: {case.sentence.text}")
                continue
            if there.uncertain or back.uncertain:
                tally.refused["in doubt"] += 1
                continue
            tally.accepted += 1
            alike = is_recorded(case.sentence.text, back.sentence.text, self.reader, old)
            tally.same += back.sentence.text == case.sentence.text
            tally.recorded += alike
            if not alike:
                tally.errors.append(f"BACK {case.sentence.text} -> {there.sentence.text} -> {back.sentence.text}")
            found = self.findings(there.sentence, new) - self.findings(case.sentence, old)
            if not found:
                tally.right += 1
            else:
                tally.errors.append(f"WRONG {sorted(found)}: {there.sentence.text}")

    def findings(self, sentence: MarkedSentence, features: Features) -> set[str]:
        """Return what validation says of the span of a sentence."""
        matches = list(re.finditer(self.language.token, sentence.text))
        inside = [
            i for i, match in enumerate(matches) if match.start() < sentence.span[1] and match.end() > sentence.span[0]
        ]
        tokens = [match[0] for match in matches]
        rows = self.checker.findings(tokens, inside[0], inside[-1] + 1, gender=features.gender, number=features.number)
        return {row.code for row in rows if matches[row.index].span() not in sentence.fixed}


def is_recorded(one: str, other: str, reader: Reader, features: Features) -> bool:
    """Tell whether two sentences differ in accepted forms of one cell only, of which the record tells the first."""
    first, second = ([token.lower() for token in reader.tokens(text)] for text in (one, other))
    for _, start, end, begin, stop in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        pair = first[start:end], second[begin:stop]
        several = zip(*pair, strict=True) if len(pair[0]) == len(pair[1]) else [map(" ".join, pair)]
        if not all(was == will or is_one_cell(was, will, reader, features) for was, will in several):
            return False
    return True


def is_one_cell(one: str, other: str, reader: Reader, features: Features) -> bool:
    """Tell whether a cell of a paradigm, or an adjective with *features*, has both forms."""
    cells = (cell for row in reader.paradigms(one) for cell in row.cells if cell.fits(features.values))
    forms = (
        [row for row in reader.readings(word) if row.pos == "adj" and fits(row, features)] for word in (one, other)
    )
    lemmas = ({row.lemma for row in rows} for rows in forms)
    return any({one, other}.issubset(cell.forms) for cell in cells) or not set.isdisjoint(*lemmas)


def main() -> int:
    """Print the figures of one language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang")
    parser.add_argument("treebanks", nargs="+", type=Path, help="those that give words, and last the one that is tried")
    parser.add_argument("--packs", type=Path, default=packs_folder())
    parser.add_argument("--limit", type=int, default=3000, help="nouns at most")
    parser.add_argument("--errors", type=int, default=0, help="how many failures to print")
    args = parser.parse_args()
    language = read_language(args.packs / args.lang / "pack.toml")
    read = [list(read_treebank(path)) for path in args.treebanks]
    language, morphology = lexicon(args.lang, language, (tokens for sentences in read for _, tokens in sentences))
    forms = [form for forms in morphology._by_lemma.values() for form in forms]
    trial, tally = Trial(args.lang, language, morphology, forms), Tally()
    found = (case for text, tokens in read[-1] for case in cases(text, tokens, trial.reader))
    for case, _ in zip(found, range(args.limit), strict=False):
        trial.run(case, tally)
    accepted = max(tally.accepted, 1)
    sys.stdout.write(
        f"{args.lang}: {tally.tried:,} tried, accepted {tally.accepted / max(tally.tried, 1):.2%}, "
        f"same {tally.same / accepted:.2%} (with the record {tally.recorded / accepted:.2%}), "
        f"right {tally.right / accepted:.2%}\n"
        f"  refused: {', '.join(f'{what} {count}' for what, count in tally.refused.most_common(8)) or 'none'}\n"
    )
    for kind in ("BACK", "WRONG", "REFUSED"):
        chosen = [error for error in tally.errors if error.startswith(kind)]
        sys.stdout.writelines(
            f"  {error}\n" for error in chosen[:: max(1, len(chosen) // max(1, args.errors))][: args.errors]
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
