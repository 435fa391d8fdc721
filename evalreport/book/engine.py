"""A papermill engine that forks a warmed process for each notebook, instead of starting a kernel.

The parent has done the imports; each notebook still gets a process, a namespace and a life of its own. What a cell
puts out is what the stock kernel gives. A cell that outlives its time, writes without end, calls `sys.exit`, or
takes its process down is an error that names the cell, and no process is left behind.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from nbformat import from_dict

from evalreport.book.gates import MAX_CELL_OUTPUT
from evalreport.errors import EvalreportError, Problem

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from papermill.engines import NotebookExecutionManager

ENGINE_NAME = "evalreport-fork"
CELL_SECONDS = 600.0
KERNELS = ("", "python3", "python")
_PR_SET_PDEATHSIG = 1


class ForkEngine:
    """Executes notebooks in forked children of this process; registered with papermill as "evalreport-fork".

    It has papermill's shape of an engine without inheriting it: papermill imports this module while it is itself
    being imported.
    """

    @classmethod
    def execute_notebook(
        cls,
        nb: NotebookNode,
        kernel_name: str,
        *,
        output_path: str | None = None,
        autosave_cell_every: int = 30,
        execution_timeout: float | None = None,
        output_limit: int = MAX_CELL_OUTPUT,
        **_: object,
    ) -> NotebookNode:
        """What papermill calls. Options of kernels that this engine has no use for are taken and left."""
        from papermill.engines import NotebookExecutionManager

        if kernel_name not in KERNELS:
            raise unknown_kernel("kernelspec", kernel_name)
        manager = NotebookExecutionManager(
            nb, output_path=output_path, progress_bar=False, autosave_cell_every=autosave_cell_every
        )
        manager.notebook_start()
        try:
            _execute(manager, execution_timeout or CELL_SECONDS, output_limit)
        finally:
            manager.notebook_complete()
        executed: NotebookNode = manager.nb
        return executed

    @classmethod
    def nb_kernel_name(cls, nb: NotebookNode, name: str | None = None) -> str:
        """The kernel that the notebook asks for; only this Python's own is known here."""
        kernel = str(name or nb.metadata.get("kernelspec", {}).get("name", ""))
        if kernel not in KERNELS:
            raise unknown_kernel("kernelspec", kernel)
        return "python3"

    @classmethod
    def nb_language(cls, nb: NotebookNode, language: str | None = None) -> str:
        """The language of the cells."""
        return str(language or nb.metadata.get("kernelspec", {}).get("language", "python"))


def unknown_kernel(where: str, kernel: str) -> EvalreportError:
    """The error for a notebook that asks for another kernel than this Python."""
    return EvalreportError(Problem(where, f"asks for the kernel {kernel!r}", "python3", kind="unknown_kernel"))


def _execute(manager: NotebookExecutionManager, seconds: float, limit: int) -> None:
    """Run every code cell that has a source; stop at the first that fails and leave its error in the notebook."""
    cells = manager.nb.cells
    to_run = [at for at, cell in enumerate(cells) if cell.cell_type == "code" and cell.source.strip()]
    with _forked([cells[at].source for at in to_run], limit) as child:
        for at in to_run:
            cell = cells[at]
            manager.cell_start(cell, at)
            count, outputs, failed = child.next_cell(seconds)
            cell.execution_count = count
            cell.outputs = [from_dict(output) for output in outputs]
            if failed:
                manager.cell_exception(cell, cell_index=at)
            manager.cell_complete(cell, cell_index=at)
            if failed:
                return
    manager.nb.metadata["language_info"] = {"name": "python"}


CellResult = tuple[int | None, list[dict[str, object]], bool]


class _Child:
    """The parent's end: waits for each cell, notices a time-out and a death, and ends the child's whole group."""

    def __init__(self, pid: int, reports: Connection) -> None:
        self.pid = pid
        self._reports = reports

    def next_cell(self, seconds: float) -> CellResult:
        """What the next cell gave, or an error output in its place."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return _failure("CellTimeoutError", f"stopped after {seconds:g} seconds")
            # A process started by the cell may hold the pipe open after the child died: look at both.
            if self._reports.poll(min(left, 0.2)):
                try:
                    count, outputs, failed = json.loads(self._reports.recv_bytes())
                except EOFError:
                    return _failure("DeadKernelError", f"the kernel died ({self._end()})")
                return count, outputs, failed
            if self._ended(os.WNOHANG) and not self._reports.poll(0):
                return _failure("DeadKernelError", f"the kernel died ({self._end()})")

    def _ended(self, flags: int) -> os.waitid_result | None:
        # WNOWAIT leaves the child unreaped, so that its number cannot be given to another process before `close`.
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | flags)

    def _end(self) -> str:
        ended = self._ended(0)
        if ended is None:
            return "it is gone"
        if ended.si_code == os.CLD_EXITED:
            return f"ended early with exit status {ended.si_status}"
        return f"signal {signal.Signals(ended.si_status).name}"

    def close(self) -> None:
        """Leave no process behind, also none that a cell started."""
        self._reports.close()
        for end in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                end(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


@contextmanager
def _forked(sources: Sequence[str], limit: int) -> Iterator[_Child]:
    import evalreport.book.shell  # noqa: F401  (warm before the fork, slow only once)

    receive, send = Pipe(duplex=False)
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        receive.close()
        _run_in_child(sources, limit, send, parent)
    send.close()
    child = _Child(pid, receive)
    try:
        yield child
    finally:
        child.close()


def _run_in_child(sources: Sequence[str], limit: int, reports: Connection, parent: int) -> None:
    status = 1
    try:
        os.setsid()
        _die_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        from evalreport.book.shell import CellRunner

        runner = CellRunner(limit)
        for source in sources:
            result = runner.run(source)
            reports.send_bytes(json.dumps(result).encode())
            if result[2]:
                break
        status = 0
    finally:
        # Never back into the parent's code, its atexit handlers or its buffers.
        os._exit(status)


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _failure(ename: str, evalue: str) -> CellResult:
    return None, [{"output_type": "error", "ename": ename, "evalue": evalue, "traceback": []}], True
