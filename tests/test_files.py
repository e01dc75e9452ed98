"""Files that are whole or not there."""

import errno
import os

import pytest

from symcf.common import files
from symcf.common.files import written_whole


def test_the_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with written_whole(path, ending=".txt") as temporary:
        with open(temporary, "x") as file:
            file.write("new")
        assert path.read_text() == "old"
        assert os.path.dirname(temporary) == str(tmp_path)
        assert temporary.endswith(".txt")
        assert [p for p in tmp_path.iterdir() if p != path] == list(tmp_path.glob(files.TEMPORARY + ".txt"))
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_everything_as_it_was(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), written_whole(path) as temporary, open(temporary, "x") as file:
        file.write(str(1 / 0))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_everything_as_it_was(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "_flush", full)
    with pytest.raises(OSError, match="No space left"), written_whole(tmp_path / "a") as temporary:
        open(temporary, "x").close()
    assert list(tmp_path.iterdir()) == []


def test_errors_name_the_file_that_was_asked_for(tmp_path):
    path = tmp_path / "nowhere" / "a.txt"
    with pytest.raises(FileNotFoundError) as caught, written_whole(path) as temporary, open(temporary, "x"):
        pass
    assert caught.value.filename == str(path)
    assert ".tmp" not in str(caught.value)


def test_a_directory_is_not_replaced(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError) as caught, written_whole(tmp_path / "a") as temporary:
        open(temporary, "x").close()
    assert caught.value.filename == str(tmp_path / "a")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_names_without_a_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with written_whole("a") as temporary:
        open(temporary, "x").close()
    assert os.listdir() == ["a"]
