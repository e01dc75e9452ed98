"""Is a certificate true? By brute force over all rows, the slow and obvious way. Imports nothing of symcf.

For models of a few features with a few values; the form of the certificate is taken for granted, its proof is not
looked at.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any


def decides(rule: dict[str, Any], n_classes: int, row: tuple[int, ...]) -> int:
    """The class of a row."""
    if rule["kind"] == "diagrams":
        sinks = [_sink(diagram, row) for diagram in rule["diagrams"]]
        return sinks[0] if n_classes == 2 else sinks.index(1)
    if rule["kind"] == "numbers":
        sums = number_sums(rule, row)
    elif rule["kind"] == "sums":
        sums = [
            bias + sum(weights[j][v] for j, v in enumerate(row))
            for bias, weights in zip(rule["bias"], rule["weights"], strict=True)
        ]
    else:
        sums = [0] * n_classes
        for tree in rule["trees"]:
            node = tree[0]
            while len(node) == 4:
                feature, runs, left, right = node
                goes_left = any(a <= row[feature] <= b for a, b in zip(runs[::2], runs[1::2], strict=True))
                node = tree[left if goes_left else right]
            sums = [a + b for a, b in zip(sums, node[0], strict=True)]
    last = rule["ties"] == "last"
    if len(sums) == 1:
        return int(sums[0] > 0 or (sums[0] == 0 and last))
    winners = [k for k, total in enumerate(sums) if total == max(sums)]
    return winners[-1] if last else winners[0]


def number_of(code: int) -> Fraction:
    """The number of a place among the doubles: 2**62 is 0, and the doubles from 2**-510 on are counted from there."""
    steps = code - 2**62
    bits = abs(steps) - 1
    number = Fraction(2**52 + bits % 2**52, 2**52) * Fraction(2) ** (bits // 2**52 - 510) if steps else Fraction(0)
    return -number if steps < 0 else number


def number_sums(rule: dict[str, Any], row: tuple[Any, ...], *, sizes: bool = False) -> list[int]:
    """The sums of a row of numbers and codes, or the sums of the sizes of its terms."""
    sums = [abs(b) if sizes else b for b in rule["bias"]]
    for j, term in enumerate(rule["terms"]):
        for k in range(len(sums)):
            if "weights" in term:
                add = term["weights"][k][row[j]]
            elif row[j] is None:
                add = term["missing"][k]
            else:
                curve, e, slope, f = term["numbers"][k]
                x, unit = Fraction(row[j]), Fraction(2) ** rule["scale"]
                fine = 2**64
                square = math.floor(curve * Fraction(2) ** e * x * x * unit * fine)
                line = math.floor(slope * Fraction(2) ** f * x * unit * fine)
                add = math.floor(Fraction(square + line, fine) + Fraction(1, 2))
            sums[k] += abs(add) if sizes else add
    return sums


def _wins(rule: dict[str, Any], row: tuple[Any, ...], before: int, new: tuple[Any, ...], target: int | None) -> bool:
    """Does another class win with the new row, by more than doubt?"""
    size = max(number_sums(rule, row, sizes=True))
    doubt = rule["doubt"] * max(1, 1 + ((size - 1) >> 54))
    last, classes = rule["ties"] == "last", max(2, len(rule["bias"]))

    def beats(r: int, p: int) -> bool:
        return number_margin(rule, new, r, p) >= max(doubt, 0 if (r > p) == last else 1)

    if target is not None and classes > 2:
        return all(beats(target, p) for p in range(classes) if p != target)
    return any(beats(r, before) for r in range(classes) if r != before)


def number_margin(rule: dict[str, Any], row: tuple[int, ...], new: int, old: int) -> int:
    """By how much one class is ahead of another. The difference of two polynomials is rounded once."""
    if len(rule["bias"]) == 1:
        return number_sums(rule, row)[0] * (1 if new else -1)
    total = rule["bias"][new] - rule["bias"][old]
    for j, term in enumerate(rule["terms"]):
        if "weights" in term:
            total += term["weights"][new][row[j]] - term["weights"][old][row[j]]
            continue
        if row[j] is None:
            total += term["missing"][new] - term["missing"][old]
            continue
        (a, b), (c, d) = (
            (Fraction(curve) * Fraction(2) ** e, Fraction(slope) * Fraction(2) ** f)
            for curve, e, slope, f in (term["numbers"][new], term["numbers"][old])
        )
        square, line, x = _short(a - c), _short(b - d), Fraction(row[j])
        unit, fine = Fraction(2) ** rule["scale"], 2**64
        parts = math.floor(square * x * x * unit * fine) + math.floor(line * x * unit * fine)
        total += math.floor(Fraction(parts, fine) + Fraction(1, 2))
    return total


def _short(number: Fraction) -> Fraction:
    """Rounded to 61 binary digits, halves away from zero."""
    unit = Fraction(1)
    while abs(number) >= unit * 2**61:
        unit *= 2
    while number and abs(number) < unit * 2**60:
        unit /= 2
    size = math.floor(abs(number) / unit + Fraction(1, 2)) * unit
    return size if number > 0 else -size


# --- the question, on rows as the user knows them ---------------------------------------------------------------------


def code_of(number: float) -> int:
    """The inverse of `number_of`."""
    if number == 0:
        return 2**62
    mantissa, exponent = math.frexp(abs(number))
    steps = (exponent - 1 + 510) * 2**52 + int((mantissa * 2 - 1) * 2**52) + 1
    return 2**62 - steps if number < 0 else 2**62 + steps


def _sink(diagram: dict[str, Any], row: tuple[int, ...]) -> int:
    at: int = diagram["root"]
    while at > 1:
        level, *children = diagram["nodes"][at - 2]
        at = children[row[diagram["order"][level]]]
    return at


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(one: Any, two: Any) -> bool:
    return one == two and isinstance(one, bool) == isinstance(two, bool)


def _labels(domain: Any) -> list[Any]:
    return domain if isinstance(domain, list) else domain.get("labels", [])


def _coded(domain: Any, value: Any) -> Any:
    """What a rule looks at: a place among labels, a cell and then a label, or a number."""
    if isinstance(domain, dict) and "low" in domain:
        return value
    cuts = domain.get("cuts", []) if isinstance(domain, dict) else []
    if isinstance(domain, dict) and "cuts" in domain and _is_number(value):
        return sum(cut <= value for cut in cuts)
    first = len(cuts) + 1 if isinstance(domain, dict) and "cuts" in domain else 0
    return first + next(i for i, label in enumerate(_labels(domain)) if _same(label, value))


def _candidates(data: dict[str, Any], j: int) -> list[Any]:
    """Values to try: all labels, and numbers in, beside and between all that is mentioned."""
    domain = data["model"]["values"][j]
    if isinstance(domain, list) or not domain.keys() & {"low", "cuts"}:
        return list(_labels(domain))
    ends = [*domain.get("cuts", []), *(domain[end] for end in ("low", "high") if end in domain)]
    for constraint in data["question"]["constraints"]:
        if constraint.get("feature") == data["model"]["features"][j]:
            for value in constraint.get("values", ()):
                ends += [end for end in (value if isinstance(value, list) else [value]) if _is_number(end)]
    own = data["row"][j]
    ends += [own] if _is_number(own) else []
    for features, values in zip(data["answer"].get("sets", []), data["answer"].get("values", []), strict=False):
        ends += [value for i, value in zip(features, values, strict=False) if i == j and _is_number(value)]
    related = "moves" in data["question"] or any(
        one["kind"] in ("relation", "whole") for one in data["question"]["constraints"]
    )
    found = set(ends)
    if related or "cuts" in domain:
        found |= {math.nextafter(end, away) for end in ends for away in (-math.inf, math.inf)}
        found |= {whole for end in ends for whole in (math.floor(end), math.ceil(end), math.floor(end) - 1)}
    if "low" in domain:
        numbers = data["model"]["rule"]["terms"][j]["numbers"]
        exact = [(Fraction(a) * Fraction(2) ** e, Fraction(b) * Fraction(2) ** f) for a, e, b, f in numbers]
        pairs = [(a, b) for b in range(len(exact)) for a in range(b)]
        differences = [(exact[b][0] - exact[a][0], exact[b][1] - exact[a][1]) for a, b in pairs] or exact
        apexes = {float(-line / (2 * square)) for square, line in differences if square}
        found |= {x for x in apexes if math.isfinite(x)}
        found |= {math.nextafter(own, away) for away in (-math.inf, math.inf)} if _is_number(own) else set()
    return [*sorted(found), *_labels(domain)]


def may_become(data: dict[str, Any], j: int, new: Any) -> bool:
    """May a feature become this, by the constraints on it alone?"""
    name, old, domain = data["model"]["features"][j], data["row"][j], data["model"]["values"][j]
    if _same(old, new):
        return True
    numbers = isinstance(domain, dict) and bool(domain.keys() & {"low", "cuts"})
    if (
        isinstance(domain, dict)
        and "low" in domain
        and not (_is_number(new) and domain["low"] <= new <= domain["high"])
    ):
        return False
    for constraint in data["question"]["constraints"]:
        if constraint.get("feature") != name:
            continue
        kind, values = constraint["kind"], constraint.get("values", [])
        places = (old, new) if numbers else tuple(_coded(domain, value) for value in (old, new))
        if kind == "immutable" or (numbers and not _is_number(new) and kind in ("increase", "decrease")):
            return False
        if kind in ("increase", "decrease") and not _is_number(places[0]):
            return False
        apart = domain.get("apart", []) if isinstance(domain, dict) else []
        if kind in ("increase", "decrease") and any(_same(one, value) for one in apart for value in (old, new)):
            return False
        if (kind == "increase" and not places[1] > places[0]) or (kind == "decrease" and not places[1] < places[0]):
            return False
        listed = any(
            (value[0] is None or value[0] <= new) and (value[1] is None or new <= value[1])
            if isinstance(value, list)
            else _same(value, new)
            for value in values
            if not isinstance(value, list) or _is_number(new)
        )
        if kind == "whole" and _is_number(new) and new != int(new):
            return False
        if (kind == "allowed" and not listed) or (kind == "excluded" and listed):
            return False
    return True


def _no_way(data: dict[str, Any]) -> bool:
    """Does no row that the rows of a region can become have the target?"""
    model, regions, reach = data["model"], data["region"], []
    for j, listed in enumerate(regions):
        ends = [value for entry in listed for value in (entry if isinstance(entry, list) else [entry])]
        first = next((value for value in ends if value is not None), None)
        about = {**data, "row": [first] * len(regions)}
        every = [*_candidates(about, j), *ends]
        own = [value for value in every if any(_is_listed(value, entry) for entry in listed)]
        found = list(own)
        for value in own:
            about["row"][j] = value
            found += [new for new in every if new is not None and may_become(about, j, new)]
        codes = {_coded(model["values"][j], value) for value in found if value is not None}
        reach.append(sorted(codes))
    target = model["classes"].index(data["question"]["target"][0])
    return all(decides(model["rule"], len(model["classes"]), row) != target for row in product(*reach))


def _is_listed(value: Any, entry: Any) -> bool:
    if isinstance(entry, list):
        low, high = entry
        return _is_number(value) and (low is None or low <= value) and (high is None or value <= high)
    return _same(value, entry)


def is_true(data: dict[str, Any]) -> bool:
    """Does the answer follow from the model, the row and the question? Of numbers, some are tried, not all."""
    if "region" in data:
        return _no_way(data)
    model, question, answer, row = data["model"], data["question"], data["answer"], tuple(data["row"])
    n, classes, domains = len(model["features"]), model["classes"], model["values"]

    def coded(values: Any) -> tuple[Any, ...]:
        return tuple(_coded(domain, value) for domain, value in zip(domains, values, strict=True))

    before = classes.index(data["decision"])
    target = None if question["target"] is None else classes.index(question["target"][0])
    if decides(model["rule"], len(classes), coded(row)) != before or target == before:
        return False
    relations = [_relation(one["text"], data) for one in question["constraints"] if one["kind"] == "relation"]
    relations += [_plausible(one, coded) for one in question["constraints"] if one["kind"] == "plausible"]

    def flips(new: tuple[Any, ...]) -> bool:
        after = decides(model["rule"], len(classes), coded(new))
        reached = after != before if target is None else after == target
        if model["rule"]["kind"] == "numbers":
            reached = _wins(model["rule"], coded(row), before, coded(new), target)
        return reached and all(relation(new) for relation in relations)

    choices = [
        [row[j], *(v for v in _candidates(data, j) if not _same(v, row[j]) and may_become(data, j, v))]
        for j in range(n)
    ]
    ways = [new for new in product(*choices) if flips(new)]
    flipping = {tuple(j for j in range(n) if not _same(new[j], row[j])) for new in ways}
    stated = data["proof"] if "reasons" in answer else answer
    for features, values in zip(stated["sets"], stated["values"], strict=True):
        new = list(row)
        for j, value in zip(features, values, strict=True):
            if _same(value, row[j]) or not may_become(data, j, value):
                return False
            new[j] = value
        if not flips(tuple(new)):
            return False
        ways.append(tuple(new))
        flipping.add(tuple(features))
    if "moves" in question:
        return _moves_are_true(data, ways)
    if "reasons" in answer:
        return _are_reasons(data, flipping)
    minimal = {s for s in flipping if not any(set(t) < set(s) for t in flipping)}
    if question["max_changes"] is not None:
        minimal = {s for s in minimal if len(s) <= question["max_changes"]}
    if answer["claim"]["kind"] == "cheapest" and any(
        _paid(data, way) < Fraction(*answer["claim"]["least"])
        and not any(all(not _same(way[j], row[j]) for j in s) for s in answer["sets"])
        for way in _short_enough(data, ways)
    ):
        return False
    return _is_answer(data, minimal) and _is_claimed(data, minimal, answer)


def _short_enough(data: dict[str, Any], ways: list[Any]) -> list[Any]:
    most, row = data["question"]["max_changes"], data["row"]
    changes = [sum(not _same(old, new) for old, new in zip(row, way, strict=True)) for way in ways]
    return [way for way, count in zip(ways, changes, strict=True) if most is None or count <= most]


def _paid(data: dict[str, Any], way: Any) -> Fraction:
    """What a row costs, in units."""
    changes = ((j, new) for j, (old, new) in enumerate(zip(data["row"], way, strict=True)) if not _same(old, new))
    return sum((_price(data, j, new) for j, new in changes), Fraction(0))


def _is_nearer(data: dict[str, Any], one: Any, two: Any) -> bool:
    """Is each feature of a row as it was, as in another row, or between the two where values have an order?"""
    for j, name in enumerate(data["model"]["features"]):
        own, near, far, domain = data["row"][j], one[j], two[j], data["model"]["values"][j]
        if _same(near, own) or _same(near, far):
            continue
        if name not in data["question"]["moves"]:
            return False
        places: list[Any] = [own, near, far]
        if not (isinstance(domain, dict) and domain.keys() & {"low", "cuts"}):
            apart = domain.get("apart", []) if isinstance(domain, dict) else []
            if any(_same(place, label) for place in places for label in apart):
                return False
            places = [_coded(domain, place) for place in places]
        elif not all(map(_is_number, places)):
            return False
        if not (places[0] < places[1] < places[2] or places[2] < places[1] < places[0]):
            return False
    return True


def _moves_are_true(data: dict[str, Any], ways: list[Any]) -> bool:
    """By cost, none of them as far as another one, and all others as far as one of them, or dearer."""
    question, answer, row = data["question"], data["answer"], data["row"]
    listed = []
    for features, values in zip(answer["sets"], answer["values"], strict=True):
        new = dict(zip(features, values, strict=True))
        listed.append(tuple(new.get(j, old) for j, old in enumerate(row)))
    paid = [_paid(data, way) for way in listed]
    if (
        paid != sorted(paid)
        or len(listed) > (question["k"] or len(listed))
        or len(_short_enough(data, listed)) < len(listed)
    ):
        return False
    if tuple(row) in listed or any(
        i != k and _is_nearer(data, one, two) for i, one in enumerate(listed) for k, two in enumerate(listed)
    ):
        return False
    claim, ways = answer["claim"], _short_enough(data, ways)
    if claim["kind"] == "all" and question["max_changes"] is not None:
        return False
    if claim["kind"] == "cheapest":
        if len(listed) != question["k"]:
            return False
        ways = [way for way in ways if _paid(data, way) < Fraction(*claim["least"])]
    if claim["kind"] == "up to":
        changes = [sum(not _same(old, new) for old, new in zip(row, way, strict=True)) for way in ways]
        ways = [way for way, count in zip(ways, changes, strict=True) if count <= claim["changes"]]
    if claim["kind"] == "listed":
        return True
    return all(any(_is_nearer(data, one, way) for one in listed) for way in ways)


def _plausible(one: dict[str, Any], coded: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], bool]:
    """Is a row likely enough?"""

    def is_likely(row: Any) -> bool:
        cells = [cell[code] for cell, code in zip(one["cells"], coded(row), strict=True)]
        total = 0
        for lines, parent, cell in zip(one["terms"], one["parents"], cells, strict=True):
            total += lines[0 if parent is None else cells[parent]][cell]
        return bool(total >= one["least"])

    return is_likely


def _are_reasons(data: dict[str, Any], flipping: set[tuple[int, ...]]) -> bool:
    """Are these sets the minimal ones that have a feature in common with every set of changes that flips?"""
    question, answer, n = data["question"], data["answer"], len(data["row"])
    every = [s for size in range(n + 1) for s in combinations(range(n), size)]
    forcing = {s for s in every if all(set(s) & set(changes) for changes in flipping)}
    minimal = {s for s in forcing if not any(set(t) < set(s) for t in forcing)}
    listed = [tuple(reason) for reason in answer["reasons"]]
    keys = {s: (sum(_cost(data, j, data["row"][j]) for j in s), len(s), s) for s in minimal}
    in_order = sorted(minimal, key=lambda s: keys[s])
    if not set(listed) <= minimal or [s for s in in_order if s in listed] != listed:
        return False
    if question["k"] is not None and len(listed) > question["k"]:
        return False
    wanted = {"all": in_order, "first": in_order[: question["k"]], "listed": listed}
    return listed == wanted[answer["claim"]["kind"]]


def _price(data: dict[str, Any], j: int, new: Any) -> Fraction:
    price = 1 if data["question"]["costs"] is None else data["question"]["costs"]["by_feature"][j]
    if isinstance(price, dict):
        old = data["row"][j]
        if not (_is_number(old) and _is_number(new)):
            return Fraction(price["other"])
        return abs(Fraction(new) - Fraction(old)) * Fraction(*price["each"])
    return Fraction(_cost(data, j, new))


def _cost(data: dict[str, Any], j: int, new: Any) -> int:
    costs = data["question"]["costs"]
    price = 1 if costs is None else costs["by_feature"][j]
    return int(price) if isinstance(price, int) else int(price[_coded(data["model"]["values"][j], new)])


def _is_answer(data: dict[str, Any], minimal: set[Any]) -> bool:
    keys = []
    for features, values in zip(data["answer"]["sets"], data["answer"]["values"], strict=True):
        change_set = tuple(features)
        if change_set not in minimal:
            return False
        cost = sum(_price(data, j, value) for j, value in zip(features, values, strict=True))
        keys.append((cost, len(change_set), change_set))
    return keys == sorted(set(keys))


def _is_claimed(data: dict[str, Any], minimal: set[Any], answer: dict[str, Any]) -> bool:
    listed, claim, question = set(map(tuple, answer["sets"])), answer["claim"], data["question"]
    if question["k"] is not None and len(listed) > question["k"]:
        return False
    if claim["kind"] == "all":
        return question["max_changes"] is None and listed == minimal
    if claim["kind"] == "up to":
        return {s for s in minimal if len(s) <= claim["changes"]} <= listed
    if claim["kind"] == "first":
        prices = [] if question["costs"] is None else question["costs"]["by_feature"]
        if any(isinstance(price, (list, dict)) for price in prices):
            return False  # which come first is not known by features alone
        costs = {s: sum(_cost(data, j, None) for j in s) for s in minimal}
        first = sorted(minimal, key=lambda s: (costs[s], len(s), s))[: question["k"]]
        return listed == set(first) and len(listed) == question["k"]
    if claim["kind"] == "cheapest":
        return len(listed) == question["k"]
    return bool(claim["kind"] == "listed")


# --- relations: a translation to Python -------------------------------------------------------------------------------
# Each part becomes a function of a new row that gives two truths: does it hold, and does its opposite?

WORDS = re.compile(
    r"""\s*(->|==|!=|<=|>=|[=<>(){},*]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|(?:(?!->)[^\s(){},'"`=!<>*])+)"""
)
SIGNS = {"<": lambda d: d < 0, "<=": lambda d: d <= 0, ">": lambda d: d > 0, ">=": lambda d: d >= 0}


def _relation(text: str, data: dict[str, Any]) -> Any:
    """(new row) -> does it obey?"""
    words = WORDS.findall(text)
    assert "".join(words).replace(" ", "") == "".join(text.split()), text
    parsed, rest = _implied(words, data)
    assert not rest, (text, rest)
    return lambda new: parsed(new)[0]


def _implied(words: list[str], data: dict[str, Any]) -> Any:
    left, words = _joined(words, data, "or", lambda w, d: _joined(w, d, "and", _unit))
    if words[:1] != ["->"]:
        return left, words
    right, words = _implied(words[1:], data)
    return lambda new: (left(new)[1] or right(new)[0], left(new)[0] and right(new)[1]), words


def _joined(words: list[str], data: dict[str, Any], word: str, part: Any) -> Any:
    first, words = part(words, data)
    parts = [first]
    while words[:1] == [word]:
        more, words = part(words[1:], data)
        parts.append(more)
    if len(parts) == 1:
        return first, words
    yes, no = (all, any) if word == "and" else (any, all)
    return lambda new: (yes(p(new)[0] for p in parts), no(p(new)[1] for p in parts)), words


def _unit(words: list[str], data: dict[str, Any]) -> Any:
    names, old = data["model"]["features"], data["row"]
    if words[0] == "not":
        part, words = _unit(words[1:], data)
        return lambda new: part(new)[::-1], words
    if words[:2] in (["at_most", "("], ["step", "("]):
        end = words.index(")")
        number, features = Fraction(words[2]), [_place(word, names) for word in words[4:end:2]]
        if words[0] == "step":
            (j,) = features

            def stepped(new: Any) -> tuple[bool, bool]:
                ends = [_figure(value) for value in (old[j], new[j])]
                fine = None in ends or ((ends[1] - ends[0]) / number).denominator == 1
                return fine, not fine

            return stepped, words[end + 1 :]
        count = lambda new: sum(not _same(old[j], new[j]) for j in features) <= number  # noqa: E731
        return lambda new: (count(new), not count(new)), words[end + 1 :]
    if words[0] == "(":
        try:
            part, rest = _implied(words[1:], data)
            if rest[:1] == [")"] and (len(rest) == 1 or rest[1] in (")", "and", "or", "->")):
                return part, rest[1:]
        except (AssertionError, ValueError, IndexError):
            pass
    return _comparison(words, data)


def _bare(word: str) -> str:
    return re.sub(r"""\\([\\'"`])""", r"\1", word[1:-1]) if word[0] in "'\"`" else word


def _place(word: str, names: list[str]) -> int:
    return int(word) if word.isdigit() else names.index(_bare(word))


def _figure(value: Any) -> Fraction | None:
    return Fraction(value) if _is_number(value) else None


def _figure_of(word: str) -> Fraction | None:
    try:
        return Fraction(word)
    except ValueError:
        return None


def _comparison(words: list[str], data: dict[str, Any]) -> Any:
    names, old = data["model"]["features"], data["row"]
    if words[0].endswith(":") or words[1:2] == [":"]:
        name, words = words[0].removesuffix(":"), words[1 + (words[1:2] == [":"]) :]
        before, words = _listed(words)
        after, words = _listed(words[1:])
        j = names.index(_bare(name))
        was = _has(data, j, before)(old)[0]
        becomes = _has(data, j, after)
        return lambda new: (not (was and becomes(new)[0]), was and becomes(new)[0]), words
    left, rest = _sum(words, data)
    single = len(words) - len(rest) == 1
    inverse = rest[0] == "not"
    rest = rest[inverse:]
    if rest[0] == "in":
        listed, rest = _listed(rest[1:])
        part = _test(words[0], "=", listed, data)
        return (lambda new: part(new)[::-1]) if inverse else part, rest
    sign = "=" if rest[0] == "==" else rest[0]
    right, after = _sum(rest[1:], data)
    alone = single and len(rest) - len(after) == 2
    if alone:
        part = _test(words[0], sign, [rest[1]], data)
        if part is not None:
            return part, after

    def compared(new: Any) -> tuple[bool, bool]:
        try:
            one, two = left(new), right(new)
        except LookupError:
            return True, True
        except ZeroDivisionError:
            return False, False
        d = one - two
        fine = SIGNS[sign](d) if sign in SIGNS else (abs(d) <= Fraction(1, 10**9)) == (sign == "=")
        return fine, not fine

    return compared, after


def _listed(words: list[str]) -> Any:
    if words[0] != "{":
        return [words[0]], words[1:]
    end = words.index("}")
    return words[1:end:2], words[end + 1 :]


def _has(data: dict[str, Any], j: int, words: list[str]) -> Any:
    """Is the value of feature j one of these?"""
    labels = _labels(data["model"]["values"][j])

    def means(word: str, value: Any) -> bool:
        figure = None if word[0] in "'\"`" else _figure_of(word)
        said = {"True": True, "False": False, "None": None}.get(word, figure if figure is not None else _bare(word))
        exact = [label for label in labels if _same(label, said)]
        if figure is not None and not exact and (_is_number(value) or isinstance(value, bool)):
            return bool(figure == value)
        return (
            _same(value, exact[0]) if exact else str(value["text"] if isinstance(value, dict) else value) == _bare(word)
        )

    def has(new: Any) -> tuple[bool, bool]:
        fine = any(means(word, new[j]) for word in words)
        return fine, not fine

    return has


def _test(word: str, sign: str, given: list[str], data: dict[str, Any]) -> Any:
    """A feature and labels or numbers; None if two amounts are compared."""
    names, old = data["model"]["features"], data["row"]
    said = _bare(word)
    row_of = lambda new: new  # noqa: E731
    if said not in names and not word.isdigit():
        if not said.startswith("old."):
            return None
        said, row_of = said.removeprefix("old."), lambda new: old
    j = _place(word, names) if said == word and word.isdigit() else names.index(said)
    domain, labels = data["model"]["values"][j], _labels(data["model"]["values"][j])
    value, figure = given[0], None if given[0][0] in "'\"`" else _figure_of(given[0])
    known = any(_has(data, j, given)({j: label})[0] for label in labels)
    named = any(_bare(value) == prefix + name for prefix in ("", "old.", "change.") for name in names)
    if named and not known and figure is None:
        return None
    if row_of(None) is old and figure is not None and len(given) == 1 and _is_number(old[j]):
        return None
    if sign in ("=", "!="):
        has = _has(data, j, given)
        return lambda new: has(row_of(new)) if sign == "=" else has(row_of(new))[::-1]

    def ordered(new: Any) -> tuple[bool, bool]:
        own = row_of(new)[j]
        numbers = (isinstance(domain, dict) and "cuts" in domain) or (isinstance(domain, dict) and "low" in domain)
        if figure is not None and (numbers or not known):
            fine = _is_number(own) and SIGNS[sign](Fraction(own) - Fraction(float(given[0])))
        else:
            apart = domain.get("apart", []) if isinstance(domain, dict) else []
            places = [i for i, label in enumerate(labels) if _has(data, j, given)({j: label})[0]]
            here = next(i for i, label in enumerate(labels) if _same(label, own))
            fine = SIGNS[sign](here - places[0]) and not any(_same(own, label) for label in apart)
        return fine, not fine

    return ordered


def _sum(words: list[str], data: dict[str, Any], level: int = 0) -> Any:
    """Amounts: (new row) -> number; LookupError where one is missing."""
    if level == 2:
        return _leaf(words, data)
    left, words = _sum(words, data, level + 1)
    signs = ("+", "-") if level == 0 else ("*", "/")
    while words and words[0] in signs:
        sign = words[0]
        right, words = _sum(words[1:], data, level + 1)
        left = _applied(sign, left, right)
    return left, words


def _applied(sign: str, left: Any, right: Any) -> Any:
    work = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}
    return lambda new: work[sign](left(new), right(new))


def _leaf(words: list[str], data: dict[str, Any]) -> Any:
    names, old = data["model"]["features"], data["row"]
    if words[0] == "-":
        part, rest = _leaf(words[1:], data)
        return lambda new: -part(new), rest
    if words[0] == "(":
        part, rest = _sum(words[1:], data)
        assert rest[0] == ")"
        return part, rest[1:]
    word = words[0]
    figure = None if word[0] in "'\"`" else _figure_of(word)

    def number(value: Any) -> Fraction:
        found = _figure(value)
        if found is None:
            raise LookupError(word)
        return found

    said = _bare(word)
    if figure is not None:
        return lambda new: figure, words[1:]
    if said in names:
        return lambda new: number(new[names.index(said)]), words[1:]
    if said.startswith("old."):
        return lambda new: number(old[names.index(said[4:])]), words[1:]
    if said.startswith("change."):
        j = names.index(said[7:]) if said[7:] in names else -1
        return lambda new: number(new[j]) - number(old[j]), words[1:]
    return lambda new: (_ for _ in ()).throw(LookupError(said)), words[1:]
