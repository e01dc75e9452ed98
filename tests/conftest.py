"""How the tests are run: which Hypothesis profile, and where the tests' own modules are found."""

import os
import signal
import sys
from pathlib import Path

import hypothesis
import pytest

# The oracle and the strategies are modules of the tests, not of an installed package.
sys.path.insert(0, str(Path(__file__).parent))
# The documentation checks itself with the modules that make it.
sys.path.append(str(Path(__file__).parent.parent / "docs"))

from strategies import Classifier

# Ctrl-C is heard, also where it was ignored before Python started, as in `nohup make test &`: tests that press it would
# wait for ever. Processes that tests start inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: machines are noisy, and what takes how long is a matter for bench/.
hypothesis.settings.register_profile("dev", deadline=None, max_examples=100)
hypothesis.settings.register_profile("ci", parent=hypothesis.settings.get_profile("dev"), derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Models of every kind and rows for each, as files for the command line."""
    import cli_corpus

    return cli_corpus.write(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def admission() -> Classifier:
    """The paper's running example; features E, WE, GPA, FA."""
    return Classifier(prior=0.3, p1=(0.40, 0.96, 0.97, 0.70), p0=(0.15, 0.10, 0.11, 0.20))


@pytest.fixture
def figure() -> Classifier:
    """The example of the paper's figure; features WE, FA, E, GPA."""
    return Classifier(prior=0.7, p1=(0.3, 0.2, 0.15, 0.11), p0=(0.8, 0.7, 0.4, 0.97))
