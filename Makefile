# Targets for a fresh machine: each installs what it needs into .venv first.
PYTHON ?= python3
BIN := .venv/bin
PLAYERS ?= 5
# What the package exports, and the modules that its docstrings point to.
REFERENCE := guts_sim $(addprefix guts_sim.,passing games.anaconda games.anaconda_strategy engine.cluster)
# Caches of compiled code are apart, since numba discards what another version of it wrote.
OLDEST := GUTS_SIM_CACHE_DIR=.venv-oldest/cache .venv-oldest/bin/python
OLDEST_TESTS := cli estimate plotting results rules strategy

.PHONY: threshold test coverage oldest verify notebooks docs bench lint types contracts check clean

threshold: .venv/.installed
	$(BIN)/python -m guts_sim threshold --players $(PLAYERS)

test: .venv/.installed-dev  ## the fast suite
	$(BIN)/python -m pytest -m "not slow and not alone" -n auto --dist loadfile
	$(BIN)/python -m pytest -m "not slow and alone"

verify: .venv/.installed-dev  ## the slow statistics and enumerations
	$(BIN)/python -m pytest -m slow

coverage: .venv/.installed-dev  ## the fast suite, and which lines outside the kernels it does not run
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m "not slow and not alone" -n auto --dist loadfile
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --fail-under 95

# The size of a picture in a notebook is left out: matplotlib 3.8 rounds half a pixel the other way.
# Kernels give the same digests whatever compiles them: the records of results/ were made with newer versions.
oldest: .venv-oldest/.installed  ## the oldest versions of all packages: stored digests and a part of the tests
	$(OLDEST) -m guts_sim reproduce --check $(addprefix --only ,odds/ indian/2 passing/queens cascade/5)
	$(OLDEST) -m pytest -n auto --dist loadfile -m "not slow and not alone" -k "not half_its_pixels" $(addprefix tests/test_,$(OLDEST_TESTS:=.py))

notebooks: .venv/.installed-dev  ## every notebook, with small samples
	GUTS_SIM_QUICK=1 $(BIN)/python docs/refresh_notebooks.py --check

docs: .venv/.installed-docs  ## the reference of the Python functions, into build/docs
	$(BIN)/pdoc --docformat numpy --no-show-source --output-directory build/docs $(REFERENCE)

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

.venv-oldest/.installed: pyproject.toml .ci/oldest.txt
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check -r .ci/oldest.txt -e .
	touch $@

.venv/.installed-docs: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@ .venv/.installed

.venv/.installed-bench: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	touch $@ .venv/.installed

clean:
	rm -rf .venv .venv-oldest build dist *.egg-info
