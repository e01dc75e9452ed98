"""`from_predict`: a black-box model of any classifier that has `predict`."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.common.extras import load_extra
from symcf.common.options import checked_count
from symcf.data.columns import RawColumns
from symcf.data.derived import Derived, checked_derived
from symcf.data.encoder import is_missing
from symcf.data.forms import TableForm
from symcf.data.labels import by_feature, checked_names
from symcf.data.reader import Column, Table, as_array
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.black_box import BlackBoxColumn, BlackBoxModel, Predict, TimedFunction, is_number, not_a_function
from symcf.models.functions import FunctionModel, from_function

__all__ = ["from_predict", "in_pandas", "only_read"]

#: Rows of data that are predicted twice, to see whether the same row gets the same answer.
PREDICTED_TWICE = 256


def from_predict(
    model: Any,
    data: Any,
    *,
    values: Mapping[Any, Sequence[Any]] | None = None,
    classes: Sequence[Hashable] | None = None,
    max_values: int = 10,
    max_inputs: int = 2**20,
    derived: Mapping[str, str] | None = None,
) -> Model:
    """A black-box model of any classifier: networks, kernel machines, neighbours, your own function.

    The decision is what `predict` returns, so asking about every row within reach is a proof: all minimal
    counterfactuals of up to r changes, over the values that are tried. `symcf.compile` takes the result.

    Parameters
    ----------
    model:
        A fitted estimator with `predict`, or a function that takes a table like ``data`` and returns one label per row.
        It must give the same row the same label every time.
    data:
        Rows like those that it was fitted on: a DataFrame of pandas or polars, or a two-dimensional array. `predict` is
        called with tables of the same form, columns and dtypes. Columns of a DataFrame that a scikit-learn pipeline
        drops in its ColumnTransformer are ignored.
    values:
        By column, the values to try. By default all that occur in ``data``; where a column has more than
        ``max_values`` different numbers, those at as many equally spaced quantiles, the least and the greatest
        included. A row keeps its own value where it is not changed, whether that is one of these or not.
    classes:
        The labels; by default the estimator's ``classes_``, else those that it gives to ``data``.
    max_values:
        Numbers of a column that are tried, at most, if ``values`` says nothing about it.
    max_inputs:
        If there are at most so many combinations of values, and data has no others, all of them are predicted once: the
        result is a `FunctionModel`, which also has reasons, certificates and all else. Otherwise each explanation asks;
        ``max_inputs=0`` for always.
    derived:
        By column of ``data`` that is computed from others, the expression: ``{"dti": "debt / income"}``. Such a column
        is no feature. It is computed before each call of `predict`, and anew in rows that are given back.

    >>> import symcf
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = [[20.5, 1.0], [31.0, 0.0], [44.5, 1.0], [60.0, 0.0]], ["no", "no", "yes", "yes"]
    >>> knn = KNeighborsClassifier(1).fit(X, y)
    >>> c = symcf.compile(symcf.from_predict(knn, X, max_inputs=0))
    >>> e = c.explain([29.0, 1.0])
    >>> e.sets, e[0].row
    ([(0,)], [44.5, 1.0])
    """
    function = _function_of(model)
    most = checked_count(max_values, "max_values", least=1) or 1
    passed, data = in_pandas(only_read(model, data))
    computed: tuple[Derived, ...] = ()
    computing: Passed = _as_it_is
    if derived is not None:
        computing, data, computed = _computing(data, derived)
    timed = TimedFunction(computing(passed(function)))
    form, found = TableForm.of(data)
    form.derived = computed
    if not len(found[0]):
        raise ModelError("data has no rows: the values to try are taken from it")
    given = {} if values is None else by_feature(_mapping(values), form.names, "values")
    columns = [_column(form, j, column, given.get(j), most) for j, column in enumerate(found)]
    labels = _classes(model, classes, lambda: Predict(timed, form, ()).labels(_typed(form, found)))
    numbers = {of: computing(passed(number)) for of, number in _numbers_of(model, labels).items()}
    box = BlackBoxModel(timed, form, columns, labels, numbers)
    head = data.iloc[:PREDICTED_TWICE] if form.keys is not None else as_array(data)[:PREDICTED_TWICE]
    _check_answers(box, [column[:PREDICTED_TWICE] for column in found], head.copy())
    most_inputs = checked_count(max_inputs, "max_inputs", least=0) or 0
    few = math.prod(len(column.tried) + column.nan for column in columns) <= most_inputs
    closed = all(_is_closed(column, entries) for column, entries in zip(columns, found, strict=True))
    return _tabulated(box) if few and closed else box


def _function_of(model: Any) -> Callable[[Any], Any]:
    if isinstance(model, type):
        raise ModelError(f"from_predict takes a fitted estimator or a function, not the class {model.__name__}")
    predict = getattr(model, "predict", None)
    if callable(predict):
        return predict  # type: ignore[no-any-return]
    if callable(model):
        return model  # type: ignore[no-any-return]
    raise ModelError(f"from_predict takes an estimator with predict, or a function, not {type(model).__name__}")


def only_read(model: Any, data: Any) -> Any:
    """A DataFrame without the columns that the model drops before anything else: that a ColumnTransformer at the start
    of a scikit-learn pipeline gives to none of its parts.
    """
    best = getattr(model, "best_estimator_", model)
    steps = getattr(best, "steps", None)
    first = steps[0][1] if steps else best
    parts, indices = getattr(first, "transformers_", None), getattr(first, "_transformer_to_input_indices", None)
    names = getattr(first, "feature_names_in_", None)
    if parts is None or indices is None or names is None or not hasattr(data, "columns"):
        return data
    kept = [name for name, part, _ in parts if not (isinstance(part, str) and part == "drop")]
    read = {str(names[i]) for name in kept for i in indices[name]}
    return data[[name for name in data.columns if name in read or name not in names]]


#: Makes a function of tables of another form out of a function of tables.
Passed = Callable[[Callable[[Any], Any]], Callable[[Any], Any]]


def _as_it_is(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return function


def in_pandas(data: Any) -> tuple[Passed, Any]:
    """A DataFrame of polars as one of pandas, and what makes functions take such; anything else as it is."""
    if not hasattr(data, "with_columns"):
        return _as_it_is, data
    make, schema = type(data), data.schema
    frame = load_extra("pandas", "a DataFrame").DataFrame({name: np.asarray(data[name]) for name in data.columns})

    def passed(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda table: function(make({name: table[name].tolist() for name in table.columns}, schema=schema))

    return passed, frame


def _numbers_of(model: Any, classes: Sequence[Hashable]) -> dict[str, Callable[[Any], Any]]:
    """What a fitted estimator says beside the class, by the order of the classes: probabilities, and a score."""
    own = getattr(model, "classes_", None)
    if own is None or sorted(map(str, classes)) != sorted(map(str, np.asarray(own).tolist())):
        return {}
    labels = np.asarray(own).tolist()
    order, found = [labels.index(label) for label in classes], dict[str, Callable[[Any], Any]]()
    if callable(getattr(model, "predict_proba", None)):
        found["probability"] = partial(_probabilities, model, order)
    if len(classes) == 2 and callable(getattr(model, "decision_function", None)):
        sign = 1 if order == [0, 1] else -1
        found["score"] = partial(_score, model, sign)
    return found


def _probabilities(model: Any, order: list[int], table: Any) -> npt.NDArray[np.float64]:
    return np.asarray(model.predict_proba(table))[:, order]


def _score(model: Any, sign: int, table: Any) -> npt.NDArray[np.float64]:
    return sign * np.asarray(model.decision_function(table)).ravel()


def _computing(data: Any, derived: Mapping[str, str]) -> tuple[Passed, Any, tuple[Derived, ...]]:
    """What makes a function of the other columns, which computes the derived ones; and the data without these."""
    form, _ = TableForm.of(data)
    found = checked_derived(derived, form.names)
    out = {one.name for one in found}
    kept = [j for j, name in enumerate(form.names) if name not in out]

    def with_columns_of_array(rows: Any) -> Any:
        columns = {form.names[j]: rows[:, i] for i, j in enumerate(kept)}
        columns |= {one.name: one.of(columns) for one in found}
        return np.column_stack([columns[name] for name in form.names]).astype(form.dtypes[0])

    def with_columns_of_frame(rows: Any) -> Any:
        columns = {name: rows[name].to_numpy() for name in rows.columns}
        more = {one.name: one.of(columns) for one in found}
        return rows.assign(**more).astype({n: data[n].dtype for n in more})[list(form.keys or ())]

    if form.keys is None:  # rows have no such column
        return lambda function: lambda rows: function(with_columns_of_array(rows)), as_array(data)[:, kept], ()
    fewer = data.drop(columns=[one.name for one in found])
    return lambda function: lambda rows: function(with_columns_of_frame(rows)), fewer, found


def _mapping(values: Any) -> Mapping[Any, Any]:
    if not isinstance(values, Mapping):
        raise OptionError(f"values must map columns to the values to try, not {values!r}")
    return values


# --- values -----------------------------------------------------------------------------------------------------------


def _column(form: TableForm, j: int, entries: Column, given: Any, most: int) -> BlackBoxColumn:
    """The values of a column: those that are given, or those of the data."""
    tick()
    name, kind = form.names[j], form.dtypes[j]
    cells = list(dict.fromkeys(_hashable(cell, name) for cell in entries.tolist()))
    blank = next((cell for cell in cells if is_missing(cell)), None)
    known = [cell for cell in cells if cell is not None and not is_missing(cell)]
    if given is not None:
        known = _checked(given, form, j)
    for cell in known:
        if not form.fits(j, cell):
            raise ModelError(f"data: column {name!r} has {cell!r}: numbers must be finite, and whole ones below 2**53")
    if not known:
        raise ModelError(f"data: column {name!r} has no value; leave it out, or name some with values=")
    categories = getattr(kind, "categories", None)
    numbers = categories is None and all(map(is_number, known))
    if numbers and given is None:
        known = _at_quantiles(entries, known, most)
    labels = _in_order(known) if categories is None else categories.tolist()
    ordered = numbers or all(isinstance(cell, bool) for cell in known) or bool(getattr(kind, "ordered", False))
    return BlackBoxColumn(
        tuple(labels), frozenset(known), numbers, ordered, blank is not None, any(cell is None for cell in cells), blank
    )


def _hashable(cell: Any, name: str) -> Any:
    if not isinstance(cell, Hashable):
        raise ModelError(f"data: column {name!r} has {cell!r}, which is not a single value")
    return cell


def _checked(given: Any, form: TableForm, j: int) -> list[Any]:
    """What the user gave as values to try."""
    name = form.names[j]
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise OptionError(f"values[{name!r}] must list values, not {given!r}")
    given = list(given)
    for cell in given:
        if cell is None or is_missing(cell) or not isinstance(cell, Hashable) or not form.fits(j, cell):
            raise OptionError(
                f"values[{name!r}]: {cell!r} does not fit the column, which holds {form.dtypes[j]} in data"
            )
    return list(dict.fromkeys(form.held(j, given)))


def _at_quantiles(entries: Column, known: Sequence[Any], most: int) -> list[Any]:
    """All different numbers or, of many, those at equally spaced quantiles of the data."""
    if len(known) <= most:
        return sorted(known)
    everyone = sorted(cell for cell in entries.tolist() if cell is not None and not is_missing(cell))
    last = len(everyone) - 1
    places = [last // 2] if most == 1 else [round(i * last / (most - 1)) for i in range(most)]
    return sorted({everyone[place] for place in places})


def _in_order(cells: Sequence[Any]) -> list[Any]:
    """Text by its letters; a mixture by type first."""
    try:
        return sorted(cells)
    except TypeError:
        return sorted(cells, key=lambda cell: (type(cell).__name__, str(cell)))


def _is_closed(column: BlackBoxColumn, entries: Column) -> bool:
    """Does the data have no other values than those that are tried?"""
    return not column.none and all(cell in column.tried or is_missing(cell) for cell in set(entries.tolist()))


# --- classes and answers ----------------------------------------------------------------------------------------------


def _classes(model: Any, given: Any, answers: Callable[[], npt.NDArray[Any]]) -> tuple[Hashable, ...]:
    """The labels of the classes."""
    known = getattr(model, "classes_", None) if given is None else given
    if isinstance(known, list) and known and isinstance(known[0], np.ndarray):
        raise ModelError(f"{type(model).__name__} has several outputs: make a function of one of them, and give that")
    if known is None:
        found = answers()
        labels = _in_order(list(dict.fromkeys(found.tolist())))
        if len(labels) < 2:
            raise ModelError(f"all rows of data are decided {labels!r}: name the labels with classes=")
        if found.dtype.kind == "f" and any(not float(label).is_integer() for label in labels):
            raise ModelError(
                f"predict returned numbers such as {labels[0]!r}, which are no labels: make a function that compares "
                f"them with a threshold"
            )
    else:
        labels = list(np.asarray(known).tolist()) if not isinstance(known, (list, tuple)) else list(known)
    result = checked_names(labels, len(labels), "classes", [])
    if len(result) < 2:
        raise ModelError(f"a classifier needs at least two classes, this one has {list(result)!r}")
    return result


def _typed(form: TableForm, columns: Sequence[Column]) -> list[Any]:
    return [form.typed(j, column.tolist()) for j, column in enumerate(columns)]


def _check_answers(box: BlackBoxModel, columns: Sequence[Column], head: Any) -> None:
    """The first rows of data must be decided in the same way whether they are given as they are and at once, or as
    codes and in parts, the first of which is one row by itself.
    """
    table = Table(len(columns[0]), dict(enumerate(columns)))
    predict, typed = Predict(box.function, box.form, box.classes), _typed(box.form, columns)
    direct = predict.codes(predict.labels(typed, head), typed)
    known = box.including(table)
    codes = known.encoder.encode_table(table)
    parts = [codes[size - 1 : 2 * size - 1] for size in (1 << i for i in range(len(codes).bit_length()))]
    twice = np.concatenate([known.decide(part[::-1])[::-1] for part in parts])
    if (direct != twice).any():
        i = int(np.argmax(direct != twice))
        first, then = (repr(box.classes[codes[i]]) for codes in (direct, twice))
        raise ModelError(not_a_function(f"row {i} of data", first, then))


def _tabulated(box: BlackBoxModel) -> FunctionModel:
    """The same decision as diagrams, of all combinations of the values that are tried."""
    columns = [replace(c, labels=tuple(label for label in c.labels if label in c.tried)) for c in box.columns]
    few = BlackBoxModel(box.function, box.form, columns, box.classes)
    labels = np.empty(len(box.classes), dtype=object)
    labels[:] = box.classes
    made = from_function(
        lambda codes: labels[few.decide(codes)],
        [len(names) for names in few.values],
        features=few.features,
        classes=box.classes,
        vectorized=True,
        max_inputs=sys.maxsize,
    )
    readers = [column.reader(j) for j, column in enumerate(columns)]
    return FunctionModel(
        made.diagrams,
        features=few.features,
        values=few.values,
        classes=box.classes,
        ordered=few.ordered,
        encoder=RawColumns(
            few.features,
            readers,
            named=box.form.named,
            doubles=box.form.doubles,
            types=box.form.types,
            derived=box.form.derived,
        ),
    )
