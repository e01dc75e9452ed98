"""Changes certificates in every way that one can think of: none that is false may pass.

    python tests/drivers/certificates_mutate.py --count 100000

Changes of the text keep the old number, as a careless hand would; other white space, escapes and numerals leave it the
same certificate. Changes of the content get the right number and, half
of the time, the right fingerprint, as a clever hand would. What passes nevertheless must be true, if only as the answer
to another question: brute force (`certificate_oracle`) says so, which shares nothing with the checker. It must have
another number than the certificate had, and must not pass for one about the same model if it is about another.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import random_runs  # noqa: F401  (the path)

# isort: split
import certificate_oracle
from certificates_random import (
    certified,
    column_explanations,
    explanations,
    moved_explanations,
    number_explanations,
    plausible_explanations,
    reasons_of,
)
from torture import plans, run

from symcf.proof.checker.check import check_text
from symcf.proof.checker.form import canonical, fingerprint_of, number_of, parse, plain_number

Data = dict[str, Any]
Rng = random.Random

# --- changes of the text ----------------------------------------------------------------------------------------------


def _byte(text: str, rng: Rng) -> str:
    at = rng.randrange(len(text))
    return text[:at] + chr(rng.randrange(32, 127)) + text[at + 1 :]


def _left_out(text: str, rng: Rng) -> str:
    at = rng.randrange(len(text))
    return text[:at] + text[at + rng.randint(1, 5) :]


def _cut(text: str, rng: Rng) -> str:
    return text[: rng.randrange(len(text))]


def _space(text: str, rng: Rng) -> str:
    places = [i for i, letter in enumerate(text) if letter in ",:[]{}"]
    at = rng.choice(places)
    return text[:at] + rng.choice(" \t\n") + text[at:]


def _escape(text: str, rng: Rng) -> str:
    at = rng.choice([i for i, letter in enumerate(text) if letter.isalpha()])
    return f"{text[:at]}\\u{ord(text[at]):04x}{text[at + 1 :]}"


def _twice(text: str, rng: Rng) -> str:
    key = rng.choice(["version", "decision", "row", "number"])
    value = rng.choice(["1", "0", "[0]", '"AAAA"'])
    return text.replace(f'"{key}":', f'"{key}":{value},"{key}":', 1)


def _as_float(text: str, rng: Rng) -> str:
    places = [i for i, letter in enumerate(text) if letter.isdigit() and text[i + 1] in ",]}"]
    at = rng.choice(places) + 1
    return text[:at] + rng.choice([".0", "e0", ".5", "E+2"]) + text[at:]


def _constant(text: str, rng: Rng) -> str:
    places = [i for i, letter in enumerate(text) if letter.isdigit() and text[i - 1] in "[,:" and text[i + 1] in ",]}"]
    at = rng.choice(places) if places else 0
    return text[:at] + rng.choice(["NaN", "Infinity", "-Infinity", "null", "true"]) + text[at + 1 :]


def _deep(text: str, rng: Rng) -> str:
    depth = rng.choice([70, 5000, 200_000])
    return text.replace('"constraints":[', '"constraints":[' + "[" * depth + "]" * depth, 1)


def _huge(text: str, rng: Rng) -> str:
    return text.replace('"bias":[', '"bias":[' + "9" * rng.choice([200, 5000]), 1).replace(
        '"row":[', '"row":[' + "9" * 300
    )


# --- changes of the content -------------------------------------------------------------------------------------------


def _places(data: Any, wanted: Callable[[Any], bool]) -> list[tuple[Any, Any]]:
    """Containers and keys of what is wanted, anywhere inside."""
    found, waiting = [], [data]
    while waiting:
        inside = waiting.pop()
        for key, value in inside.items() if isinstance(inside, dict) else enumerate(inside):
            if wanted(value):
                found.append((inside, key))
            if isinstance(value, (dict, list)):
                waiting.append(value)
    return found


def _is_integer(value: Any) -> bool:
    return type(value) is int


def _integer(data: Data, rng: Rng, where: tuple[str, ...] = ()) -> None:
    part: Any = data
    for key in where:
        part = part[key]
    places = _places(part, _is_integer) if isinstance(part, (dict, list)) else []
    if places:
        inside, key = rng.choice(places)
        inside[key] = rng.choice([inside[key] + 1, inside[key] - 1, -inside[key], 0, 1, rng.randrange(10)])


def _in(*where: str) -> Callable[[Data, Rng], None]:
    return lambda data, rng: _integer(data, rng, where)


def _type(data: Data, rng: Rng) -> None:
    inside, key = rng.choice(_places(data, lambda value: not isinstance(value, (dict, list))))
    value = inside[key]
    inside[key] = rng.choice([float(value) if _is_integer(value) else 0.0, str(value), bool(value), None, [value], {}])


def _shorter(data: Data, rng: Rng) -> None:
    lists = _places(data, lambda value: isinstance(value, list) and len(value) > 0)
    inside, key = rng.choice(lists)
    del inside[key][rng.randrange(len(inside[key]))]


def _longer(data: Data, rng: Rng) -> None:
    lists = _places(data, lambda value: isinstance(value, list) and len(value) > 0)
    inside, key = rng.choice(lists)
    inside[key].insert(rng.randrange(len(inside[key]) + 1), copy.deepcopy(rng.choice(inside[key])))


def _swapped(data: Data, rng: Rng) -> None:
    lists = _places(data, lambda value: isinstance(value, list) and len(value) > 1)
    inside, key = rng.choice(lists)
    a, b = rng.sample(range(len(inside[key])), 2)
    inside[key][a], inside[key][b] = inside[key][b], inside[key][a]


def _keys(data: Data, rng: Rng) -> None:
    inside, key = rng.choice([(data, "model"), *_places(data, lambda value: isinstance(value, dict))])
    record = inside[key]
    names = list(record)
    change = rng.randrange(4)
    if change == 0:
        del record[rng.choice(names)]
    elif change == 1:
        record["note"] = rng.choice([None, 1, "true", []])
    elif change == 2:
        name = rng.choice(names)
        record[name + "s"] = record.pop(name)
    else:
        rng.shuffle(names)
        inside[key] = {name: record[name] for name in names}


def _version(data: Data, rng: Rng) -> None:
    data["version"] = rng.choice([0, 1, 3, True, "2", None, -1, 10**30])


def _stated(data: Data) -> Data:
    """The part that has the sets of changes: the answer or, of reasons, the proof."""
    part: Data = data["proof"] if "reasons" in data["answer"] else data["answer"]
    return part


def _set_left_out(data: Data, rng: Rng) -> None:
    answer = _stated(data)
    if answer.get("sets"):  # another kind of proof has none
        at = rng.randrange(len(answer["sets"]))
        del answer["sets"][at], answer["values"][at]
        if rng.random() < 0.5:
            _claims_more(data, rng)


def _set_added(data: Data, rng: Rng) -> None:
    n, answer = len(data["row"]), _stated(data)
    chosen = sorted(rng.sample(range(n), rng.randint(0, n)))
    at = rng.randrange(len(answer["sets"]) + 1)
    answer["sets"].insert(at, chosen)
    answer["values"].insert(at, [_other_value(data, j, rng) for j in chosen])


def _reason_changed(data: Data, rng: Rng) -> None:
    """A reason less, one more, or another one; and perhaps another claim."""
    reasons, n = data["answer"].get("reasons"), len(data["row"])
    if reasons is None:
        return
    change, at = rng.randrange(4), rng.randrange(len(reasons)) if reasons else 0
    if change == 0 and reasons:
        del reasons[at]
    elif change == 1:
        reasons.append(sorted(rng.sample(range(n), rng.randint(0, n))))
    elif change == 2 and reasons:
        reasons[at] = sorted(set(reasons[at]) ^ {rng.randrange(n)})
    if change == 3 or rng.random() < 0.3:
        _claims_more(data, rng)
    if rng.random() < 0.5:
        reasons.sort(key=lambda reason: (len(reason), reason))
    if rng.random() < 0.3:
        _set_left_out(data, rng)


def _set_changed(data: Data, rng: Rng) -> None:
    answer = _stated(data)
    if answer["sets"]:
        at = rng.randrange(len(answer["sets"]))
        new = dict(zip(answer["sets"][at], answer["values"][at], strict=True))
        j = rng.randrange(len(data["row"]))
        if new.pop(j, None) is None or rng.random() < 0.3:
            new[j] = _other_value(data, j, rng)
        answer["sets"][at] = sorted(new)
        answer["values"][at] = [new[i] for i in sorted(new)]


def _other_value(data: Data, j: int, rng: Rng) -> Any:
    domain, own = data["model"]["values"][j], data["row"][j]
    labels = domain if isinstance(domain, list) else domain.get("labels", [])
    if labels and (rng.random() < 0.3 or not _is_number(own)):
        return copy.deepcopy(rng.choice(labels))
    ends = (
        [end for end in (*domain.get("cuts", []), domain.get("low"), domain.get("high")) if end is not None]
        if isinstance(domain, dict)
        else []
    )
    return _nudged(rng.choice([own if _is_number(own) else 0, *ends]), rng)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _nudged(number: float, rng: Rng) -> int | float:
    away = rng.choice([0.5, 1.0, -1.0, 1e-9, 10.0])
    new = rng.choice(
        [number + away, number - away, math.nextafter(number, math.inf), math.nextafter(number, -math.inf)]
    )
    return plain_number(float(new)) if abs(new) < 1e300 else 0


def _number_nudged(data: Data, rng: Rng) -> None:
    """A number of the row, of a domain, of a constraint or of the answer."""
    parts = [data["row"], data["model"]["values"], data["question"]["constraints"], _stated(data)["values"]]
    places = [place for part in parts for place in _places(part, _is_number)]
    if places:
        inside, key = rng.choice(places)
        inside[key] = _nudged(inside[key], rng)


def _relation_changed(data: Data, rng: Rng) -> None:
    """A sign, a number or a name in the text of a relation; or one more relation."""
    constraints, names = data["question"]["constraints"], data["model"]["features"]
    relations = [one for one in constraints if one["kind"] == "relation"]
    likely = [one for one in constraints if one["kind"] == "plausible"]
    if likely and rng.random() < 0.7:
        part = rng.choice(["cells", "parents", "terms", "least"])
        if part == "least":
            likely[0]["least"] += rng.choice([-1000, -100, -10, 10, 100, 1000])
        else:
            _integer(likely[0], rng, (part,))
        return
    if not relations or rng.random() < 0.2:
        one, two = (names.index(rng.choice(names)) for _ in range(2))
        text = rng.choice(
            [f"{one} <= {two}", f"at_most(1, {one}, {two})", f"{one} >= 1", f"not ({one} < 2)", f"{one} = 0"]
        )
        constraints.append({"kind": "relation", "text": text})
        return
    relation = rng.choice(relations)
    words = re.split(r"(<=|>=|!=|->|[=<>]|\band\b|\bor\b|\bnot\b|[0-9]+)", relation["text"])
    places = list(range(1, len(words), 2))
    if places:
        at = rng.choice(places)
        signs = ["<=", ">=", "!=", "=", "<", ">", "->", "and", "or", ""]
        words[at] = str(rng.randrange(5)) if words[at].isdigit() else rng.choice(signs)
        relation["text"] = "".join(words)


def _claims_more(data: Data, rng: Rng) -> None:
    answer, n = data["answer"], len(data["row"])
    answer["claim"] = rng.choice(
        [{"kind": "all"}, {"kind": "up to", "changes": rng.randint(0, n + 1)}, {"kind": "first"}, {"kind": "listed"}]
    )
    if rng.random() < 0.3:
        data["question"]["max_changes"] = rng.choice([None, rng.randint(0, n)])
    if rng.random() < 0.3:
        listed = answer["reasons"] if "reasons" in answer else answer["sets"]
        data["question"]["k"] = rng.choice([None, len(listed) or 1, rng.randint(1, 4)])
    if "reasons" in answer and rng.random() < 0.9:
        return
    if data["proof"]["kind"] == "none" or answer["claim"]["kind"] == "listed":
        data["proof"] = rng.choice([{"kind": "none"}, {"kind": "sums"}, {"kind": "duality", "reasons": []}])


def _proof_changed(data: Data, rng: Rng) -> None:
    proof, n = data["proof"], len(data["row"])
    parts = proof.get("reasons", proof.get("steps"))
    if proof["kind"] == "rows" and rng.random() < 0.9:
        rng.choice([_set_left_out, _set_added, _set_changed])(data, rng)
        return
    if parts and rng.random() < 0.5:
        del parts[rng.randrange(len(parts))]
    elif parts is not None:
        if proof["kind"] == "boxes":
            _steps_changed(data, parts, rng)
            return
        parts.append(sorted(rng.sample(range(n), rng.randint(0, n))))
        if proof["kind"] == "duality":
            parts.sort()
    else:
        data["proof"] = rng.choice(
            [{"kind": "sums"}, {"kind": "duality", "reasons": []}, {"kind": "clauses", "steps": [[]]}]
        )
    if "sets" in _stated(data) and rng.random() < 0.5:
        _set_left_out(data, rng)


def _steps_changed(data: Data, steps: list[Any], rng: Rng) -> None:
    """Other steps of a proof by boxes: another split or leaf, or what is claimed of costs."""
    at = rng.randrange(len(steps)) if steps else 0
    j = rng.randrange(len(data["model"]["features"]))
    step = rng.choice([None, 0, 1, rng.getrandbits(rng.randint(1, 60)), [rng.randrange(3)], [j, "own"], [j]])
    if rng.random() < 0.3 and "row" in data:
        value = _other_value(data, j, rng)
        step = [j, value if _is_number(value) else [value]]
    claim = data["answer"]["claim"]
    change = rng.randrange(5)
    if change == 0:
        steps.insert(at, step)
    elif change == 1 and steps:
        steps[at] = step
    elif change == 2 and steps:
        a, b = rng.randrange(len(steps)), rng.randrange(len(steps))
        steps[a], steps[b] = steps[b], steps[a]
    elif "least" in claim:
        claim["least"][0] = max(
            1, claim["least"][0] * rng.choice([2, 3, 1]) // rng.choice([1, 2]) + rng.choice([-1, 0, 1])
        )
        _set_left_out(data, rng) if rng.random() < 0.3 else None
    elif "moves" in data["question"]:
        name = data["model"]["features"][j]
        moves = data["question"]["moves"]
        moves.remove(name) if name in moves else moves.append(name)


def _costs_changed(data: Data, rng: Rng) -> None:
    """What changes cost, or whether moves count."""
    question, n = data["question"], len(data["model"]["features"])
    if rng.random() < 0.3:
        if question.pop("moves", None) is None:
            question["moves"] = [name for name in data["model"]["features"] if rng.random() < 0.5]
        return
    costs = question["costs"] or {"unit": [1, 1], "by_feature": [1] * n}
    j = rng.randrange(n)
    costs["by_feature"][j] = rng.choice(
        [rng.randint(1, 4), {"each": [rng.randint(1, 3), rng.randint(1, 3)], "other": rng.randint(1, 3)}]
    )
    question["costs"] = costs


def _question_changed(data: Data, rng: Rng) -> None:
    question, n = data["question"], len(data["row"])
    change = rng.randrange(5)
    if change == 0 and question["constraints"]:
        del question["constraints"][rng.randrange(len(question["constraints"]))]
    elif change == 1:
        kind = rng.choice(["immutable", "increase", "decrease"])
        question["constraints"].append({"kind": kind, "feature": rng.choice(data["model"]["features"])})
    elif change == 2:
        question["target"] = rng.choice([None, *([label] for label in data["model"]["classes"])])
    elif change == 3:
        j = rng.randrange(n)
        values = [_other_value(data, j, rng) for _ in range(rng.randint(0, 2))]
        kind = rng.choice(["allowed", "excluded"])
        question["constraints"].append({"kind": kind, "feature": data["model"]["features"][j], "values": values})
    else:
        question["max_changes"] = rng.choice([None, *range(n + 1)])


def _of_another(data: Data, other: Data, rng: Rng) -> None:
    key = rng.choice(["model", "row", "question", "answer", "proof"])
    data[key] = copy.deepcopy(other[key])


TEXT = {
    "a character": _byte, "characters left out": _left_out, "cut off": _cut, "a space": _space, "an escape": _escape,
    "a key twice": _twice, "a float for an integer": _as_float, "NaN, null or true for an integer": _constant,
    "nested deeply": _deep, "a huge integer": _huge,
}  # fmt: skip

CONTENT: dict[str, Callable[[Data, Rng], None]] = {
    "an integer": _integer, "an integer of the rule": _in("model", "rule"), "a code of the row": _in("row"),
    "an integer of the question": _in("question"), "an integer of the answer": _in("answer"),
    "an integer of the proof": _in("proof"), "another type": _type, "a list member less": _shorter,
    "a list member twice": _longer, "list members swapped": _swapped, "keys": _keys, "the version": _version,
    "a change set less": _set_left_out, "a change set more": _set_added, "a change set changed": _set_changed,
    "another claim": _claims_more, "the proof": _proof_changed, "the question": _question_changed,
    "a number of the question": _number_nudged, "a relation": _relation_changed, "a reason": _reason_changed,
    "costs and moves": _costs_changed,
}  # fmt: skip

KINDS = (*TEXT, *CONTENT, "a part of another certificate")


def changed(kind: str, data: Data, other: Data, rng: Rng) -> str | None:
    """The text of a changed certificate; None if nothing changed."""
    if kind in TEXT:
        text = TEXT[kind](json.dumps(data, separators=(",", ":")), rng)
        return text if text != json.dumps(data, separators=(",", ":")) else None
    new = copy.deepcopy(data)
    if kind in CONTENT:
        CONTENT[kind](new, rng)
    else:
        _of_another(new, other, rng)
    if rng.random() < 0.5 and isinstance(new.get("model"), dict):
        new["model"]["fingerprint"] = fingerprint_of(new["model"])
    if "number" in new:
        new["number"] = number_of(new)
    text = canonical(new)
    return text if text != canonical(data) else None


def certificates(seed: int, names: dict[str, Any]) -> Iterator[Data]:
    """Certificates of random questions, without end."""
    rng = random.Random(seed)
    kinds = number_explanations(seed), column_explanations(seed), plausible_explanations(seed)
    every = zip(explanations(seed, names), *kinds, strict=True)
    every = zip(every, moved_explanations(seed), strict=True)  # type: ignore[assignment]
    drawn = (rng.choice([*some, moved]) if rng.random() < 0.6 else some[0] for some, moved in every)
    for number, (_, _, e) in enumerate(drawn):
        stated = reasons_of(e, rng) if number % 3 == 2 else e
        certificate = None if stated is None else certified(stated, rng)
        if certificate is not None:
            yield certificate.data


def attack(seed: int, count: int, names: dict[str, Any]) -> tuple[dict[str, Counter[str]], list[str]]:
    """Changes certificates; by kind of change what became of them, and those that pass and are false."""
    rng = random.Random(seed)
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    false: list[str] = []
    pool = list(islice(certificates(seed, names), max(20, min(2000, count // 50))))
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        text = None
        while text is None:  # not every change is one
            data, other = rng.choice(pool), rng.choice(pool)
            text = changed(kind, data, other, rng)
        verdict = check_text(text)
        expected = check_text(text, fingerprint=data["model"]["fingerprint"])
        if verdict:
            new = parse(text)
            if canonical(new) == canonical(data):
                tally[kind]["the same certificate"] += 1
                continue
            same = verdict.number == data["number"] or (expected and new["model"] != data["model"])
            if same or not certificate_oracle.is_true(new):
                false.append(f"{kind}\n{canonical(data)}\n{text}")
        tally[kind]["still true" if verdict else str(verdict.failed)] += 1
    return tally, false


def main() -> int:
    """The command line; 1 if a false certificate passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--write", metavar="FILE", help="write the tally as JSON, for the documentation")
    given = parser.parse_args()
    with run.directory() as here:
        tally, false = attack(given.seed, given.count, plans.namespace(here))
    for kind, found in tally.items():
        print(f"{kind:35} {sum(found.values()):7,}  " + ", ".join(f"{what} {n:,}" for what, n in found.most_common()))
    print(f"{given.count:,} changes, {len(false)} false certificates passed")
    for text in false[:3]:
        print(text)
    if given.write:
        found = {"seed": given.seed, "changes": given.count, "false": len(false), "kinds": tally}
        Path(given.write).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
