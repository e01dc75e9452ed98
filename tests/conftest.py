"""How the tests are run: which Hypothesis profile, and fixtures that many of them share."""

import os
import signal
import tomllib
from importlib import metadata
from pathlib import Path

# One thread per process, before a library reads it: pytest has a process per core, and threads of XGBoost, LightGBM and
# BLAS that wait for each other take twice the CPU time. Processes that tests start inherit it.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import hypothesis
import numpy as np
import pytest
from packaging.requirements import Requirement
from strategies import Classifier

import symcf.analysis.properties.falls
import symcf.answers.kernel
import symcf.cli.answers
import symcf.cli.why

ROOT = Path(__file__).resolve().parents[1]

# Ctrl-C is heard, also where it was ignored before Python started, as in `nohup make test &`: tests that press it would
# wait for ever. Processes that tests start inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples every time, so that more of them would find nothing more. `make property` takes the other profile,
# whose examples depend on a printed seed. No deadline: machines are noisy, and time is a matter for bench/.
hypothesis.settings.register_profile("fixed", deadline=None, max_examples=30, derandomize=True)
hypothesis.settings.register_profile("random", deadline=None, max_examples=100, database=None, print_blob=True)
hypothesis.settings.load_profile("fixed")

# Some calls without a time limit end after ten seconds, or after one. Results of tests must not depend on how busy the
# machine is, so these defaults are an hour here. A test of such a limit sets its own.
for module in (symcf.analysis.properties.falls, symcf.answers.kernel, symcf.cli.answers, symcf.cli.why):
    module.PATIENCE = 3600.0


@pytest.fixture(autouse=True)
def _same_numbers_every_time() -> None:
    """For estimators without a random_state, which draw from NumPy's own generator."""
    np.random.seed(0)  # noqa: NPY002


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Models of every kind and rows for each, as files for the command line."""
    import cli_corpus

    return cli_corpus.write(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def docs_extra() -> None:
    """Skips where the extra `docs` is not installed, or is older: what the pages show was printed with its versions."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for requirement in map(Requirement, pyproject["project"]["optional-dependencies"]["docs"]):
        try:
            found = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            found = None
        if found is None or not requirement.specifier.contains(found, prereleases=True):
            pytest.skip(f"the pages need {requirement}, and the environment has {found} (pip install symcf[docs])")


@pytest.fixture
def admission() -> Classifier:
    """The paper's running example; features E, WE, GPA, FA."""
    return Classifier(prior=0.3, p1=(0.40, 0.96, 0.97, 0.70), p0=(0.15, 0.10, 0.11, 0.20))


@pytest.fixture
def figure() -> Classifier:
    """The example of the paper's figure; features WE, FA, E, GPA."""
    return Classifier(prior=0.7, p1=(0.3, 0.2, 0.15, 0.11), p0=(0.8, 0.7, 0.4, 0.97))
