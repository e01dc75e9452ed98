"""`symcf certify --sign` and `symcf check --signed-by`: signatures by ssh-keygen."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

import symcf
from symcf.cli.app import run
from symcf.demo import admission

needs_openssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A model and rows in the working directory."""
    monkeypatch.chdir(tmp_path)
    admission().to_json("model.json")
    (tmp_path / "rows.csv").write_text(
        "entrance exam,work experience,GPA,first application\n0,0,1,0\n1,0,1,0\n", encoding="utf-8"
    )
    return tmp_path


@pytest.fixture
def keys(files):
    """The keys of Ada and of somebody else, and who may sign."""
    for name in ("ada", "eve"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name], check=True)
    public = (files / "ada.pub").read_text(encoding="ascii")
    (files / "allowed").write_text(f"ada@bank {public}", encoding="ascii")
    return files


def certify(*more):
    return run(["certify", "model.json", "rows.csv", "--row", "1", "-o", "c.json", *more])


@needs_openssh
def test_a_signed_certificate(keys, capsys):
    assert certify("--sign", "ada") == 0
    assert "signature: c.json.sig" in capsys.readouterr().out
    assert run(["check", "c.json", "--signed-by", "allowed"]) == 0
    assert "signed by ada@bank" in capsys.readouterr().out
    (keys / "c.json.sig").rename(keys / "elsewhere")
    assert run(["check", "c.json", "--signed-by", "allowed", "--signature", "elsewhere"]) == 0
    assert certify("--sign", "ada") == certify("--sign", "ada") == 0  # an old signature is replaced


@needs_openssh
def test_signatures_that_are_not_right(keys, capsys):
    assert certify("--sign", "eve") == 0
    assert run(["check", "c.json", "--signed-by", "allowed"]) == 1
    assert "rejected (signature)" in capsys.readouterr().out
    assert certify("--sign", "ada") == 0
    content = (keys / "c.json").read_text(encoding="ascii")
    (keys / "c.json").write_text(content.replace("{", "{ ", 1), encoding="ascii")  # the same certificate, another file
    assert run(["check", "c.json"]) == 0
    assert run(["check", "c.json", "--signed-by", "allowed"]) == 1
    (keys / "c.json").write_text(content, encoding="ascii")
    (keys / "c.json.sig").unlink()
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", "ada", "-n", "git", "c.json"], check=True)
    assert run(["check", "c.json", "--signed-by", "allowed"]) == 1  # made for another purpose
    (keys / "c.json.sig").write_text("no signature", encoding="ascii")
    assert run(["check", "c.json", "--signed-by", "allowed"]) == 1


@needs_openssh
def test_files_that_are_missing(keys, capsys):
    assert certify("--sign", "nobody") == 2
    assert "--sign: nobody is not a file" in capsys.readouterr().err
    assert certify("--sign", "allowed") == 2
    assert "ssh-keygen did not sign" in capsys.readouterr().err
    assert certify() == 0
    assert run(["check", "c.json", "--signed-by", "allowed"]) == 2
    assert "c.json.sig is not a file" in capsys.readouterr().err
    assert run(["check", "c.json", "--signature", "c.json.sig"]) == 2
    assert "--signed-by" in capsys.readouterr().err
    assert run(["certify", "model.json", "rows.csv", "--row", "1", "--sign", "ada"]) == 2
    assert "-o FILE" in capsys.readouterr().err


def test_without_openssh(files, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    (files / "key").write_text("key", encoding="ascii")
    assert certify("--sign", "key") == 2
    assert "install OpenSSH" in capsys.readouterr().err


def test_reasons_are_certified(files, capsys):
    assert certify("--why") == 0
    data = json.loads((files / "c.json").read_text(encoding="ascii"))
    assert "reasons" in data["answer"]
    assert symcf.check(data)
    assert run(["check", "c.json"]) == 0
    assert certify("--why", "-k", "1") == 0
    assert certify("--why", "--max-changes", "2") == 2
    assert "--why" in capsys.readouterr().err


def test_a_signature_outlasts_a_key_that_does_not_sign(keys, capsys):
    assert certify("--sign", "ada") == 0
    before = (keys / "c.json.sig").read_bytes()
    assert certify("--sign", "allowed") == 2
    assert (keys / "c.json.sig").read_bytes() == before
    assert run(["check", "c.json", "--signed-by", "allowed"]) == 0
