# Tasks for development and play. `make` lists them.

PYTHON ?= python3
BIN := .venv/bin
NATIVE := .native
SOURCES := $(shell find src -name '*.py' -o -name '*.toml' -o -name '*.po' -o -name '*.md' -o -name '*.jinja' -o -name '*.css' -o -name '*.js')
GAME ?= evangelists
PORT ?= 8090
# Three workers for two cores, because tests wait for their browser or server half of the time.
PYTEST ?= -n 3 --dist worksteal -q
PART ?= 1/1

# Keep bytecode files, because otherwise every test process would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help setup lock play host test test-fast check compiled native bench bench-research learn-check test-all clean compiler browser postgres terminal screenshots messages anchors docs positions dataset dist

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/ready ## make or update the virtual environment with all tools

# `make play` installs only what is needed to play, without bytecode for unused modules of other packages, so that
# newcomers wait less. The package itself is compiled and built while its dependencies are downloaded.
# The pip that comes with Python installs the pinned pip directly, where it supports that. This saves unpacking both.
QUICK := -q --no-compile --disable-pip-version-check -c constraints.txt
.venv/web: constraints.txt pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "triclinium: Python 3.11 or newer is needed; call make with PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv --without-pip .venv
	$(PYTHON) -m pip --python $(BIN)/python install $(QUICK) pip setuptools 2>/dev/null || { \
		{ $(PYTHON) -c 'import ensurepip' 2>/dev/null || .ci/need python3-venv; } && \
		$(PYTHON) -m venv .venv && $(BIN)/python -m pip install $(QUICK) pip setuptools; }
	$(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
		print(*p["dependencies"], *p["optional-dependencies"]["web"], sep="\n")' > .venv/requirements.txt
	($(BIN)/python -m compileall -qq src; $(BIN)/python -m pip install $(QUICK) --no-build-isolation --no-deps -e .) & \
		building=$$!; \
		$(BIN)/python -m pip install $(QUICK) -r .venv/requirements.txt && wait $$building
	touch $@

# Hosting also installs the extras for accounts and notifications.
.venv/host: .venv/web
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[web,people]'
	touch $@

# Tests import all modules in several processes. Compiling bytecode and reading library types once saves time later.
.venv/ready: .venv/web
	$(BIN)/python -m pip install -q --disable-pip-version-check -r constraints.txt
	$(BIN)/python -m pip check
	$(BIN)/python -m compileall -qq -j 2 .venv/lib src || true
	$(BIN)/python -m tests.library_types
	touch $@

lock: ## resolve all packages of pyproject.toml again and pin them in constraints.txt
	rm -rf out/lock
	$(PYTHON) -m venv out/lock
	$(PYTHON) -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
		print(*p["build-system"]["requires"], *p["project"]["dependencies"], \
		*sum(p["project"]["optional-dependencies"].values(), []), *p["dependency-groups"]["dev"], "pip", sep="\n")' \
		> out/lock/wanted.txt
	out/lock/bin/python -m pip install -q --upgrade --disable-pip-version-check -r out/lock/wanted.txt
	(grep '^#' constraints.txt; out/lock/bin/python -m pip freeze --all | sort -f) > out/lock/constraints.txt
	mv out/lock/constraints.txt constraints.txt
	rm -rf out/lock

play: .venv/web ## start the server: tables to play at in the browser (PORT=8090)
	@$(BIN)/triclinium serve --port $(PORT) --compiled $(NATIVE)

host: .venv/host ## start the server for your network, with QR codes for phones (PORT=8090)
	@$(BIN)/triclinium serve --host lan --port $(PORT) --compiled $(NATIVE)

terminal: .venv/web ## play a match against bots in the terminal (GAME=evangelists)
	@$(BIN)/triclinium play $(GAME)

# Type checking takes one core for a while, so it runs next to the tests.
test: setup compiler browser postgres ## check the code and run the fast tests
	@$(MAKE) --no-print-directory -j 2 check test-fast

test-fast:
	$(BIN)/pytest $(PYTEST)

# The second run leaves out tests that always use one database or none. Slow tests of pages and servers run on the plain
# build alone, because nothing of them is compiled.
test-all: setup compiler browser postgres compiled ## run every test on the plain and the compiled build (PART=1/1)
	$(BIN)/pytest $(PYTEST) -m "slow or not slow" --part $(PART)
	TRICLINIUM_POSTGRES=1 $(BIN)/pytest $(PYTEST) -m "slow or not slow" --part $(PART) tests/server \
		--ignore tests/server/test_kills.py --ignore tests/server/test_kills_shared.py --ignore tests/server/test_seating.py
	$(NATIVE)/bin/python -m pytest $(PYTEST) --part $(PART)
	$(NATIVE)/bin/python -m pytest $(PYTEST) -m slow --part $(PART) $(addprefix --ignore tests/,browser i18n server web)

check: setup ## check lint, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

compiled: $(NATIVE)/ready ## build the compiled wheel in a separate environment

native: compiled ## build the compiled wheel and run the fast tests on it
	$(NATIVE)/bin/python -m pytest $(PYTEST)

# The headless shell needs a third less processor time than the complete browser. Tests use the browser without it.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || .ci/need chromium
	@command -v chromium-headless-shell >/dev/null || .ci/need chromium-headless-shell 2>/dev/null || true

# PostgreSQL for tests of servers that share a database. The tests start it in a temporary folder.
postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || .ci/need postgresql

compiler: setup
	@command -v cc >/dev/null || .ci/need gcc libc6-dev
	@$(BIN)/python -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null || \
		.ci/need python3-dev

# Build the wheel from a copy, so that no compiled module remains next to its source. All other packages come from .venv:
# the .pth file is written last, because pip would otherwise replace the editable installation there.
$(NATIVE)/ready: .venv/ready $(SOURCES) | compiler
	rm -rf $(NATIVE)
	mkdir -p $(NATIVE)/tree
	cp -r src pyproject.toml setup.py README.md LICENSE $(NATIVE)/tree
	find $(NATIVE)/tree -name '*.egg-info' -prune -exec rm -r {} +
	cd $(NATIVE)/tree && TRICLINIUM_NATIVE=1 $(CURDIR)/$(BIN)/python -W ignore setup.py -q bdist_wheel -d ../dist
	$(BIN)/python -m venv --without-pip $(NATIVE)
	$(BIN)/python -m pip --python $(NATIVE)/bin/python install -q --disable-pip-version-check --no-deps $(NATIVE)/dist/*.whl
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
		"$$($(NATIVE)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/packages.pth"
	rm -rf $(NATIVE)/tree
	touch $@

anchors: setup ## measure the ratings of all bots in all games, in hours (MATCHES=120)
	$(BIN)/triclinium ratings anchor --matches $(or $(MATCHES),120) --workers $$(nproc) --seed 1 \
		--out src/triclinium/server/ratings/anchors.toml

positions: setup ## find the positions of rules and the prepared exercises again, after changes of rules, data or chance
	$(BIN)/python -m bench.rule_positions
	$(BIN)/python -m bench.exercises

docs: setup ## write the API reference in docs/reference from signatures and docstrings
	$(BIN)/python -m triclinium.testing.reference docs/reference

messages: setup ## update the message catalogues of all languages
	$(BIN)/python -m triclinium.testing.messages

bench: setup ## measure the speed of every game, also of the compiled build if there is one
	@if [ -e $(NATIVE)/ready ]; then \
		$(MAKE) --no-print-directory $(NATIVE)/ready && \
		$(BIN)/python -m triclinium.lab.compare_builds $(BIN)/python $(NATIVE)/bin/python; \
	else \
		$(BIN)/triclinium speed && echo "There is no compiled build; \`make compiled\` makes one."; \
	fi

bench-research: setup ## measure the speed of the interfaces for training, also of other libraries
	$(BIN)/python -m bench.research
	@if [ -e $(NATIVE)/ready ]; then \
		$(MAKE) --no-print-directory $(NATIVE)/ready && $(NATIVE)/bin/python -m bench.research; \
	else \
		echo "There is no compiled build; \`make compiled\` makes one."; \
	fi

learn-check: setup ## train every shipped network again and compare it bit for bit
	$(BIN)/python -m triclinium.lab.learn.reproducibility

dataset: setup ## write matches between bots of all levels in out/dataset, with a data card (MATCHES=20)
	$(BIN)/python -m bench.dataset out/dataset --matches $(or $(MATCHES),20) --overwrite

dist: compiled ## build the sdist and both wheels in dist, and test each in an empty environment (PYTHONS="python3.12")
	$(BIN)/python -m bench.packages build --compiled-wheel $(NATIVE)/dist/*.whl
	$(BIN)/python -m bench.packages check dist/* --pythons $(PYTHON) $(PYTHONS)

screenshots: setup browser ## take screenshots of every game in out/screenshots
	$(BIN)/python -m bench.screenshots out/screenshots

clean: ## remove all generated files
	rm -rf .venv $(NATIVE) build dist out .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info examples/*/*.egg-info
	find src tests examples -name __pycache__ -prune -exec rm -r {} +
