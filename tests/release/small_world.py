"""A smaller mini world for the tests that build many times: three compounds of each language, all in one split."""

from __future__ import annotations

import shutil
from pathlib import Path

from ncimp.builder.build.stages import Build, build_release
from ncimp.builder.config import BuildOptions
from ncimp.schemas.files import read_json

KEPT = {
    "en": ("rat race", "silent partner", "application form"),
    "pt": ("pé-frio", "primeira-dama", "greve geral"),
}
"""One compound of each class: 210 sentences a language."""

OF_COMPOUNDS = ("compounds.tsv", "contexts.tsv", "synonyms.tsv", "splits.tsv")


def small_packs(packs: Path, folder: Path) -> Path:
    """Copy the mini packs with the compounds `KEPT` alone."""
    for lang, kept in KEPT.items():
        (folder / lang).mkdir(parents=True)
        for path in (packs / lang).iterdir():
            lines = path.read_text("utf-8").splitlines(keepends=True)
            if path.name in OF_COMPOUNDS:
                lines = [lines[0], *(line for line in lines[1:] if line.split("\t")[0] in kept)]
            (folder / lang / path.name).write_text("".join(lines), "utf-8")
    return folder


class Place:
    """A small release with its packs and work folder, which a test may change and build again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.packs, self.out, self.work = folder, folder / "packs", folder / "ncimp", folder / "work"

    def build(
        self, work: str = "work", langs: tuple[str, ...] = ("en", "pt"), workers: int = 1, **options: str
    ) -> set[str]:
        """Build, and return the stages that ran."""
        ran = set()
        chosen = BuildOptions(**options)  # type: ignore[arg-type]
        made = Build(langs, self.packs, self.out, self.folder / work, chosen, workers=workers)
        build_release(made, lambda stage, reused: None if reused else ran.add(stage))
        return ran

    def identity(self) -> str:
        return str(read_json(self.out / "manifest.json")["logical_sha256"])

    def content(self) -> dict[str, bytes]:
        files = (path for path in self.out.rglob("*") if path.is_file())
        return {path.relative_to(self.out).as_posix(): path.read_bytes() for path in files}

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace the first *old* in the pack file *name*, such as `en/contexts.tsv`."""
        text = (self.packs / name).read_text("utf-8")
        assert old in text, name
        (self.packs / name).write_text(text.replace(old, new, 1), "utf-8")

    def restore(self, snapshot: Path) -> None:
        """Put everything back as it is in *snapshot*; the place of a release is part of what its stage records."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(snapshot, self.folder)
