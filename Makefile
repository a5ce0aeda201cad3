# Two commands are enough: `make play` and `make test`. Both set up what they need in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test lint types unit format bench bench-peers strength tables docs release-check clean

# The page in your browser. SERVE has options for it, such as SERVE=--no-browser.
play: .venv/.ready
	$(BIN)/forgeron serve $(SERVE)

test: lint types unit

lint: .venv/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/.ready-dev
	$(BIN)/mypy

# Numba's worker threads compile in every test process: two processes suit two cores.
unit: .venv/.ready-dev
	$(BIN)/pytest -n 2

format: .venv/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/.ready
	$(BIN)/forgeron bench

# Beside OpenSpiel, Pgx, PettingZoo, easyAI and python-chess: the table and the plot of docs/benchmarks.md.
bench-peers: .venv/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[peers]'
	$(BIN)/python benchmarks/peers.py --keep
	$(BIN)/python docs/make_tables.py

# The tables of the documentation from what was measured (docs/data).
tables: .venv/.ready
	$(BIN)/python docs/make_tables.py

# Hours: every match of docs/strength.md. It goes on where it was stopped.
strength: .venv/.ready
	$(BIN)/python benchmarks/strength.py

# The documentation as a site, in site/. A broken link fails.
docs: .venv/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	PYTHONPATH=docs $(BIN)/zensical build --strict

# What people will install: the wheel and the source distribution, each in a clean environment, without this folder.
release-check: .venv/.ready-dev
	$(BIN)/pip install --quiet --disable-pip-version-check build
	$(BIN)/python tests/release_check.py

clean:
	rm -rf .venv site .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/.ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/.ready-dev: .venv/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
