"""What runs again and what does not: inputs, code, options, damaged outputs, damaged releases."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import ncimp
from ncimp.builder.build import stages
from ncimp.builder.commands.validate import check
from ncimp.builder.filling.fill import Filler
from ncimp.builder.records import FilledItem, Replacement
from ncimp.builder.release.write import ReleaseContent, write_release
from ncimp.schemas.errors import ReleaseError
from ncimp.schemas.files import read_json, read_jsonl, write_json
from tests.release.small_world import Place, small_packs

EN, PT = ({f"{name}-{lang}" for name in ("pack", "select", "fill", "tables", "check")} for lang in ("en", "pt"))
ALL = EN | PT | {"validate", "release"}
PACKS = {"pack-en", "pack-pt"}
"""What depends on the packs alone, and on no option."""


@pytest.fixture(scope="module")
def built(mini_packs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Path]:
    """A small release in its place, and a snapshot to restore it from."""
    root = tmp_path_factory.mktemp("stages")
    place = Place(root / "place")
    small_packs(mini_packs, place.packs)
    assert place.build() == ALL
    return place, Path(shutil.copytree(place.folder, root / "snapshot"))


@pytest.fixture
def place(built: tuple[Place, Path]) -> Place:
    """The small release, up to date, with its packs and work folder."""
    built[0].restore(built[1])
    return built[0]


def test_second_build_writes_nothing_but_its_lock(place: Place) -> None:
    def times() -> dict[Path, int]:
        files = (path for path in place.folder.rglob("*") if path.is_file() and path.name != "lock")
        return {path: path.stat().st_mtime_ns for path in files}

    before = times()
    assert place.build() == set()
    assert times() == before


def test_a_pack_file_with_a_new_date_and_the_old_text_runs_nothing(place: Place) -> None:
    for path in place.packs.rglob("*.tsv"):
        path.touch()
    assert place.build() == set()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("en/contexts.tsv", "quiet farm", "small farm"),
        ("en/compounds.tsv", "working life", "life at work"),
        ("en/synonyms.tsv", "dormant partner\tdormant", "quiet partner\tquiet"),
    ],
)
def test_a_changed_pack_file_runs_its_language_and_what_comes_after(
    place: Place, name: str, old: str, new: str
) -> None:
    before = place.identity()
    place.edit(name, old, new)
    ran = place.build()
    assert ran >= {"tables-en", "validate", "release"}
    assert ran & PT == set()
    assert place.identity() != before
    assert place.build() == set()


def test_a_comment_in_a_pack_changes_the_manifest_and_not_the_identity_of_the_data(place: Place) -> None:
    before, pack = place.identity(), read_json(place.out / "manifest.json")["inputs"][2]
    place.edit("pt/pack.toml", "# Brazilian", "# One more comment.\n# Brazilian")
    assert place.build() & EN == set()
    assert place.identity() == before
    after = read_json(place.out / "manifest.json")["inputs"][2]
    assert pack["name"] == after["name"] == "pack/pt"
    assert pack["sha256"] != after["sha256"]


def test_another_seed_runs_everything_that_is_made_and_gives_other_data(place: Place) -> None:
    before = place.identity()
    assert place.build(seed="other") == ALL - PACKS
    assert place.identity() != before
    assert place.build() == ALL - PACKS
    assert place.identity() == before


def test_every_option_is_in_the_key_of_every_stage(place: Place) -> None:
    assert place.build(release="0.2.0") == ALL - PACKS
    assert place.build(release="0.2.0", match="mean") == ALL - PACKS


def test_another_order_of_the_languages_is_another_release(place: Place) -> None:
    assert place.build(langs=("pt", "en")) == {"validate", "release"}
    assert read_json(place.out / "manifest.json")["languages"] == ["pt", "en"]


def test_rows_of_another_version_never_take_the_place_of_a_release(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if another build had written them: the built folder is checked before the exchange."""
    before = place.content()

    def mixed(target: Path, content: ReleaseContent, check: Callable[[Path], None]) -> object:
        last = replace(content.pairs[-1], release="0.1.9")
        return write_release(target, replace(content, pairs=[*content.pairs[:-1], last]), check)

    monkeypatch.setattr(stages, "write_release", mixed)
    with pytest.raises(ReleaseError, match=r"incidents keep the release back: .*M903"):
        place.build(release="0.2.0")
    assert place.content() == before
    assert sorted(entry.name for entry in place.folder.iterdir()) == ["ncimp", "packs", "work"]


def test_a_language_less_keeps_the_stages_of_the_other(place: Place) -> None:
    assert place.build(langs=("en",)) == {"validate", "release"}
    assert read_json(place.out / "manifest.json")["languages"] == ["en"]
    assert check(place.out, place.packs)[0] == []


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2] + b"\n")


def _removed(path: Path) -> None:
    path.unlink()


def _unrecorded(path: Path) -> None:
    path.with_name("stage.json").unlink()


def _half_recorded(path: Path) -> None:
    path.with_name("stage.json").write_text('{"key": "', "utf-8")


def _recorded_as_list(path: Path) -> None:
    path.with_name("stage.json").write_text("[1]", "utf-8")


@pytest.mark.parametrize(
    ("output", "damage"),
    [
        ("select-en/zipf.json", _cut),
        ("fill-pt/items.jsonl", _removed),
        ("tables-en/pairs.jsonl", _cut),
        ("check-en/incidents.jsonl", _removed),
        ("validate/incidents.jsonl", _unrecorded),
        ("validate/incidents.jsonl", _half_recorded),
        ("validate/incidents.jsonl", _recorded_as_list),
        ("release/identity.json", _cut),
    ],
)
def test_a_damaged_output_runs_its_stage_again_and_no_other(
    place: Place, output: str, damage: Callable[[Path], None]
) -> None:
    before = place.content()
    damage(place.work / output)
    assert place.build() == {output.split("/")[0]}
    assert place.content() == before
    assert place.build() == set()


def _missing(out: Path) -> None:
    (out / "en_nat" / "train-00000-of-00001.parquet").unlink()


def _changed(out: Path) -> None:
    (out / "README.md").write_text("nothing", "utf-8")


def _gone(out: Path) -> None:
    shutil.rmtree(out)


def _no_manifest(out: Path) -> None:
    (out / "manifest.json").unlink()


def _cut_manifest(out: Path) -> None:
    (out / "manifest.json").write_bytes((out / "manifest.json").read_bytes()[:500])


def _empty_manifest(out: Path) -> None:
    write_json(out / "manifest.json", {})


def _false_manifest(out: Path) -> None:
    write_json(out / "manifest.json", {**read_json(out / "manifest.json"), "counts": {}})


def _extra(out: Path) -> None:
    (out / "sentences" / "bridge-00000-of-00001.parquet").write_bytes(b"left over")


@pytest.mark.parametrize(
    "damage", [_missing, _changed, _gone, _no_manifest, _cut_manifest, _empty_manifest, _false_manifest, _extra]
)
def test_a_release_that_is_not_whole_is_written_again(place: Place, damage: Callable[[Path], None]) -> None:
    before = place.content()
    damage(place.out)
    assert place.build() == {"release"}
    assert place.content() == before


def test_a_release_of_another_work_folder_is_replaced(place: Place) -> None:
    """Both are whole; the one that is there is not the one that was asked for."""
    before = place.identity()
    place.build(work="work2", seed="other")
    assert place.identity() != before
    place.build()
    assert place.identity() == before


def test_a_new_version_of_the_code_is_told_by_the_manifest(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ncimp, "__version__", "99.0.0")
    place.build()
    assert read_json(place.out / "manifest.json")["code_version"] == "99.0.0"


def new_filling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the code of the room `filling` be another one."""
    known = stages.code_hash
    monkeypatch.setattr(stages, "code_hash", lambda rooms: known(rooms) + "new" * ("filling" in rooms))


def test_new_code_that_makes_the_same_sentences_runs_its_own_stage_alone(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_filling(monkeypatch)
    assert place.build() == {"fill-en", "fill-pt"}
    assert place.build() == set()


def test_new_code_that_makes_other_sentences_runs_all_that_reads_them(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_filling(monkeypatch)
    fill = Filler.fill

    def shouted(self: Filler, replacements: Iterable[Replacement]) -> Iterator[FilledItem]:
        return (replace(item, sentence=item.sentence.upper()) for item in fill(self, replacements))

    monkeypatch.setattr(Filler, "fill", shouted)
    with pytest.raises(ReleaseError, match="incidents keep the release back"):
        place.build()
    for lang in ("en", "pt"):
        rows = [row for _, row in read_jsonl(place.work / f"tables-{lang}" / "sentences.jsonl")]
        assert all(row["sentence"].isupper() for row in rows)


def test_a_failed_build_leaves_the_old_release_as_it_was(place: Place) -> None:
    before = place.content()
    place.edit("en/compounds.tsv", "\tidiomatic\t", "\tcompositional\t")
    with pytest.raises(ReleaseError, match="incidents keep the release back"):
        place.build()
    assert place.content() == before
    assert sorted(entry.name for entry in place.folder.iterdir()) == ["ncimp", "packs", "work"]


def test_a_failed_release_step_leaves_the_old_release_and_nothing_beside_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> str:
        raise ReleaseError("no card today")

    before = place.content()
    monkeypatch.setattr("ncimp.builder.release.card.render_card", refuse)
    with pytest.raises(ReleaseError, match="no card today"):
        place.build(release="0.2.0")
    assert place.content() == before
    assert sorted(entry.name for entry in place.folder.iterdir()) == ["ncimp", "packs", "work"]


def test_a_pack_that_lacks_something_is_refused_before_anything_is_made_of_it(place: Place) -> None:
    """All that it lacks is told at once, each with its code and place, and none of the costly stages runs."""
    place.edit("pt/contexts.tsv", "pé-frio\tnat2\tpl", "pé-frio\tnat2\tsg")
    lines = (place.packs / "pt" / "synonyms.tsv").read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("greve geral\t")]
    (place.packs / "pt" / "synonyms.tsv").write_text("".join(kept), "utf-8")
    before = place.content()
    with pytest.raises(ReleaseError, match="3 incidents keep the release back") as caught:
        place.build()
    assert "K002 pt/greve-geral: 0, where 1 to 4 " in str(caught.value)
    assert "K006 pt/pé-frio: " in str(caught.value)
    assert place.content() == before
    with pytest.raises(ReleaseError):  # nothing of what went wrong is kept as done
        place.build()


def test_an_incident_of_a_pack_that_is_waived_lets_the_build_go_on(place: Place) -> None:
    place.edit("pt/contexts.tsv", "pé-frio\tnat2\tpl", "pé-frio\tnat2\tsg")
    with (place.packs / "pt" / "waivers.tsv").open("a", encoding="utf-8") as table:
        for place_of_incident in ("K006\tpt/pé-frio", "T810\tpt/pé-frio/nat2"):
            table.write(f"{place_of_incident}\taccepted for the test\ttests\t2026-01-01\n")
    with pytest.raises(ReleaseError, match="A1") as caught:  # the span is a plural, which is another matter
        place.build()
    assert "K006" not in str(caught.value)


def test_a_compound_without_a_split_is_refused_with_the_command_that_mends_it(place: Place) -> None:
    place.edit("pt/splits.tsv", "greve geral\ttrain\n", "")
    with pytest.raises(ReleaseError, match="has no split in the pack 'pt'") as caught:
        place.build()
    assert "ncimp pack split pt" in str(caught.value)
