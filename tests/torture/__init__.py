"""Random sequences of public calls, checked against brute force.

Most bugs of a library hide between calls: a cache that answers the question before last, a label that is read as a
code, a saved classifier that differs from the one in memory. So this driver does what CaDiCaL's `mobical` does for a
SAT solver: it draws a small model of any kind with awkward names, asks it a random sequence of questions through the
public interface, and checks every answer.

    models.py   draws models. Each is a table of decisions, and the source text that builds the model.
    boosted.py, scikit.py   the same for boosted trees and for scikit-learn's estimators.
    names.py    draws names of classes, features and values: permuted, offset, boolean, text that looks like a number.
    rows.py     writes rows in every form that is accepted: dtypes, dicts, DataFrames, Arrow.
    questions.py draws the options of a question, writes them as source, and answers them by brute force (oracle.py).
    calls*.py   the public calls: their source lines (chunks.py), and what their results must be.
    facts.py    helpers that the source lines use. A script that is written carries those it needs.
    plans.py    a plan is a model and a sequence of calls; runs it, or writes it as a script.
    shrink.py   makes a failing plan smaller while it keeps failing.
    run.py      runs many plans in a child process that may crash or hang, and reports.

Everything that is done is source text, compiled and run. So the script that a failure leaves behind does exactly what
the driver did, and needs nothing but symcf.

The oracle works on codes and never sees a name. If an answer depended on how classes, features or values are called,
on their order in a DataFrame, on a save and load in between or on which engine was asked before, it would differ from
the oracle's for one of the spellings. That is the metamorphic test: every spelling has one right answer.

    python tests/torture --minutes 10 --seed 0
    python tests/torture --count 1 --first 4711 --seed 0     only sequence 4711
"""
