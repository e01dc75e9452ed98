"""Files that are whole or not there."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator

__all__ = ["TEMPORARY", "written_whole"]

#: What the temporary names look like, for those who clean up after the dead. Readers of directories take names that
#: begin like this for no data.
TEMPORARY = "_*.tmp"


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str], *, ending: str = "") -> Iterator[str]:
    """A name to write to, in the same directory; when all is written, and on the disk, the file gets its own name.

    What fails leaves nothing behind, and an `OSError` names the file and not the temporary one. The temporary name ends
    with `ending`, for writers that go by it.
    """
    wanted = os.fspath(path)
    folder, name = os.path.split(os.path.abspath(wanted))
    temporary = os.path.join(folder, f"_{name}.{uuid.uuid4().hex}.tmp{ending}")
    try:
        yield temporary
        _flush(temporary)
        os.replace(temporary, wanted)
        _flush(folder)  # the new name, too
    except OSError as error:
        if error.filename == temporary:
            raise OSError(error.errno, error.strerror, wanted) from None
        raise
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _flush(path: str) -> None:
    """To the disk, so that it is there after the power was not."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
