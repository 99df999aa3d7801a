"""Real lexicons: how often the first reading is right on a treebank that was not counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.sources.lexicons.files import read_lexicon
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.lexicons.store import open_lexicon
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language

pytestmark = [pytest.mark.shared, pytest.mark.slow]


def right(morphology: LayeredMorphology, treebank: Path, pos: str) -> float:
    """Return the share of the treebank's words of *pos* (no names) with the right gender and number, the unknown wrong.

    An adjective of one form for both genders is right in either; a noun whose gender is left open is not,
    unless the treebank leaves it open too.
    """
    words = [entry for entry in read_lexicon(treebank)[1] if entry.pos == pos and entry.number and not entry.feats]
    hits = 0
    for entry in words:
        first = next((form for form in morphology.readings(entry.form) if form.pos == pos), None)
        same = first and (entry.gender in (None, first.gender) or (pos == "adj" and first.gender is None))
        hits += bool(same and first and first.number in (None, entry.number))
    return hits / len(words)


def test_counts_make_the_first_reading_right(shared: Path, mini_packs: Path, tmp_path: Path) -> None:
    sources = shared / "sources"
    full = sorted((sources / "morphology").glob("morphobr-*.xz"))
    counted = [sources / "corpora" / f"pt_{name}-ud-dev.conllu" for name in ("bosque", "gsd", "porttinari")]
    pack = PackMorphology((), read_language(mini_packs / "pt" / "pack.toml"))
    test = sources / "corpora" / "pt_bosque-ud-test.conllu"
    alone = LayeredMorphology(pack, [open_lexicon(path, data=tmp_path) for path in full])
    both = LayeredMorphology(pack, [open_lexicon(path, data=tmp_path) for path in (*full, *counted)])
    assert right(alone, test, "noun") > 0.88
    assert right(both, test, "noun") > 0.93
    assert right(both, test, "adj") > 0.96
    assert (alone.gender("carne"), both.gender("carne"), both.gender("caixa")) == (None, "f", "f")
