"""Options that several commands share, and their translation to keywords of the library."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Any, TypeVar, get_type_hints

import symcf
from symcf.cli.cells import label_code, spellings
from symcf.cli.declared import Argument, Option
from symcf.cli.exits import InputError
from symcf.cli.tables import Reading
from symcf.rows.numbers import NumberLine

__all__ = [
    "ASKING", "WRITING", "Asking", "Costs", "DataFile", "EngineName", "EngineOption", "Format", "FormatOption", "Group",
    "Id", "Input", "Jobs", "K", "MarkBad", "MaxChanges", "MaxResults", "ModelFile", "Output", "Row", "Rows",
    "TimeLimit", "Trust", "class_of", "flat",
]  # fmt: skip

T = TypeVar("T")


class Format(StrEnum):
    """How results are written."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"


class InputFormat(StrEnum):
    """What a data file is."""

    auto = "auto"
    csv = "csv"
    parquet = "parquet"


class CellsOption(StrEnum):
    """What the cells of a data file hold."""

    auto = "auto"
    labels = "labels"
    codes = "codes"


class EngineName(StrEnum):
    """The engine that finds the change sets."""

    auto = "auto"
    cover = "cover"
    minimal = "minimal"
    sat = "sat"
    portable = "sat-portable"


ASKING, READING, WRITING = "What is asked", "Reading", "Running and writing"

ModelFile = Annotated[
    str, Argument("MODEL", help="Saved by symcf compile, JSON, CNBC text, or (--trust) scikit-learn.")
]
DataFile = Annotated[str, Argument("DATA", help="CSV or Parquet file with a header; - is stdin.")]

Trust = Annotated[
    bool,
    Option(
        "--trust",
        help="Read a pickle, joblib or skops file, which can run any program hidden in it.",
        panel=READING,
    ),
]
InputOption = Annotated[
    InputFormat,
    Option("--input-format", help="The format of DATA; auto goes by its name.", panel=READING),
]
Delimiter = Annotated[
    str,
    Option("--delimiter", metavar="CHAR", help="The character between the cells of CSV, or tab.", panel=READING),
]
Encoding = Annotated[str, Option("--encoding", metavar="NAME", help="The encoding of CSV.", panel=READING)]
NoHeader = Annotated[
    bool,
    Option(
        "--no-header",
        help="The first line is a row; columns come in the classifier's order.",
        panel=READING,
    ),
]
Cells = Annotated[
    CellsOption,
    Option("--cells", help="Do cells hold labels of values or their codes? auto: either.", panel=READING),
]
Id = Annotated[
    str | None,
    Option(
        "--id",
        metavar="COLUMN",
        names="column",
        help="The column that names the rows; copied to the output.",
        panel=READING,
    ),
]
Extra = Annotated[bool, Option("--extra", help="Leave out columns that the classifier does not know.", panel=READING)]
Rows = Annotated[
    bool,
    Option(
        "--rows",
        help="Write the changed rows instead of the changes: all columns of the file, ready for the classifier.",
        panel=WRITING,
    ),
]
MarkBad = Annotated[
    bool,
    Option(
        "--mark-bad-rows",
        help='Continue after a row that cannot be read; its status is "invalid".',
        panel=READING,
    ),
]
Row = Annotated[
    int | None,
    Option(
        "--row",
        metavar="N",
        min=1,
        help="The number of the row in DATA, from 1, if it has several.",
        panel=READING,
    ),
]

Target = Annotated[
    str | None,
    Option("--target", metavar="CLASS", names="class", help="The wanted class; by default any other.", panel=ASKING),
]
Immutable = Annotated[
    list[str] | None,
    Option(
        "--immutable",
        metavar="FEATURE",
        names="feature",
        help="A feature that must stay. May be repeated, or a,b,c.",
        panel=ASKING,
    ),
]
Allowed = Annotated[
    list[str] | None,
    Option(
        "--allowed",
        metavar="FEATURE=WHAT",
        names="feature=",
        help="increase, decrease, or the values it may take: a|b|c. May be repeated.",
        panel=ASKING,
    ),
]
Cost = Annotated[
    list[str] | None,
    Option(
        "--cost",
        metavar="FEATURE=COST",
        names="feature=cost",
        help="Cost of changing it (default 1): a number, ordinal (1 per step), or JSON by new value. May be repeated.",
        panel=ASKING,
    ),
]
Constraints = Annotated[
    list[str] | None,
    Option(
        "--constraint",
        metavar="RULE",
        help='A rule that counterfactuals must obey, "married = yes -> age != child". May be repeated.',
        panel=ASKING,
    ),
]
MinPlausibility = Annotated[
    float | None,
    Option(
        "--min-plausibility",
        metavar="SHARE",
        min=0,
        max=1,
        help="Only rows at least as likely as this share of the data, such as 0.05; see compile --plausible.",
        panel=ASKING,
    ),
]
MaxChanges = Annotated[
    int | None,
    Option("--max-changes", metavar="N", min=0, help="The most features to change.", panel=ASKING),
]
K = Annotated[
    int | None,
    Option("--k", "-k", metavar="N", min=1, help="Only the N cheapest of each row.", panel=ASKING),
]

MaxResults = Annotated[
    int | None,
    Option("--max-results", metavar="N", min=1, help="Stop after N change sets of a row.", panel=WRITING),
]
TimeLimit = Annotated[
    float | None,
    Option(
        "--time-limit",
        metavar="SECONDS",
        min=0,
        help="Seconds for the whole command; exit code 3 if they run out.",
        panel=WRITING,
    ),
]
EngineOption = Annotated[
    EngineName,
    Option("--engine", help="They differ in speed, not in the answer.", panel=WRITING),
]
Jobs = Annotated[
    int,
    Option("--jobs", "-j", metavar="N", min=-1, help="Threads; -1 is one per processor.", panel=WRITING),
]
FormatOption = Annotated[Format, Option("--format", "-f", help="Of the output.", panel=WRITING)]
Output = Annotated[
    str | None,
    Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file, not to stdout; it appears when it is complete.",
        panel=WRITING,
    ),
]


# --- groups of options ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Options that come together. A command that takes a group has its fields as options; see `flat`."""


@dataclass(frozen=True)
class Input(Group):
    """How a data file is read."""

    input_format: InputOption = InputFormat.auto
    delimiter: Delimiter = ","
    encoding: Encoding = "utf-8"
    no_header: NoHeader = False
    cells: Cells = CellsOption.auto
    extra: Extra = False

    def reading(self, id: str | None = None, mark: bool = False) -> Reading:
        """The same for `Data`."""
        header, cells = not self.no_header, str(self.cells)
        return Reading(str(self.input_format), self.delimiter, self.encoding, header, cells, id, self.extra, mark)


@dataclass(frozen=True)
class Asking(Group):
    """The conditions on the counterfactuals."""

    target: Target = None
    immutable: Immutable = None
    allowed: Allowed = None
    constraint: Constraints = None
    min_plausibility: MinPlausibility = None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """Keywords of `Compiled.explain` and its kin; only those that were given."""
        asked: dict[str, Any] = {}
        if self.target is not None:
            asked["target"] = class_of(compiled, self.target, "--target")
        if self.immutable:
            asked["immutable"] = [j for text in self.immutable for j in _features(compiled, text)]
        if self.allowed:
            asked["allowed"] = dict(_allowed(compiled, text) for text in _once(compiled, self.allowed, "--allowed"))
        if self.constraint:
            asked["constraints"] = list(self.constraint)
        if self.min_plausibility is not None:
            asked["min_plausibility"] = self.min_plausibility
        return asked


@dataclass(frozen=True)
class Costs(Group):
    """What changes cost."""

    cost: Cost = None

    def of(self, compiled: symcf.Compiled) -> dict[str, Any]:
        """As `Asking.of`."""
        if not self.cost:
            return {}
        return {"cost": dict(_cost(compiled, text) for text in _once(compiled, self.cost, "--cost"))}


def flat(command: Callable[..., T]) -> Callable[..., T]:
    """The command with the fields of its groups in their place, as `Command` reads it."""
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, type[Group]] = {}
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if isinstance(kind, type) and issubclass(kind, Group):
            groups[parameter.name] = kind
            types = get_type_hints(kind, include_extras=True)
            for field in fields(kind):
                one = inspect.Parameter(field.name, parameter.KEYWORD_ONLY, default=field.default)
                parameters.append(one.replace(annotation=types[field.name]))
        else:
            parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=kind))

    @functools.wraps(command)
    def called(**given: Any) -> T:
        made = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in groups.items()}
        return command(**given, **made)

    called.__dict__["__signature__"] = inspect.Signature(parameters, return_annotation=hints.get("return"))
    called.__annotations__ = {p.name: p.annotation for p in parameters}
    return called


# --- what is asked ----------------------------------------------------------------------------------------------------


def class_of(compiled: symcf.Compiled, text: str, option: str) -> Hashable:
    """The label of a class that is named on the command line."""
    return compiled.classes[label_code(text, compiled.classes, option)]


def _features(compiled: symcf.Compiled, text: str) -> list[int]:
    """A feature, or several with commas between them."""
    if text in compiled.features:
        return [compiled.features.index(text)]
    names = text.split(",")
    for name in names:
        if name not in compiled.features:
            raise InputError(f"--immutable: the classifier has no feature {name!r}")
    return [compiled.features.index(name) for name in names]


def _assigned(compiled: symcf.Compiled, text: str, option: str) -> tuple[int, str]:
    """FEATURE=WHAT; names may contain "=", so the longest that fits is meant."""
    fitting = [name for name in compiled.features if text.startswith(f"{name}=")]
    if fitting:
        name = max(fitting, key=len)
        return compiled.features.index(name), text[len(name) + 1 :]
    name, sign, _ = text.partition("=")
    if not sign:
        raise InputError(f"{option} {text!r}: write FEATURE=WHAT")
    raise InputError(f"{option}: the classifier has no feature {name!r}")


def _once(compiled: symcf.Compiled, texts: Sequence[str], option: str) -> Sequence[str]:
    """The texts by feature; an error if a feature is given twice."""
    seen = set()
    for text in texts:
        j, _ = _assigned(compiled, text, option)
        if j in seen:
            raise InputError(f"{option}: the feature {compiled.features[j]!r} is given twice")
        seen.add(j)
    return texts


def _allowed(compiled: symcf.Compiled, text: str) -> tuple[int, str | list[Hashable]]:
    j, what = _assigned(compiled, text, "--allowed")
    name, labels = compiled.features[j], compiled.values[j]
    if what in ("increase", "decrease") and what not in labels:
        return j, what
    if isinstance(labels, NumberLine):
        ends = what.split("..")
        try:
            return j, [float(end) for end in ends]
        except ValueError:
            raise InputError(f"--allowed {name}: write increase, decrease or a range such as 15..16.5") from None
    # "a|b" may be the name of one value
    texts = [what] if what in spellings(labels, name) else what.split("|")
    codes = [label_code(value, labels, f"--allowed {name}") for value in texts]
    # the library takes an integer for a label if such a label exists
    return j, [labels[code] for code in codes]


def _cost(compiled: symcf.Compiled, text: str) -> tuple[int, Any]:
    j, what = _assigned(compiled, text, "--cost")
    name, labels = compiled.features[j], compiled.values[j]
    if what == "ordinal":
        return j, what
    try:
        given = json.loads(what)
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict):
        return j, {labels[label_code(value, labels, f"--cost {name}")]: each for value, each in given.items()}
    if isinstance(given, (int, float, list)) and not isinstance(given, bool):
        return j, given
    raise InputError(f"--cost {name}: {what!r} is not a number, not ordinal and not JSON")
