"""Readers of full-form lexicons: one worked sample of each format, and what a line becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.sources.lexicons.files import read_lexicon
from ncimp.builder.sources.lexicons.readers import Entry
from ncimp.builder.sources.lexicons.store import open_lexicon
from ncimp.builder.sources.registry import source_hash
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import file_hash
from tests.sources.lexicon_samples import DIX, FORMS, MORPHOBR, UNIMORPH, WORDS, conllu, write

CLITIC = "Clitic={}|Mood=Ind|Person=3|Tense=Pres"
LINES: tuple[tuple[str, Entry], ...] = (
    ("abertas\taberto+A+F+PL\n", Entry("abertas", "aberto", "adj", "f", "pl")),
    ("feliz\tfeliz+A+SG\n", Entry("feliz", "feliz", "adj", None, "sg")),
    ("lápis\tlápis+N+M\n", Entry("lápis", "lápis", "noun", "m", None)),
    ("abertas\tabrir+V+PTPST+F+PL\n", Entry("abertas", "abrir", "adj", "f", "pl", "VerbForm=Part")),
    ("tinham\tter+V+IMPF+3+PL\n", Entry("tinham", "ter", "verb", None, "pl", "Mood=Ind|Person=3|Tense=Imp")),
    ("tivesse\tter+V+SBJP+1+SG\n", Entry("tivesse", "ter", "verb", None, "sg", "Mood=Sub|Person=1|Tense=Imp")),
    ("jamais\tjamais+ADV+NEG\n", Entry("jamais", "jamais", "adv", None, None)),
    ("belíssima\tbelo+A+SUPER+F+SG\n", Entry("belíssima", "belo", "adj", "f", "sg", "Degree=Sup")),
    (
        "abrir\tabriam\tV;IND;PST;IPFV;3;PL\n",
        Entry("abriam", "abrir", "verb", None, "pl", "Mood=Ind|Person=3|Tense=Imp"),
    ),
    ("abrir\tabriu\tV;IND;PST;PFV;3;SG\n", Entry("abriu", "abrir", "verb", None, "sg", "Mood=Ind|Person=3|Tense=Past")),
    ("abrir\taberta\tV.PTCP;PST;FEM;SG\n", Entry("aberta", "abrir", "adj", "f", "sg", "VerbForm=Part")),
    ("walk\twalks\tV;PRS;3;SG\n", Entry("walks", "walk", "verb", None, "sg", "Mood=Ind|Person=3|Tense=Pres")),
    ("walk\twalked\tV.PTCP;PST\n", Entry("walked", "walk", "verb", None, None, "VerbForm=Part")),
    ("walk\twalks\tV;3;SG;PRS\n", Entry("walks", "walk", "verb", None, "sg", "Mood=Ind|Person=3|Tense=Pres")),
    ("walk\twalked\tV;V.PTCP;PST\n", Entry("walked", "walk", "verb", None, None, "VerbForm=Part")),
    ("walk\twalking\tV;V.PTCP;PRS\n", Entry("walking", "walk", "verb", None, None, "Tense=Pres|VerbForm=Part")),
    ("walk\twalk\tV;NFIN\n", Entry("walk", "walk", "verb", None, None, "VerbForm=Inf")),
    ("wolf\twolves\tN;PL\twol|ves\n", Entry("wolves", "wolf", "noun", None, "pl")),
    ("run\tran\tV|PST\n", Entry("ran", "run", "verb", None, None, "Mood=Ind|Tense=Past")),
    ("Haus\tHäuser\tN;NOM;PL\n", Entry("Häuser", "Haus", "noun", None, "pl", "NOM")),
    ("form\tlemma\tpos\tgender\tnumber\tonset\nmares\tmar\tnoun\tm\tpl\t_\n", Entry("mares", "mar", "noun", "m", "pl")),
    (
        "form\tlemma\tpos\tgender\tnumber\tonset\tfurther\nroten\trot\tadj\t_\t_\t_\tdat\n",
        Entry("roten", "rot", "adj", None, None),
    ),
    (
        "form\tlemma\tpos\tgender\tnumber\tfeats\tcount\nia\tir\tverb\t_\tsg\tMood=Ind|Tense=Imp\t3\n",
        Entry("ia", "ir", "verb", None, "sg", "Mood=Ind|Tense=Imp", 3),
    ),
)


@pytest.mark.parametrize(("line", "entry"), LINES)
def test_a_line_is_read_as(tmp_path: Path, line: str, entry: Entry) -> None:
    _, entries = read_lexicon(write(tmp_path, "lexicon", line))
    assert list(entries) == [entry]


PART = "Gender=Fem|Number=Sing|VerbForm=Part"
FINITE = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"
WORD_LINES: tuple[tuple[str, Entry], ...] = (
    ("Casas casa NOUN Gender=Fem|Number=Plur", Entry("casas", "casa", "noun", "f", "pl")),
    ("Lisboa Lisboa PROPN Number=Sing", Entry("Lisboa", "Lisboa", "noun", None, "sg", "Proper=Yes")),
    ("bigger big ADJ Degree=Cmp", Entry("bigger", "big", "adj", None, None, "Degree=Cmp")),
    ("big big ADJ Degree=Pos", Entry("big", "big", "adj", None, None)),
    (f"feita fazer VERB {PART}", Entry("feita", "fazer", "adj", "f", "sg", "VerbForm=Part")),
    ("made make VERB Tense=Past|VerbForm=Part", Entry("made", "make", "verb", None, None, "VerbForm=Part")),
    (f"são ser AUX {FINITE}", Entry("são", "ser", "verb", None, "pl", "Mood=Ind|Person=3|Tense=Pres")),
    ("dois dois NUM Gender=Masc|NumType=Card", Entry("dois", "dois", "num", "m", None)),
    ("a o DET Gender=Fem|Number=Sing", Entry("a", "o", "det", "f", "sg")),
    ("de de ADP _", Entry("de", "de", "other", None, None)),
    ("artistas artista NOUN Gender=Fem,Masc|Number=Plur", Entry("artistas", "artista", "noun", None, "pl")),
    ("óculos _ NOUN Gender=Masc|Number=Ptan", Entry("óculos", "óculos", "noun", "m", "pl")),
)


@pytest.mark.parametrize(("word", "entry"), WORD_LINES)
def test_a_word_of_a_treebank_is_read_as(tmp_path: Path, word: str, entry: Entry) -> None:
    form, lemma, upos, feats = word.split()
    _, entries = read_lexicon(write(tmp_path, "lexicon", conllu(((form, lemma, upos, feats),))))
    assert list(entries) == [entry._replace(times=1)]


@pytest.mark.parametrize(
    "word",
    [("!", "!", "PUNCT", "_"), ("%", "%", "SYM", "_"), ("_", "_", "NOUN", "_"), ("caza", "casa", "NOUN", "Typo=Yes")],
)
def test_what_is_no_word_of_the_language_is_passed_over(tmp_path: Path, word: tuple[str, str, str, str]) -> None:
    _, entries = read_lexicon(write(tmp_path, "lexicon", conllu((word, WORDS[1]))))
    assert [entry.form for entry in entries] == ["caixa"]


def test_words_inside_a_contraction_are_read_and_not_counted(tmp_path: Path) -> None:
    words = (
        ("das", "_", "_", "_"),
        ("de", "de", "ADP", "_"),
        ("as", "o", "DET", "Gender=Fem|Number=Plur"),
        ("casas", "casa", "NOUN", "Gender=Fem|Number=Plur"),
    )
    _, entries = read_lexicon(write(tmp_path, "lexicon", conllu(words, words[2:])))
    assert [(entry.form, entry.pos, entry.times) for entry in entries] == [
        ("das", "other", 1),
        ("de", "other", 0),
        ("as", "det", 0),
        ("casas", "noun", 1),
        ("as", "det", 1),
        ("casas", "noun", 1),
    ]


def test_tags_of_penn_are_read_where_there_are_no_others(tmp_path: Path) -> None:
    lines = ("1\twolves\twolf\t_\tNNS", "2\tthat\tthat\tPRON\tDT", "3\t,\t,\t_\t,")
    text = "".join(line + "\t_\t_\t_\t_\t_\n" for line in lines) + "\n"
    _, entries = read_lexicon(write(tmp_path, "lexicon", text))
    assert [entry[:5] for entry in entries] == [
        ("wolves", "wolf", "noun", None, "pl"),
        ("that", "that", "other", None, None),
    ]


def test_an_empty_node_was_never_written(tmp_path: Path) -> None:
    text = conllu(WORDS[:2]).replace("\n\n", "\n2.1\tgrande\tgrande\tADJ\t_\t_\t_\t_\t_\t_\n\n")
    _, entries = read_lexicon(write(tmp_path, "lexicon", text))
    assert [entry.form for entry in entries] == ["a", "caixa"]


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize(
    ("name", "text", "counted"),
    [
        ("MorphoBr", MORPHOBR, False),
        ("UniMorph", UNIMORPH, False),
        ("forms.tsv", FORMS, False),
        ("Apertium", DIX, False),
        ("CoNLL-U", "# sent_id = 1\n" + conllu(WORDS), True),
    ],
)
def test_a_format_is_known_by_its_content_however_it_is_packed(
    tmp_path: Path, name: str, text: str, suffix: str, counted: bool
) -> None:
    plain, packed = write(tmp_path, "plain", text), write(tmp_path, f"packed{suffix}", text)
    packed = packed.rename(tmp_path / "any-name")
    store = open_lexicon(packed, data=tmp_path / "data")
    assert (store.format, store.counted) == (name, counted)
    assert sorted(store.entries()) == sorted(open_lexicon(plain, data=tmp_path / "other").entries())


def test_lines_may_end_as_on_windows_and_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "lexicon"
    path.write_bytes(b"\xef\xbb\xbf" + b"carta\tcarta+N+F+SG\r\ncartas\tcarta+N+F+PL\r\n")
    _, entries = read_lexicon(path)
    assert [(entry.form, entry.number) for entry in entries] == [("carta", "sg"), ("cartas", "pl")]


def test_a_folder_is_one_lexicon_whatever_its_files_are_called(tmp_path: Path) -> None:
    head, tail = MORPHOBR.splitlines(keepends=True)[:10], MORPHOBR.splitlines(keepends=True)[10:]
    for folder, names in (("one", ("a.dict", "b.dict.xz")), ("other", ("z.dict", "y.dict.xz"))):
        (tmp_path / folder / "nouns").mkdir(parents=True)
        write(tmp_path / folder, names[0], "".join(head))
        write(tmp_path / folder / "nouns", names[1], "".join(tail))
        (tmp_path / folder / "README.md").write_text("not a lexicon")
    assert source_hash(tmp_path / "one") == source_hash(tmp_path / "other")
    whole = open_lexicon(write(tmp_path, "whole", MORPHOBR), data=tmp_path / "data")
    parts = open_lexicon(tmp_path / "one", data=tmp_path / "data")
    assert set(parts.entries()) == set(whole.entries())
    assert source_hash(tmp_path / "whole") == file_hash(tmp_path / "whole")


def test_a_folder_of_two_formats_or_of_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mixed").mkdir()
    write(tmp_path / "mixed", "a.dict", MORPHOBR)
    write(tmp_path / "mixed", "b.tsv", FORMS)
    with pytest.raises(SourceError, match=r"b\.tsv: is in the format forms\.tsv and .*a\.dict in MorphoBr"):
        read_lexicon(tmp_path / "mixed")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="the folder holds no lexicon files"):
        read_lexicon(tmp_path / "empty")


APERTIUM = [
    Entry("novos", "novo", "adj", "m", "pl"),
    Entry("nova", "novo", "adj", "f", "sg"),
    Entry("artista", "artista", "noun", None, "sg"),
    Entry("dixo", "dicir", "verb", None, "sg", "Mood=Ind|Person=3|Tense=Past"),
    Entry("dixolle", "dicir", "verb", None, "sg", "Clitic=lle|Mood=Ind|Person=3|Tense=Past"),
    Entry("dita", "dicir", "adj", "f", "sg", "VerbForm=Part"),
    Entry("do", "do", "other", None, None),
]


def test_a_dictionary_of_apertium_is_spelt_out_as_its_tool_does(tmp_path: Path) -> None:
    _, entries = read_lexicon(write(tmp_path, "glg.dix", DIX))
    assert list(entries) == APERTIUM


def test_a_compiled_dictionary_is_read_without_addresses_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "gl-es.automorf.bin"
    path.write_bytes(compiled([("novos", "novo", "adj m pl"), ("www.a", "www.a", "web"), ("a lúa", "a lúa", "n f sg")]))
    kind, entries = read_lexicon(path)
    assert (kind.name, list(entries)) == ("Apertium", APERTIUM[:1])
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(SourceError, match=r"cannot be read as a compiled dictionary"):
        list(read_lexicon(path)[1])


def test_a_paradigm_that_is_not_there_is_named(tmp_path: Path) -> None:
    text = DIX.replace('<pardef n="nov/o__adj">', '<pardef n="another">')
    with pytest.raises(SourceError, match=r"the entry 'novo' has the paradigm 'nov/o__adj', which is not there"):
        list(read_lexicon(write(tmp_path, "glg.dix", text))[1])


def compiled(rows: list[tuple[str, str, str]]) -> bytes:
    """Return a compiled dictionary: of each of *rows* one path, whose form, lemma and tags go symbol by symbol."""
    tags = sorted({tag for *_, names in rows for tag in names.split()})
    pairs: list[tuple[int, int]] = []
    paths = []
    for form, lemma, names in rows:
        width = max(len(form), len(lemma))
        symbols = [ord(letter) if letter != "\0" else 0 for letter in lemma.ljust(width, "\0")]
        path = list(zip([ord(one) if one != "\0" else 0 for one in form.ljust(width, "\0")], symbols, strict=True))
        path += [(0, -tags.index(tag) - 1) for tag in names.split()]
        pairs += path
        paths.append(path)
    numbers = [0, len(tags)]  # no letters
    for tag in tags:
        numbers += [len(tag), *map(ord, tag)]
    numbers += [len(pairs), *(side + len(tags) for pair in pairs for side in pair)]
    size = len(pairs) + 1
    starts = [1 + sum(map(len, paths[:place])) for place in range(len(paths))]
    ends = [start + len(path) - 1 for start, path in zip(starts, paths, strict=True)]
    numbers += [1, len("main"), *map(ord, "main"), 0]
    numbers += [len(ends), *(end - before for before, end in zip([0, *ends], ends, strict=False)), size, len(starts)]
    for before, start in zip([1, *starts], starts, strict=False):  # the pair of a state's arrow is that of its number
        numbers += [start - before, start]
    for state in range(1, size):
        numbers += [0] if state in ends else [1, state, 1]
    return b"LTTB" + bytes(8) + b"".join(bytes([0x40 | number >> 8, number & 0xFF]) for number in numbers)
