"""Certificates of random questions to random models: ``python tests/drivers/certificates_random.py``.

Models of every kind under awkward names, and questions with every option, are those of `tests/torture`. Each
certificate must be true to the checker, and to brute force (`certificate_oracle`), which shares nothing with it. Where
several classes depend on numbers, no certificate may be contradicted by another one of the same question.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import random_runs

# isort: split
import certificate_oracle
import numpy as np
from certificate_oracle import number_of
from torture import calls_one, models, plans, run

import symcf
from symcf.common.clock import Clock
from symcf.proof.certificates import arguments
from symcf.proof.checker.form import canonical, plain_number
from symcf.proof.checker.form import number_of as certificate_number


def explanations(seed: int, names: dict[str, Any], first: int = 0) -> Iterator[tuple[str, symcf.Compiled, Any]]:
    """What is explained, the classifier and the explanation; without end."""
    number = first
    while True:
        number += 1
        rng = random.Random(f"certificate {seed} {number}")
        model = models.draw(rng)
        asked = calls_one.draw_explain(rng, model)
        known = names.copy()
        lines = [model.write(model), "c = symcf.compile(model)", calls_one.write_explain(model, asked).lines[0]]
        try:
            exec("\n".join(lines), known)
        except symcf.OptionError:
            continue
        yield "\n".join(lines), known["c"], known["e"]


def number_explanations(seed: int) -> Iterator[tuple[str, symcf.Compiled, Any]]:
    """The same for models over numbers."""
    number = 0
    while True:
        number += 1
        rng = random.Random(f"numbers {seed} {number}")
        n_classes, n = rng.choice((2, 2, 3)), rng.randint(1, 3)

        def by_class(least: float, most: float, rng: random.Random = rng, n_classes: int = n_classes) -> Any:
            drawn = [rng.choice((0.0, round(rng.uniform(least, most), rng.randint(0, 6)))) for _ in range(n_classes)]
            return drawn if n_classes > 2 else drawn[0]

        terms: list[Any] = [
            symcf.NumberTerm(by_class(-2, 2), (rng.randint(-3, 0), rng.randint(1, 4)), curve=by_class(-1, 1))
            for _ in range(n)
        ]
        if rng.random() < 0.5:
            weights = [[rng.randint(-2, 2) / 2 for _ in range(3)] for _ in range(n_classes)]
            terms.append(weights if n_classes > 2 else weights[0])
        c = symcf.compile(symcf.AdditiveClassifier(terms, by_class(-2, 2), doubt=rng.choice((0.0, 1e-9))))
        row = [round(rng.uniform(-4, 5), 2) for _ in range(n)] + [rng.randrange(3)] * (len(terms) - n)
        options: dict[str, Any] = rng.choice(
            [{}, {}, {"immutable": [0]}, {"allowed": {0: rng.choice(("increase", "decrease", [-1, 1]))}}, {"k": 1},
             {"max_changes": 1}, {"cost": {0: 1.5}}]
        )  # fmt: skip
        yield f"{terms} {row} {options}", c, c.explain(row, **options)


#: Questions about columns of numbers a, b and c.
RELATIONS = (
    "a <= c", "a < c + 3", "a >= 3.5", "a + b <= c", "change.a == change.c", "a / c <= 2", "at_most(1, a, c)",
    "step(3, a)",
    "a <= 10 -> b <= 4", "a <= 1.2 * old.a", "not (a = 5 or c > a)", "b != 2.5", "a in {3, 7, 11}", "2 * a - c >= -4",
)  # fmt: skip


def column_explanations(seed: int) -> Iterator[tuple[str, symcf.Compiled, Any]]:
    """The same for trees and linear models over columns of numbers, with relations between them."""
    import pandas
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(seed)
    rows = pandas.DataFrame(
        {"a": rng.integers(0, 20, 200), "b": rng.normal(0, 5, 200).round(2), "c": rng.integers(0, 20, 200) * 1.0}
    )
    total = rows.a + rows.b - rows.c
    two, three = np.where(total > 0, "yes", "no"), np.where(total > 5, "hi", np.where(total > -5, "mid", "lo"))
    kinds = (
        RandomForestClassifier(2, max_depth=3, random_state=0),
        DecisionTreeClassifier(max_depth=3, random_state=0),
        LogisticRegression(),
    )
    compiled = [symcf.compile(kind.fit(rows, labels), data=rows) for kind in kinds for labels in (two, three)]
    while True:
        c, row = compiled[rng.integers(len(compiled))], rows.iloc[rng.integers(len(rows))]
        count = int(rng.integers(3))
        options: dict[str, Any] = {
            "constraints": [RELATIONS[i] for i in rng.choice(len(RELATIONS), count, replace=False)]
        }
        further = [
            {},
            {"immutable": ["b"]},
            {"allowed": {"a": "increase"}},
            {"allowed": {"b": [-3, 3]}},
            {"max_changes": 2},
        ]
        options |= further[rng.integers(len(further))]
        try:
            yield f"{c} {row.tolist()} {options}", c, c.explain(row, **options)
        except symcf.OptionError:
            continue


def plausible_explanations(seed: int) -> Iterator[tuple[str, symcf.Compiled, Any]]:
    """The same where new rows must be plausible: of naive Bayes over labels, and of trees over columns of numbers."""
    import pandas
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(seed)
    rows = pandas.DataFrame({"a": rng.integers(0, 9, 150), "b": rng.integers(0, 9, 150)})
    rows["c"] = (rows.a + rng.integers(0, 3, 150)) // 2
    labels = np.where(rows.a + rows.b - rows.c > 5, "yes", "no")
    tree = symcf.compile(
        DecisionTreeClassifier(max_depth=3, random_state=0).fit(rows, labels), data=rows, plausibility=rows
    )
    while True:
        if rng.random() < 0.3:
            c, row = tree, rows.iloc[rng.integers(len(rows))]
        else:
            n, n_classes = int(rng.integers(2, 5)), int(rng.integers(2, 4))
            sizes = rng.integers(2, 4, n)
            tables = [rng.dirichlet(np.ones(d), n_classes).round(3).clip(0.01).tolist() for d in sizes]
            tables = [[[p / sum(line) for p in line] for line in table] for table in tables]
            data = np.column_stack([rng.integers(0, d, 40) for d in sizes])
            data[:, -1] = np.minimum(data[:, 0], sizes[-1] - 1)
            model = symcf.NaiveBayes([1 / n_classes] * n_classes, tables)
            c, row = symcf.compile(model, plausibility=data.tolist()), data[rng.integers(len(data))].tolist()
        options: dict[str, Any] = {"min_plausibility": float(rng.choice([0.02, 0.1, 0.3, 0.6]))}
        options |= [{}, {}, {"immutable": [0]}, {"k": 1}, {"max_changes": 1}][rng.integers(5)]
        if c is tree:
            more: list[dict[str, Any]] = [{"constraints": ["a >= 2.2"]}, {"allowed": {"a": [1, 3, 5]}}, {}]
            more += [{"constraints": ["a <= c"]}, {"constraints": ["a <= c", "b >= 4", "c != 2"]}]
            options |= more[rng.integers(len(more))]
        yield f"{c} {list(row)} {options}", c, c.explain(row, **options)


def moved_explanations(seed: int) -> Iterator[tuple[str, symcf.Compiled, Any]]:
    """The same where no move may be shorter, or where costs depend on values: of tables, naive Bayes, trees and linear
    models, over labels and numbers.
    """
    import pandas
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(seed)
    rows = pandas.DataFrame({"a": rng.integers(0, 9, 150), "b": rng.normal(0, 1, 150).round(2)})
    total = rows.a - 4 + 2 * rows.b + rng.normal(0, 1, 150)
    two, three = np.where(total > 1, "yes", "no"), np.digitize(total, [-2, 2])
    kinds: list[Any] = [
        DecisionTreeClassifier(max_depth=3, random_state=0),
        GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0),
        LogisticRegression(),
    ]
    fitted = [symcf.compile(kind.fit(rows, labels), data=rows) for kind in kinds for labels in (two, three)]
    while True:
        options: dict[str, Any] = {} if rng.random() < 0.4 else {"minimality": "moves"}
        k = int(rng.integers(1, 4))
        if rng.random() < 0.5:
            c, row = fitted[rng.integers(len(fitted))], rows.iloc[rng.integers(len(rows))]
            options |= [{"cost": "distance", "k": k}, {"cost": {"b": "distance"}, "k": k}, {}, {"k": k}][
                rng.integers(4)
            ]
            options |= [{}, {}, {"allowed": {"a": "increase"}}, {"allowed": {"b": [-1, 1]}}, {"immutable": ["a"]}][
                rng.integers(5)
            ]
        else:
            sizes = rng.integers(2, 5, int(rng.integers(2, 5))).tolist()
            n_classes = int(rng.integers(2, 4))
            if rng.random() < 0.4:
                table = rng.integers(0, n_classes, sizes)
                names = ["p", "q", "r"][:n_classes]
                model: Any = symcf.from_function(lambda r, table=table: int(table[tuple(r)]), sizes, classes=names)
            else:
                drawn = [rng.dirichlet(np.ones(d), n_classes).clip(0.01) for d in sizes]
                tables = [(part / part.sum(axis=1, keepdims=True)).tolist() for part in drawn]
                ordered = {f"x{j}": bool(rng.integers(2)) for j in range(len(sizes))}
                model = symcf.NaiveBayes([1 / n_classes] * n_classes, tables, features=list(ordered))
            c, row = symcf.compile(model), [int(rng.integers(d)) for d in sizes]
            by_value = [[0 if a == b else 1 + abs(a - b) for b in range(sizes[0])] for a in range(sizes[0])]
            options |= [{"cost": {c.features[0]: by_value}, "k": k}, {}, {"k": k}][rng.integers(3)]
            options |= [{}, {}, {"immutable": [c.features[-1]]}, {"max_changes": 1}][rng.integers(4)]
        try:
            e = c.explain(row, **options)
        except symcf.OptionError:
            continue
        if not e.at_target and (e.minimality == "moves" or "cost" in options):
            yield f"{c} {list(row)} {options}", c, e


def classes_of_numbers(seed: int) -> Iterator[tuple[symcf.Compiled, list[float]]]:
    """Models of several classes over numbers, each with a row; without end."""
    rng = random.Random(f"classes {seed}")
    while True:
        n_classes, n = rng.randint(3, 4), rng.randint(1, 3)
        curved = rng.random() < 0.5

        def by_class(least: float, most: float, n_classes: int = n_classes) -> list[float]:
            return [rng.uniform(least, most) for _ in range(n_classes)]

        terms = [
            symcf.NumberTerm(by_class(-2, 2), (-3, 4), curve=by_class(-0.1, 0.1) if curved else 0) for _ in range(n)
        ]
        model = symcf.AdditiveClassifier(terms, by_class(-1, 1), doubt=rng.choice((0.0, 1e-12)))
        yield symcf.compile(model), [round(rng.uniform(-3, 4), 2) for _ in range(n)]


def contradictions(c: symcf.Compiled, row: list[float], j: int, rng: random.Random) -> tuple[int, list[Any]]:
    """Questions whose range ends about where feature j alone is just enough: how many have no answer, and of these the
    certificates "none exists" for which another number of the range is accepted in a certificate, too.
    """
    others = [name for i, name in enumerate(c.features) if i != j]

    def within(code: int) -> Any:
        ends = sorted([row[j], float(number_of(code))])
        return c.explain(row, immutable=others, allowed={c.features[j]: ends})

    asked, found = 0, []
    for end in (c.values[j].low, c.values[j].high):
        short, enough = (certificate_oracle.code_of(number) for number in (row[j], end))
        if not within(enough).sets:
            continue
        while abs(enough - short) > 1:
            middle = (short + enough) // 2
            short, enough = (short, middle) if within(middle).sets else (middle, enough)
        for code in {short + rng.randint(-40, 40) for _ in range(4)}:
            explanation = within(code)
            if explanation.sets:
                continue
            asked += 1
            data = explanation.certificate().data
            codes = [code + (1 if row[j] > float(number_of(code)) else -1) * step for step in range(40)]
            found += [data for new in codes if symcf.check(with_set(data, j, new))][:1]
    return asked, found


def with_set(data: dict[str, Any], j: int, code: int) -> str:
    """The same certificate, with one set: feature j becomes the number at this place among the doubles."""
    data = {**data, "answer": {**data["answer"], "sets": [[j]], "values": [[plain_number(float(number_of(code)))]]}}
    data["number"] = certificate_number(data)
    return canonical(data)


def certified(explanation: Any, rng: random.Random) -> symcf.Certificate | None:
    """The certificate, with an argument of any kind that is possible; None where the question has none."""
    before = arguments.MOST_REASONS, arguments.TIMES_SETS, arguments.MOST_FOR_SUMS
    if rng.random() < 0.5:
        arguments.MOST_REASONS = arguments.TIMES_SETS = arguments.MOST_FOR_SUMS = 0
    try:
        return explanation.certificate()
    except symcf.OptionError:
        return None
    except symcf.LimitError as error:
        if str(error) == arguments.NOT_EXACT or "steps" in str(error):
            return None
        arguments.MOST_REASONS = before[0]
        return explanation.certificate()
    finally:
        arguments.MOST_REASONS, arguments.TIMES_SETS, arguments.MOST_FOR_SUMS = before


def reasons_of(e: Any, rng: random.Random) -> Any:
    """Some or all reasons of the case of an explanation; None where there are none to ask for."""
    question = e.source.case.question
    if question.minimality != "features" or question.costs.per_value or question.constraints.max_changes is not None:
        return None
    if e.at_target:
        return None
    k, most = rng.choice([(None, None), (None, None), (1, None), (2, None), (None, 1)])
    try:
        return e.source.unnamed().why(k, most, Clock(20), 1 << 30)
    except symcf.OptionError:  # plausibility, and several classes at once
        return None


def main() -> int:
    """The command line; 1 if something failed."""
    given = random_runs.asked(__doc__, 2000)
    kinds: Counter[tuple[str, ...]] = Counter()
    wrong = 0
    with run.directory() as here:
        kinds_of = explanations(given.seed, plans.namespace(here)), number_explanations(given.seed)
        every = zip(*kinds_of, column_explanations(given.seed), moved_explanations(given.seed), strict=True)
        for number, (source, c, e) in enumerate(one for some in every for one in some):
            if number == given.count:
                break
            certificate = certified(e, random.Random(number))
            if certificate is None:
                kinds["no certificate",] += 1
                continue
            verdict = symcf.check(certificate, c)
            kinds[certificate.data["model"]["rule"]["kind"], certificate.claim, certificate.data["proof"]["kind"]] += 1
            if not verdict or not certificate_oracle.is_true(certificate.data):
                wrong += 1
                print(f"{source}\n# {verdict}\n{certificate.to_json()}")
    for c, row in islice(classes_of_numbers(given.seed), given.count // 100):
        for j in range(len(row)):
            asked, found = contradictions(c, row, j, random.Random(given.seed))
            kinds["numbers", "none exists, against other certificates"] += asked
            wrong += len(found)
            for data in found:
                print(f"# contradicted\n{canonical(data)}")
    for kind, count in sorted(kinds.items()):
        print(f"{count:7,}  {', '.join(kind)}")
    print(f"{given.count:,} questions, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
