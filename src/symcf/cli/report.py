"""The command that writes a page: report."""

from __future__ import annotations

from symcf.cli import asked as a
from symcf.cli import options as o
from symcf.cli.exits import InputError, say
from symcf.cli.models import reader_of
from symcf.cli.output import open_output, print_line, to_terminal
from symcf.cli.tables import Data, all_rows
from symcf.letters.policy import Policy
from symcf.report import show as shown
from symcf.report import write_each

__all__ = ["report"]

#: Rows that could not be read and are told one by one.
SHOWN_PROBLEMS = 10


def report(
    model: str,
    data: str,
    *,
    output: str | None = None,
    each: str | None = None,
    force: bool = False,
    index: str | None = None,
    title: str | None = None,
    max_rows: int = 5000,
    groups: str | None = None,
    k: int | None = None,
    asking: o.Asking,
    protected: list[str] | None = None,
    policy: str | None = None,
    costs: o.Distances,
    max_changes: int | None = None,
    jobs: int = 1,
    reading: o.Input,
    id: str | None = None,
    mark_bad_rows: bool = False,
    trust: bool = False,
) -> int:
    """One HTML file that explains the rows and lets people try changes, in any browser, without a network. With --each,
    one file per row, to hand to the person whom it is about.

    Example: symcf report loans.symcf applicants.csv --id name -k 10 -o report.html
    """
    if (output is None) == (each is None):
        raise InputError("give -o FILE for one page of all rows, or --each DIR for a page per row")
    if index is not None and each is None:
        raise InputError("--index is for --each; a page of all rows lists them anyway")
    if force and each is None:
        raise InputError("--force is for --each; -o replaces its file anyway")
    compiled = asking.opened(model, trust)
    given = reading.reading(id, mark_bad_rows)
    said = None if policy is None else Policy.read(policy)
    asked = asking.of(compiled) | costs.of(compiled, reading.reading()) | {"k": k, "max_changes": max_changes}
    if said is not None:  # what is not given is left to the policy
        asked = {name: value for name, value in asked.items() if value not in (None, [], {}, ())}
    rows, names, problems = all_rows(Data(data, compiled, given))
    for number, problem in list(problems.items())[:SHOWN_PROBLEMS]:
        say(f"note: row {number} is left out: {problem}")
    if len(problems) > SHOWN_PROBLEMS:
        say(f"note: {len(problems) - SHOWN_PROBLEMS:,} more rows are left out")
    if each is None and to_terminal(output):
        raise InputError("-o -: a terminal does not show HTML; name a file, or pipe it on with |")
    asked |= {"policy": said, "names": names, "title": title, "groups": groups, "max_rows": max_rows, "n_jobs": jobs}
    asked |= {"protected": None if protected is None else a.features_of(compiled, protected, "--protected")}
    classifier = reader_of(compiled, rows)
    if each is not None:
        try:
            files = write_each(each, classifier, rows, force=force, index=index, **asked)
        except FileExistsError as error:
            raise InputError(f"--each {error}") from None
        line = f"{each}: {len(files):,} file{'s' * (len(files) != 1)}, one per decision"
    else:
        count = len(next(iter(rows.values())) if isinstance(rows, dict) else rows)
        content = shown(classifier, rows, **asked).html.encode("utf-8", "replace")
        with open_output(output) as file:
            file.write(content)
        line = f"{output}: {count:,} decision{'s' * (count != 1)}, {len(content):,} bytes"
    if output != "-":
        print_line(line)
    return 0
