"""What the source lines call besides symcf. A script that is written carries those functions that it uses."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import threading


def in_threads(calls):
    """The results, or errors, of several calls that run at the same time."""
    results = [None] * len(calls)
    start = threading.Barrier(len(calls))

    def work(i):
        start.wait()
        try:
            results[i] = calls[i]()
        except Exception as error:
            results[i] = error

    threads = [threading.Thread(target=work, args=[i]) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def rows_of_cnf(cnf, n_values):
    """The rows that satisfy the clauses; None where the clauses do not tell all values apart."""
    from pysat.solvers import Solver

    if tuple(cnf.variables.n_values.tolist()) != n_values:
        return None
    clauses = [list(clause) for clause in cnf.clauses()]
    if [] in clauses:  # solvers differ in what they make of an empty clause
        return []
    found = []
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for row in itertools.product(*map(range, n_values)):
            first = cnf.variables.first.tolist()
            literals = [
                first[j] + v - 1 if v == value else -(first[j] + v - 1)
                for j, value in enumerate(row)
                for v in range(1, n_values[j])
            ]
            if solver.solve(assumptions=literals):
                found.append(row)
    return found


def correction_sets(wcnf):
    """The minimal correction subsets of a WCNF, as sets of features."""
    from pysat.solvers import Solver

    variables, soft = wcnf.hard.variables, wcnf.soft.tolist()
    starts = variables.value_offset.tolist()
    owners = [
        next(j for j in range(len(starts) - 1) if literal in variables.literals[starts[j] : starts[j + 1]])
        for literal in soft
    ]
    clauses = [list(clause) for clause in wcnf.hard.clauses()]
    if [] in clauses:
        return set()
    found = []
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for size in range(len(soft) + 1):
            for given_up in itertools.combinations(range(len(soft)), size):
                if any(set(smaller) <= set(given_up) for smaller in found):
                    continue
                if solver.solve(assumptions=[soft[i] for i in range(len(soft)) if i not in given_up]):
                    found.append(given_up)
    return {tuple(owners[i] for i in given_up) for given_up in found}


def hitting_sets(sets, n):
    """The minimal sets of numbers below n that have one in common with each of the sets, in order."""
    found = []
    for size in range(n + 1):
        for chosen in itertools.combinations(range(n), size):
            if not any(set(smaller) <= set(chosen) for smaller in found) and all(set(chosen) & set(s) for s in sets):
                found.append(chosen)
    return sorted(found)


def least_changes(good, x, fixed):
    """The minimal sets of features in which one of the good rows differs from x, the fixed ones not among them."""
    found = {tuple(j for j in range(len(x)) if row[j] != x[j]) for row in good}
    found = [s for s in found if not set(s) & set(fixed)]
    return sorted((s for s in found if not any(set(t) < set(s) for t in found)), key=lambda s: (len(s), s))


def by_command_line(arguments):
    """The lines of JSON that a command prints."""
    from symcf.cli.app import run

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    for stream in (out, err):
        stream.seek(0)
    assert code == 0, f"exit code {code}: {err.read()}"
    return [json.loads(line) for line in out]


def named_right(c, e):
    """Are the changes told in the names that belong to their codes?"""
    raw = c.model.encoder is not None
    return all(
        change.name == c.features[change.feature]
        and (raw or change.old == c.values[change.feature][e.instance[change.feature]])
        and (raw or change.new == c.values[change.feature][cf.instance[change.feature]])
        for cf in e
        for change in cf.changes
    )
