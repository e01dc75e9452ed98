"""Options that several commands share, and their translation to keywords of the library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import symcf
from symcf.cli import asked as a
from symcf.cli.declared import Argument, Group, Option
from symcf.cli.exits import InputError
from symcf.cli.models import open_model
from symcf.cli.tables import Data, Reading, all_rows
from symcf.question.per_row import BY_ROW

__all__ = [
    "ASKING",
    "WRITING",
    "Asking",
    "ByRow",
    "Costs",
    "DataFile",
    "Distances",
    "EngineOption",
    "Format",
    "FormatOption",
    "Id",
    "Input",
    "Jobs",
    "K",
    "MarkBad",
    "MaxChanges",
    "MaxResults",
    "Minimality",
    "ModelFile",
    "Output",
    "Row",
    "Rows",
    "TextFormatOption",
    "TimeLimit",
    "Trust",
    "Values",
    "asking",
    "reading",
    "writing",
]

#: How results are written, and how facts that are no table are.
Format = Literal["table", "json", "jsonl", "csv", "tsv", "csv-raw", "tsv-raw", "md", "parquet", "arrow"]
TextFormat = Literal["table", "json"]

#: What a data file is, and what its cells hold.
InputFormat = Literal["auto", "csv", "tsv", "json", "jsonl", "parquet", "arrow"]
CellsHold = Literal["auto", "labels", "codes"]

ASKING, READING, WRITING = "What is asked", "Reading", "Running and writing"
asking, reading, writing = (partial(Option, panel=panel) for panel in (ASKING, READING, WRITING))

ModelFile = Annotated[
    str, Argument("MODEL", help="Saved by symcf compile, JSON, CNBC text, or (--trust) scikit-learn.")
]
DataFile = Annotated[
    str, Argument("DATA", help="A table: CSV, TSV, JSON (lines), Parquet or Arrow, also as .gz; - is stdin.")
]

Trust = Annotated[
    bool, reading("--trust", help="Read a pickle, joblib or skops file, which can run any program hidden in it.")
]
InputOption = Annotated[InputFormat, reading("--input-format", help="The format of DATA; auto goes by its name.")]
Delimiter = Annotated[
    str, reading("--delimiter", metavar="CHAR", help="The character between the cells of CSV, or tab.")
]
Encoding = Annotated[str, reading("--encoding", metavar="NAME", help="The encoding of text.")]
NoHeader = Annotated[
    bool, reading("--no-header", help="The first line is a row; columns come in the classifier's order.")
]
Cells = Annotated[CellsHold, reading("--cells", help="Do cells hold labels of values or their codes? auto: either.")]
Id = Annotated[
    str | None,
    reading("--id", metavar="COLUMN", names="column", help="The column that names the rows; copied to the output."),
]
Extra = Annotated[bool, reading("--extra", help="Leave out columns that the classifier does not know.")]
Rows = Annotated[
    bool,
    writing(
        "--rows",
        help="Write the changed rows instead of the changes: all columns of the file, ready for the classifier.",
    ),
]
MarkBad = Annotated[
    bool,
    reading(
        "--mark-bad-rows",
        help='Continue after a row that cannot be read; its status is "invalid", its problem is told.',
    ),
]
Row = Annotated[
    int | None, reading("--row", metavar="N", min=1, help="The number of the row in DATA, from 1, if it has several.")
]

OnlyRow = Annotated[
    int | None, reading("--row", metavar="N", min=1, help="Only this row of DATA, from 1; by default all.")
]

Target = Annotated[
    str | None, asking("--target", metavar="CLASS", names="class", help="The wanted class; by default any other.")
]
MinProbability = Annotated[
    float | None,
    asking(
        "--min-probability",
        metavar="P",
        help="The least probability that the class of --target is to have, such as 0.8.",
    ),
]
WithModel = Annotated[
    list[str] | None,
    Option(
        "--with-model",
        metavar="MODEL",
        help="A further model that has to decide for --target, too. May be repeated.",
        panel=ASKING,
    ),
]
Margin = Annotated[
    float | None,
    Option("--margin", metavar="M", help="By how much the score has to pass the cut towards --target.", panel=ASKING),
]
Width = Annotated[
    list[str] | None,
    Option(
        "--width",
        metavar="FEATURE=W",
        names="feature=",
        help="Every row whose number is this far away, or less, has to reach --target, too. May be repeated.",
        panel=ASKING,
    ),
]
AtLeast = Annotated[
    float | None, asking("--at-least", metavar="V", help="Wanted: this prediction of a regressor, or more.")
]
AtMost = Annotated[
    float | None, asking("--at-most", metavar="V", help="Wanted: this prediction of a regressor, or less.")
]
Between = Annotated[str | None, asking("--between", metavar="A..B", help="Wanted: a prediction from A to B.")]
OfScore = Annotated[
    bool,
    asking(
        "--of-score",
        help="--at-least, --at-most and --between are about the score of a classifier, its decision function.",
    ),
]
Immutable = Annotated[
    list[str] | None,
    asking(
        "--immutable", metavar="FEATURE", names="feature", help="A feature that must stay. May be repeated, or a,b,c."
    ),
]
Protected = Annotated[
    list[str] | None,
    asking(
        "--protected",
        metavar="FEATURE",
        names="feature",
        help="A feature that no decision should depend on. May be repeated, or a,b,c.",
    ),
]
Allowed = Annotated[
    list[str] | None,
    asking(
        "--allowed",
        metavar="FEATURE=WHAT",
        names="feature=",
        help="increase, decrease, or the values it may take: a|b|c. May be repeated.",
    ),
]
Cost = Annotated[
    list[str] | None,
    asking(
        "--cost",
        metavar="FEATURE=COST",
        names="feature=cost",
        help="Cost of changing it (default 1): a number, ordinal (1 per step), distance (how far a number "
        "moves), or JSON by new value. A word without FEATURE= is for all. May be repeated.",
    ),
]
Constraints = Annotated[
    list[str] | None,
    asking(
        "--constraint",
        metavar="RULE",
        help='A rule that counterfactuals must obey, "married = yes -> age != child". May be repeated.',
    ),
]
MinPlausibility = Annotated[
    float | None,
    asking(
        "--min-plausibility",
        metavar="SHARE",
        min=0,
        max=1,
        help="Only rows at least as likely as this share of the data, such as 0.05; see compile --plausible.",
    ),
]
MaxChanges = Annotated[int | None, asking("--max-changes", metavar="N", min=0, help="The most features to change.")]
K = Annotated[int | None, asking("--k", "-k", metavar="N", min=1, help="Only the N cheapest of each row.")]

Scale = Annotated[
    list[str] | None,
    asking(
        "--scale",
        metavar="SCALE",
        names="feature=",
        help="For --cost distance: mad, std or range of the rows in --scale-data, or FEATURE=NUMBER. May be repeated.",
    ),
]
ScaleData = Annotated[
    str | None, asking("--scale-data", metavar="FILE", help="Rows to take the scales from, such as DATA itself.")
]
Minimality = Annotated[
    Literal["features", "moves"] | None,
    asking(
        "--minimality",
        help="No feature could stay (features), or be moved less far (moves, the default of -k with distances).",
    ),
]
SelectOption = Annotated[
    Literal["nearest", "surest", "likeliest", "all"],
    asking(
        "--select",
        help="New values: the nearest; of the cheapest the surest, or the likeliest (compile --plausible); or all.",
    ),
]
Resolution = Annotated[
    list[str] | None,
    asking(
        "--resolution",
        metavar="FEATURE=STEP",
        names="feature=",
        help="What new numbers are to be multiples of. May be repeated.",
    ),
]

Diverse = Annotated[
    int | None, asking("--diverse", metavar="N", min=1, help="Of all (or the -k cheapest), the N that differ most.")
]

Groups = Annotated[
    bool,
    asking(
        "--groups",
        help="List features, no values; sets that differ in one together: a, plus any one of (b, c). Of tables only.",
    ),
]
MaxResults = Annotated[
    int | None, writing("--max-results", metavar="N", min=1, help="Stop after N change sets of a row.")
]
TimeLimit = Annotated[
    float | None,
    writing(
        "--time-limit", metavar="SECONDS", min=0, help="Seconds for the whole command; exit code 3 if they run out."
    ),
]
EngineOption = Annotated[
    Literal["auto", "cover", "diagram", "boxes", "query", "sat", "sat-portable"],
    writing("--engine", help="They differ in speed, not in the answer."),
]
Jobs = Annotated[int, writing("--jobs", "-j", metavar="N", min=-1, help="Threads; -1 is one per processor.")]
FormatOption = Annotated[
    Format | None, writing("--format", "-f", help="Of the output; by default what the name of FILE says, or a table.")
]
TextFormatOption = Annotated[
    TextFormat | None,
    writing("--format", "-f", help="Of the output; by default what the name of FILE says, or a table."),
]
Output = Annotated[
    str | None,
    writing("--output", "-o", metavar="FILE", help="Write to a file, not to stdout; it appears when it is complete."),
]


# --- groups of options ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Input(Group):
    """How a data file is read."""

    input_format: InputOption = "auto"
    delimiter: Delimiter = ","
    encoding: Encoding = "utf-8"
    no_header: NoHeader = False
    cells: Cells = "auto"
    extra: Extra = False

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
        )


@dataclass(frozen=True)
class Asking(Group):
    """The conditions on the counterfactuals."""

    target: Target = None
    min_probability: MinProbability = None
    at_least: AtLeast = None
    at_most: AtMost = None
    between: Between = None
    of_score: OfScore = False
    with_model: WithModel = None
    margin: Margin = None
    width: Width = None
    immutable: Immutable = None
    allowed: Allowed = None
    constraint: Constraints = None
    min_plausibility: MinPlausibility = None

    def aimed(self, compiled: symcf.Compiled) -> symcf.Compiled:
        """The classifier that the question is about: where the target is a number, "is it reached?"."""
        number = a.number_of(self.at_least, self.at_most, self.between)
        of = "score" if self.of_score else None
        if self.with_model:
            compiled = symcf.compile([compiled, *(open_model(path) for path in self.with_model)])
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
        """Does the target say no class of its own, or one that `aimed` has made a goal of?"""
        return self.target is None or bool(self.with_model or self.width) or self.margin is not None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """Keywords of `Compiled.explain` and its kin for what `aimed` gave; only those that were given."""
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


def _column(keyword: str, what: str) -> Any:
    return asking(f"--{keyword}-column", metavar="COLUMN", names="column", help=f"The column that holds {what}.")


TargetColumn = Annotated[str | None, _column("target", "the wanted class of each row")]
ImmutableColumn = Annotated[str | None, _column("immutable", "what must stay in each row, with commas in between")]
AllowedColumn = Annotated[str | None, _column("allowed", 'what is allowed in each row, such as {"income": "increase"}')]
CostColumn = Annotated[str | None, _column("cost", 'what changes of each row cost, such as {"income": 2}')]
MaxChangesColumn = Annotated[str | None, _column("max-changes", "the most changes of each row")]


@dataclass(frozen=True)
class ByRow(Group):
    """Columns of DATA that hold a keyword of each row."""

    target_column: TargetColumn = None
    immutable_column: ImmutableColumn = None
    allowed_column: AllowedColumn = None
    cost_column: CostColumn = None
    max_changes_column: MaxChangesColumn = None

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

    cost: Cost = None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """As `Asking.of`."""
        return {"cost": a.cost_of(compiled, self.cost)} if self.cost else {}


@dataclass(frozen=True)
class Distances(Costs):
    """What changes cost, also by how far numbers move."""

    scale: Scale = None
    scale_data: ScaleData = None

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

    minimality: Minimality = None
    select: SelectOption = "nearest"
    resolution: Resolution = None
    diverse: Diverse = None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """As `Asking.of`."""
        asked: dict[str, Any] = {"select": self.select}
        if self.minimality is not None:
            asked["minimality"] = self.minimality
        if self.resolution:
            asked["resolution"] = a.numbers_of(compiled, self.resolution, "--resolution")
        return asked if self.diverse is None else asked | {"diverse": self.diverse}
