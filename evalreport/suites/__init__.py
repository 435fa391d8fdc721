"""The suites. Each folder here is one; importing this package imports none of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from evalreport.core.suite import Command, Suite


@cache
def all_suites() -> Mapping[str, Suite[Any, Any]]:
    """Every suite by name, in the order of their names; a folder without `SUITE` is a mistake and raises."""
    found = {}
    for module in sorted(iter_modules(__path__), key=lambda m: m.name):
        if module.ispkg:
            suite: Suite[Any, Any] = import_module(f"{__name__}.{module.name}").SUITE
            found[suite.name] = suite
    return found


@cache
def all_verbs() -> tuple[Command, ...]:
    """The verbs that single suites offer: what `verbs.py` in their folders declares. Loads no suite without one."""
    found: list[Command] = []
    for suite in sorted(module.name for module in iter_modules(__path__) if module.ispkg):
        folders = [f"{folder}/{suite}" for folder in __path__]
        if any(module.name == "verbs" for module in iter_modules(folders)):
            found.extend(import_module(f"{__name__}.{suite}.verbs").VERBS)
    return tuple(found)
