r"""Parsers of answers: each is a function with a table of accepted shapes, and what has none of them does not parse.

* choice: `B`, `(B)`, `B.`, `B: text`, `B) text`, `B - text`, `Option B ...`, `... the answer is B.`, an option's text;
  not an `A` in running text, not two options
* category: a label, `Label: Magn`, a label and then an explanation; not two labels, not a label inside a sentence
* extraction: the phrase, `Extracted idiom: ...`, `The idiom is ...`, a phrase and then `Explanation: ...`;
  not `No idiom`, not thinking aloud
* interpretation, continuation: any text, without `Paraphrase:` where it begins so
* rating: a number from 0 to 5, also `Rating: 3` or `3/5`

Only what follows the last `</think>` is read. A refusal has no answer, whatever its kind.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

Status = Literal["answered", "refused", "unparsed", "absent"]
LETTERS = "ABCDEFGH"  # of options, by their place
MOST_WORDS = 20  # of an answer that is a phrase of a sentence

THOUGHT = re.compile(r".*</think>", re.DOTALL)
CANNOT = "cannot|can['’]?t|can not|could not|couldn['’]t|am unable|am not able|won['’]t|apologi[sz]e"
REFUSAL = re.compile(
    rf"(?:(?:i['’]m |i am )?(?:very )?sorry\b(?=,| but|\.| i)|i (?:{CANNOT})\b|unfortunately,? i\b|as an ai\b"
    r"|please (?:provide|give|share|paste|supply)\b|(?:the|your) (?:sentence|context|text) (?:is|was) (?:missing|not)\b"
    r"|(?:很|非常)?抱歉|对不起|(?:你好，)?我(?:无法|不能)|作为(?:一个)?(?:ai|人工智能)|desculpe\b|lo siento\b).*",
    re.IGNORECASE | re.DOTALL,
)
KINDS = "idiom|idiomatic expression|compound|collocation|v?mwe|expression|phrase"
NOTHING = re.compile(
    rf"(?:there (?:is|are) )?(?:no|not any) (?:\w+ ){{0,4}}(?:{KINDS})s?\b.*|none\.?|n/a", re.IGNORECASE | re.DOTALL
)
ALOUD = re.compile(r"\b(?:wait, |let me re|actually, |if you['’]re looking|looking at the |i need to )", re.IGNORECASE)
BESIDE = r"(?!\s*(?:,|(?i:or|and)\b|/|&)\s*(?i:option )?{letter}\b)"  # no second letter is named beside it
MARK = r"(?i:option|answer|choice)"
CHOICES: tuple[
    str, ...
] = (  # with one group, the letter; the published code deletes stops, so that a sentence may follow
    r"\(?({letter})\)?[.:)]?",
    r"\(?({letter})\)?\s*[.:)]\s*\S.*",
    r"({letter})\s*[-–—]\s*\S.*",
    r"({letter})\s*\n.*",
    r"({letter})\s+[A-Z“‘].*",
    rf"(?i:the )?(?i:correct |right |best |final )?{MARK}\s*[:=]?\s*\(?"
    + r"({letter})\)?"
    + BESIDE
    + r"(?:[\s.:;)–—-].*)?",
)
NAMED = (
    rf"\b{MARK}(?i: would be| is|:)\s*(?i:option )?\(?" + r"({letter})\)?" + BESIDE
    + r"(?=\s*(?:$|[.:,;)\n–—-])|\s+[A-Z“‘])"
)  # fmt: skip
LABEL = r"(?:label|category|(?:final )?answer|semantic (?:relation|category|label)|class)\s*(?::|is)\s*"
PHRASE = (
    r"(?:verbal )?(?:idiom(?:atic expression)?|noun compound|(?:lexical )?collocation|v?mwe"
    r"|multi-?word expression|phrase|expression|answer|output)"
)
PREFIXES = (
    rf"(?:the )?(?:extracted )?{PHRASE}\s*:\s*",
    rf"the {PHRASE}(?: in (?:the|this) (?:given )?(?:sentence|context))? is:?\s+",
    r"(?:the )?(?:extracted )?(?:verbal multiword expression)\s*(?::|is)\s*",
)
AFTER = re.compile(
    r"\s*(?:\*\*|#+ )?\(?\b(?:explanation|paraphrases?|reasoning|note)\b\**\s*:.*", re.IGNORECASE | re.DOTALL
)
MEANING = r"(?:the )?(?:paraphrase|interpretation|meaning|answer)\s*:\s*"
RATING = re.compile(r"(?:rating|score|answer)?\s*[:=]?\s*([0-4](?:\.\d+)?|5(?:\.0+)?)(?:\s*/\s*5)?\.?", re.IGNORECASE)
QUOTES = ('""', "“”", "``", "''", "‘’", "[]", "**", "__")


class Parse(NamedTuple):
    """An answer as it was understood: its text, or a letter or a label, or none and why."""

    status: Status
    text: str | None = None


def parse(kind: str, answer: str, options: Sequence[str] = (), *, ignore_case: bool = False) -> Parse:
    """Return *answer* to an item of *kind* as it is understood; *options* are the texts or labels to choose from."""
    text = plain(answer)
    if not text or "<think>" in text:
        return Parse("unparsed")
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else re.NOFLAG)
    understood = PARSERS[kind](text, options, flags)
    if understood is not None:
        return Parse("answered", understood)
    return Parse("refused" if REFUSAL.fullmatch(text) else "unparsed")


def plain(answer: str) -> str:
    """Return *answer* without its thinking, and without the marks of bold and quotes around all of it.

    >>> plain("<think> The idiom? </think> **spill the beans**")
    'spill the beans'
    """
    text = THOUGHT.sub("", answer).strip()
    for quotes in QUOTES:
        opening, closing = quotes[0], quotes[1]
        width = 2 if opening == "*" else 1
        inner = text[width:-width]
        if text.startswith(opening * width) and text.endswith(closing * width) and inner.strip():
            text = text if opening in inner or closing in inner else inner.strip()
    return text


def choice(text: str, options: Sequence[str], flags: re.RegexFlag) -> str | None:
    """Return the letter that *text* chooses.

    >>> choice("The correct option is C.", ["a", "b", "c", "d"], re.DOTALL)
    'C'
    >>> choice("A compound of two words", ["a", "b", "c", "d"], re.DOTALL) is None
    True
    """
    folds = bool(flags & re.IGNORECASE)
    fold = str.casefold if folds else str
    letters = LETTERS[: len(options)]
    texts = [fold(option) for option in options]
    if (whole := fold(text.rstrip("."))) in texts:
        return letters[texts.index(whole)] if texts.count(whole) == 1 else None
    for letter, option in zip(letters, texts, strict=True):
        if fold(text).startswith(fold(f"{letter} ") + option):
            return letter
    either = f"[{letters}{letters.lower() if folds else ''}]"
    shapes = (re.fullmatch(shape.format(letter=either), text, re.DOTALL) for shape in CHOICES)
    match = next(filter(None, shapes), None)
    matches = [match] if match else list(re.finditer(NAMED.format(letter=either), text.replace("*", ""), re.DOTALL))
    picks = {one[1].upper() for one in matches if not _belies(one, letters, texts)}
    return picks.pop() if len(picks) == 1 else None


def _belies(match: re.Match[str], letters: str, texts: Sequence[str]) -> bool:
    """Tell whether the text of another option follows the letter *match* after a space, as in `A Proper Noun`."""
    after = match.string[match.end(1) :].casefold()
    others = [text.casefold() for letter, text in zip(letters, texts, strict=True) if letter != match[1].upper()]
    return after[:1].isspace() and after.lstrip().startswith(tuple(others))


def category(text: str, labels: Sequence[str], flags: re.RegexFlag) -> str | None:
    """Return the label that *text* begins with, unless another one follows at once.

    >>> category("Magn **Explanation:** near intensifies.", ["Magn", "AntiMagn"], re.DOTALL)
    'Magn'
    """
    any_label = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    bare = re.sub(LABEL, "", text, count=1, flags=re.IGNORECASE) if re.match(LABEL, text, re.IGNORECASE) else text
    match = re.fullmatch(rf"\W*({any_label})(?![\w-])[*.:,)]*(?:\s+(?!(?:{any_label})\b)\S.*)?", bare, flags)
    return match and next(label for label in labels if label.casefold() == match[1].casefold())


def extraction(text: str, _options: Sequence[str], _flags: re.RegexFlag) -> str | None:
    """Return the phrase that *text* gives.

    >>> extraction("Extracted Idiom: spill the beans", (), re.DOTALL)
    'spill the beans'
    """
    bare = plain(AFTER.sub("", _without(PREFIXES, text)).partition("\n")[0])
    wrong = any(shape.fullmatch(bare) for shape in (REFUSAL, NOTHING)) or ALOUD.search(bare)
    return None if wrong or not 0 < len(bare.split()) <= MOST_WORDS else bare


def interpretation(text: str, _options: Sequence[str], _flags: re.RegexFlag) -> str | None:
    """Return the paraphrase that *text* gives: all of it, after its label."""
    return None if REFUSAL.fullmatch(text) else plain(_without((MEANING,), text)) or None


def rating(text: str, _options: Sequence[str], _flags: re.RegexFlag) -> str | None:
    """Return the number that *text* is."""
    match = RATING.fullmatch(text)
    return match and match[1]


def _without(prefixes: Sequence[str], text: str) -> str:
    """Return *text* without the one of *prefixes* that it begins with, in bold or not."""
    for prefix in prefixes:
        if match := re.match(rf"\**{prefix}\**\s*(?=\S)", text, re.IGNORECASE):
            return text[match.end() :].removesuffix(".")
    return text


Parser = Callable[[str, Sequence[str], re.RegexFlag], str | None]
PARSERS: Mapping[str, Parser] = {
    "choice": choice,
    "category": category,
    "extraction": extraction,
    "interpretation": interpretation,
    "continuation": interpretation,
    "rating": rating,
}
