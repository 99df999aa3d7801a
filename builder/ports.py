"""What a room needs from outside, as Protocols: the corridor decides which source stands behind each."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from ncimp.builder.records import Form, Gender, NounClass, Number, Onset, SynonymCandidate


class FrequencyTable(Protocol):
    """Word frequencies of one language."""

    @property
    def name(self) -> str:
        """The source with its version, as it stands in every row that uses it."""

    def frequency(self, word: str) -> float:
        """Return the relative frequency of *word* (0 to 1); 0 when it is not in the table."""


class PairFrequencies(FrequencyTable, Protocol):
    """Word frequencies that were counted, with the counts of words and of adjacent pairs of words behind them."""

    @property
    def lemmas(self) -> bool:
        """Whether the words are lemmas, not forms as they were written."""

    @property
    def tokens(self) -> int:
        """The words counted: what a count is divided by."""

    def count(self, *words: str) -> int:
        """Return how often *words*, one or two, occur one after the other."""

    def pairs(self) -> Iterator[tuple[str, str, int]]:
        """Yield every pair of adjacent words with its count, in a fixed order."""


class SynonymSource(Protocol):
    """A lexicon that offers synonyms of a word, by sense."""

    @property
    def name(self) -> str:
        """Lexicon id and version."""

    def candidates(self, lemma: str, pos: str) -> Sequence[SynonymCandidate]:
        """Return candidates for *lemma*, nearest sense first, then nearest relation, then the lexicon's order."""

    def words(self, pos: str) -> Sequence[str]:
        """Return every single-word lemma of part of speech *pos*, sorted."""


class Lexicon(SynonymSource, Protocol):
    """A lexicon that also knows what nouns denote: that of a pack."""

    def semantic_class(self, noun: str) -> NounClass | None:
        """Return the class of the first sense of *noun*, or None where the lexicon does not say."""


class Forms(Protocol):
    """Readings of the forms of one language."""

    def readings(self, form: str) -> Sequence[Form]:
        """Return every known reading of *form* (any case), the most trusted first."""

    def onset(self, word: str) -> Onset:
        """Return what the first sound of *word* counts as for a neighbour's form."""


class Morphology(Forms, Protocol):
    """Inflected forms of one language."""

    def inflect(
        self, lemma: str, pos: str, *, gender: Gender | None, number: Number, further: Collection[str] = ()
    ) -> str | None:
        """Return the form of *lemma* with these features and *further* values, or None when it is not known."""

    def gender(self, noun: str) -> Gender | None:
        """Return the gender of the noun lemma *noun*, or None where it has none or is not known."""


class CountedForms(Forms, Protocol):
    """Forms with counts, of any word: what is asked of a sentence that nobody has marked."""

    def counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the form of the same word with these features and everything else the same, or None.

        *abertas*, `adj`, m and sg give *aberto*; *tinha*, `verb` and pl give *tinham*, of the same tense and person.
        """

    def knows(self, form: str) -> bool:
        """Tell whether anything lists or counts *form* (any case): what is not known is only guessed."""

    def tally(self, form: str) -> Mapping[str, int]:
        """Return how often *form* was counted as each part of speech; nothing where nobody has counted."""

    def count(self, reading: Form) -> int:
        """Return the occurrences that speak for *reading*: of the form so read, and of its noun in that gender."""


class Analyser(Morphology, CountedForms, Protocol):
    """Inflected and counted forms: what the repair of a sentence needs."""


class Arc(NamedTuple):
    """The head of a word by its index (its own: it is the root), and the relation to it in Universal Dependencies."""

    head: int
    relation: str


class DependencyParser(Protocol):
    """A reading of sentences as dependencies."""

    def arcs(self, words: Sequence[str], spaces: Sequence[bool]) -> Sequence[Arc]:
        """Return an arc for each of *words*; *spaces* tells which have white space behind them."""
