"""Groups of options that several commands share, and their translation to keywords of the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import symcf
from symcf.cli import asked as a
from symcf.cli.declared import Group
from symcf.cli.exits import InputError
from symcf.cli.models import open_compiled, open_model
from symcf.cli.tables import Data, Reading, all_rows
from symcf.question.per_row import BY_ROW

__all__ = ["Asking", "ByRow", "Costs", "Distances", "Engine", "Format", "Input", "Minimality", "TextFormat", "Values"]

#: How results are written, and how facts that are no table are.
Format = Literal["table", "json", "jsonl", "csv", "tsv", "csv-raw", "tsv-raw", "md", "parquet", "arrow"]
TextFormat = Literal["table", "json"]

#: What a data file is, and what its cells hold.
InputFormat = Literal["auto", "csv", "tsv", "json", "jsonl", "parquet", "arrow"]
CellsHold = Literal["auto", "labels", "codes"]

Minimality = Literal["features", "moves"]
Select = Literal["nearest", "surest", "likeliest", "all"]
Engine = Literal["auto", "cover", "diagram", "boxes", "query", "sat", "sat-portable"]


@dataclass(frozen=True)
class Input(Group):
    """How a data file is read."""

    input_format: InputFormat = "auto"
    delimiter: str = ","
    decimal: Literal[".", ","] = "."
    encoding: str = "utf-8"
    no_header: bool = False
    cells: CellsHold = "auto"
    extra: bool = False

    def reading(self, id: str | None = None, mark: bool = False, row: int | None = None) -> Reading:
        """The same for `Data`."""
        return Reading(
            self.input_format,
            self.delimiter,
            self.encoding,
            not self.no_header,
            self.cells,
            id,
            extra=self.extra,
            mark=mark,
            row=row,
            decimal=self.decimal,
        )


@dataclass(frozen=True)
class Asking(Group):
    """The conditions on the counterfactuals."""

    target: str | None = None
    min_probability: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    between: str | None = None
    of_score: bool = False
    with_model: list[str] | None = None
    margin: float | None = None
    width: list[str] | None = None
    immutable: list[str] | None = None
    allowed: list[str] | None = None
    constraint: list[str] | None = None
    min_plausibility: float | None = None

    def opened(self, path: str, trust: bool, time_limit: float | None = None) -> symcf.Compiled:
        """The classifier of a file that the question is about; where the target is a number: "is it reached?"."""
        compiled = open_compiled(path, trust=trust, time_limit=time_limit)
        number = a.number_of(self.at_least, self.at_most, self.between)
        of = "score" if self.of_score else None
        if self.with_model:
            compiled = symcf.compile([compiled, *(open_model(other, trust=trust) for other in self.with_model)])
        room: dict[str, Any] = {"margin": self.margin}
        if self.width:
            room["width"] = a.numbers_of(compiled, self.width, "--width")
        if number is not None and self.target is not None:
            raise InputError("--target is a class; --at-least, --at-most and --between are numbers: give one of them")
        if number is not None:
            return compiled.reaching(number, of=of, **room)
        if self.min_probability is not None:
            label = None if self.target is None else a.class_of(compiled, self.target, "--target")
            return compiled.reaching(label, min_probability=self.min_probability, of=of, **room)
        if self.of_score:
            raise InputError("--of-score needs --at-least, --at-most or --between")
        if self.with_model or self.margin is not None or self.width:
            if self.target is None:
                raise InputError("--with-model, --margin and --width need --target, the class to reach")
            return compiled.reaching(a.class_of(compiled, self.target, "--target"), **room)
        if not compiled.classes:
            raise InputError("the model gives numbers: say which are wanted with --at-least, --at-most or --between")
        return compiled

    @property
    def _has_goal(self) -> bool:
        """Does the target say no class of its own, or one that `opened` has made a goal of?"""
        return self.target is None or bool(self.with_model or self.width) or self.margin is not None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """Keywords of `Compiled.explain` and its kin for what `opened` gave; only those that were given."""
        asked: dict[str, Any] = {}
        if compiled.model.goal is not None and (self._has_goal or self.target == compiled.model.goal.label):
            asked["target"] = compiled.model.goal.reached
        elif self.target is not None:
            asked["target"] = a.class_of(compiled, self.target, "--target")
        if self.immutable:
            asked["immutable"] = a.immutable_of(compiled, self.immutable)
        if self.allowed:
            asked["allowed"] = a.allowed_of(compiled, self.allowed)
        if self.constraint:
            asked["constraints"] = list(self.constraint)
        if self.min_plausibility is not None:
            asked["min_plausibility"] = self.min_plausibility
        return asked


@dataclass(frozen=True)
class ByRow(Group):
    """Columns of DATA that hold a keyword of each row."""

    target_column: str | None = None
    immutable_column: str | None = None
    allowed_column: str | None = None
    cost_column: str | None = None
    max_changes_column: str | None = None

    def columns(self, asked: dict[str, Any]) -> dict[str, str]:
        """By keyword, the column."""
        given = {name: getattr(self, f"{name}_column") for name in BY_ROW}
        found = {name: column for name, column in given.items() if column is not None}
        for name in found:
            if asked.get(name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise InputError(f"{option} and {option}-column exclude each other")
        return found


@dataclass(frozen=True)
class Costs(Group):
    """What changes cost."""

    cost: list[str] | None = None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """As `Asking.of`."""
        return {"cost": a.cost_of(compiled, self.cost)} if self.cost else {}


@dataclass(frozen=True)
class Distances(Costs):
    """What changes cost, also by how far numbers move."""

    scale: list[str] | None = None
    scale_data: str | None = None

    def of(self, compiled: symcf.Compiled, reading: Reading | None = None) -> dict[str, Any]:
        """As `Asking.of`; the rows to measure are read like the others."""
        asked = super().of(compiled)
        if self.scale:
            asked["scale"] = a.scale_of(compiled, self.scale)
        if self.scale_data is not None:
            asked["data"], _, _ = all_rows(Data(self.scale_data, compiled, reading or Reading()))
        return asked


@dataclass(frozen=True)
class Values(Group):
    """Which counterfactuals, and which new values, are given."""

    minimality: Minimality | None = None
    select: Select = "nearest"
    resolution: list[str] | None = None
    diverse: int | None = None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """As `Asking.of`."""
        asked: dict[str, Any] = {"select": self.select}
        if self.minimality is not None:
            asked["minimality"] = self.minimality
        if self.resolution:
            asked["resolution"] = a.numbers_of(compiled, self.resolution, "--resolution")
        return asked if self.diverse is None else asked | {"diverse": self.diverse}
