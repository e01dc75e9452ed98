"""What a release needs in the files: one version everywhere, a dated changelog, and nothing uncommitted.

python .ci/release.py    prints what is missing; the exit code is then 1
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: Where else the version is written, and how.
PLACES = {
    "CMakeLists.txt": r"project\(symcf VERSION ([\d.]+)",
    "src/core/symcf.h": r'define SYMCF_VERSION "([\d.]+)"',
    "CITATION.cff": r"(?m)^version: (\S+)$",
    "conda/recipe.yaml": r'version: "([\d.]+)"',
}


def problems(root: Path = ROOT) -> list[str]:
    """One sentence for each thing that is missing."""
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    found = []
    for name, pattern in PLACES.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"))
        written = match[1] if match else "no version"
        if written != version:
            found.append(f"{name} has {written}, pyproject.toml has {version}")
    heading = re.search(r"(?m)^## (.*)$", (root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not heading or not re.fullmatch(rf"{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)", heading[1]):
        found.append(
            f"CHANGELOG.md begins with {heading[1] if heading else 'no heading'!r}, not with '{version} (date)'"
        )
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    if changed:
        found.append(f"{len(changed)} files are not committed: {changed[0][3:]}, ...")
    return found


if __name__ == "__main__":
    found = problems()
    print(*found, sep="\n")
    sys.exit(1 if found else 0)
