"""The features that agreement copies from a head to the words around it."""

from dataclasses import dataclass

from ncimp.builder.records import Form, Gender, Number

NUMBERS: tuple[Number, ...] = ("sg", "pl")
GENDERS: tuple[Gender | None, ...] = (None, "m", "f", "n")

Cell = tuple[Gender, Number]
"""A cell of a paradigm."""

CELLS: tuple[Cell, ...] = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))


@dataclass(frozen=True, slots=True)
class Features:
    """Gender (None where the language has none) and number."""

    gender: Gender | None
    number: Number

    @property
    def cell(self) -> Cell:
        """The cell of a paradigm; a word without gender stands in the masculine."""
        return self.gender or "m", self.number


def fits(form: Form, features: Features) -> bool:
    """Tell whether *form* can have *features*; a form without a feature has every value of it."""
    return form.gender in (None, features.gender) and form.number in (None, features.number)
