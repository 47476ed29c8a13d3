# Targets for a fresh machine: each installs what it needs into .venv first.
PYTHON ?= python3
BIN := .venv/bin
PLAYERS ?= 5

.PHONY: threshold test verify notebooks docs bench lint types contracts check clean

threshold: .venv/.installed
	$(BIN)/python -m guts_sim threshold --players $(PLAYERS)

test: .venv/.installed-dev  ## the fast suite
	$(BIN)/python -m pytest -m "not slow and not alone" -n auto --dist loadfile
	$(BIN)/python -m pytest -m "not slow and alone"

verify: .venv/.installed-dev  ## the slow statistics and enumerations
	$(BIN)/python -m pytest -m slow

notebooks: .venv/.installed-dev  ## every notebook, with small samples
	GUTS_SIM_QUICK=1 $(BIN)/python docs/refresh_notebooks.py --check

docs: .venv/.installed-docs  ## the reference of the Python functions, into build/docs
	$(BIN)/pdoc --docformat numpy --no-show-source --output-directory build/docs guts_sim

bench: .venv/.installed-bench  ## speed against other libraries, a few minutes on an idle machine
	$(BIN)/python -m benchmarks

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.installed-dev
	$(BIN)/mypy

contracts: .venv/.installed-dev
	$(BIN)/lint-imports

check: test lint types contracts

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.installed-dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@ .venv/.installed

.venv/.installed-docs: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@ .venv/.installed

.venv/.installed-bench: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	touch $@ .venv/.installed

clean:
	rm -rf .venv build dist *.egg-info
