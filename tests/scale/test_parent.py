"""What is left of a pool when the process that made it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

POOL = """
import os, sys, time
from pathlib import Path
from evalreport.scale.executors import Processes

def slow(task):
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(60)

list(Processes(2).map(slow, [1, 2]))
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_workers_end_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    program = subprocess.Popen([sys.executable, "-c", POOL, str(tmp_path)])
    until = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    workers = [int(one.name) for one in tmp_path.iterdir()]
    assert len(workers) == 2
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    while any(map(is_running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert [worker for worker in workers if is_running(worker)] == []
