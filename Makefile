# make book    the sample book (or PROJECT=folder) in _build/html
# make test    all tests that this machine can run; the end of the run names the rest
# make check   style, types, and which room may import which
# make serve   the book, or with SITE=folder a published site, at http://localhost:8000
# make clean   away with everything that is made
#
# The environment .venv makes itself from the lock when it is missing or the lock changed.

PYTHON ?= python3
PROJECT ?= .
PORT ?= 8000
SITE ?=
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUN_STAMP := .venv/installed
DEV_STAMP := .venv/installed-dev
SOURCES := evalreport tests benchmarks data

.PHONY: book test check serve clean
.DEFAULT_GOAL := book

book: $(RUN_STAMP)
	@$(BIN)/evalreport build $(PROJECT)

test: $(DEV_STAMP)
	$(BIN)/python -m pytest -q -n auto --dist loadfile $(TESTS)

check: $(DEV_STAMP)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

serve: $(if $(SITE),$(RUN_STAMP),book)
	@echo "http://localhost:$(PORT)/ (stop with Ctrl-C)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory $(or $(SITE),$(PROJECT)/_build/html)

clean:
	rm -rf _build .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find evalreport tests benchmarks data -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@echo "making the environment .venv with $(PYTHON)"
	@$(PYTHON) -m venv .venv

$(RUN_STAMP): requirements.txt pyproject.toml | $(BIN)/python
	@echo "installing the $$(grep -c == $<) packages of $< into .venv: a minute or more, once"
	@$(INSTALL) --requirement $<
	@$(INSTALL) --no-deps --editable .
	@touch $@

$(DEV_STAMP): requirements-dev.txt $(RUN_STAMP)
	@echo "installing the packages of $< into .venv, for tests and checks"
	@$(INSTALL) --requirement $<
	@touch $@
