"""Word frequencies of the `wordfreq` package: the embedded default, for any of its languages."""

from __future__ import annotations

from importlib.metadata import version

import wordfreq

from ncimp.builder.records import Source
from ncimp.schemas.errors import SourceError

CITATION = "Robyn Speer. 2022. rspeer/wordfreq: v3.0. https://doi.org/10.5281/zenodo.7199437"


class WordfreqTable:
    """Frequencies from the largest list that `wordfreq` has for a language (a `FrequencyTable`)."""

    def __init__(self, lang: str) -> None:
        # wordfreq answers an unknown language with a related one (Galician with Spanish) and says nothing
        if lang not in wordfreq.available_languages("best"):
            fix = "count a corpus of the language with `ncimp stats count`"
            raise SourceError(f"wordfreq has no word list for {lang!r}", fix=fix)
        self._lang = lang
        self._version = version("wordfreq")
        self._list = wordfreq.get_frequency_dict(lang, wordlist="best")

    @property
    def name(self) -> str:
        """Return `wordfreq <version>`."""
        return f"wordfreq {self._version}"

    def frequency(self, word: str) -> float:
        """Return the relative frequency of *word* (0 to 1); 0 when the list does not hold it.

        The list itself is asked: `wordfreq.word_frequency` would infer a value for a hyphenated word from its parts.
        """
        return float(self._list.get(word.casefold(), 0.0))

    def source(self) -> Source:
        """Return the table as an input of the manifest."""
        return Source(
            name=f"wordfreq/{self._lang}",
            kind="frequencies",
            version=self._version,
            licence="CC-BY-SA-4.0",
            citation=CITATION,
            address="https://pypi.org/project/wordfreq/",
            sha256=None,
        )
