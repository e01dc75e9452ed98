"""Files that are either complete or absent."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import uuid
from collections.abc import Iterator

__all__ = ["TEMPORARY", "written_whole"]

#: The pattern of temporary names, for cleaning up after a process that died. Readers of directories skip names that
#: begin like this.
TEMPORARY = "_*.tmp"

#: No room on the disk, for this user or in one file.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str], *, ending: str = "") -> Iterator[str]:
    """The name of an empty file to write to. When all is written and flushed to the disk, the file gets its own name.

    A failure leaves nothing behind and the old file unchanged, and an `OSError` names the file, not the temporary one.
    The temporary name ends with `ending`, for writers that choose the format by it.

    A file that is replaced keeps its mode and, where that is allowed, its owner and group; nobody else can read the new
    one before that. A new file follows the umask. Symbolic links stay: the file that they lead to is replaced. Existing
    pipes and devices, such as ``/dev/null``, are written to directly.
    """
    wanted = os.fspath(path)
    target = os.path.realpath(wanted)
    temporary = ""
    try:
        old = _found(target)
        if old is not None and not (stat.S_ISREG(old.st_mode) or stat.S_ISDIR(old.st_mode)):
            yield target
            return
        folder, name = os.path.split(target)
        temporary = os.path.join(folder, f"_{name}.{uuid.uuid4().hex}.tmp{ending}")
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if old is None else 0o600))
        yield temporary
        _flush(temporary)
        if old is not None:
            _keep_rights(temporary, old)
        os.replace(temporary, target)
        _flush(folder)  # the directory, so that the new name is on the disk, too
    except OSError as error:
        full = error.filename is None and error.errno in FULL  # writing to an open file names none
        if full or error.filename in (temporary, target):
            raise OSError(error.errno, error.strerror, wanted) from None
        raise
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _found(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _keep_rights(path: str, old: os.stat_result) -> None:
    """Copies owner, group and mode of the replaced file. If the group cannot be kept, its rights are dropped."""
    mode = stat.S_IMODE(old.st_mode)
    new = os.stat(path)
    for owner in (old.st_uid, -1):  # -1: unchanged; a member may give a file to a group, only root to another owner
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            with contextlib.suppress(PermissionError):
                os.chown(path, owner, old.st_gid)
                new = os.stat(path)
    if new.st_gid != old.st_gid:
        mode &= ~(stat.S_IRWXG | stat.S_ISGID)
    if new.st_uid != old.st_uid:
        mode &= ~stat.S_ISUID
    os.chmod(path, mode)


def _flush(path: str) -> None:
    """Flushes to the disk, so that the file survives a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
