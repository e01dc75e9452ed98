"""Builds the page: explains the rows, gathers what the page needs, and writes one file.

Everything that comes from the user reaches the page in one of two ways: through the template, which escapes it, or
within a block of JSON in which the characters that HTML knows are written as escapes; the script puts it on the page as
text and never as HTML. A content security policy allows this page's own script and styles, by their hashes, and nothing
else: should anything slip through, the browser will not run it, nor load anything.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.answers.sentences import fixed_phrase, given_phrase
from symcf.answers.summary import AT_TARGET, COMPLETE, INVALID, MAX_RESULTS, TIME_LIMIT
from symcf.common.clock import tick
from symcf.common.files import written_whole
from symcf.common.options import checked_count
from symcf.compiled import Compiled
from symcf.data.given import ReadRows
from symcf.data.labels import feature_index, feature_indices
from symcf.data.phrases import joined, quoted, value_text
from symcf.data.reader import arrow_table
from symcf.errors import OptionError
from symcf.fast import explain_batch
from symcf.letters.policy import Policy
from symcf.report.charts import Chart, bars, numbers_of_rows
from symcf.report.classifier import classifier_data
from symcf.report.provenance import provenance
from symcf.report.rows import reasons_data, rows_data, shape_data
from symcf.report.words import Called, cells_of, label_text

if TYPE_CHECKING:
    import jinja2

__all__ = ["Alone", "Page", "content_hash", "overview", "show", "static_text", "template_of", "write", "write_each"]


#: Ways shown per row, unless the caller says how many to look for.
WAYS = 20
MAX_ROWS = 5_000
MAX_NODES = 200_000
#: Bars of a chart.
BARS = 12
#: Pixels of a report in a notebook.
FRAME_HEIGHT = 760

#: The script of the page, in the order in which its parts know each other.
SCRIPTS = (
    "engine.js",
    "trees.js",
    "numbers.js",
    "words.js",
    "rows.js",
    "cards.js",
    "compare.js",
    "heat.js",
    "facts.js",
    "whatif.js",
    "start.js",
)

#: Characters that must not occur in a script element, and those that end a line in JavaScript but not in JSON.
ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


class Page:
    """A report in memory: a notebook shows it, and `save` writes it.

    >>> import symcf, symcf.report
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    >>> symcf.report.show(c, [[1, 0], [0, 0]])
    Page(2 decisions, save(path) writes it as HTML)
    """

    def __init__(self, html: str, rows: int) -> None:
        #: The whole file as text.
        self.html = html
        self._rows = rows

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file. It appears when it is complete, and replaces an existing one."""
        with written_whole(os.fspath(path)) as temporary, open(temporary, "wb") as file:
            file.write(self.html.encode("utf-8", "replace"))

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="Report" width="100%" height="{FRAME_HEIGHT}" '
            'style="border: 1px solid #8c8c8c; border-radius: 4px"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Page({self._rows:,} decision{'s' * (self._rows != 1)}, save(path) writes it as HTML)"


def write(path: str | PathLike[str], c: Compiled, rows: Any, **options: Any) -> None:
    """Writes a report on the decisions for some rows: one HTML file that works without a network.

    ``path`` is the file; it appears when it is complete, and replaces an existing one. The rest is as for `show`.

    >>> import os, tempfile, symcf, symcf.report
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    >>> file = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> symcf.report.write(file, c, [[1, 0], [0, 0]], names=["Ann", "Bob"])
    >>> os.path.exists(file)
    True
    """
    target = os.fspath(path)
    show(c, rows, **options).save(target)


def write_each(
    directory: str | PathLike[str],
    c: Compiled,
    rows: Any,
    *,
    names: Sequence[Hashable] | None = None,
    force: bool = False,
    index: str | PathLike[str] | None = None,
    **options: Any,
) -> list[str]:
    """Writes one report per row, each made from that row alone: for the person whom it is about. Gives the files.

    They are called after the rows, such as ``A079.html``, if all names are of letters, digits, ``.``, ``_`` and ``-``
    and differ; otherwise ``row-1.html``, ``row-2.html``, ... The directory is made if it does not exist. If it holds
    files, pages of earlier rows could be taken for new ones: FileExistsError, unless ``force`` is true. Then files of
    the same name are replaced and the others stay. ``index`` is a file for the officer, with a line per row and links
    to the files; it names everyone, so that it may not lie in the directory. The rest is as for `show`.

    >>> import os, tempfile, symcf, symcf.report
    >>> c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    >>> files = symcf.report.write_each(tempfile.mkdtemp(), c, [[1, 0], [0, 0]], names=["Ann", "Bob"])
    >>> [os.path.basename(file) for file in files]
    ['Ann.html', 'Bob.html']
    """
    if not isinstance(c, Compiled):
        raise TypeError(f"c must be a compiled classifier, not {type(c).__name__}: call symcf.compile first")
    given = arrow_table(rows) if hasattr(rows, "__arrow_c_stream__") and not hasattr(rows, "iloc") else rows
    count = len(next(iter(given.values()), ())) if isinstance(given, Mapping) else len(given)
    called = checked_names(names, count)
    if index is not None and Path(index).resolve().parent == Path(directory).resolve():
        raise OptionError(f"index: {os.fspath(index)} names everyone; put it outside of the directory of the files")
    os.makedirs(directory, exist_ok=True)
    if not force and (older := os.listdir(directory)):
        raise FileExistsError(
            f"{os.fspath(directory)}: the directory is not empty ({min(older)!r}{', ...' * (len(older) > 1)}); give "
            "another one, or use force (--force) to replace files of the same name and keep the others"
        )
    files: list[str] = []
    classifier: dict[str, Any] | None = None
    for i, name in enumerate(file_names(called, count)):
        one = None if called is None else called[i : i + 1]
        page, classifier = _page(c, _one_row(given, i), classifier, names=one, **options)
        files.append(os.path.join(os.fspath(directory), f"{name}.html"))
        page.save(files[-1])
    if index is not None:
        _index(c, given, called, files, index, options).save(index)
    return files


def _index(
    c: Compiled,
    rows: Any,
    names: list[Hashable] | None,
    files: list[str],
    path: str | PathLike[str],
    options: Mapping[str, Any],
) -> Page:
    """The list of all files, for the officer."""
    own = {"title", "groups", "protected", "policy", "max_rows", "max_nodes"}
    given = {name: value for name, value in options.items() if name not in own}
    policy = options.get("policy")
    words, asked, protected = by_policy(policy, c, given, options.get("protected"))
    batch = explain_batch(c, rows, **asked)
    alone = alone_of(batch, protected_features(protected, batch), asked, words)
    folder = Path(path).resolve().parent
    lines = []
    for i, file in enumerate(files):
        invalid, e = batch.status[i] == INVALID, None if batch.status[i] == INVALID else batch[i]
        ways = [[words.feature(c.features[j]) for j, _ in way] for way in alone.rows.get(i, [])]
        lines.append(
            {
                "file": quote(os.path.relpath(Path(file).resolve(), folder).replace(os.sep, "/")),
                "name": label_text(f"Row {i + 1}" if names is None else names[i]),
                "decision": "" if invalid or e is None else words.decision(e.classes[e.prediction]),
                "fewest": "" if e is None or e.at_target else str(min(map(len, e.sets), default="none")),
                "alone": "; ".join(joined([quoted(name) for name in way]) for way in ways),
            }
        )
    css = static_text("report.css")
    title = label_text(options.get("title") or "Decisions, one file per person")
    made = provenance(batch, asked, policy)
    page = template_of("index.html").render(title=title, css=css, css_hash=content_hash(css), lines=lines, made=made)
    return Page(page, len(batch))


#: Names that some systems take for devices.
DEVICES = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


def file_names(names: list[Hashable] | None, count: int) -> list[str]:
    """By row the name of a file: that of the row, if all of them are safe and differ on every system."""
    texts = [str(name) for name in names or ()]
    safe = all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}", t) and not DEVICES.fullmatch(t) for t in texts)
    if names is not None and safe and len({text.casefold() for text in texts}) == count:
        return texts
    return [f"row-{i + 1}" for i in range(count)]


def _one_row(rows: Any, i: int) -> Any:
    """A table of one row, of the same kind. Its labels are new, too: those of a DataFrame could name other rows."""
    if isinstance(rows, Mapping):
        return {name: column[i : i + 1] for name, column in rows.items()}
    if hasattr(rows, "iloc"):
        return rows.iloc[i : i + 1].reset_index(drop=True)
    return rows[i : i + 1]


def show(
    c: Compiled,
    rows: Any,
    *,
    names: Sequence[Hashable] | None = None,
    title: str | None = None,
    groups: Hashable | None = None,
    protected: Any = None,
    policy: Policy | None = None,
    max_rows: int | None = MAX_ROWS,
    max_nodes: int = MAX_NODES,
    **options: Any,
) -> Page:
    """A report on the decisions for some rows. A notebook shows it in place.

    Parameters
    ----------
    c:
        The compiled classifier.
    rows:
        What `symcf.fast.explain_batch` takes; may be empty.
    names:
        What each row is called, such as the number of an application; by default "Row 1", "Row 2", ...
    title:
        The heading of the page.
    groups:
        The feature whose values are compared first, such as "sex"; on the page one can choose others.
    protected:
        Features that should not decide alone; by default the immutable ones. Rows that would have had another decision
        if only these were different are marked, and counted in the overview.
    policy:
        A `symcf.letters.Policy`: its names, units and decisions, in English or, without any, in its own language; its
        target, what people can change, and the largest number of changes, unless options say otherwise; its protected
        features instead of the immutable ones. All features are shown: which may be named is for letters.
    max_rows:
        The number of rows to list; the figures at the top always count all rows. None lists all.
    max_nodes:
        Decision diagrams up to this many nodes are put into the page. Without them, classifiers that add up weights
        are evaluated by their weights; for others the page has no what-if panel, and says so.
    options:
        The keywords of `explain_batch`: target, immutable, allowed, cost, max_changes, constraints, n_jobs, ... Without
        k, max_results and diverse, the 20 ways of lowest cost are shown per row. Name a ``target``: then the page knows
        which decision is the good one. ``time_limit`` is for finding the ways; the page is made after that. For a limit
        on both use `symcf.time_limit`: `LimitError` when time is up.

    >>> import symcf, symcf.datasets, symcf.report
    >>> credit = symcf.datasets.credit()
    >>> c = symcf.compile(credit.model("scorecard"))
    >>> symcf.report.show(c, credit.data, names=credit.names, target="approved", immutable=["age", "sex"])
    Page(600 decisions, save(path) writes it as HTML)
    """
    page, _ = _page(
        c,
        rows,
        None,
        names=names,
        title=title,
        groups=groups,
        protected=protected,
        policy=policy,
        max_rows=max_rows,
        max_nodes=max_nodes,
        **options,
    )
    return page


def _page(
    c: Compiled,
    rows: Any,
    classifier: dict[str, Any] | None,
    *,
    names: Sequence[Hashable] | None = None,
    title: str | None = None,
    groups: Hashable | None = None,
    protected: Any = None,
    policy: Policy | None = None,
    max_rows: int | None = MAX_ROWS,
    max_nodes: int = MAX_NODES,
    **options: Any,
) -> tuple[Page, dict[str, Any]]:
    """The page, and what it holds of the classifier; see `show`. ``classifier`` is that, if it is known."""
    if not isinstance(c, Compiled):
        raise TypeError(f"c must be a compiled classifier, not {type(c).__name__}: call symcf.compile first")
    most_rows = checked_count(max_rows, "max_rows", least=1)
    most_nodes = checked_count(max_nodes, "max_nodes", least=0) or 0
    if title is not None and not isinstance(title, str):
        raise OptionError(f"title must be a string, not {title!r}")
    compared = None if groups is None else feature_index(groups, c.features, "groups")
    if options.get("select", "nearest") != "nearest":
        raise OptionError(f"select={options['select']!r}: a report shows the nearest values of each way; leave it out")
    template = template_of("report.html")
    words, options, protected = by_policy(policy, c, options, protected)
    limited = all(options.get(name) is None for name in ("k", "max_results", "diverse"))
    batch = explain_batch(c, rows, **{**options, "k": WAYS + 1} if limited else options)
    within = batch.request.question.relations
    if within is not None and within.by_row:
        order = within.by_row[0].text
        raise OptionError(f"constraints: {order!r} compares numbers, which a report does not; leave it out")
    called = checked_names(names, len(batch))
    listed = len(batch) if most_rows is None else min(len(batch), most_rows)
    part = batch[:listed]
    cells = cells_of(part)
    tick()
    reasons = reasons_data(part)
    tick()
    alone = alone_of(batch, protected_features(protected, batch), options, words)
    tick()
    if classifier is None:
        classifier = classifier_data(batch.request.question, most_nodes)
    conditions = list(map(words.constraint, batch.request.question.constraints.items))
    tick()
    data = {
        **shape_data(part, cells, words),
        "groups": compared,
        "rows": rows_data(part, cells, None if called is None else called[:listed], WAYS if limited else None, words)
        | {"reasons": reasons, "numbers": numbers_of_rows(part)}
        | {"alone": {i: ways for i, ways in alone.rows.items() if i < listed}},
        "condition": {"fixed": label_text(fixed_phrase(conditions)), "given": label_text(given_phrase(conditions))},
        "classifier": classifier,
    }
    if len(batch) == 1 and cells is not None and classifier["missing"] is not None:
        data["values"] = [[]] * c.n_features  # for the what-if panel, which is missing; they may be other people's
    tick()
    css, script = static_text("report.css"), "\n".join(map(static_text, SCRIPTS))
    seen = overview(batch, words)
    page = Page(
        template.render(
            title=label_text(title or "Decisions, and what would have changed them"),
            css=css,
            script=script,
            css_hash=content_hash(css),
            script_hash=content_hash(script),
            data=json.dumps(data, separators=(",", ":"), allow_nan=False).translate(ESCAPES),
            seen=seen,
            charts=_charts(seen, data["target"], limited=limited, dear=data["dear"]),
            listed=listed,
            target=None if data["target"] is None else data["classes"][data["target"]],
            dear=data["dear"],
            limited=limited,
            ways=WAYS,
            reasons=reasons is not None,
            chances=c.has_probabilities,
            alone=alone,
            condition=data["condition"],
            made=provenance(batch, options, policy),
        ),
        len(batch),
    )
    tick()
    return page, classifier


def by_policy(
    policy: Policy | None, c: Compiled, options: Mapping[str, Any], protected: Any
) -> tuple[Called, dict[str, Any], Any]:
    """What a policy calls things; the question, with what it leaves to the policy; the protected features."""
    if policy is None:
        return Called(), dict(options), protected
    if not isinstance(policy, Policy):
        raise OptionError(f"policy must be what Policy.read gives, not {policy!r}")
    asked = {**policy.question(c.features, c.values, c.classes), **options}
    guarded = policy.those(c.features, lambda one: one.protected) if protected is None else protected
    return Called.by(policy, c), asked, guarded


def _charts(seen: Overview, target: int | None, *, limited: bool, dear: bool) -> dict[str, Chart]:
    fewest = "Fewest changes to another decision" + (", among the cheapest ways" if limited and dear else "")
    return {
        "decisions": bars("Decisions", seen.decisions, seen.rows, BARS, target),
        "fewest": bars(fewest, seen.fewest, sum(count for _, count in seen.fewest), BARS),
        "features": bars("What would have to change", seen.features, seen.with_way, BARS),
    }


def checked_names(names: Any, n_rows: int) -> list[Hashable] | None:
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


# --- overview ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Overview:
    """A batch in a few numbers, for the top of the page."""

    rows: int
    #: Rows that could not be read.
    invalid: int
    #: Rows by class, in the order of the classes.
    decisions: list[tuple[str, int]]
    #: Rows by the fewest changes that lead to another decision.
    fewest: list[tuple[str, int]]
    #: Rows of which at least one way changes the feature, most first.
    features: list[tuple[str, int]]
    #: Features that no way changes.
    idle: int
    #: Rows with a way, and those of them for which a single change is enough.
    with_way: int
    single: int
    #: Rows whose search was stopped by a limit, and those of them without a way.
    cut: int
    cut_empty: int


def overview(batch: BatchExplanation, called: Called | None = None) -> Overview:
    """Counts over all rows."""
    called = called or Called()
    compiled = batch.compiled
    readable = batch.status != INVALID
    per_class = np.bincount(batch.prediction[readable], minlength=compiled.n_classes)
    ways = np.diff(batch.row_offsets)
    has_way = ways > 0
    sizes = np.diff(batch.set_offsets)
    fewest = np.minimum.reduceat(sizes, batch.row_offsets[:-1][has_way]) if has_way.any() else np.zeros(0, np.int64)
    per_size = np.bincount(fewest, minlength=2)
    said = [(f"{size} change{'s' * (size != 1)}", int(n)) for size, n in enumerate(per_size) if n]
    cut = np.isin(batch.status, (MAX_RESULTS, TIME_LIMIT))
    none = int((~has_way & (batch.status == COMPLETE)).sum())
    row_of_change = np.repeat(np.repeat(np.arange(len(batch)), ways), sizes)
    pairs = np.unique(row_of_change * max(1, compiled.n_features) + batch.features)
    per_feature = np.bincount(pairs % max(1, compiled.n_features), minlength=compiled.n_features)
    by_frequency = sorted(range(compiled.n_features), key=lambda j: (-per_feature[j], j))
    return Overview(
        rows=len(batch),
        invalid=int((~readable).sum()),
        decisions=[(called.decision(name), int(n)) for name, n in zip(compiled.classes, per_class, strict=True)],
        fewest=said + ([("nothing helps", none)] if none else []),
        features=[(called.feature(compiled.features[j]), int(per_feature[j])) for j in by_frequency if per_feature[j]],
        idle=int((per_feature == 0).sum()),
        with_way=int(has_way.sum()),
        single=int(per_size[1]),
        cut=int(cut.sum()),
        cut_empty=int((cut & ~has_way).sum()),
    )


# --- protected features -----------------------------------------------------------------------------------------------
# Rows that protected features decide alone: with all others as they are, another value leads to another decision.

#: Options of the report that are about the work, not about what may change.
WORK = ("time_limit", "n_jobs", "max_memory", "errors", "engine", "constraints", "min_plausibility", "data")

#: Sets of protected features that are named per row.
SHOWN = 3


@dataclass(frozen=True)
class Alone:
    """What protected features decide alone."""

    #: By row, the smallest sets of them that are enough: pairs of a feature and its other value.
    rows: dict[int, list[list[tuple[int, str]]]]
    #: How many rows each set of them decides, in words, most first.
    counts: list[tuple[str, int]]
    #: Rows that have another decision to reach, and those of them for which time did not suffice.
    of: int
    unknown: int


def protected_features(protected: Any, batch: BatchExplanation) -> list[int]:
    """The features given or, by default, those that are immutable."""
    if protected is not None:
        return sorted(feature_indices(protected, batch.compiled.features, "protected"))
    items = batch.request.question.constraints.items
    return sorted({item.feature for item in items if item.locks and item.feature is not None})


def alone_of(
    batch: BatchExplanation, features: Sequence[int], options: Mapping[str, Any], called: Called | None = None
) -> Alone:
    """Asks the question of the batch again, with only these features free to change."""
    called = called or Called()
    open_rows = ~np.isin(batch.status, (INVALID, AT_TARGET))
    if not features or not open_rows.any():
        return Alone({}, [], int(open_rows.sum()), 0)
    names = batch.compiled.features
    asked = {name: options[name] for name in WORK if name in options} | {"target": options.get("target")}
    rows = batch.rows if batch.given is None else ReadRows(batch.given, batch.rows)
    others = [names[j] for j in range(len(names)) if j not in set(features)]
    found = explain_batch(batch.compiled, rows, **asked, immutable=others)
    _, new = found.old_and_new()

    def said(j: int, cell: Any) -> str:
        return called.value(names[j], cell, value_text(cell))

    by_row: dict[int, list[list[tuple[int, str]]]] = {}
    tally: Counter[tuple[int, ...]] = Counter()
    for i in np.flatnonzero(np.diff(found.row_offsets)).tolist():
        sets = range(*found.row_offsets[i : i + 2].tolist())
        places = [range(*found.set_offsets[s : s + 2].tolist()) for s in sets]
        ways = [[(int(found.features[p]), said(int(found.features[p]), new[p])) for p in each] for each in places]
        tally.update(tuple(j for j, _ in way) for way in ways)
        by_row[i] = ways[:SHOWN]
    counts = [(joined([quoted(called.feature(names[j])) for j in way]), count) for way, count in tally.most_common()]
    unknown = int((open_rows & (found.status != COMPLETE)).sum())
    return Alone(by_row, counts, int(open_rows.sum()), unknown)
