"""Writes what is in a wheel, and what it needs, as a CycloneDX document (JSON, version 1.6) beside it.

    python cmake/sbom.py dist/symcf-*.whl

CUDD is compiled into the extension, so that no tool that looks at installed packages can see it: this is where it is
told. The dependencies are those that the wheel itself names, with the ranges it allows; what was installed is not known
here. The same wheel gives the same document.
"""

from __future__ import annotations

import email.parser
import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

#: As in THIRD_PARTY.md.
INSIDE = [
    {"type": "library", "name": "cudd", "version": "3.0.0", "licenses": [{"license": {"id": "BSD-3-Clause"}}]},
]


def sbom(wheel: Path) -> dict[str, object]:
    """The document about a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        about = email.parser.Parser().parsestr(archive.read(name).decode("utf-8"))
    itself = {
        "type": "library",
        "bom-ref": "symcf",
        "name": about["Name"],
        "version": about["Version"],
        "purl": f"pkg:pypi/{about['Name']}@{about['Version']}",
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}],
        "licenses": [{"license": {"id": "MIT"}}],
    }
    inside = [{**part, "bom-ref": part["name"], "scope": "required"} for part in INSIDE]
    needed = []
    for requirement in about.get_all("Requires-Dist", []):
        parts = re.match(r"([\w.-]+)(?:\[[^\]]*\])?\s*([^;]*);?\s*(.*)", requirement)
        assert parts is not None, requirement
        package, allowed, condition = parts.groups()
        reference = f"{package} ({condition})" if condition else package
        needed.append(
            {
                "type": "library",
                "bom-ref": reference,
                "name": package,
                "purl": f"pkg:pypi/{package.lower()}",
                "scope": "optional" if "extra ==" in condition else "required",
                "properties": [{"name": "symcf:allowed", "value": allowed.strip()}],
            }
        )
    components = {str(part["bom-ref"]): part for part in [*inside, *needed]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": itself},
        "components": list(components.values()),
        "dependencies": [{"ref": "symcf", "dependsOn": sorted(components)}],
    }


if __name__ == "__main__":
    for given in map(Path, sys.argv[1:]):
        path = given.with_suffix(".cdx.json")
        path.write_text(json.dumps(sbom(given), indent=1) + "\n", encoding="utf-8")
        print(path)
