"""How much memory there is, in containers, too."""

import os

import pytest

from symcf.common import memory as machine

PHYSICAL = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def place(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, PHYSICAL),
        ({"proc/self/cgroup": ""}, PHYSICAL),
        ({"proc/self/cgroup": "0::/\n"}, PHYSICAL),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, PHYSICAL),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1000000\n"}, 1_000_000),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/b/memory.max": "max\n",
                "sys/fs/cgroup/a/memory.max": "2000000\n",
            },
            2_000_000,
        ),
        ({"proc/self/cgroup": "0::/of/the/host\n", "sys/fs/cgroup/memory.max": "3000000\n"}, 3_000_000),
        ({"proc/self/cgroup": "0::/../..\n", "sys/fs/cgroup/memory.max": "3000000\n"}, 3_000_000),
        (
            {
                "proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/x\n1:name=systemd:/x\n",
                "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "4000000\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            },
            4_000_000,
        ),
        ({"proc/self/cgroup": "0::/with:colon\n", "sys/fs/cgroup/with:colon/memory.max": "5000000\n"}, 5_000_000),
    ],
)
def test_what_a_group_may_use(tmp_path, files, expected):
    assert machine.memory(place(tmp_path, files)) == expected


def test_a_batch_takes_three_quarters(monkeypatch):
    assert 0 < machine.memory_of_a_result() <= PHYSICAL * 3 // 4
    machine.memory_of_a_result.cache_clear()
    monkeypatch.setattr(machine, "memory", lambda: 1000)
    assert machine.memory_of_a_result() == 750
    machine.memory_of_a_result.cache_clear()
