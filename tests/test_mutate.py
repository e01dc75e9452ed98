"""The mutator: seeded, every mutant is one change, and the list of those that may live is well-formed."""

import ast
import difflib
from pathlib import Path

import mutate


def test_the_same_seed_gives_the_same_mutants():
    for c in (False, True):
        first, again, other = ([str(m) for m in mutate.chosen(seed, 8, c)] for seed in (0, 0, 1))
        assert first == again != other
        assert len(first) >= 6


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
        assert (mutate.HOME / Path(mutant.split(":")[0])).exists(), mutant
        assert "=>" in mutant
        assert len(reason) > 20
