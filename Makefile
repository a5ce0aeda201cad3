# Two commands are enough: `make play` and `make test`. Both set up what they need in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test lint types unit format bench strength clean

play: .venv/.ready
	$(BIN)/forgeron play yolah

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

# Hours: every match of docs/strength.md. It goes on where it was stopped.
strength: .venv/.ready
	$(BIN)/python benchmarks/strength.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/.ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/.ready-dev: .venv/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
