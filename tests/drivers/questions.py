"""Random questions to small models of every kind, against the reference: ``tests/drivers/questions.py --count 1000``.

Options are drawn in pairs and more, rows in every form; those of ``--always`` are in every question that can have them.
Prints how many questions were asked by option and kind of model, and of these how many raised `OptionError` and how
many got a wrong answer.
"""

from __future__ import annotations

import random
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import random_runs

# isort: split
import cases
from cases import Asked
from reference import MISSING

import symcf
import symcf.fast

#: Questions that are asked about one model.
PER_MODEL = 10
#: Costs may differ by this much: a number that has to pass a cut at its own place moves by a billionth.
NEAR = 1e-7
#: What is asked besides `explain`, one of them per question.
MORE = ("count", "stream", "reasons", "batch", "by row", "verify", "all values")


class Tally:
    """Questions by option and kind."""

    def __init__(self) -> None:
        self.asked, self.refused, self.wrong, self.cut = Counter(), Counter(), Counter(), 0
        self.failures: list[str] = []
        self.reasons = Counter()

    def add(self, counter: Counter, kind: str, used: Sequence[str]) -> None:
        """Counts a question once for its kind, and once for each option."""
        counter[kind, ""] += 1
        for option in used or ("none",):
            counter[kind, option] += 1

    def total(self, counter: Counter) -> int:
        """Questions of all kinds."""
        return sum(n for (_, option), n in counter.items() if option == "")

    def __str__(self) -> str:
        columns = ["none", *cases.OPTIONS, *MORE, "engine"]
        lines = ["| | " + " | ".join(("all", *columns)) + " |", "|---" * (len(columns) + 2) + "|"]
        for kind in cases.KINDS:
            cells = []
            for option in ("", *columns):
                asked, refused, wrong = (c[kind, option] for c in (self.asked, self.refused, self.wrong))
                cells.append(f"{asked:,}" + f" ({refused:,} no)" * bool(refused) + f" **{wrong} wrong**" * bool(wrong))
            lines.append(f"| {kind} | " + " | ".join(cells) + " |")
        asked, refused = self.total(self.asked), self.total(self.refused)
        lines.append(
            f"{asked:,} questions, {refused:,} not supported, {self.cut:,} not complete, {len(self.failures)} wrong"
        )
        return "\n".join(lines)


def check_explain(asked: Asked) -> bool:
    """AssertionError if sets, costs or rows are not those of the reference; False if the search was cut short."""
    e = asked.compiled.explain(asked.x, **asked.by, **asked.keywords)
    if "number" not in asked.used:
        label, before = asked.compiled.classes[e.prediction], asked.reference.before
        assert label == before, f"decided {label!r} instead of {before!r}"
    rows = [asked.read(cf.row) for cf in e]
    costs = [float(cf.cost) for cf in e]
    minimality = "moves" if asked.moves else "features"
    assert e.minimality == minimality, f"minimality is {e.minimality!r} instead of {minimality!r}"
    if asked.moves:
        return check_moves(asked, e, rows, costs)
    expected = asked.reference.counterfactuals()
    wanted = list(expected)[: asked.k]
    if not e.complete:
        assert set(e.sets) <= set(expected), f"{e.sets} are not among {list(expected)}"
        return False
    assert e.sets == wanted, f"{e.sets} instead of {wanted}"
    for row, cost, features in zip(rows, costs, wanted, strict=True):
        least = expected[features][0][0]
        cheapest = [row for price, row in expected[features] if price == least]
        # a missing number is a float: the new one may be any of the same range
        same = asked.case.group if MISSING in asked.row else tuple
        assert same(row) in map(same, cheapest), f"{row} of {features} is not one of {cheapest}"
        assert abs(cost - float(least)) < NEAR, f"{features} costs {least}, not {cost}"
    return True


def check_moves(asked: Asked, e: symcf.Explanation, rows: list[cases.Row], costs: list[float]) -> bool:
    """The same for rows in which nothing can be moved less far."""
    expected = grouped_moves(asked)
    known = [row for _, row in asked.reference.moves()]
    same = asked.case.group if MISSING in asked.row else tuple
    strange = [row for row in rows if same(row) not in set(map(same, known))]
    assert not strange, f"{strange} are not among {known}"
    found = [told_apart(asked, row) for row in rows]
    assert len(set(found)) == len(found), f"some of {rows} come twice"
    if not e.complete:
        return False
    prices = [float(price) for price, _ in expected][: asked.k]
    assert len(found) == len(prices), f"{rows} instead of {known}"
    assert all(abs(a - b) < NEAR for a, b in zip(costs, prices, strict=True)), f"costs {costs} instead of {prices}"
    return True


def grouped_moves(asked: Asked) -> list[tuple[Fraction, cases.Row]]:
    """The moves of the reference, one for all rows that are not told apart: the cheapest."""
    cheapest: dict[cases.Row, tuple[Fraction, cases.Row]] = {}
    for price, row in asked.reference.moves():
        cheapest.setdefault(told_apart(asked, row), (price, row))
    return list(cheapest.values())


def told_apart(asked: Asked, row: cases.Row) -> cases.Row:
    """The same for all rows that are one move. From a missing number, no number of a range is farther than another.
    From a number, one of each side may be needed, even where only a constraint tells the two apart.
    """
    grouped = zip(asked.row, row, asked.case.group(row), strict=True)
    return tuple(group if old is MISSING else new for old, new, group in grouped)


def check_more(asked: Asked, what: str) -> None:
    """One more call about the same question."""
    c, x = asked.compiled, asked.x
    question = {key: value for key, value in asked.keywords.items() if key != "k"}
    unpriced = {key: value for key, value in question.items() if key not in ("cost", "scale")}
    is_moves = question.get("minimality") == "moves"
    if is_moves:
        sets = [asked.reference.changed(row) for _, row in grouped_moves(asked)]
    else:
        sets = asked.reference.change_sets()
    if what == "count":
        found = c.count(x, **asked.by, **unpriced)
        assert found == len(sets), f"count is {found} instead of {len(sets)}"
    elif what == "stream":
        streamed = sorted(cf.features for cf in c.iter_counterfactuals(x, **asked.by, **unpriced))
        assert streamed == sorted(sets), f"a stream of {streamed} instead of {sorted(sets)}"
    elif what == "reasons" and "min_plausibility" not in question:
        kept = {k: v for k, v in question.items() if k not in ("cost", "scale", "max_changes", "minimality")}
        found = c.why(x, **asked.by, **kept)
        listed, wanted = sorted(reason.features for reason in found), sorted(asked.reference.reasons())
        assert not found.complete or listed == wanted, f"reasons {listed} instead of {wanted}"
    elif what == "batch":
        plain = asked.case.given(asked.row, "list")
        batch = symcf.fast.explain_batch(c, [plain, plain], **asked.by, **asked.keywords)
        one = c.explain(plain, **asked.by, **asked.keywords)
        assert batch[1].sets == one.sets, f"{batch[1].sets} in a batch instead of {one.sets}"
        assert [asked.read(cf.row) for cf in batch[1]] == [asked.read(cf.row) for cf in one], "rows of a batch differ"
    elif what == "by row":
        check_by_row(asked)
    elif what == "verify":
        e = c.explain(x, **asked.by, **asked.keywords)
        report = symcf.verify(c, x, e)
        wrong = not (report.valid and report.honest) or False in (report.minimal, report.complete)
        assert not wrong or not e.complete, f"verify says {report}"
    elif what == "all values" and not is_moves:
        rows = [asked.read(cf.row) for cf in c.explain(x, **asked.by, **{**question, "select": "all"})]
        every = {row for priced in asked.reference.counterfactuals().values() for _, row in priced}
        assert set(rows) <= every, f"select='all': {set(rows) - every} are no counterfactuals"
        assert len(set(rows)) == len(rows), f"select='all': some of {rows} come twice"
        if asked.case.kind.startswith("numbers"):  # other models may not tell all values apart
            assert set(rows) == every, f"select='all': {every - set(rows)} are missing"


def check_by_row(asked: Asked) -> None:
    """A batch of two rows whose keywords differ, against the same two questions one by one."""
    rng, case, c = random.Random(str(asked)), asked.case, asked.compiled
    rows = [asked.row, next(row for row in iter(lambda: case.draw_row(rng), None) if MISSING not in row)]
    fixed = [asked.keywords.get("immutable", []), rng.sample(case.features, rng.randint(0, case.n - 1))]
    most = [asked.keywords.get("max_changes"), rng.choice((None, 1, 2))]
    allowed = [asked.keywords.get("allowed"), rng.choice((None, asked.keywords.get("allowed")))]
    each = {"immutable": fixed, "max_changes": most, "allowed": allowed}
    given = [case.given(row, "list") for row in rows]
    batch = symcf.fast.explain_batch(c, given, **asked.by, **{**asked.keywords, **each})
    for i, found in enumerate(batch):
        if not found.at_target:
            own = {name: of[i] for name, of in each.items() if of[i] is not None}
            one = c.explain(given[i], **asked.by, **{**asked.keywords, "allowed": None, "max_changes": None, **own})
            assert found.sets == one.sets, f"row {i} of a batch: {found.sets} instead of {one.sets}"


def run(
    seed: int,
    count: int,
    tally: Tally,
    kinds: Sequence[str] = tuple(cases.KINDS),
    engine: str | None = None,
    first: int = 0,
    always: Sequence[str] = (),
) -> None:
    """Asks so many questions, the kinds in turn; by default of any engine that the kind has. ``first`` skips models,
    ``always`` lists options that every question has if it can.
    """
    for number in range(first, first - (-count // PER_MODEL)):
        rng = random.Random(f"questions {seed} {number}")
        case = cases.draw(rng, kinds[number % len(kinds)])
        for i in range(min(PER_MODEL, count - (number - first) * PER_MODEL)):
            one(rng, case, tally, f"seed {seed}, model {number}, question {i}", engine, always)


def one(
    rng: random.Random,
    case: cases.Case,
    tally: Tally,
    where: str,
    engine: str | None = None,
    always: Sequence[str] = (),
) -> None:
    """One question."""
    asked, used, what = None, (), rng.choice(MORE)
    try:
        asked = cases.ask(rng, case, always=always)
        chosen = engine or rng.choice(("auto", *cases.ENGINES[case.kind]))
        asked.by = {} if chosen == "auto" else {"engine": chosen}
        used = asked.used
        finished = check_explain(asked)
        tally.cut += not finished
        tally.add(tally.asked, case.kind, used)
        if finished:
            used = (what,)
            tally.asked[case.kind, what] += 1
            check_more(asked, what)
    except symcf.OptionError as error:
        by_name = asked is not None and bool(asked.by) and engine is None and "engine" in str(error)
        if used == (what,):  # the question itself was answered and counted
            tally.refused[case.kind, "engine" if by_name else what] += 1
        else:
            for counter in (tally.asked, tally.refused):
                tally.add(counter, case.kind, ("engine",) if by_name else used)
        tally.reasons[case.kind, str(error)[:160]] += 1
    except Exception as error:
        tally.add(tally.wrong, case.kind, used)
        told = str(error) if isinstance(error, AssertionError) else "".join(traceback.format_exception(error, limit=-3))
        tally.failures.append(f"{where}: {what} of {asked}\n    {told}")


def main() -> int:
    """The command line; 1 if an answer is wrong."""
    parser = random_runs.parser(__doc__, 1000)
    parser.add_argument("--always", nargs="*", default=(), choices=cases.OPTIONS, help="what every question says")
    given = parser.parse_args()
    tally = Tally()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(given.seed, given.count, tally, always=given.always)
    print(tally)
    for (kind, reason), count in sorted(tally.reasons.items()):
        print(f"{count:,} x {kind}: {reason}")
    for failure in tally.failures[:20]:
        print(failure)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
