"""The public calls: for each, how its arguments are drawn, and how they are written with what must come of them.

`CALLS` maps the name of a call to a pair (draw, write). Arguments are plain data in codes; ``write(model, arguments)``
gives a `Chunk`. Arguments named in `DROPPABLE` may be left out, which is what shrinking tries. No arguments: the call
does not suit the model.
"""

from __future__ import annotations

from torture import calls_object, calls_one, calls_tables, calls_whole, calls_why, questions
from torture.chunks import Arguments, Chunk, Draw, Write

__all__ = ["CALLS", "DROPPABLE", "WEIGHTS", "Arguments", "Chunk"]

DROPPABLE = (*questions.OPTIONS, "k", "max_results", "engine", "encoding", "solver", "select", "n_jobs", "sort")

CALLS: dict[str, tuple[Draw, Write]] = {
    "explain": (calls_one.draw_explain, calls_one.write_explain),
    "iterate": (calls_one.draw_iterate, calls_one.write_iterate),
    "count": (calls_one.draw_count, calls_one.write_count),
    "bounds": (calls_one.draw_bounds, calls_one.write_bounds),
    "sample": (calls_one.draw_sample, calls_one.write_sample),
    "wcnf": (calls_one.draw_wcnf, calls_one.write_wcnf),
    "threads": (calls_one.draw_threads, calls_one.write_threads),
    "predict": (calls_tables.draw_predict, calls_tables.write_predict),
    "batch": (calls_tables.draw_batch, calls_tables.write_batch),
    "command": (calls_tables.draw_command, calls_tables.write_command),
    "diagram": (calls_object.draw_class, calls_object.write_diagram),
    "cnf": (calls_object.draw_class, calls_object.write_cnf),
    "compile": (calls_object.draw_order, calls_object.write_compile),
    "save": (calls_object.draw_nothing, calls_object.write_save),
    "pickle": (calls_object.draw_nothing, calls_object.write_pickle),
    "json": (calls_object.draw_json, calls_object.write_json),
    "why": (calls_why.draw_why, calls_why.write_why),
    "why_batch": (calls_why.draw_why_batch, calls_why.write_why_batch),
    "fewest": (calls_why.draw_fewest, calls_why.write_fewest),
    "attribute": (calls_why.draw_attribute, calls_why.write_attribute),
    "properties": (calls_whole.draw_properties, calls_whole.write_properties),
    "audit": (calls_whole.draw_audit, calls_whole.write_audit),
    "difference": (calls_whole.draw_other, calls_whole.write_difference),
    "labels": (calls_whole.draw_other, calls_whole.write_labels),
    "diverse": (calls_whole.draw_diverse, calls_whole.write_diverse),
    "certificate": (calls_whole.draw_diverse, calls_whole.write_certificate),
    "plausible": (calls_whole.draw_plausible, calls_whole.write_plausible),
    "wrong": (calls_object.draw_wrong, calls_object.write_wrong),
}
#: How often each is drawn. Commands and threads are slow.
WEIGHTS = {"explain": 30, "batch": 12, "iterate": 6, "count": 6, "predict": 6, "command": 1, "threads": 1, "wrong": 3}
assert set(WEIGHTS) <= set(CALLS)
