"""Letters for all rows of a table, as a policy says: files, and a manifest of what was written and what was not."""

from __future__ import annotations

import datetime
import hashlib
import json
import multiprocessing
import os
import sys
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from symcf.answers.explanation import Explanation
from symcf.answers.letters import Form, PrincipalReasons, ProtectedReason, by_weight, letter_of, move_of, principal
from symcf.answers.summary import AT_TARGET, INVALID
from symcf.common.clock import NO_LIMIT, tick
from symcf.common.text import plain_cell
from symcf.common.threads import checked_jobs
from symcf.compiled import Compiled
from symcf.errors import FileError, OptionError
from symcf.fast import attribute_batch, explain_batch, reason_counts
from symcf.letters.page import Letter
from symcf.letters.pdf import Printer
from symcf.letters.policy import Policy
from symcf.report.page import checked_names, file_names
from symcf.report.provenance import data_hash
from symcf.system.archive import fingerprint

__all__ = ["MANIFEST", "Record", "letters", "protected_reasons", "write"]

#: The file that lists all letters of a directory, one JSON object per line; the first says what they are about.
MANIFEST = "manifest.jsonl"

#: Ways that are looked for, so that enough of them can be named; and sets in which directions are looked up.
WAYS, SETS = 20, 200

#: Reasons of a row that are listed to be counted.
MOST_LISTED = 2000

#: Rows whose reasons are counted at once, that a process takes, and between two writes of the manifest.
BLOCK = 50


@dataclass(frozen=True)
class Record:
    """What became of a row: its line of the manifest."""

    #: From 1.
    row: int
    name: str
    #: "written", "at target", "stopped" or "unreadable".
    status: str
    #: Why no letter was written.
    problem: str = ""
    decision: str = ""
    #: The features that are the principal reasons, and the codes that state them.
    reasons: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    file: str = ""
    sha256: str = ""


class _Stopped(OptionError):
    """The letter of a row cannot be written."""


class _Run:
    """The letters of one table: what is computed once, and the letter of each row."""

    def __init__(
        self,
        c: Compiled,
        rows: Any,
        policy: Policy,
        names: Sequence[Hashable] | None,
        language: str | None,
        columns: Mapping[str, Sequence[Any]] | None,
        data: Any,
        n_jobs: int,
    ) -> None:
        if not isinstance(c, Compiled):
            raise TypeError(f"c must be a compiled classifier, not {type(c).__name__}: call symcf.compile first")
        if not isinstance(policy, Policy):
            raise OptionError(f"policy must be what Policy.read gives, not {policy!r}")
        if policy.target is None:
            raise OptionError("policy: target is missing, the decision that people hope for")
        self.c, self.policy, self.columns = c, policy, columns or {}
        self.form = Form.of_policy(policy, c, language)
        asked = policy.question(c.features, c.values, c.classes)
        given: dict[str, Any] = {"errors": "mark", "n_jobs": n_jobs}
        self.batch = explain_batch(c, rows, **asked, **given, k=max(WAYS, 4 * policy.ways))
        called = checked_names(names, len(self.batch))
        self.names = [str(i + 1) for i in range(len(self.batch))] if called is None else list(map(str, called))
        self.files = file_names(called, len(self.batch))
        target = {"target": asked["target"]}
        self.free = explain_batch(c, rows, **target, **given, k=SETS) if policy.has_codes else None
        self._latest: tuple[int, Explanation] | None = None
        self._counted: dict[int, list[int] | None] = {}
        correctable = policy.those(c.features, lambda one: one.correctable and one.named and not one.protected)
        others = [j for j in range(c.n_features) if j not in correctable]
        asked = {**target, "immutable": others, "max_changes": 1}
        self.wrong = explain_batch(c, rows, **asked, **given) if correctable else None
        self.points: Any = None
        if policy.reasons.method == "points":
            reference = rows if data is None else data
            self.points = attribute_batch(c, rows, "points", data=reference, reference=policy.reasons.reference)
            self.reference_rows = len(c.codes(reference))
        for column in policy.columns:
            if column not in self.columns:
                raise OptionError(f"policy: the rows have no column {column!r}; give it in columns")
        self.common = self._common()

    def warn(self) -> None:
        """A warning where letters in the language say something in the words of the table."""
        c, language = self.c, self.form.called.words.language
        for place in self.policy.untranslated(c.features, c.values, c.classes, language):
            warnings.warn(f"policy: {place}: no text in {language!r}; letters say it as the table does", stacklevel=3)

    def _common(self) -> dict[str, Any]:
        """What all letters say."""
        form, policy, named = self.form, self.policy, sorted(self.form.named)
        system, says = policy.system, form.called.words.say
        correctable = self.wrong is not None
        sources = [(j, policy.feature(self.c.features[j]).source) for j in named]
        return {
            "paragraphs": {
                "title": form.say(policy.title),
                "role": says(f"role_{system.role}"),
                "correction": form.say(policy.correction, "correction" if correctable else ""),
                "review": form.say(policy.review, "review" if policy.template == "general" else ""),
                "contact": form.say(policy.contact),
                "closing": form.say(policy.closing),
                "system": form.say(system.name),
                "purpose": form.say(system.purpose),
                "consequences": form.say(system.consequences),
                "authority": form.say(system.authority),
                "reviewed": "yes" if policy.us is not None and policy.us.reviewed_by_counsel else "",
            },
            "features": tuple(form.called.features[j] for j in named),
            "features_hidden": len(named) < self.c.n_features,
            "sources": tuple(
                says("source", feature=form.called.features[j], source=form.say(text)) for j, text in sources if text
            ),
        }

    def header(self, day: str) -> dict[str, Any]:
        """What the letters are about: the first line of a manifest."""
        return {
            "letters": 1,
            "symcf": version("symcf"),
            "model": fingerprint(self.c),
            "policy": self.policy.fingerprint,
            "data": data_hash(self.batch),
            "rows": len(self.batch),
            "date": day,
            "language": self.form.called.words.language,
            "template": self.policy.template,
            "method": self.policy.reasons.method,
            "reference": self.policy.reasons.reference if self.points is not None else None,
        }

    def letter(self, i: int, day: str) -> tuple[Record, Letter | None]:
        """The letter of a row, and its record."""
        called: dict[str, Any] = {"row": i + 1, "name": self.names[i]}
        if self.batch.status[i] == INVALID:
            return Record(**called, status="unreadable", problem="the row cannot be read"), None
        called["decision"] = str(self.batch.compiled.classes[self.batch.prediction[i]])
        if self.batch.status[i] == AT_TARGET:
            return Record(**called, status="at target"), None
        try:
            order, codes = self.reasons(i)
        except OptionError as error:
            return Record(**called, status="stopped", problem=str(error)), None
        e = self._explanation(i)
        found = letter_of(
            e,
            self.form,
            order,
            person=self._cell(self.policy.person_column, i),
            sender=self.form.say(self.policy.sender),
            date=self._day(day),
            corrections=self._corrections(i),
            notice=self._notice(i),
            **self.common,
        )
        reasons = tuple(self.c.features[j] for j in order.features)
        return Record(**called, status="written", reasons=reasons, codes=codes), found

    def _day(self, day: str) -> str:
        try:
            return self.form.called.words.day(datetime.date.fromisoformat(day))
        except ValueError:
            return day

    def _cell(self, column: str | None, i: int) -> str:
        cell = None if column is None else plain_cell(self.columns[column][i])
        return "" if cell is None else str(cell)

    def _explanation(self, i: int) -> Explanation:
        """That of a row, made once."""
        if self._latest is None or self._latest[0] != i:
            self._latest = (i, self.batch[i])
        return self._latest[1]

    def reasons(self, i: int) -> tuple[PrincipalReasons, tuple[str, ...]]:
        """The principal reasons of a row and their codes; `OptionError` where the letter must not be written."""
        form, words = self.form, self.form.called.words
        weights = self._counts(i) if self.points is None else self.points[i].tolist()
        guarded = form.guarded or frozenset()
        order = principal(self.c.features, form, guarded, by_weight(weights), dict(enumerate(weights)))
        named = [j for j in order if j in form.named]
        e = self._explanation(i)
        if self.policy.template == "us" and len(named) < len(order):
            hidden = [self.c.features[j] for j in order if j not in named]
            raise _Stopped(f"{hidden[0]!r} is a principal reason, and the policy does not let it be named")
        stated: dict[str, str] = {}
        free = None if self.free is None or not named else self.free[i]
        for j in named:
            if free is None:
                stated[str(j)] = words.say(
                    "reason", feature=form.called.features[j], value=form.called.value(j, e.cells[j])
                )
                continue
            codes, direction = self.policy.feature(self.c.features[j]).reasons, None
            code = None if codes is None else codes.of_value(e.cells[j])
            if code is None:
                # which way leads elsewhere takes time to find, so only where it makes a difference
                matters = codes is None or codes.low is not None or codes.high is not None or codes.otherwise is None
                direction = _direction(free, j) if matters else None
                code = None if codes is None else codes.of(direction)
            if code is None:
                what = f"{direction} values" if direction else f"the value {e.cells[j]!r}"
                raise _Stopped(f"policy: features.{self.c.features[j]}.reasons has no code for {what}")
            stated.setdefault(code.code, words.say("reason_code", statement=form.say(code.statement), code=code.code))
        key = "reasons_how" if self.points is None else f"reasons_{self.policy.reasons.reference}"
        rows = {} if self.points is None else {"rows": words.number(self.reference_rows)}
        how, intro = words.say(key, most=form.most, **rows), "reasons" if self.free is None else "reasons_stated"
        found = PrincipalReasons(order, tuple(stated.values()), len(named) < len(order), intro, how)
        return found, tuple(stated) if self.free is not None else ()

    def _counts(self, i: int) -> Sequence[int]:
        """By feature, how many of the reasons of a row it is in; found for many rows at once."""
        if i not in self._counted:
            status = self.batch.status[i : i + BLOCK]
            part = i + np.flatnonzero((status != INVALID) & (status != AT_TARGET))
            found = reason_counts(self.batch.compiled, self.batch.rows[part], MOST_LISTED)
            self._counted = dict(zip(part.tolist(), found, strict=True))
        counts = self._counted[i]
        return self._explanation(i).source.reason_counts(NO_LIMIT) if counts is None else counts

    def _corrections(self, i: int) -> tuple[str, ...]:
        if self.wrong is None or self.wrong.row_offsets[i] == self.wrong.row_offsets[i + 1]:
            return ()
        e, called = self.wrong[i], self.form.called
        wanted = called.decision(e.classes[e.target]) if e.target is not None else ""
        moves = [move_of(e.of_set(s)[0].changes[0], called) for s in e.sets]
        say = called.words.say
        return tuple(say("correction_one", feature=m.feature, old=m.old, new=m.new, wanted=wanted) for m in moves)

    def _notice(self, i: int) -> Mapping[str, Any] | None:
        us = self.policy.us
        if us is None:
            return None
        report = None if us.consumer_report is None else asdict(us.consumer_report)
        if report is not None and us.consumer_report is not None and us.consumer_report.score is not None:
            score = us.consumer_report.score
            factors = [part.strip() for part in self._cell(score.factors_column, i).split(";") if part.strip()]
            cells = {"value": self._cell(score.column, i), "date": self._cell(score.date_column, i), "factors": factors}
            if not all(cells.values()):
                report["score"] = None  # none was obtained for this row
            else:
                report["score"] |= cells
        return {"federal_agency": us.federal_agency, "report": report}


def _direction(e: Explanation, j: int) -> str | None:
    """Is the value of a feature too low or too high? That is whether the first way with it leads up or down."""
    change_set = next((s for s in e.sets if j in s), None)
    if change_set is None:
        return None
    change = next(change for change in e.of_set(change_set)[0].changes if change.feature == j)
    old, new = plain_cell(change.old), plain_cell(change.new)
    numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (old, new))
    if not numbers:
        if not e.ordered[j] or old is None:
            return None
        old, new = list(e.values[j]).index(change.old), list(e.values[j]).index(change.new)
    return "low" if new > old else "high"


def protected_reasons(c: Compiled, rows: Any, policy: Policy) -> tuple[list[int], int]:
    """The rows, from 1, whose letter is stopped since a protected feature is among the principal reasons; and how many
    rows are not at the target.
    """
    run = _Run(c, rows, policy, None, None, dict.fromkeys(policy.columns, ()), None, 1)
    found, asked = [], 0
    for i, status in enumerate(run.batch.status.tolist()):
        if status in (INVALID, AT_TARGET):
            continue
        asked += 1
        try:
            run.reasons(i)
        except ProtectedReason:
            found.append(i + 1)
        except OptionError:  # stopped for another cause
            continue
    return found, asked


def letters(
    c: Compiled,
    rows: Any,
    policy: Policy,
    *,
    names: Sequence[Hashable] | None = None,
    language: str | None = None,
    date: str | None = None,
    columns: Mapping[str, Sequence[Any]] | None = None,
    data: Any = None,
    n_jobs: int = 1,
) -> Iterator[tuple[Record, Letter | None]]:
    """The letters of all rows, one after the other, each with its `Record`; None where no letter is written.

    ``columns`` holds the columns of the rows that the policy names beside the features. ``data`` are the rows that
    points of the score are compared with, by default the rows themselves. ``date`` is written in the words of the
    language if it is like 2026-11-18, and as it is otherwise; by default it is today.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> policy = symcf.letters.Policy.from_text("{target: admitted, features: {GPA: {named: true}}}")
    >>> found = symcf.letters.letters(symcf.compile(admission()), [[1, 1, 1, 1], [0, 0, 1, 0]], policy)
    >>> [record.status for record, letter in found]
    ['at target', 'written']
    """
    run = _Run(c, rows, policy, names, language, columns, data, n_jobs)
    run.warn()
    day = date or datetime.date.today().isoformat()
    return (run.letter(i, day) for i in range(len(run.batch)))


def write(
    directory: str | PathLike[str],
    c: Compiled,
    rows: Any,
    policy: Policy,
    *,
    date: str | None = None,
    force: bool = False,
    pdf: bool = False,
    sandbox: bool = True,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> list[Record]:
    """Writes the letters of all rows, one file each, and ``manifest.jsonl``: what they are about, and a line per row.

    A run that was interrupted is continued by the same call: letters that are there and as they were written stay. If
    the directory holds anything else, `FileError`, unless ``force`` is true; then the letters are written anew. ``pdf``
    also prints each letter with Chromium, in its sandbox unless ``sandbox`` is false; root cannot print in it.
    ``options`` are those of `letters`; on Linux, ``n_jobs`` is also the number of processes that write letters. The
    manifest names people: it is for the sender, and must not be sent.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    older = _older(folder / MANIFEST)
    printer = Printer(sandbox) if pdf else None
    names = {key: options.pop(key, None) for key in ("names", "language", "columns", "data")}
    jobs = checked_jobs(options.pop("n_jobs", 1))
    run = _Run(c, rows, policy, n_jobs=jobs, **names)
    if options:
        raise TypeError(f"write takes no {', '.join(options)}")
    run.warn()
    day = date or str(older[0]["date"] if older and not force else datetime.date.today().isoformat())
    header = run.header(day)
    desk = _Desk(run, folder, day, {} if force else _continued(folder, older, header), printer)
    records: list[Record] = []
    with open(folder / MANIFEST, "w", encoding="utf-8") as manifest:
        manifest.write(json.dumps(header) + "\n")
        for block in desk.blocks(jobs):
            records += block
            manifest.writelines(json.dumps(vars(record), ensure_ascii=False) + "\n" for record in block)
            manifest.flush()
            if progress is not None:
                progress(len(records), len(run.batch))
            tick()
    return records


class _Desk:
    """Where letters are written to files."""

    def __init__(self, run: _Run, folder: Path, day: str, done: dict[int, Record], printer: Printer | None) -> None:
        self.run, self.folder, self.day, self.done, self.printer = run, folder, day, done, printer

    def record(self, i: int) -> Record:
        """Writes the letter of a row, unless it is there."""
        record, letter = self.done.get(i + 1), None
        if record is None or not _is_there(self.folder, record):
            record, letter = self.run.letter(i, self.day)
            if letter is not None:
                record = _saved(self.folder, self.run.files[i], record, letter)
        page = self.folder / record.file if record.file else None
        if self.printer is not None and page and (letter is not None or not page.with_suffix(".pdf").exists()):
            self.printer.print(page)
        return record

    def block(self, start: int) -> list[Record]:
        """The letters of the rows from one on."""
        return [self.record(i) for i in range(start, min(start + BLOCK, len(self.run.batch)))]

    def blocks(self, jobs: int) -> Iterator[list[Record]]:
        """The letters of all rows, in their order, by so many processes."""
        starts = range(0, len(self.run.batch), BLOCK)
        jobs = min(jobs, len(starts)) if sys.platform == "linux" else 1  # elsewhere a process cannot be forked safely
        if jobs < 2:
            yield from map(self.block, starts)
            return
        # Forked, so that what was computed for all rows is there without being copied.
        forked = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(jobs, forked, initializer=_at_desk, initargs=(self,)) as pool:
            try:
                with warnings.catch_warnings():  # the threads of batches have ended
                    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
                    waiting = [pool.submit(_block_of_desk, start) for start in starts]
                for future in waiting:
                    yield future.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


#: In a process that writes letters: its desk.
_desk: _Desk | None = None


def _at_desk(desk: _Desk) -> None:
    global _desk
    _desk = desk


def _block_of_desk(start: int) -> list[Record]:
    assert _desk is not None
    return _desk.block(start)


def _older(manifest: Path) -> list[dict[str, Any]]:
    """The lines of an earlier run; the last may be cut off."""
    if not manifest.exists():
        return []
    found = []
    for line in manifest.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    return found


def _continued(folder: Path, older: list[dict[str, Any]], header: Mapping[str, Any]) -> dict[int, Record]:
    """By row, what an earlier run did; `FileError` if the directory holds something else."""
    if not older:
        others = sorted(os.listdir(folder))
        if others and others != [MANIFEST]:
            raise FileError(f"{folder}: the directory is not empty ({others[0]!r}); give another, or use force")
        return {}
    different = [key for key in header if older[0].get(key) != header[key]]
    if different:
        raise FileError(
            f"{folder}: it holds letters of another run ({', '.join(different)} differ); give another directory, or "
            "use force to write them anew"
        )
    done = [line | {"reasons": tuple(line["reasons"]), "codes": tuple(line["codes"])} for line in older[1:]]
    return {line["row"]: Record(**line) for line in done}


def _is_there(folder: Path, record: Record) -> bool:
    if record.status != "written":
        return False  # quick to find again
    try:
        return hashlib.sha256((folder / record.file).read_bytes()).hexdigest() == record.sha256
    except OSError:
        return False


def _saved(folder: Path, name: str, record: Record, letter: Letter) -> Record:
    content = letter.html.encode()
    path = folder / f"{name}.html"
    try:
        path.write_bytes(content)  # not flushed: the manifest's hash tells a file that was cut off
    except BaseException as error:
        path.unlink(missing_ok=True)  # half a letter could be sent
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise
    return replace(record, file=f"{name}.html", sha256=hashlib.sha256(content).hexdigest())
