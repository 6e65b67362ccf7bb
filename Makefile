# Everything a developer does here is one word: `make help` lists the words.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ENVIRONMENT := $(PYTHON) scripts/environment.py

# Servers and tests start many processes of Python, which read the compiled files that the first one wrote.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help run demo quick test check setup build-environment run-environment test-environment tools stores pypy conformance mutants clients fuzz requests faults images bench arena read-your-writes loadtest webhooks soak golden compat upgrade docs screenshots browser-games proto lint format lock newest wheel sdist packages release clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: run-environment ## Play in the browser: http://127.0.0.1:8080/play (ARGS='--http 127.0.0.1:8081' for another port)
	@exec $(BIN)/alhambra run --pin --reflection $(ARGS)

demo: run-environment ## Play a random game in the terminal
	$(BIN)/alhambra demo

# Half of a test that starts servers is waiting, so there are more workers than cores. A worker that has nothing left to do
# takes tests from another one.
WORKERS := $(shell $(PYTHON) -c 'import os; print(min(8, max(3, 3 * (os.cpu_count() or 1) // 2)))')
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

quick: test-environment ## Test the rules: modules, placement, payments; no server (under a minute)
	$(PYTEST) --size=quick

test: test-environment ## Test everything that needs no program of the system and is not long (under five minutes)
	$(PYTEST) --size=test

check: tools ## Test and check everything: also browser, clients, attacks, faults, load, style, types, wheel (under half an hour)
	$(BIN)/python -m scripts.check $(WORKERS)

# Each part of .venv contains those before it; the script does nothing if the part is there.
build-environment:
	@$(ENVIRONMENT) build
run-environment:
	@$(ENVIRONMENT) run
test-environment:
	@$(ENVIRONMENT) test

setup: ## Set up .venv for everything a developer does; `make run` and `make test` set up only what they need
	@$(ENVIRONMENT) dev

# What the complete tests need beside Python packages: a browser and load generators from the system, a TypeScript compiler.
# What cannot be installed is left out of the tests, which name it at their end.
tools: setup
	@scripts/system_packages.sh || true
	@$(BIN)/python -m tests.gateway.node || true

stores: setup ## Test the store on the oldest and newest Redis and Valkey (fetched into .stores/; VERSIONS=redis-6.2)
	$(BIN)/python -m tests.service.store.versions $(VERSIONS)

# The library needs nothing but an interpreter; what tests it is taken from .venv, where it is plain Python;
# hypothesis is not, so the files that need it are left to CPython.
PYPY_ENV = PYTHONPATH=rules:cli:service:gateway:runtime:proto:.:$$($(BIN)/python -c 'import site; print(site.getsitepackages()[0])')
NOT_ON_PYPY := $(addprefix --ignore=tests/rules/,test_malformed.py test_notation.py test_explanations.py)
pypy: setup ## Test the library under PyPy, and play: about three times as many games (fetched into .pypy/)
	@scripts/pypy.sh >/dev/null
	PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(PYPY_ENV) $$(scripts/pypy.sh) -m pytest -q -n 2 -p xdist.plugin \
		-p no:cacheprovider tests/rules tests/conformance tests/test_golden.py $(NOT_ON_PYPY)
	$(PYPY_ENV) $$(scripts/pypy.sh) -m alhambra_cli simulate --games 20000 --seats 3 --policy peer

conformance: setup ## Run the complete conformance suite (long, resumable; GROUPS=pairs,all GAMES=100 for a part)
	@echo "Playing seeded games and comparing with the brute-force oracles; this takes long and can be resumed."
	$(BIN)/python -m tests.conformance $(if $(GROUPS),--only $(GROUPS)) $(if $(GAMES),--games $(GAMES))

mutants: setup ## Put faults into the rules and see whether tests notice (long, resumable; ONLY=medina CHANGED=main SAMPLE=200 SEED=1)
	$(BIN)/python -m tests.mutants $(if $(ONLY),--only $(ONLY)) $(if $(CHANGED),--changed $(CHANGED)) \
		$(if $(SAMPLE),--sample $(SAMPLE)) --seed $(or $(SEED),1) $(if $(TIERS),--tiers $(TIERS))

clients: setup ## Play every module alone, and all at once, over REST with a client that knows no rules (some minutes)
	$(BIN)/python -m tests.gateway.every_module $(MODULES)

# Hosts need root and network namespaces; where a machine has none, the last step fails and says so.
faults: tools ## Let faults happen under load and check what clients saw (MINUTES=5 SEED=1 STORE=all RESUME=FILE HOSTS=no)
	@echo "Faults by schedule from a seed, for about $(or $(MINUTES),5) minutes; every round is checked at its end."
	$(BIN)/python -m tests.faults --minutes $(or $(MINUTES),5) $(if $(SEED),--seed $(SEED)) \
		$(if $(STORE),--store $(STORE)) $(if $(RESUME),--resume $(RESUME))
ifeq ($(HOSTS),no)
	@echo "Not run, because HOSTS=no: links of hosts that are taken down (tests/faults/on_hosts.py)."
else
	$(BIN)/python -m pytest -q tests/faults/on_hosts.py
endif

fuzz: setup ## Send many strange requests to a server (some minutes)
	@echo "Sending random, nearly valid and hostile requests to every method of the contract."
	$(BIN)/python -m tests.service.fuzz
	$(BIN)/python -m tests.service.attacks
	$(BIN)/python -m tests.gateway.fuzz
	$(BIN)/python -m tests.gateway.attacks
	$(BIN)/python -m tests.gateway.costs

requests: setup ## Send a million generated requests to service and gateway, and judge every answer (long, resumable; REQUESTS=1000000)
	$(BIN)/python -m tests.generated_requests --requests $(or $(REQUESTS),1000000)

images: setup ## Build both images, start them on loopback and play a game (Debian, root; some minutes)
	@scripts/system_packages.sh images
	$(BIN)/python -m tests.deploy.images

bench: tools ## Measure the hot paths; writes bench/results.json and docs/performance.md
	@echo "Measuring; leave the machine alone for some minutes."
	$(BIN)/python -m bench
	$(BIN)/python -m scripts.docs

arena: setup ## Let the players play against each other; writes docs/arena.md (long, resumable; GAMES=20 for less)
	$(BIN)/python -m bench.arena $(if $(GAMES),--games $(GAMES))
	$(BIN)/python -m scripts.docs

read-your-writes: tools ## Count reads that are older than the caller's own change (PAIRS=100000 PLAYERS=2 SEED=1)
	$(BIN)/python -m tests.gateway.read_your_writes --pairs $(or $(PAIRS),100000) --players $(or $(PLAYERS),2) \
		--seed $(or $(SEED),1)

loadtest: setup ## Find the highest steady rate (99 % within 50 ms); writes loadtest-report/ (about four minutes)
	$(BIN)/python -m loadtests --docs
	$(BIN)/python -m loadtests --trace --shape step --users 30 --seconds 30 --docs --out loadtest-report/trace
	$(BIN)/python -m scripts.docs

webhooks: setup ## Kill senders of webhooks while receivers fail and lie, and check what arrived (DELIVERIES=10000 KILLS=20 SEED=1)
	$(BIN)/python -m tests.webhooks --deliveries $(or $(DELIVERIES),10000) --kills $(or $(KILLS),20) --seed $(or $(SEED),1)

soak: setup ## Load it evenly for ten minutes and look whether memory, threads, descriptors or latency grow
	$(BIN)/python -m loadtests --scenario mixed --shape soak --users 12 --think 0.05 --out loadtest-report/soak

golden: setup ## Regenerate the golden games and the examples of problems; read the diff afterwards
	$(BIN)/python -m scripts.golden
	$(BIN)/python -m scripts.problem_examples

compat: setup ## For a release: keep stored games of this version, and finish those of all versions (some minutes)
	$(BIN)/python -m tests.compat

upgrade: setup ## Upgrade a running 0.1.0 to this version under load, roll back, upgrade again (some minutes; SECONDS=10)
	$(BIN)/python -m tests.compat.rolling.upgrade --gateways-first --seconds $(or $(SECONDS),10)

docs: setup ## Regenerate the generated pages of docs/
	$(BIN)/python -m scripts.docs
	$(BIN)/python -m scripts.terms
	$(BIN)/python -m scripts.rules_pages

screenshots: tools ## Take the screenshots and the recordings of docs/images/ anew
	$(BIN)/python -m scripts.screenshots
	$(BIN)/python -m scripts.recording
	$(BIN)/python -m scripts.start_picture

browser-games: tools ## In the browser, play two whole games by clicks and reload in every kind of decision (long)
	@mkdir -p docs/images/games
	EVERY_RELOAD=1 $(BIN)/python -m pytest -q tests/browser/test_reloads.py
	$(BIN)/python -m tests.browser.whole_game --images docs/images/games
	$(BIN)/python -m tests.browser.whole_game --modules everything --opponents 5 --images docs/images/games

proto: setup ## Compile the contract: code, types and descriptors beside the .proto files, types of the clients
	$(BIN)/python -m scripts.proto
	$(BIN)/python -m scripts.python_client
	$(BIN)/python -m scripts.typescript_client

lint: setup ## Check style, format, types, citations of the rules, and that the contract is compiled
	$(BIN)/python -m scripts.proto --check
	$(BIN)/python -m scripts.rules_pages --check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: setup ## Repair style and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# [dev] takes in [cli] by naming the project itself; `--unsafe-package alhambra-rules` keeps it out of the lock, and
# the last line removes the remark that it was kept out.
lock: setup ## Resolve the newest versions into requirements.lock
	@echo "Resolving the newest versions of all packages of [dev] …"
	CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --upgrade --extra dev \
		--generate-hashes --strip-extras --unsafe-package alhambra-rules \
		--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
		--output-file requirements.lock pyproject.toml
	@sed -i.old '/^$$/,$$d' requirements.lock && rm requirements.lock.old
	@$(ENVIRONMENT) dev
	$(BIN)/python -m scripts.locks

newest: setup ## Test the servers with the newest gRPC, protobuf, gunicorn, redis and Flask (temporary environment; some minutes)
	$(BIN)/python -m scripts.newest $(TESTS)

wheel: build-environment ## Build the wheel into dist/
	$(BIN)/hatchling build --target wheel

sdist: build-environment ## Build the source distribution into dist/
	$(BIN)/hatchling build --target sdist

packages: tools ## Build all packages into dist/: the project, both client libraries, and the list of what servers run with
	$(BIN)/python -m scripts.release --build dist

release: tools ## Check that this version can be released: changelog, kept games, wheel and sdist on every Python (some minutes)
	$(BIN)/python -m scripts.release

clean: ## Remove everything that can be made again, .venv included
	rm -rf $(VENV) .pypy .cpython .images .stores .mutants .requests dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
