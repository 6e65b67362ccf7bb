# Everything a developer does here is one word: `make help` lists the words.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup run demo test conformance fuzz faults bench golden docs proto lint format lock wheel clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## Create .venv with the pinned packages and the project itself
	@:

# The stamp is written last: an interrupted setup starts again.
$(STAMP): requirements.lock pyproject.toml
	@echo "Setting up $(VENV) with $$($(PYTHON) --version), pinned packages and the project itself …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try  make PYTHON=python3.12 …")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

run: setup ## Serve games over gRPC, with a store of its own in alhambra-data/
	$(BIN)/alhambra serve --pin --reflection

demo: setup ## Play a random game in the terminal
	$(BIN)/alhambra demo

test: setup ## Run the tests (a few minutes)
	$(BIN)/python -m pytest -n 2

conformance: setup ## Run the complete conformance suite (long, resumable)
	@echo "Playing seeded games and comparing with the brute-force oracles; this takes long and can be resumed."
	$(BIN)/python -m tests.conformance

faults: setup ## Kill workers, services, stores and masters under load (bounded; MINUTES=5)
	@echo "Killing processes under load and looking for every acknowledged move; about $(or $(MINUTES),5) minutes."
	$(BIN)/python -m tests.service.faults --minutes $(or $(MINUTES),5)

fuzz: setup ## Send many strange requests to a server (some minutes)
	@echo "Sending random, nearly valid and hostile requests to every method of the contract."
	$(BIN)/python -m tests.service.fuzz

bench: setup ## Measure the hot paths and write bench/results.json
	@echo "Measuring; leave the machine alone for a few minutes."
	$(BIN)/python -m bench

golden: setup ## Regenerate the golden games; read the diff afterwards
	$(BIN)/python -m scripts.golden

docs: setup ## Regenerate the generated pages of docs/
	$(BIN)/python -m scripts.docs

proto: setup ## Compile the contract: code, types and descriptors beside the .proto files
	$(BIN)/python -m scripts.proto

lint: setup ## Check style, format, types, and that the contract is compiled
	$(BIN)/python -m scripts.proto --check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: setup ## Repair style and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# [dev] takes in [cli] by naming the project itself; `--unsafe-package alhambra` keeps it out of the lock, and
# the last line removes the remark that it was kept out.
lock: setup ## Resolve the newest versions into requirements.lock
	@echo "Resolving the newest versions of all packages of [dev] …"
	CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --upgrade --extra dev \
		--generate-hashes --strip-extras --unsafe-package alhambra \
		--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
		--output-file requirements.lock pyproject.toml
	@sed -i.old '/^$$/,$$d' requirements.lock && rm requirements.lock.old

wheel: setup ## Build the wheel into dist/
	$(BIN)/python -m build --wheel --no-isolation

clean: ## Remove everything that can be made again, .venv included
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
