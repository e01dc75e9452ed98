"""The resources of the machine, or of the container that the process runs in."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["memory", "memory_of_a_result"]


def memory(root: Path = Path("/")) -> int:
    """Bytes of memory that this process may use: the machine's, or less if its control groups (containers) allow less.

    `root` is where /proc and /sys are.
    """
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([physical, *_group_limits(root)])


@functools.cache
def memory_of_a_result() -> int:
    """Bytes that one result may take by default: three quarters of the available memory.

    Read once per process: the files of the control groups take longer than a small explanation.
    """
    return memory() * 3 // 4


def _group_limits(root: Path) -> Iterator[int]:
    """The limits of the control groups that the process is in, and of their parents."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return  # not Linux
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:  # version 2
            top, name = root / "sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            top, name = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        parts = [part for part in path.split("/") if part and part != ".."]
        for depth in range(len(parts) + 1):  # in a container the path may be the host's: the top is then ours
            try:
                text = top.joinpath(*parts[:depth], name).read_text().strip()
            except OSError:
                continue
            if text.isdigit():  # and not "max"
                yield int(text)
