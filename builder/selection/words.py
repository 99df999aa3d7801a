"""Single words: their family by spelling, their frequency, and the words of a compound."""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache

from ncimp.builder.grammar import GENDERS, NUMBERS
from ncimp.builder.ports import FrequencyTable, Morphology
from ncimp.builder.records import LITERAL, NATURALISTIC, Compound, LanguagePack, TrueSynonym

KIN_STEM = 5  # letters that two words must share from the start to count as one family (*economy*, *economic*)
SHORT_WORD = 4  # up to this length a word's family are the words that begin with the whole of it (*egg*, *eggshell*)
LETTERS = re.compile(r"[^\W\d_]+")
CONTENT = frozenset({"noun", "adj", "verb", "adv"})  # parts of speech of content words
PER_BILLION = 9  # log10 of the words that a Zipf value is a frequency per (van Heuven et al. 2014)
CACHE_SIZE = 1 << 16  # cached spellings: the words of one language's pool, which are compared many thousand times


def zipf(frequency: float) -> float | None:
    """Return log10 of *frequency* (0 to 1) per billion words, or None for 0.

    >>> zipf(0.001)
    6.0
    """
    return round(math.log10(frequency) + PER_BILLION, 6) if frequency > 0 else None


def zipf_of(table: FrequencyTable, word: str) -> float | None:
    """Return the Zipf value of *word* in *table*, or None when it is not there."""
    return zipf(table.frequency(word))


def content_words(text: str) -> list[str]:
    """Return the lower-cased words of *text*, split at spaces and hyphens, without connectors of up to two letters.

    >>> content_words("Pão-de-forma")
    ['pão', 'forma']
    """
    return [word for word in re.split(r"[\s-]+", text.lower()) if len(word) > len("de")]


def are_kin(one: str, other: str) -> bool:
    """Tell whether two words look like inflections or derivations of one another.

    A spelling test, on purpose too strict: a lost candidate costs less than a leaked component.

    >>> are_kin("economic", "economy"), are_kin("egg", "eggshell"), are_kin("rat", "race")
    (True, True, False)
    >>> are_kin("wolf", "wolves"), are_kin("lady", "ladies"), are_kin("dance", "dancing")
    (True, True, True)
    """
    first, second = _letters(one), _letters(other)
    if first[:1] != second[:1]:
        return False
    if len(first) > len(second):
        first, second = second, first
    if second.startswith(first if len(first) <= SHORT_WORD else first[:KIN_STEM]) or _stem(first) == _stem(second):
        return True
    return len(first) >= SHORT_WORD and second.startswith(tuple(_stems_before_endings(first)))


def kin_test(words: Iterable[str]) -> Callable[[str], bool]:
    """Return a test whether a word is one of *words*, or kin of one; words of two letters have no kin."""
    by_letter: defaultdict[str, list[str]] = defaultdict(list)  # kin begin with the same letter
    for word in words:
        by_letter[_letters(word)[:1]].append(word)

    @cache
    def is_kin(lemma: str) -> bool:
        others = by_letter[_letters(lemma)[:1]]
        return any(lemma == other or (len(other) > len("de") and are_kin(lemma, other)) for other in others)

    return is_kin


def _stem(word: str) -> str:
    """Return *word* without its last letter when that is a vowel or y, as inflection changes it (*velho*, *velha*)."""
    return word[:-1] if len(word) >= SHORT_WORD and word[-1] in "aeiouy" else word


def _stems_before_endings(word: str) -> Iterator[str]:
    if word.endswith(("f", "fe")):
        yield f"{word.removesuffix('e')[:-1]}ves"
    if word.endswith("y"):
        yield f"{word[:-1]}i"
    if word.endswith("e"):
        yield f"{word[:-1]}ing"


@lru_cache(maxsize=CACHE_SIZE)
def _letters(word: str) -> str:
    return bare(word.lower())


def bare(word: str) -> str:
    """Return *word* without diacritics: *vôo* was written before a reform, *voo* after it."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def forms_of(lemma: str, pos: str, morphology: Morphology) -> frozenset[str]:
    """Return *lemma* and its forms: *mice* of *mouse* is kin that no spelling shows."""
    forms = (morphology.inflect(lemma, pos, gender=gender, number=number) for gender in GENDERS for number in NUMBERS)
    return frozenset({lemma, *filter(None, forms)})


def words_around(compound: Compound, pack: LanguagePack, morphology: Morphology) -> frozenset[str]:
    """Return the content words of the sentences of *compound* and of its sense note, as lemmas and as written."""
    sentences = (pack.marked.get((compound.text, context)) for context in (*NATURALISTIC, LITERAL))
    texts = [compound.sense_note, *(sentence.text for sentence in sentences if sentence)]
    words: set[str] = set()
    for word in {match.lower() for text in texts for match in LETTERS.findall(text)}:
        readings = morphology.readings(word)
        if not readings or any(reading.pos in CONTENT for reading in readings):
            words |= {word, *(reading.lemma for reading in readings)}
    return frozenset(words)


def own_words(compound: Compound, synonyms: Iterable[TrueSynonym]) -> frozenset[str]:
    """Return every word of *compound* and of its true synonyms among *synonyms*, as lemmas and as written."""
    words = {compound.modifier, compound.head, *content_words(compound.text)}
    for synonym in synonyms:
        if synonym.compound == compound.text:
            words |= {synonym.head, *([synonym.modifier] if synonym.modifier else []), *content_words(synonym.text)}
    return frozenset(words)
