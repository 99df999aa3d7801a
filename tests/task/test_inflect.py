"""`ncimp task inflect`: what a row can ask, what bad rows are told, and which lexicons are asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.sources.packs.packs import pack_names, packs_folder
from ncimp.schemas.files import Row
from tests.inflection.inflection_world import rules

Output = pytest.CaptureFixture[str]


class Task:
    """The command, run on rows in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *rows: Row | str, options: tuple[str, ...] = ()) -> tuple[int, list[Row]]:
        """Run the command on *rows*; return its exit code and the rows that it wrote."""
        source, target = self.folder / "rows.jsonl", self.folder / "out.jsonl"
        lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
        source.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        code = main(["task", "inflect", "--input", str(source), "--out", str(target), *options])
        written = target.read_text("utf-8") if target.exists() else ""
        return code, [json.loads(line) for line in written.splitlines()]

    def output(self, **row: object) -> object:
        """Return the output for one good row."""
        code, (answered,) = self.run(row)
        assert code == 0
        return answered["output"]


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Task(tmp_path)


@pytest.mark.parametrize(
    ("lang", "kind", "text", "output"),
    [
        ("en", "plural:nc", "sister-in-law", "sisters-in-law"),
        ("en", "plural", "eager beaver", "eager beavers"),
        ("en", "singular", "analyses", "analysis"),
        ("pt", "plural:gold_syn", "tremor de terra", "tremores de terra"),
        ("pt", "singular:x", "altos mares", "alto mar"),
        ("pt", "feminine", "gato preto", "gata preta"),
        ("pt", "masculine", "atriz", "ator"),
    ],
)
def test_number_and_gender(task: Task, lang: str, kind: str, text: str, output: str) -> None:
    assert task.output(lang=lang, kind=kind, input=text) == output


def test_row_keeps_fields_and_replaces_old_output(task: Task) -> None:
    row = {"id": 3, "lang": "en", "kind": "plural:nc", "input": "lens", "output": "wrong"}
    assert task.run(row) == (0, [{**row, "output": "lenses"}])


def test_modifiers_agree_with_new_head_of_row(task: Task) -> None:
    assert task.output(lang="pt", kind="modagree:x", input="caixa-preta", new_head="cofre") == "cofre preto"


def test_new_head_defaults_to_plural_of_same_label(task: Task) -> None:
    known = {"lang": "pt", "compound": "caixa-preta", "kind": "plural:head_syn", "input": "cofre preto"}
    other = {"lang": "pt", "compound": "caixa-preta", "kind": "plural:words_syn", "input": "arca escura"}
    asked = {"lang": "pt", "compound": "caixa-preta", "kind": "modagree:head_syn", "input": "caixa-preta"}
    code, rows = task.run(known, other, asked)
    assert code == 0
    assert rows[-1]["output"] == "cofre preto"
    assert task.run(known, {**asked, "compound": "lista negra"})[0] == 1


@pytest.mark.parametrize(
    ("text", "nc", "nc_form", "output"),
    [
        ("trepidação sísmica", "abalo sísmico", "abalos sísmicos", "trepidações sísmicas"),
        ("trepidação sísmica", "abalo sísmico", "abalo sísmico", "trepidação sísmica"),
        ("intenções", "cordas vocais", "cordas vocais", "intenções"),
        ("carros", "ônibus", "ônibus", "carros"),
        ("carro elétrico", "ônibus executivo", "ônibus executivos", "carros elétricos"),
    ],
)
def test_context_form_has_number_of_compound(task: Task, text: str, nc: str, nc_form: str, output: str) -> None:
    assert task.output(lang="pt", kind="nat:x", input=text, nc=nc, nc_form=nc_form) == output


def test_row_without_number_is_uncertain(task: Task) -> None:
    row = {"lang": "pt", "kind": "nat:nc", "input": "abalo sísmico"}
    assert task.run(row) == (0, [{**row, "output": "abalo sísmico", "uncertain": ["number"]}])


BAD: list[tuple[Row | str, str]] = [
    ({"kind": "plural", "input": "a"}, "the row has no 'lang'"),
    ({"lang": "en", "input": "a"}, "the row has no 'kind'"),
    ({"lang": "en", "kind": "plural"}, "the row has no 'input'"),
    ({"lang": "en", "kind": "plural", "input": ["a"]}, "'input' is ['a'], not a text"),
    ({"lang": "xx", "kind": "plural", "input": "a"}, "no language pack 'xx'"),
    ({"lang": "en", "kind": "dual", "input": "a"}, "the kind 'dual' is not known"),
    ({"lang": "pt", "kind": "modagree:x", "input": "a"}, "the row names no new head"),
    ({"lang": "pt", "kind": "modagree", "input": "de raça", "new_head": "cão"}, "no form of 'de raça' is known"),
    ({"lang": "pt", "kind": "feminine", "input": "ao vivo"}, "no form of 'ao vivo' is known"),
    ("{", "not JSON"),
]


def test_bad_rows_are_reported_and_skipped(task: Task, capsys: Output) -> None:
    good = {"lang": "en", "kind": "plural", "input": "beaver"}
    code, rows = task.run(good, *(row for row, _ in BAD), good)
    told = capsys.readouterr().err.splitlines()
    assert code == 1
    assert [row["output"] for row in rows] == ["beavers", "beavers"]
    assert told.pop() == f"2 rows done, {len(BAD)} bad"
    assert len(told) == len(BAD)
    for line, ((_, words), said) in enumerate(zip(BAD, told, strict=True), start=2):
        assert said.startswith(f"{task.folder / 'rows.jsonl'}:{line}: {words}"), said
        assert "; " in said


def test_only_requested_languages_are_answered(task: Task, capsys: Output) -> None:
    rows = [{"lang": lang, "kind": "plural", "input": "animal"} for lang in ("en", "pt")]
    code, done = task.run(*rows, {"kind": "plural", "input": "papel"}, options=("--lang", "pt"))
    assert (code, [row["output"] for row in done]) == (0, ["animais", "papéis"])
    assert capsys.readouterr().err == "2 rows done, 0 bad, 1 in other languages\n"


def test_lexicons_come_before_the_rules_and_serve_their_language_only(task: Task) -> None:
    lexicon = task.folder / "forms.tsv"
    header = "form\tlemma\tpos\tgender\tnumber\tonset\n"
    lexicon.write_text(header + "zorgo\tzorgo\tnoun\tm\tsg\t_\nzorgen\tzorgo\tnoun\tm\tpl\t_\n", "utf-8")
    rows = [{"lang": lang, "kind": "plural", "input": "zorgo"} for lang in ("en", "pt")]
    assert [row["output"] for row in task.run(*rows)[1]] == ["zorgoes", "zorgos"]
    options = ("--morphology", f"pt={lexicon}")
    assert [row["output"] for row in task.run(*rows, options=options)[1]] == ["zorgoes", "zorgen"]
    only = ("--lang", "pt", "--morphology", str(lexicon))
    assert [row["output"] for row in task.run(*rows, options=only)[1]] == ["zorgen"]


def test_lexicon_without_language_or_file_is_refused(task: Task, capsys: Output) -> None:
    lexicon = task.folder / "forms.tsv"
    lexicon.write_text("form\tlemma\tpos\tgender\tnumber\tonset\na\ta\tnoun\tm\tsg\t_\n", "utf-8")
    row = {"lang": "en", "kind": "plural", "input": "a"}
    assert task.run(row, options=("--morphology", str(lexicon))) == (2, [])
    assert f"--morphology {pack_names(packs_folder())[0]}={lexicon}" in capsys.readouterr().err
    assert task.run(row, options=("--morphology", "pt=nowhere")) == (1, [])
    assert "nowhere: no such file or source" in capsys.readouterr().err


@pytest.mark.shared
def test_expert_forms_of_dev_half(shared: Path, task: Task) -> None:
    """Floors for the columns that hold forms: in the others experts left many phrases in the singular."""
    gold = [json.loads(line) for line in (shared / "gold" / "dev_inflection.jsonl").read_text("utf-8").splitlines()]
    rows = [row for row in gold if row["kind"].startswith("plural:")]
    code, done = task.run(*({**row, "output": None} for row in rows))
    assert (code, len(done)) == (0, len(rows))
    right = [(row, row["output"].lower() == made["output"].lower()) for row, made in zip(rows, done, strict=True)]
    english = [ok for row, ok in right if row["lang"] == "en" and "gold_syn" not in row["kind"]]
    portuguese = [ok for row, ok in right if row["lang"] == "pt"]
    assert sum(english) / len(english) >= 0.98
    assert sum(portuguese) / len(portuguese) >= 0.985


@pytest.mark.shared
def test_expert_modifiers_of_dev_half(shared: Path, task: Task) -> None:
    """The head is the first word of the expert's phrase; a row with another modifier or another order is left out."""
    gold = [json.loads(line) for line in (shared / "gold" / "dev_inflection.jsonl").read_text("utf-8").splitlines()]
    asked = [row for row in gold if row["kind"].startswith("modagree:") and kept_modifier(row["input"], row["output"])]
    assert len(asked) > 120
    _, done = task.run(*({**row, "output": None, "new_head": row["output"].split()[0]} for row in asked))
    right = sum(row["output"].lower() == made["output"].lower() for row, made in zip(asked, done, strict=True))
    assert right / len(asked) >= 0.995


def kept_modifier(before: str, after: str) -> bool:
    """Tell whether a head and its modifier became two words, of which the second begins as the modifier does."""
    old, new = before.replace("-", " ").split(), after.split()
    first = rules("pt").phrases.head_of(" ".join(old)) == old[0]
    return first and len(old) == len(new) == 2 and old[1][:3] == new[1][:3]
