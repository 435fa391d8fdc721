"""A dask cluster on this machine, started once for all tests that ask for one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="package")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster of two worker processes, which come back when they are killed."""
    from distributed import LocalCluster

    folder: Path = tmp_path_factory.mktemp("dask")
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        local_directory=folder,
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster.scheduler_address
