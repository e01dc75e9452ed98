"""``python tests/torture``: see __init__.py."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)  # modules of the tests, by their names

from torture.run import main  # noqa: E402

sys.exit(main())
