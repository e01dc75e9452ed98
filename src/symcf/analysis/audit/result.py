"""An audit as an object, as text, as HTML and as tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.analysis.audit.confidence import median_of, wilson
from symcf.analysis.audit.proxies import Proxy
from symcf.analysis.audit.tally import GroupTally, Tally
from symcf.analysis.properties.bias import Bias
from symcf.analysis.properties.dependence import Monotonicity
from symcf.answers.batch import BatchExplanation
from symcf.answers.html_table import html_table
from symcf.answers.render import MANY_FEATURES
from symcf.common.extras import load_extra
from symcf.common.options import checked_count, limit_of
from symcf.common.text import one_line, plain
from symcf.compiled import Compiled
from symcf.data.phrases import value_text
from symcf.errors import InternalError, OptionError
from symcf.proof.verification import verify

if TYPE_CHECKING:
    import pandas

__all__ = ["Audit", "Rule"]


GROUP_COLUMNS = (
    "group",
    "rows",
    "at_target",
    "locked_out",
    "locked_out_share",
    "not_known",
    "mean_changes",
    "most_changes",
    "mean_cost",
    "biased",
)
FEATURE_COLUMNS = ("feature", "values", "alone", "with_others")

DRIFT_COLUMNS = ("group", "suggested", "held", "share", "at_target", "no_way", "longer", "other", "unknown")
PROXY_COLUMNS = ("protected", "feature", "guessed", "chance", "decides", "turned", "restored", "unknown")
INTERVAL_COLUMNS = ("group", "figure", "value", "low", "high")

#: The same for people.
DRIFT_HEADS = ["group", "suggested", "hold", "share", "at target now", "no way", "longer", "other way", "not known"]
PROXY_HEADS = ["protected", "feature", "guessed right", "by chance", "decides", "turned", "turned back"]
FIGURES = {
    "at_target": "share at the target",
    "locked_out": "share locked out",
    "biased": "share decided by protected features",
    "held": "share of suggestions that hold",
    "median_changes": "median of fewest changes",
}
GROUP_HEADS = ["share" if name == "locked_out_share" else name.replace("_", " ") for name in GROUP_COLUMNS]
FEATURE_HEADS = ["feature", "new values", "lead there alone", "with others"]


#: By rule, its name for people.
TITLES = {
    "max_locked_out": "few people locked out",
    "max_undecided": "little left unknown",
    "max_bias": "not decided by protected features",
    "max_protected_reasons": "protected features are no principal reasons",
    "few_changes": "few changes are enough",
    "min_held": "earlier suggestions hold",
    "max_proxy": "protected features cannot be read off",
}


@dataclass(frozen=True)
class Rule:
    """A rule of an audit, and whether it holds; None: that is not known."""

    name: str
    holds: bool | None
    text: str

    @property
    def title(self) -> str:
        """The rule in words."""
        return TITLES.get(self.name, self.name)

    @property
    def verdict(self) -> str:
        """In a word."""
        return "not known" if self.holds is None else "passed" if self.holds else "failed"

    def __str__(self) -> str:
        return f"{self.verdict}: {self.text}"


class Audit:
    """What an audit has found. Made by `symcf.audit`.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> c = symcf.compile(admission())
    >>> a = symcf.audit(c, [[0, 0, 0, 0], [1, 0, 1, 0]], target="admitted", protected=["first application"])
    >>> a.total.rows, len(a.locked_out), a.bias_in_data
    (2, 0, 1)
    """

    def __init__(
        self,
        compiled: Compiled,
        question: Mapping[str, Any],
        cost: Any,
        protected: Sequence[int],
        tally: Tally,
        bias: Bias | None,
        monotone: Sequence[Monotonicity],
        batch: BatchExplanation | None = None,
        changes: npt.NDArray[np.int32] | None = None,
        confidence: float | None = None,
    ) -> None:
        self.compiled = compiled
        #: What was asked: target, immutable, allowed, constraints, max_changes; and the costs.
        self.question = dict(question)
        self.cost = cost
        self.protected = tuple(compiled.features[j] for j in protected)
        #: By label, what was counted.
        self.groups: dict[Hashable, GroupTally] = tally.in_order()
        #: All rows together.
        self.total: GroupTally = tally.total()
        #: The numbers of the rows that no allowed change leads to the target: proved.
        self.locked_out: npt.NDArray[np.int64] = np.array(sorted(tally.locked_out), dtype=np.int64)
        #: The numbers of the rows that would be decided differently if only protected features were different.
        self.biased: npt.NDArray[np.int64] = np.array(sorted(tally.biased), dtype=np.int64)
        #: Rows of which it is not known whether they would.
        self.bias_undecided = tally.bias_undecided
        #: The numbers of the rows for which the suggestion of the earlier version does not hold.
        self.broken_suggestions: npt.NDArray[np.int64] = np.array(sorted(tally.broken), dtype=np.int64)
        #: What other features tell about protected ones and the group; None: not asked.
        self.proxies: tuple[Proxy, ...] | None = None if tally.proxies is None else tuple(tally.proxies.lines())
        #: The confidence of `intervals`; None where the rows are all that there are.
        self.confidence = confidence
        #: Some pairs of rows that show bias.
        self.pairs = tuple(tally.pairs)
        #: The same for all possible rows; None if nothing is protected, or it cannot be counted.
        self.bias = bias
        #: One for each feature that should be monotone.
        self.monotone = tuple(monotone)
        #: What could not be told, and why.
        self.notes: tuple[str, ...] = tuple(tally.notes)
        self._open = tuple(tally.open)
        #: By row the fewest changes; -1 for none, -2 where it is not known. None on Dask.
        self.changes = changes
        self._batch = batch

    @property
    def bias_in_data(self) -> int | None:
        """How many rows would be decided differently if only protected features were; None if nothing is protected."""
        return len(self.biased) if self.protected else None

    @property
    def broken_monotonicity(self) -> tuple[Monotonicity, ...]:
        """Those of ``monotone`` that do not hold, each with a counterexample."""
        return tuple(found for found in self.monotone if not found)

    @property
    def unknown(self) -> tuple[str, ...]:
        """What was asked of the rows and of monotonicity and is not known, in words; empty if everything is."""
        rows, biased = self.total.undecided, self.bias_undecided
        said = []
        if rows:
            said.append(f"{_rows(rows)} not known: time was up, or they cannot be read")
        if biased:
            said.append(f"{_rows(biased)} not known to depend on protected features or not")
        return (*said, *self._open)

    # --- proofs

    def verify(self, most: int | None = 100) -> int:
        """Has `symcf.verify` check that locked-out rows are locked out, by brute force, sums or a SAT solver: the first
        ``most`` of them (None: all). The number of rows confirmed; `InternalError` would name a wrong one.
        """
        if self._batch is None:
            raise OptionError("verify: the rows are not here; audit them with symcf.audit, not on Dask")
        rows = self.locked_out[: checked_count(most, "most", least=0)].tolist()
        confirmed = 0
        for row in rows:
            explained = self.compiled.explain(self._batch[row].row, **self.question)
            report = verify(self.compiled, self._batch[row].row, explained)
            if explained.sets or report.complete is False:
                raise InternalError(
                    f"row {row} is said to be locked out and is not: {list(explained.sets[:1])} {report}"
                )
            confirmed += report.complete is True
        return confirmed

    def rules(
        self,
        *,
        max_locked_out: Any = None,
        max_bias: Any = None,
        max_undecided: Any = None,
        few_changes: tuple[int, Any] | None = None,
        min_held: Any = None,
        max_proxy: Any = None,
    ) -> list[Rule]:
        """What became of rules: passed, failed or not known, each in words.

        A limit is a number of rows, or a share such as 0.05 or "5%": of the rows that do not have the target for those
        that are locked out or not known, of all rows for bias. ``few_changes=(3, "80%")``: at least this share of the
        rows that do not have the target has a way of up to 3 changes. ``min_held="90%"``: at least this share of the
        suggestions of the earlier version holds. ``max_proxy="75%"``: from no feature that decides something can a
        protected feature, or the group, be guessed more often. Monotonicity is a rule where it was audited.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> a = symcf.audit(symcf.compile(admission()), [[0, 0, 0, 0], [1, 0, 1, 0]], target="admitted")
        >>> for rule in a.rules(max_locked_out=0, few_changes=(1, "80%")):
        ...     print(rule)
        passed: 0 of 2 rows are locked out; at most 0 may be
        failed: 1 of 2 rows have a way of up to 1 change; at least 80% must have
        """
        whole, found = self.total, []
        asked = (
            ("max_locked_out", max_locked_out, whole.locked_out, whole.undecided, whole.asked, "locked out"),
            ("max_undecided", max_undecided, whole.undecided, 0, whole.asked, "not known"),
            ("max_undecided", max_undecided, self.bias_undecided, 0, whole.rows, "not known to be biased"),
            (
                "max_bias",
                max_bias,
                self.bias_in_data or 0,
                self.bias_undecided,
                whole.rows,
                "decided differently by protected features",
            ),
        )
        for option, given, count, more, total, what in asked:
            if given is None:
                continue
            if option == "max_bias" and not self.protected:
                raise OptionError("max_bias: name protected features")
            limit = limit_of(given, option)
            holds = False if limit.broken_by(count, total) else None if limit.broken_by(count + more, total) else True
            found.append(Rule(option, holds, f"{count:,} of {total:,} rows are {what}; at most {limit} may be"))
        if few_changes is not None:
            found.append(self._few_changes(*few_changes))
        if min_held is not None:
            found.append(self._min_held(min_held))
        if max_proxy is not None:
            found.append(self._max_proxy(max_proxy))
        return found + [Rule(f"monotone {one.feature}", bool(one), str(one)) for one in self.monotone]

    def _few_changes(self, most: int, share: Any) -> Rule:
        limit, whole = limit_of(share, "few_changes"), self.total
        least = sum(count for number, count in whole.changes.items() if number <= most)
        holds = None if limit.reached_by(least + whole.undecided, whole.asked) else False
        holds = True if limit.reached_by(least, whole.asked) else holds
        words = f"have a way of up to {most} change{'s' * (most != 1)}; at least {limit} must have"
        return Rule("few_changes", holds, f"{least:,} of {whole.asked:,} rows {words}")

    def _min_held(self, least: Any) -> Rule:
        limit, drift = limit_of(least, "min_held"), self.total.drift
        if drift is None:
            raise OptionError("min_held: give the earlier version (previous)")
        words = f"{drift.held:,} of {drift.suggested:,} suggestions of the earlier version hold; at least {limit} must"
        return Rule("min_held", limit.reached_by(drift.held, drift.suggested), words)

    @property
    def told_most(self) -> list[Proxy]:
        """The first of `proxies`, for each protected feature."""
        seen: Counter[str] = Counter()
        found = []
        for one in self.proxies or ():
            seen[one.protected] += 1
            found += [one] if seen[one.protected] <= MANY_FEATURES else []
        return found

    def _max_proxy(self, most: Any) -> Rule:
        limit = limit_of(most, "max_proxy")
        if self.proxies is None or not self.proxies:
            raise OptionError("max_proxy: ask for proxies, and name protected features or groups")
        if not limit.is_share:
            raise OptionError(f"max_proxy must be a share such as '75%', not {most!r}")
        worst, open_, measured = None, False, False
        for one in self.proxies:
            measured = measured or one.guessed is not None
            if one.guessed is None or not limit.above(one.guessed):
                continue
            if one.decides or one.restored:
                worst = one if worst is None or one.guessed > (worst.guessed or 0) else worst
            open_ = open_ or bool(one.unknown)
        if worst is not None:
            words = (
                f"{worst.protected} is guessed right in {worst.guessed:.1%} from {worst.feature} alone "
                f"({worst.chance:.1%} by chance), which decides {worst.decides:,} rows"
            )
            return Rule("max_proxy", False, f"{words}; at most {limit} may be")
        words = f"from no feature that decides something is a group guessed right in more than {limit}"
        return Rule("max_proxy", None if open_ or not measured else True, words)

    def broken(self, **limits: Any) -> list[str]:
        """Which of `rules` failed, in words."""
        return [rule.text for rule in self.rules(**limits) if rule.holds is False]

    # --- tables

    def group_lines(self) -> list[tuple[Any, ...]]:
        """The lines of `to_pandas`."""
        return [_group_line(group) for group in self._all_groups]

    def feature_lines(self, group: GroupTally | None = None) -> list[tuple[Any, ...]]:
        """The lines of `responsiveness`."""
        group = self.total if group is None else group
        if group.responsive is None:
            return []
        return [
            (name, values, alone / values if values else 0.0, together / values if values else 0.0)
            for name, (values, alone, together) in zip(
                self.compiled.features, group.responsive.astype(int).tolist(), strict=True
            )
        ]

    @property
    def _all_groups(self) -> list[GroupTally]:
        groups = list(self.groups.values())
        return [*groups, self.total] if len(groups) > 1 else groups

    def drift_lines(self) -> list[tuple[Any, ...]]:
        """By group, what became of the suggestions of the earlier version."""
        return [(group.label, *group.drift.cells()) for group in self._all_groups if group.drift is not None]

    def drift(self) -> pandas.DataFrame:
        """One line per group: how many suggestions of the earlier version hold, and what became of the others. Needs
        pandas.
        """
        return load_extra("pandas", "drift").DataFrame(self.drift_lines(), columns=list(DRIFT_COLUMNS))

    def interval_lines(self) -> list[tuple[Any, ...]]:
        """By group and figure: the figure, and the least and greatest that it may be in the people that the rows were
        drawn from, at the confidence. None where there are too few rows to say.
        """
        if self.confidence is None:
            return []
        lines: list[tuple[Any, ...]] = []
        for group in self._all_groups:
            shares = {
                "at_target": (group.at_target, group.rows, 0),
                "locked_out": (group.locked_out, group.asked, group.undecided),
                "biased": None if group.biased is None or self.bias_undecided else (group.biased, group.rows, 0),
                "held": None if group.drift is None else (group.drift.held, group.drift.suggested, 0),
            }
            for figure, counts in shares.items():
                if counts is not None and counts[1]:
                    count, total, more = counts
                    low, high = wilson(count, total, self.confidence, more) or (None, None)
                    lines.append((group.label, figure, count / total, low, high))
            median, ends = median_of(group.changes, self.confidence)
            if median is not None:
                lines.append((group.label, "median_changes", median, *(ends or (None, None))))
        return lines

    def interval_rows(self) -> list[list[str]]:
        """The same as cells of a table for people."""
        return [_interval_cells(line) for line in self.interval_lines()]

    def intervals(self) -> pandas.DataFrame:
        """One line per group and figure, with the ends of its interval: Wilson's for shares, order statistics for the
        median of the fewest changes of the rows that have a way. Needs pandas.

        The rows are taken as drawn independently from the people that the audit is about. Each interval is for one
        figure. Rows of which it is not known whether they are locked out widen that interval.
        """
        return load_extra("pandas", "intervals").DataFrame(self.interval_lines(), columns=list(INTERVAL_COLUMNS))

    def to_pandas(self) -> pandas.DataFrame:
        """One line per group, and one for all rows if there are several. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        return pandas.DataFrame(self.group_lines(), columns=list(GROUP_COLUMNS))

    def responsiveness(self, group: Hashable | None = None) -> pandas.DataFrame:
        """One line per feature: how many new values the rows may take, and the share of them that leads to the target
        alone, and alone or with other changes. Of all rows, or of a group. Needs pandas.
        """
        pandas = load_extra("pandas", "responsiveness")

        if group is not None and group not in self.groups:
            raise OptionError(f"group: {group!r} is not one of {list(self.groups)!r}")
        lines = self.feature_lines(self.total if group is None else self.groups[group])
        return pandas.DataFrame(lines, columns=list(FEATURE_COLUMNS))

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "format": "symcf.audit",
            "version": 1,
            "target": plain(self.question.get("target")),
            "groups": [
                {name: plain(cell) for name, cell in zip(GROUP_COLUMNS, _group_line(group), strict=True)}
                | {"changes": {str(number): count for number, count in group.changes.items()}}
                for group in [*self.groups.values(), self.total]
            ],
            "locked_out": self.locked_out.tolist(),
            "protected": list(self.protected),
            "biased": self.biased.tolist(),
            "bias_not_known": self.bias_undecided,
            "biased_possible": None if self.bias is None else self.bias.possible,
            "possible": None if self.bias is None else self.bias.total,
            "responsiveness": [dict(zip(FEATURE_COLUMNS, line, strict=True)) for line in self.feature_lines()],
            "monotone": [
                {"feature": one.feature, "asked": one.asked, "holds": bool(one), "text": str(one)}
                for one in self.monotone
            ],
            "notes": list(self.notes),
            "drift": None
            if self.total.drift is None
            else [dict(zip(DRIFT_COLUMNS, map(plain, line), strict=True)) for line in self.drift_lines()],
            "broken_suggestions": self.broken_suggestions.tolist(),
            "proxies": None
            if self.proxies is None
            else [{name: plain(getattr(one, name)) for name in PROXY_COLUMNS} for one in self.proxies],
            "confidence": self.confidence,
            "intervals": [dict(zip(INTERVAL_COLUMNS, map(plain, line), strict=True)) for line in self.interval_lines()],
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The same as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    # --- words

    @property
    def _wanted(self) -> str:
        target = self.question.get("target")
        return "another class" if target is None else one_line(target)

    @property
    def _within(self) -> str:
        most = self.question.get("max_changes")
        return "" if most is None else f", with up to {most:,} change{'s' * (most != 1)}"

    def _headline(self) -> str:
        whole = self.total
        return (
            f"{whole.rows:,} row{'s' * (whole.rows != 1)}, {whole.at_target:,} of them {self._wanted}: "
            f"{whole.locked_out:,} of the other {whole.asked:,} are locked out "
            f"({whole.locked_out_share:.2%}{self._within})"
        )

    def _more(self) -> list[str]:
        lines = []
        if self.protected:
            names = ", ".join(map(one_line, self.protected))
            rows = self.total.rows
            share = len(self.biased) / rows if rows else 0.0
            lines.append(f"decided differently if only {names} were different: {len(self.biased):,} rows ({share:.2%})")
            if self.bias is not None and self.bias.possible is not None:
                lines[-1] += f", {self.bias.possible:,} of {self.bias.total:,} possible ones"
            if self.bias_undecided:
                lines[-1] += f"; {_rows(self.bias_undecided)} not known"
            lines += [f"  {pair}" for pair in self.pairs[:1]]
        return [*lines, *map(str, self.monotone), *(f"not told: {note}" for note in self.notes)]

    def _group_cells(self) -> list[list[str]]:
        return [_cells(line) for line in self.group_lines()]

    def _feature_cells(self) -> list[list[str]]:
        """The features that may change, those whose values help most first."""
        lines = sorted((line for line in self.feature_lines() if line[1]), key=lambda line: (-line[3], -line[2]))
        return [[one_line(f), f"{n:,}", f"{a:.1%}", f"{t:.1%}"] for f, n, a, t in lines[:MANY_FEATURES]]

    def _tables(self) -> list[tuple[str, list[str], list[list[str]]]]:
        """What stands above a table, its heads and its cells."""
        found = [("", FEATURE_HEADS, self._feature_cells())]
        if self.confidence is not None:
            cells = self.interval_rows()
            found.append((f"Intervals at {100 * self.confidence:.4g}% confidence, if the rows are a random sample:",
                          ["group", "figure", "value", "interval"], cells))  # fmt: skip
        if self.total.drift is not None:
            cells = [[_share(cell) if i == 3 else _cell(cell) for i, cell in enumerate(line)]
                     for line in self.drift_lines()]  # fmt: skip
            found.append(("Suggestions of the earlier version:", DRIFT_HEADS, cells))
        if self.proxies:
            found.append(("Features that tell about protected ones:", PROXY_HEADS,
                          [_proxy_cells(one) for one in self.told_most]))  # fmt: skip
        return [one for one in found if one[2]]

    def __str__(self) -> str:
        parts = [self._headline(), *_table(GROUP_HEADS, self._group_cells())]
        for head, heads, cells in self._tables():
            parts += ["", *([head] if head else []), *_table(heads, cells)]
        return "\n".join([*parts, *([""] if self._more() else []), *self._more()])

    def __repr__(self) -> str:
        return f"Audit({self.total.rows:,} rows, {len(self.groups)} groups, {len(self.locked_out):,} locked out)"

    def _repr_html_(self) -> str:
        parts = [f"<p><strong>{escape(self._headline())}.</strong></p>"]
        parts.append(html_table(GROUP_HEADS, self._group_cells(), caption="By group."))
        for head, heads, cells in self._tables():
            caption = head or f"The share of allowed new values that leads to {self._wanted}."
            parts.append(html_table(heads, cells, caption=caption))
        parts += [f"<p>{escape(line[:1].upper() + line[1:])}.</p>" for line in self._more()]
        return f'<div class="symcf-audit">{"".join(parts)}</div>'


def _rows(count: int) -> str:
    return f"{count:,} {'rows are' if count != 1 else 'row is'}"


def _group_line(group: GroupTally) -> tuple[Any, ...]:
    return (
        group.label,
        group.rows,
        group.at_target,
        group.locked_out,
        group.locked_out_share,
        group.undecided,
        group.mean_changes,
        max(group.changes, default=None),
        group.mean_cost,
        group.biased,
    )


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _interval_cells(line: tuple[Any, ...]) -> list[str]:
    group, figure, value, low, high = line
    shown = _cell if figure == "median_changes" else _share
    ends = "too few rows" if low is None else f"{shown(low)} to {shown(high)}"
    return [_cell(group), FIGURES[figure], shown(value), ends]


def _proxy_cells(one: Proxy) -> list[str]:
    more = f" (not known: {one.unknown:,})" if one.unknown else ""
    return [
        one_line(one.protected),
        one_line(one.feature),
        _share(one.guessed),
        _share(one.chance),
        f"{one.decides:,}{more}",
        _cell(one.turned),
        _cell(one.restored),
    ]


def _cells(line: Sequence[Any]) -> list[str]:
    return [
        f"{cell:.2%}" if name == "locked_out_share" else _cell(cell)
        for name, cell in zip(GROUP_COLUMNS, line, strict=True)
    ]


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else value_text(cell)


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    columns = list(zip(heads, *lines, strict=True))
    widths = [max(map(len, column)) for column in columns]
    rows = zip(*columns, strict=True)
    return ["  " + "  ".join(_aligned(i, cell, widths[i]) for i, cell in enumerate(row)).rstrip() for row in rows]


def _aligned(column: int, cell: str, width: int) -> str:
    return cell.rjust(width) if column else cell.ljust(width)
