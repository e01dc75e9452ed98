"""Expressions: what text means before any feature is known; text, objects and functions; errors that point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.question.expressions import (
    MAX_DEPTH,
    MAX_NESTING,
    All,
    Any_,
    Expression,
    Implies,
    Names,
    Not,
    Test,
    forbid,
    implies,
    parse,
    require,
)


def is_(name: str | int, *values: object) -> Test:
    return Test(name, "in", values)  # type: ignore[arg-type]


A, B, C, D = (is_(name, 1) for name in "abcd")

# --- precedence -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=1 or b=1 and c=1", Any_((A, All((B, C))))),
        ("(a=1 or b=1) and c=1", All((Any_((A, B)), C))),
        ("not a=1 and b=1", All((Not(A), B))),
        ("not (a=1 and b=1)", Not(All((A, B)))),
        ("not not a=1", Not(Not(A))),
        ("a=1 -> b=1 -> c=1", Implies(A, Implies(B, C))),
        ("(a=1 -> b=1) -> c=1", Implies(Implies(A, B), C)),
        ("a=1 or b=1 -> c=1 and d=1", Implies(Any_((A, B)), All((C, D)))),
        ("a=1 and b=1 and c=1", All((A, B, C))),
        ("a=1 and (b=1 and c=1)", All((A, B, C))),
        ("((a=1))", A),
    ],
)
def test_what_binds_tighter(text, expected):
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1", A),
        ("a == 1", A),
        ("a != 1", Test("a", "not in", (1,))),
        ("a in {1, 2}", is_("a", 1, 2)),
        ("a not in {1, 2}", Test("a", "not in", (1, 2))),
        ("a in {1, 1}", A),
        ("a<1", Test("a", "<", (1,))),
        ("a<=1", Test("a", "<=", (1,))),
        ("a>1", Test("a", ">", (1,))),
        ("a>=1", Test("a", ">=", (1,))),
        ("a>=-1", Test("a", ">=", (-1,))),
        ("7 = 1", is_(7, 1)),
        ("'7' = 1", is_("7", 1)),
        ("a = '1'", is_("a", "1")),
        ("a = 1.5", is_("a", 1.5)),
        ("a = 1e3", is_("a", 1000.0)),
        ("a = 1e999", is_("a", "1e999")),
        ("a = True", is_("a", True)),
        ("a = None", is_("a", None)),
        ("a = 'None'", is_("a", "None")),
        ("a = b-c", is_("a", "b-c")),
        ("a-b=c", is_("a-b", "c")),
    ],
)
def test_comparisons_and_values(text, expected):
    found = parse(text)
    assert found == expected
    assert isinstance(found, Test)
    assert [type(value) for value in found.values] == [type(value) for value in expected.values]


# --- quoting ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("quote", "'\"`")
@pytest.mark.parametrize("inside", ["", " ", "and", "a b", "{,}", "->", "\n", "é", "0 .. 17"])
def test_anything_can_be_quoted(quote, inside):
    assert parse(f"{quote}{inside}{quote} = {quote}{inside}{quote}") == is_(inside, inside)


def test_quotes_and_backslashes_inside():
    assert parse(r"a = 'it\'s'") == is_("a", "it's")
    assert parse('a = "it\'s"') == is_("a", "it's")
    assert parse(r"a = '\\'") == is_("a", "\\")
    assert parse(r"a = '\n'") == is_("a", "\\n"), "a backslash before anything else is one"


@pytest.mark.parametrize(
    "text", ["and", "or", "not", "in", "True", "None", "1", "1.5", "a b", "it's", "", "->", "`'\""]
)
def test_what_needs_quotes_is_written_with_them(text):
    assert parse(str(is_(text, text))) == is_(text, text)


# --- errors point -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", 0, "the end"),
        ("a", 1, "the end"),
        ("a =", 3, "a value expected, not the end"),
        ("a = and", 4, "a value expected, not 'and'"),
        ("a = 1 b = 2", 6, "'and', 'or', '->' or the end expected, not 'b'"),
        ("(a = 1", 6, "')'"),
        ("a = 'b", 4, "' is not closed"),
        ("a ! b", 2, "'!' is not allowed"),
        ("a in b", 5, "'{'"),
        ("a in {}", 6, "a value"),
        ("a in {b c}", 8, "','"),
        ("a not b", 6, "'in'"),
        ("a = 1 or", 8, "the end"),
        ("a = 1 ->", 8, "the end"),
        (") = 1", 0, "')'"),
    ],
)
def test_the_caret_stands_under_the_mistake(text, place, words):
    with pytest.raises(symcf.OptionError) as error:
        parse(text)
    message, line, caret = str(error.value).split("\n")
    assert words in message
    assert line == "  " + text
    assert caret == " " * (place + 2) + f"^ position {place}"


def test_the_caret_in_long_text_and_on_several_lines():
    text = "a = 1 and\n\t" * 30 + "b ! 1"
    with pytest.raises(symcf.OptionError) as error:
        parse(text)
    _, line, caret = str(error.value).split("\n")
    assert line[caret.index("^")] == "!"
    assert caret.endswith(f"position {text.index('!')}")


# --- depth ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(" * (MAX_NESTING + 1) + "a = 1" + ")" * (MAX_NESTING + 1),
        "not " * 5000 + "a = 1",
        "a = 1 -> " * 5000 + "a = 1",
    ],
)
def test_text_that_is_too_deep_is_refused(text):
    with pytest.raises(symcf.OptionError, match="deep"):
        parse(text)


def test_the_deepest_that_is_allowed():
    assert parse("not " * (MAX_DEPTH - 1) + "a = 1").depth == MAX_DEPTH
    with pytest.raises(symcf.OptionError, match=f"more than {MAX_DEPTH} deep"):
        parse("not " * MAX_DEPTH + "a = 1")
    assert parse("(" * (MAX_NESTING - 1) + "a = 1" + ")" * (MAX_NESTING - 1)) == A
    assert parse(" and ".join(["a = 1"] * 5000)).depth == 2, "width is no depth"


def test_deep_objects_are_refused_before_they_hurt():
    expression = parse("a = b")
    for _ in range(31):
        expression = ~expression
    with pytest.raises(symcf.OptionError, match="deep"):
        Not(expression)


# --- objects and functions --------------------------------------------------------------------------------------------


def test_mappings_and_operators_build_the_same():
    f = Names()
    assert require({"a": 1, "b": [1, 2]}) == All((A, is_("b", 1, 2))) == (f.a == 1) & f["b"].isin([1, 2])
    assert forbid({"a": 1}) == Not(A) == ~(f.a == 1)
    assert implies({"a": 1}, "b = 1") == Implies(A, B) == (f.a == 1) >> (f.b == 1)
    assert (f.a == 1) | (f.b == 1) == Any_((A, B))
    assert [f.a != 1, f.a < 1, f.a <= 1, f.a > 1, f.a >= 1] == [
        Test("a", sign, (1,)) for sign in ("not in", "<", "<=", ">", ">=")
    ]


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: require({}),
        lambda: require({"a": []}),
        lambda: require(3),
        lambda: require({"a": 10**1000}),
        lambda: require({1.5: "b"}),
        lambda: require({True: "b"}),
        lambda: parse("a = b") & True,
        lambda: bool(parse("a = b")),
        lambda: (Names().age == 1) and (Names().job == 1),
        lambda: bool(Names().age),
        lambda: 1 < Names().age < 3,
        lambda: Test("a", "<", (1, 2)),
        lambda: Test("a", "~", (1,)),
    ],
)
def test_objects_that_make_no_sense_are_refused(mistake):
    with pytest.raises(symcf.OptionError):
        mistake()


# --- any expression ---------------------------------------------------------------------------------------------------

labels = (
    st.text() | st.integers() | st.floats() | st.booleans() | st.none() | st.sampled_from(["in", "1", "True", "a-b"])
)
any_test = st.one_of(
    st.builds(
        Test, st.text() | st.integers(), st.sampled_from(["in", "not in"]), st.lists(labels, min_size=1).map(tuple)
    ),
    st.builds(Test, st.text(), st.sampled_from(["<", "<=", ">", ">="]), st.tuples(labels)),
)


def combined(tests):
    return st.recursive(
        tests,
        lambda parts: st.one_of(
            st.builds(Not, parts),
            st.builds(Implies, parts, parts),
            st.builds(All, st.lists(parts, min_size=2, max_size=4).map(tuple)),
            st.builds(Any_, st.lists(parts, min_size=2, max_size=4).map(tuple)),
        ),
        max_leaves=8,
    )


@pytest.mark.slow
@given(combined(any_test))
def test_an_expression_and_its_text_are_the_same(expression):
    again = parse(str(expression))
    assert again == expression
    assert hash(again) == hash(expression)
    assert str(again) == str(expression)


def test_the_deepest_expression_can_be_written():
    for build in (Not, lambda e: Implies(e, Test("a", "in", ("b",))), lambda e: Implies(Test("a", "in", ("b",)), e)):
        expression: Expression = Test("a", "in", ("b",))
        for _ in range(31):
            expression = build(expression)
        assert parse(str(expression)) == expression
