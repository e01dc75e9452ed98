"""Files that are either complete or absent."""

import errno
import os
import stat

import pytest

from symcf.common import files
from symcf.common.files import written_whole


def test_the_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with written_whole(path, ending=".txt") as temporary:
        with open(temporary, "w") as file:
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
    with pytest.raises(ZeroDivisionError), written_whole(path) as temporary, open(temporary, "w") as file:
        file.write(str(1 / 0))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_everything_as_it_was(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "_flush", full)
    with pytest.raises(OSError, match="No space left"), written_whole(tmp_path / "a") as temporary:
        open(temporary, "w").close()
    assert list(tmp_path.iterdir()) == []


def test_errors_name_the_file_that_was_asked_for(tmp_path):
    path = tmp_path / "nowhere" / "a.txt"
    with pytest.raises(FileNotFoundError) as caught, written_whole(path) as temporary, open(temporary, "w"):
        pass
    assert caught.value.filename == str(path)
    assert ".tmp" not in str(caught.value)


def test_a_directory_is_not_replaced(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError) as caught, written_whole(tmp_path / "a") as temporary:
        open(temporary, "w").close()
    assert caught.value.filename == str(tmp_path / "a")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_names_without_a_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with written_whole("a") as temporary:
        open(temporary, "w").close()
    assert os.listdir() == ["a"]


def replace(path, text="new"):
    with written_whole(path) as temporary, open(temporary, "w") as file:
        file.write(text)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.mark.parametrize("given", [0o600, 0o640, 0o664, 0o400, 0o755])
def test_the_mode_of_a_file_stays(tmp_path, given):
    path = tmp_path / "a"
    path.touch()
    path.chmod(given)
    replace(path)
    assert (path.read_text(), mode(path)) == ("new", given)


def test_nobody_reads_a_private_file_while_it_is_written(tmp_path):
    path = tmp_path / "a"
    path.touch(mode=0o600)
    with written_whole(path) as temporary:
        open(temporary, "w").close()
        assert mode(temporary) & 0o077 == 0


@pytest.mark.parametrize(("mask", "wanted"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_follows_the_umask(tmp_path, mask, wanted):
    before = os.umask(mask)
    try:
        replace(tmp_path / "a")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == wanted


def test_the_owner_stays_where_that_is_allowed(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    path = tmp_path / "a"
    path.touch()
    os.chown(path, 12345, 23456)
    replace(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


def test_an_owner_that_cannot_be_kept_is_not_given_more_rights(tmp_path, monkeypatch):
    """The file becomes ours; bits that speak of its group would speak of another one then."""

    def refused(*_):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    path = tmp_path / "a"
    path.touch()
    path.chmod(0o664)
    monkeypatch.setattr(os, "chown", refused)
    monkeypatch.setattr(os, "fchown", refused)
    real = os.stat

    def of_another(name, *args, **kwargs):
        found = real(name, *args, **kwargs)
        if os.fspath(name) != str(path):
            return found
        return os.stat_result([*found[:4], 12345, 23456, *found[6:10]])

    monkeypatch.setattr(os, "stat", of_another)
    replace(path)
    assert stat.S_IMODE(real(path).st_mode) == 0o604


@pytest.mark.parametrize("depth", [1, 3])
def test_links_are_written_through(tmp_path, depth):
    (tmp_path / "data").mkdir()
    target = tmp_path / "data" / "a"
    target.write_text("old")
    link = target
    for i in range(depth):
        (tmp_path / f"link{i}").symlink_to(os.path.relpath(link, tmp_path))
        link = tmp_path / f"link{i}"
    with written_whole(link) as temporary:
        assert os.path.dirname(temporary) == str(tmp_path / "data"), "renaming does not cross file systems"
        with open(temporary, "w") as file:
            file.write("new")
        assert target.read_text() == "old"
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert [p.name for p in (tmp_path / "data").iterdir()] == ["a"]


def test_a_link_to_nothing_gets_its_target(tmp_path):
    (tmp_path / "link").symlink_to("a")
    replace(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_text() == "new"


def test_a_link_to_itself_is_named(tmp_path):
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(OSError, match="symbolic links") as caught:
        replace(tmp_path / "link")
    assert caught.value.filename == str(tmp_path / "link")


def test_a_directory_that_cannot_be_written_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("old")

    def refused(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(OSError, match="Read-only"):
        replace(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path):
    """Writing to an open file raises an error without a name."""
    path = tmp_path / "a.txt"
    with pytest.raises(OSError, match="No space left") as caught, written_whole(path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert caught.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []
