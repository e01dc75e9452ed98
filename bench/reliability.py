"""The programs that try to break symcf, for as long as the documentation needs, with the origin of their figures.

    python bench/reliability.py torture|fuzz|faults|certificates
                                    a minute each; writes results/reliability/<name>.json; --quick

torture        random sequences of calls against brute force (tests/torture)
fuzz           damaged inputs for all readers (tests/drivers/fuzz.py)
faults         allocations that fail (tests/drivers/faults.py)
certificates   changed certificates (tests/drivers/certificates_mutate.py)

The programs themselves take seeds and run for hours if you like. A finding makes this one fail, and nothing is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import common

SEED = 1

#: By name: the program with its arguments, and the option that names its file of figures.
PROGRAMS: dict[str, tuple[list[str], str]] = {
    "torture": (["tests/torture", "--minutes", common.sized("1", "0.05")], "--results"),
    "fuzz": (["tests/drivers/fuzz.py", "--minutes", common.sized("1", "0.1")], "--results"),
    "faults": (["tests/drivers/faults.py", "--count", common.sized("2000", "20")], "--results"),
    "certificates": (["tests/drivers/certificates_mutate.py", "--count", common.sized("20000", "200")], "--write"),
}


def figures(name: str) -> dict[str, Any]:
    """What a program found. It prints as it goes."""
    words, option = PROGRAMS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        command = [sys.executable, *words, "--seed", str(SEED), option, str(path)]
        if subprocess.run(command, cwd=common.ROOT).returncode:
            raise SystemExit(f"{' '.join(words)} --seed {SEED} has findings")
        found = json.loads(path.read_text(encoding="utf-8"))
    return {"rounds": found} if isinstance(found, list) else found


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("name", choices=PROGRAMS)
    name = parser.parse_args().name
    common.write(f"reliability/{name}", {"machine": common.machine(), **figures(name)})


if __name__ == "__main__":
    main()
