"""``python tests/torture``: see __init__.py."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:1] = [str(TESTS), str(TESTS / "support"), str(TESTS / "drivers")]  # modules of the tests, by their names

from torture.run import main  # noqa: E402

sys.exit(main())
