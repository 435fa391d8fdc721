"""The dask executor: tasks on a cluster, or on one that is started on this machine for as long as they run."""

from __future__ import annotations

import logging
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from evalreport.core.executor import AnswerT, TaskT
from evalreport.errors import EvalreportError, Problem

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 10
"""How many seconds a scheduler may take to answer the first call, and a worker to come back."""


@dataclass(frozen=True)
class Dask:
    """Workers of a dask cluster. They must have this package, and see the input files under the same paths.

    A task whose worker dies is done again by another one. `scheduler` is the address of a running cluster, such as
    `tcp://10.0.0.7:8786`; without one, a cluster of `workers` processes is started on this machine and ended.
    """

    workers: int
    scheduler: str | None = None

    @classmethod
    def ready(cls, workers: int, *, scheduler: str | None = None) -> Dask:
        """The executor, or `EvalreportError` when dask is not installed."""
        if find_spec("distributed") is None or find_spec("dask") is None:
            raise EvalreportError(
                Problem("dask", "is not installed", "pip install 'evalreport[dask]'", kind="missing_library")
            )
        return cls(workers, scheduler)

    def map(self, function: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT]:
        """The function's answer for each task, in the order of the tasks; function and tasks must be picklable.

        A task may run more than once, so the function must do no harm when it is repeated.
        """
        waiting = list(tasks)
        if not waiting:
            return
        from distributed import KilledWorker

        with self._client() as client:
            try:
                for future in client.map(function, waiting, pure=False):
                    yield future.result()
            except KilledWorker:
                raise EvalreportError(
                    Problem(
                        "worker process",
                        "died before it answered, again and again",
                        "a process that ends by itself",
                        kind="worker",
                    )
                ) from None
            except CancelledError:
                raise EvalreportError(
                    Problem(
                        self.scheduler or "dask",
                        "was lost before all answers were there",
                        "a scheduler that keeps running",
                        kind="scheduler",
                    )
                ) from None

    @contextmanager
    def _client(self) -> Iterator[Client]:
        from distributed import Client, LocalCluster

        with ExitStack() as stack:
            if self.scheduler is None:
                # Workers that die and come back are its business; a reader is told what could not be done.
                cluster = LocalCluster(
                    n_workers=self.workers,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    local_directory=stack.enter_context(tempfile.TemporaryDirectory(prefix="evalreport-dask-")),
                    silence_logs=logging.CRITICAL,
                )
                address: object = stack.enter_context(cluster)
            else:
                _check_reachable(self.scheduler)
                address = self.scheduler
            try:
                client = Client(address, set_as_default=False, timeout=PATIENCE)
            except (OSError, ValueError) as error:
                what = f"does not answer as a scheduler: {' '.join(str(error).split())}"
                raise EvalreportError(
                    Problem(str(self.scheduler), what, "a running dask scheduler", kind="scheduler")
                ) from None
            stack.enter_context(client)
            try:
                yield client
            finally:
                if self.scheduler is None:
                    # A cluster that ends while a worker comes back waits half a minute for it.
                    with suppress(TimeoutError):
                        client.wait_for_workers(self.workers, timeout=PATIENCE)


def _check_reachable(address: str) -> None:
    """Refuse an address where nothing listens. A dask client that was made in vain would go on trying until it ends."""
    parts, port = urlsplit(address), None
    with suppress(ValueError):
        port = parts.port
    if parts.scheme not in {"tcp", "tls"} or not parts.hostname or not port:
        what, expected = f"{address!r} is no address of a scheduler", "tcp://HOST:PORT"
        raise EvalreportError(Problem("scheduler", what, expected, kind="scheduler"))
    try:
        socket.create_connection((parts.hostname, port), timeout=PATIENCE).close()
    except OSError as error:
        what = f"cannot be reached: {error.strerror or error}"
        raise EvalreportError(Problem(address, what, "a running dask scheduler", kind="scheduler")) from None
