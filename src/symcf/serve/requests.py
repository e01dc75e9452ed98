"""What may stand in the body of a request. A body is read once, as strict JSON; what it holds is checked here."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, TypeVar

from symcf.common.extras import missing
from symcf.common.renamed import did_you_mean

try:
    from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, ValidationError
except ImportError as error:  # it comes with fastapi
    raise missing("the service", error, "fastapi") from None

__all__ = ["Asked", "Explained", "Lettered", "Problem", "Reasoned", "Reported", "object_in", "request_in"]

T = TypeVar("T", bound=BaseModel)

#: A cell of a row, a class or a value: what JSON has for it.
Cell = StrictStr | StrictInt | StrictFloat | StrictBool | None
Row = dict[str, Cell]

#: Whole numbers with more digits are no cells: reading them takes time that grows with their square.
MOST_DIGITS = 400

#: The keys whose objects hold cells.
CELLS = ("rows", "row", "columns")

#: What messages of pydantic are called here.
KINDS = {
    "extra_forbidden": "there is no such key",
    "missing": "is missing",
    "too_short": "is empty",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "string_type": "must be text",
}


class Problem(Exception):
    """A request that is not answered: the status, what kind of problem it is, and a message for those who asked."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Asked(_Request):
    """What is asked about rows. With a policy, target and allowed are those of the policy."""

    rows: Annotated[list[Row], Field(min_length=1, description="Rows by the names of columns.")]
    target: Annotated[Cell, Field(description="The wanted class; by default any other.")] = None
    immutable: Annotated[list[StrictStr], Field(description="Features that must stay.")] = []
    allowed: Annotated[
        dict[str, StrictStr | list[Cell]],
        Field(description='By feature: "increase", "decrease", the values it may take, or the ends of a range.'),
    ] = {}
    constraints: Annotated[list[StrictStr], Field(description="Rules that the changed row must obey.")] = []
    k: Annotated[StrictInt, Field(ge=1, description="Only the k cheapest.")] = 10
    max_changes: Annotated[StrictInt | None, Field(ge=0, description="The most features to change.")] = None
    time_limit: Annotated[float | None, Field(gt=0, description="Seconds; at most those of the service.")] = None

    @property
    def question(self) -> dict[str, Any]:
        """The keywords of `Compiled.explain`; only those that were given."""
        given = {"target": self.target, "immutable": self.immutable, "allowed": self.allowed}
        given |= {"constraints": self.constraints, "max_changes": self.max_changes}
        return {name: value for name, value in given.items() if value not in (None, [], {})}


class Explained(Asked):
    """A request for explanations."""

    cost: Annotated[
        StrictStr | dict[str, StrictInt | StrictFloat | StrictStr],
        Field(description='What changes cost: by feature a number, "ordinal" or "distance", or one word for all.'),
    ] = {}
    certificate: Annotated[StrictBool, Field(description="Also give the certificate of each.")] = False

    @property
    def question(self) -> dict[str, Any]:
        """The keywords of `Compiled.explain`; only those that were given."""
        return super().question | ({"cost": self.cost} if self.cost else {})


class Reasoned(Asked):
    """A request for reasons."""

    general: Annotated[StrictBool, Field(description="Conditions as wide as they can be.")] = False


class Lettered(_Request):
    """A request for the letter about one row."""

    row: Annotated[Row, Field(description="The row by the names of columns.")]
    columns: Annotated[Row, Field(description="Columns that the policy names beside the features.")] = {}
    name: Annotated[StrictStr, Field(description="What the row is called in the record.")] = "1"
    language: Annotated[StrictStr | None, Field(description="By default the policy's.")] = None
    date: Annotated[StrictStr | None, Field(description="Like 2026-11-18; by default today.")] = None


class Reported(_Request):
    """A request for the page about one row."""

    row: Annotated[Row, Field(description="The row by the names of columns.")]
    name: Annotated[StrictStr | None, Field(description="What the row is called on the page.")] = None


def object_in(text: str) -> dict[str, Any]:
    """The object that strict JSON holds: no key twice, no NaN, no endless numbers."""
    try:
        found: Any = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite, parse_int=_whole
        )
    except RecursionError:
        raise Problem(400, "json", "the body is nested too deeply") from None
    except ValueError as error:
        raise Problem(400, "json", f"the body is not JSON: {error}") from None
    if "\\u" in text:
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise Problem(400, "json", "the body is not JSON of characters: half of a pair is missing") from None
    if not isinstance(found, dict):
        raise Problem(400, "json", 'the body must be a JSON object, such as {"rows": [...]}')
    return found


def request_in(kind: type[T], body: dict[str, Any]) -> T:
    """The request that a body holds."""
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=True)[0]
        raise Problem(422, "request", _told(first, list(kind.model_fields))) from None


def _told(problem: Any, known: list[str]) -> str:
    """Where a request is wrong, and why."""
    where, kind = problem["loc"], problem["type"]
    depth = 3 if where[0] == "rows" else 2  # deeper parts are the types that were tried
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where[:depth]).removeprefix(".")
    if where[0] in CELLS and len(where) > depth:
        return f"{place}: must be text, a number, true, false or null"
    near = did_you_mean(place, known) if kind == "extra_forbidden" else ""
    return f"{place}: {KINDS.get(kind, problem['msg'])}{near}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice")
    return found


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number of JSON; write null for a missing one")


def _finite(word: str) -> float:
    number = float(word)
    if math.isinf(number):
        raise ValueError(f"{word[:30]} is too large for a number")
    return number


def _whole(word: str) -> int:
    if len(word) > MOST_DIGITS:
        raise ValueError(f"a number has {len(word):,} digits")
    return int(word)
