"""A worker ends when the process that started it does, also when that one was killed and could say nothing."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Ask the system to kill this process when its parent, the process with this number, ends. Linux only.

    A pool's workers hold both ends of their queue, so without this they would wait for ever after a parent that was
    killed. Elsewhere nothing is asked, and a killed parent leaves its workers to the user.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the system was asked
            os._exit(1)
