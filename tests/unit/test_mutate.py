"""The mutator: seeded, every mutant is one change, and the list of those that may live is well-formed."""

import ast
import difflib

import mutate
import pytest

#: Left out of `make test-fast`.
pytestmark = pytest.mark.long


def test_the_same_seed_gives_the_same_mutants():
    for c in (False, True):
        first, again, other = ([str(m) for m in mutate.chosen(seed, 8, c)] for seed in (0, 0, 1))
        assert first == again != other
        assert len(first) >= 6


def test_files_can_be_chosen():
    for c, only, paths in (
        (False, ["letters/*", "cli/options.py"], {"src/symcf/letters", "src/symcf/cli"}),
        (True, ["falls.c"], {"src/core"}),
    ):
        found = {mutant.path for mutant in mutate.chosen(0, 40, c, only)}
        assert {path.parent.as_posix() for path in found} == paths
        assert {path.name for path in found if path.parent.name in ("cli", "core")} == {only[-1].split("/")[-1]}
    with pytest.raises(SystemExit, match="no file is named like"):
        list(mutate.chosen(0, 1, False, ["no_such_file.py"]))


def test_a_mutant_in_python_is_one_change_of_the_tree():
    for mutant in mutate.chosen(3, 20, c=False):
        tree = ast.parse((mutate.HOME / mutant.path).read_text(encoding="utf-8"))
        before, after = ast.unparse(tree).splitlines(), mutant.text.splitlines()
        changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
        assert 1 <= len(changed) <= 2 + 2 * (mutant.before.count("\n") + mutant.after.count("\n")), mutant


def test_a_mutant_in_c_is_one_changed_line():
    for mutant in mutate.chosen(4, 20, c=True):
        before = (mutate.HOME / mutant.path).read_text(encoding="utf-8").split("\n")
        after = mutant.text.split("\n")
        assert [i + 1 for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [mutant.line]


def test_every_file_has_tests_that_exist():
    for path in mutate.HOME.glob("src/symcf/**/*.py"):
        groups = mutate.python_tests(path.relative_to(mutate.HOME))
        assert groups
        assert all((mutate.HOME / name).exists() for group in groups for name in group)


def test_those_that_may_live_have_a_file_and_a_reason():
    for mutant, reason in mutate.accepted().items():
        path, change = mutant.split(": ", 1)
        line = change.split("  |  " if path.endswith(".py") else "  =>  ")[0]
        text = (mutate.HOME / path).read_text(encoding="utf-8")
        assert line in [" ".join(of.split()) for of in text.splitlines()] + [of.strip() for of in text.splitlines()]
        assert "  =>  " in mutant
        assert len(reason) > 20


@pytest.mark.parametrize("c", [False, True])
def test_what_survived_is_judged_again(monkeypatch, tmp_path, c):
    drawn = [mutate.key(mutant) for mutant in mutate.chosen(5, 8, c)]
    assert len(set(drawn)) == len(drawn) == 8
    ends = dict(zip(drawn, [False, True, True, None, False, True, False, False], strict=True))
    name = "survives_c" if c else "survives_python"
    monkeypatch.setattr(mutate, name, lambda mutant, where: ends[mutate.key(mutant)])
    monkeypatch.setattr(mutate, "accepted", lambda: {drawn[5]: "a reason"})
    first = mutate.judged(mutate.Figures(5, 8), c, False, float("inf"), tmp_path)
    assert first == mutate.Figures(5, 8, 7, 4, [drawn[5]], [drawn[1], drawn[2]])
    ends = {drawn[1]: False, drawn[2]: True}
    again = mutate.judged(first, c, True, float("inf"), tmp_path)
    assert again == mutate.Figures(5, 8, 7, 5, [drawn[5]], [drawn[2]])
    assert mutate.judged(first, c, True, 0, tmp_path) == first
    assert mutate.judged(mutate.Figures(5, 8), c, False, 0, tmp_path) == mutate.Figures(5, 0)


def test_a_command_that_fails_or_hangs_is_noticed(tmp_path):
    assert mutate.failure(["true"], tmp_path) is None
    assert "no-such-file" in mutate.failure(["ls", "no-such-file"], tmp_path)
    assert mutate.failure(["sh", "-c", "echo begun; sleep 100 & wait"], tmp_path, 1) == "begun\n"
