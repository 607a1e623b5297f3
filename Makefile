# `make help` lists the targets. Every target sets up .venv by itself; a repeated call is quick.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help install demo gallery test check format lint types contracts agreement benchmark clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

install: $(READY) ## set up .venv with beewalk and everything its tests need

demo: $(READY) ## explore two policies, one with a dead end, draw them into reports/demo, play the scenarios
	$(BIN)/beewalk explore scenarios/plan-a-day.policy.yaml --out reports/demo
	@echo
	$(BIN)/beewalk explore scenarios/publish-with-care.policy.yaml --out reports/demo --exit-zero
	@echo
	$(BIN)/beewalk run scenarios

gallery: $(READY) ## draw the pictures under reports/ anew
	$(BIN)/python -m tests.support.gallery

test: $(READY) ## run all tests, in parallel and in random order
	$(BIN)/python -m pytest -n auto

format: $(READY) ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(READY) ## check format and style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY) ## check the types
	$(BIN)/mypy

contracts: $(READY) ## check who may import whom
	$(BIN)/lint-imports --no-cache

check: lint types contracts ## everything CI runs: style, types, contracts, tests, branch coverage
	rm -f .coverage .coverage.*
	$(MAKE) test PYTEST_ADDOPTS="--cov --cov-report= --cov-branch"
	$(BIN)/python tests/coverage_floors.py

agreement: $(READY) ## play 10,000 drawn runs beside the real framework (make check plays 500)
	BEEWALK_RUNS=10000 $(BIN)/python -m pytest -n auto tests/agreement/test_runs.py

benchmark: $(READY) ## time beewalk beside the real framework
	$(BIN)/python -m benchmarks.reasoner
	$(BIN)/python -m benchmarks.runs
	$(BIN)/python -m benchmarks.exploration

clean: ## remove .venv and caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*
