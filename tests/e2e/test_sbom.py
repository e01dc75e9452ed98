"""The bill of materials names what is inside the wheel and what it needs."""

import importlib.util
import zipfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "cmake" / "sbom.py"
METADATA = """Metadata-Version: 2.1
Name: symcf
Version: 9.8.7
Requires-Dist: numpy>=1.26
Requires-Dist: pandas>=2; extra == "pandas"
Requires-Dist: dask[dataframe,distributed]>=2025.1; extra == "dask"
"""


@pytest.fixture
def document(tmp_path):
    wheel = tmp_path / "symcf-9.8.7-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("symcf-9.8.7.dist-info/METADATA", METADATA)
    spec = importlib.util.spec_from_file_location("sbom", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.sbom(wheel)


def test_what_is_inside_and_what_is_needed(document):
    parts = {part["name"]: part for part in document["components"]}
    assert set(parts) == {"cudd", "numpy", "pandas", "dask"}
    assert parts["cudd"]["version"] == "3.0.0"
    assert [parts[name]["scope"] for name in ("cudd", "numpy", "pandas", "dask")] == ["required"] * 2 + ["optional"] * 2
    assert parts["dask"]["properties"][0]["value"] == ">=2025.1"
    assert document["metadata"]["component"]["version"] == "9.8.7"


def test_every_reference_leads_somewhere(document):
    references = [part["bom-ref"] for part in document["components"]]
    assert len(set(references)) == len(references)
    assert document["dependencies"] == [{"ref": "symcf", "dependsOn": sorted(references)}]


def test_no_third_party_is_forgotten(document):
    table = (SCRIPT.parent.parent / "THIRD_PARTY.md").read_text(encoding="utf-8").lower()
    linked = [line.split("|")[1].split()[0].strip(",") for line in table.splitlines() if "linked into" in line]
    assert set(linked) == {part["name"] for part in document["components"]} - {"numpy", "pandas", "dask"}
