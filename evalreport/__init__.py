"""evalreport: evaluation results as a versioned book in which every number stands beside its formula."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("evalreport")
except PackageNotFoundError:  # a source tree that nobody installed
    __version__ = "0+unknown"
