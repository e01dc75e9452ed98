"""Builds the page: explains the rows, gathers what the page needs, and writes one file.

Everything that comes from the user reaches the page in one of two ways: through the template, which escapes it, or
within a block of JSON in which the characters that HTML knows are written as escapes; the script puts it on the page as
text and never as HTML. A content security policy allows this page's own script and styles, by their hashes, and nothing
else: should anything slip through, the browser will not run it, nor load anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Hashable, Sequence
from functools import cache
from importlib import resources
from os import PathLike
from typing import TYPE_CHECKING, Any

from symcf.common.files import written_whole
from symcf.common.options import checked_count
from symcf.compiled import Compiled
from symcf.decision.additive import AdditiveDecision
from symcf.errors import OptionError
from symcf.fast import explain_batch
from symcf.questions.costs import Costs
from symcf.report.charts import bars
from symcf.report.classifier import EXACT, classifier_data
from symcf.report.pictures import heat_map
from symcf.report.reasons import reasons_data
from symcf.report.rows import label_text, overview, rows_data
from symcf.results.batch import BatchExplanation

if TYPE_CHECKING:
    import jinja2

__all__ = ["content_hash", "static_text", "template_of", "write"]

#: Ways shown per row, unless the caller says how many to look for.
WAYS = 20
MAX_ROWS = 5_000
MAX_NODES = 200_000
#: Bars of a chart.
BARS = 12

#: Characters that must not occur in a script element, and those that end a line in JavaScript but not in JSON.
ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def write(
    path: str | PathLike[str],
    c: Compiled,
    rows: Any,
    *,
    names: Sequence[Hashable] | None = None,
    title: str | None = None,
    max_rows: int | None = MAX_ROWS,
    max_nodes: int = MAX_NODES,
    pictures: bool | None = None,
    **options: Any,
) -> None:
    """Writes a report on the decisions for some rows: one HTML file that works without a network.

    Parameters
    ----------
    path:
        The file. It appears when it is complete, and replaces an existing one.
    c:
        The compiled classifier.
    rows:
        What `symcf.fast.explain_batch` takes; may be empty.
    names:
        What each row is called, such as the number of an application; by default "Row 1", "Row 2", ...
    title:
        The heading of the page.
    max_rows:
        The number of rows to list; the figures at the top always count all rows. None lists all.
    max_nodes:
        Decision diagrams up to this many nodes are put into the page. Without them, classifiers that add up weights
        are evaluated by their weights; for others the page has no what-if panel, and says so.
    pictures:
        Whether to draw a heat map of the batch, which needs matplotlib; None draws it if matplotlib is installed.
    options:
        The keywords of `explain_batch`: target, immutable, allowed, cost, max_changes, constraints, n_jobs, ... Without
        k and max_results, the 20 ways of lowest cost are shown per row.

    >>> import os, tempfile, symcf, symcf.report
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    >>> file = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> symcf.report.write(file, c, [[1, 0], [0, 0]], names=["Ann", "Bob"])
    >>> os.path.exists(file)
    True
    """
    if not isinstance(c, Compiled):
        raise TypeError(f"c must be a compiled classifier, not {type(c).__name__}: call symcf.compile first")
    target = os.fspath(path)
    most_rows = checked_count(max_rows, "max_rows", least=1)
    most_nodes = checked_count(max_nodes, "max_nodes", least=0) or 0
    if title is not None and not isinstance(title, str):
        raise OptionError(f"title must be a string, not {title!r}")
    if options.get("values", "nearest") != "nearest":
        raise OptionError(f"values={options['values']!r}: a report shows the nearest values of each way; leave it out")
    template = template_of("report.html")
    limited = options.get("k") is None and options.get("max_results") is None
    batch = explain_batch(c, rows, **{**options, "k": WAYS + 1} if limited else options)
    called = _checked_names(names, len(batch))
    listed = len(batch) if most_rows is None else min(len(batch), most_rows)
    heading = label_text(title or "Decisions, and what would have changed them")
    reasons = reasons_data(batch[:listed])
    data = {
        **_shape(batch),
        "rows": rows_data(batch[:listed], None if called is None else called[:listed], WAYS if limited else None)
        | {"reasons": reasons},
        "classifier": classifier_data(batch.request.question, most_nodes),
    }
    css, script = static_text("report.css"), "\n".join(map(static_text, ("engine.js", "page.js", "whatif.js")))
    seen = overview(batch)
    dear = limited and batch.request.question.costs.units is not None
    fewest = "Fewest changes to another decision" + (", among the cheapest ways" if dear else "")
    page = template.render(
        title=heading,
        css=css,
        script=script,
        css_hash=content_hash(css),
        script_hash=content_hash(script),
        data=json.dumps(data, separators=(",", ":"), allow_nan=False).translate(ESCAPES),
        seen=seen,
        heat_map=heat_map(batch, pictures),
        listed=listed,
        charts=[
            bars("decisions", "Decisions", seen.decisions, seen.rows, BARS),
            bars("fewest", fewest, seen.fewest, seen.rows, BARS),
            bars("features", "What would have to change", seen.features, seen.with_way, BARS),
        ],
        two=c.n_classes == 2,
        limited=limited,
        ways=WAYS,
        reasons=reasons is not None,
    )
    with written_whole(target) as temporary, open(temporary, "wb") as file:
        file.write(page.encode("utf-8", "replace"))


def _shape(batch: BatchExplanation) -> dict[str, Any]:
    """Names, and what was asked of every row."""
    question = batch.request.question
    c = batch.compiled
    if isinstance(c.decision, AdditiveDecision):
        raise OptionError("the report needs values that can be listed; columns of numbers are not supported in it yet")
    allowed: list[list[int] | None] = [None] * c.n_features
    direction = [0] * c.n_features
    locked: list[int] = []
    for constraint in question.constraints.items:
        j = constraint.feature
        if j is None:
            continue
        if constraint.kind == "immutable":
            locked.append(j)
        elif isinstance(constraint.value, str):
            direction[j] |= 1 if constraint.value == "increase" else 2
        else:
            earlier = allowed[j]
            allowed[j] = [v for v in constraint.value if earlier is None or v in earlier]
    relations = [c for c in question.constraints.items if c.kind == "relation"]
    return {
        "features": [label_text(name) for name in c.features],
        "values": [[label_text(label) for label in labels] for labels in c.values],
        "ordered": list(c.ordered),
        "classes": [label_text(label) for label in c.classes],
        "target": question.target,
        "locked": locked,
        "allowed": allowed,
        "direction": direction,
        "max_changes": question.constraints.max_changes,
        "rules": [label_text(str(relation)) for relation in relations],
        "cost": _costs(question.costs, [len(labels) for labels in c.values]),
    }


def _costs(costs: Costs, n_values: Sequence[int]) -> list[Any] | None:
    """By feature a number, or a matrix by old and new value; None where every change costs the same."""
    if costs.units is None:
        return None
    per_value = costs.per_value or [False] * len(n_values)
    exact = costs.most < EXACT

    def entry(j: int) -> Any:
        d = n_values[j]
        if not per_value[j]:
            return costs.unit_of(j, 0, 1) if exact else costs.given[j]
        of = costs.unit_of if exact else costs.cost_of
        return [[of(j, old, new) for new in range(d)] for old in range(d)]

    return [entry(j) for j in range(len(n_values))]


def _checked_names(names: Any, n_rows: int) -> list[Hashable] | None:
    if names is None:
        return None
    try:
        listed = None if isinstance(names, (str, bytes)) else list(names)
    except TypeError:
        listed = None
    if listed is None:
        raise OptionError(f"names must list one name per row, not {names!r}")
    if len(listed) != n_rows:
        raise OptionError(f"names has {len(listed):,} names for {n_rows:,} rows")
    return listed


# --- the file ---------------------------------------------------------------------------------------------------------


def template_of(name: str) -> jinja2.Template:
    """A template of this folder; what it is filled with is escaped."""
    try:
        import jinja2
    except ImportError:
        raise OptionError("a report needs jinja2: pip install 'symcf[report]'") from None
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_template_text),
    )
    return environment.get_template(name)


@cache
def _template_text(name: str) -> str:
    return _text("templates", name)


@cache
def static_text(name: str) -> str:
    """A style sheet or a script."""
    return _text("static", name)


def _text(folder: str, name: str) -> str:
    return (resources.files("symcf.report") / folder / name).read_text(encoding="utf-8")


def content_hash(text: str) -> str:
    """The hash by which a content security policy names an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
