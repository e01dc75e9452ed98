"""A short round of the random numeric targets; ``python tests/drivers/targets_random.py`` has more."""

import pytest
import targets_random


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(10))
def test_a_random_target_agrees_with_the_reference(seed):
    assert targets_random.check(seed)
