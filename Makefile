# Forsyth. Needs Python 3.11 or newer and nothing else; everything is set up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# uv is faster than pip and used where it is found; `make UV=` does without it.
UV := $(or $(UV),$(shell command -v uv 2>/dev/null))

ifneq ($(UV),)
MAKE_VENV = $(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
INSTALL = $(UV) pip install --quiet --python $(BIN)/python
else
MAKE_VENV = $(PYTHON) -m venv $(VENV)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

HOT := $(wildcard src/forsyth/findings.p* src/forsyth/column.p* $(foreach place,games/* games/*/* kit kit/*,src/forsyth/$(place)/*.py src/forsyth/$(place)/*.pxd) \
	src/forsyth/record_bytes/*.p* src/forsyth/record/fast_path.p* src/forsyth/bulk/verbs/kernel_output.p*) setup.py pyproject.toml

.PHONY: compile run tour test test-all test-compiled test-pure test-rest test-long test-browser test-clusters \
	test-pure-rest check bench docs fuzz sanitize pin sbom licences clean help

help: ## Show this list.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

$(BIN)/python:
	$(MAKE_VENV)

# Serving needs no compiler: the page is up in seconds. What was compiled before is kept up to date.
KERNEL = $(wildcard src/forsyth/games/chess/notation/kernel.*.so)
$(VENV)/.run: pyproject.toml setup.py requirements/run.txt | $(BIN)/python
	$(INSTALL) -r requirements/run.txt
	FORSYTH_PURE=1 $(INSTALL) --no-build-isolation --no-deps -e .
	@touch $@

# Compiles the hot modules where a C compiler is found; where none is, setup.py says so, and they run as they are.
$(VENV)/.compiled: $(VENV)/.run $(HOT)
	@echo "Compiling the hot modules takes a minute or two."
	@$(BIN)/python setup.py --quiet build_ext --inplace >$(VENV)/compile.log 2>&1 || { cat $(VENV)/compile.log; exit 1; }
	@grep "Forsyth runs as plain Python" $(VENV)/compile.log || true
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements/bulk.txt requirements/test.txt
	$(INSTALL) -r requirements/bulk.txt -r requirements/test.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.compiled requirements/bulk.txt bench/requirements.txt
	$(INSTALL) -r requirements/bulk.txt -r bench/requirements.txt
	@touch $@

$(VENV)/.docs: requirements/docs.txt | $(BIN)/python
	$(INSTALL) -r requirements/docs.txt
	@touch $@

$(VENV)/.fuzz: $(VENV)/.test requirements/fuzz.txt
	$(INSTALL) -r requirements/fuzz.txt
	@touch $@

PORT ?= 8000
compile: $(VENV)/.compiled ## Set up and compile the hot modules; `make run` then serves them.

run: $(VENV)/.run $(if $(KERNEL),$(VENV)/.compiled) ## Set up and serve the web page and the HTTP API on port 8000.
	@$(if $(KERNEL),:,echo "Forsyth runs as plain Python; make compile makes it faster where there is a C compiler.")
	$(BIN)/forsyth serve --port $(PORT)

tour: $(VENV)/.run $(if $(KERNEL),$(VENV)/.compiled) ## Set up and show the command line at work on examples.
	@BIN=$(BIN) sh examples/tour.sh

test: check test-compiled test-pure ## Set up and run the checks and tests, in minutes; `make test-all` runs the rest too.
	@echo "All passed: checks, tests, and those of the pure build. make test-all runs the long ones too."

test-all: test test-rest ## Everything: `make test`, then the long tests, browser and clusters, and the whole pure build.
	@echo "All passed, to the last test of both builds."

# The pure build runs the same sources: in `make test` it is held to the notation, the rules and the contracts.
QUICK := not (browser or ray or spark or slow)
QUICK_PURE := core and not (browser or slow or compiled)
# Files without a quick test are not even imported: every worker would wait for a browser's and a cluster's library.
LONG := $(addprefix --ignore tests/,browser bulk/test_bulk_ray.py bulk/test_bulk_spark.py test_record_bounds.py test_no_crash.py)

# What tests run on. Installing comes first: in CI it goes on beside the compiler.
TESTED := $(VENV)/.test $(VENV)/.compiled

test-compiled: $(TESTED)
	$(BIN)/python -m pytest -n 3 --dist worksteal $(LONG) -m "$(QUICK)"

test-pure: $(TESTED)
	FORSYTH_PURE=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m "$(QUICK_PURE)"

# The web page is tested in Chromium where there is one, its main flows in Firefox where that is too, Spark where there
# is a Java; all once, and not again for the pure build: page and clusters are the same for both. So are the tests marked once.
CHROMIUM := $(or $(FORSYTH_CHROMIUM),$(shell command -v chromium || command -v chromium-browser || command -v google-chrome))
JAVA := $(shell command -v java)

# How the tests run that may lose a race: CI sets this to run a failed one again, alone, at its end.
RACING_PYTEST := $(BIN)/python -m pytest

test-rest: test-long test-browser test-clusters test-pure-rest

test-long: $(TESTED)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "slow and not (browser or ray or spark)"

test-browser: $(TESTED)
	$(if $(CHROMIUM),$(RACING_PYTEST) -n 2 --dist worksteal -m browser tests/browser,@echo "No Chromium found: the web page is not tested.")

test-clusters: $(TESTED)
	@$(if $(JAVA),:,echo "No Java found: the tests on Spark are left out.")
	$(RACING_PYTEST) -m "ray$(if $(JAVA), or spark)" tests/bulk

test-pure-rest: $(TESTED)
	FORSYTH_PURE=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m "not ($(QUICK_PURE)) and not (browser or ray or spark or compiled or once)"

check: $(VENV)/.test ## ruff, mypy --strict, import-linter.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench ## Measure Forsyth beside its peers; prints ratios.
	$(BIN)/python -m bench

docs: $(VENV)/.docs ## Build the documentation into site/.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

FUZZ_SECONDS ?= 180
fuzz: $(VENV)/.fuzz $(VENV)/.compiled ## Fuzz every reader, FUZZ_SECONDS (180) in all.
	$(BIN)/python tests/fuzz/run.py --seconds $(FUZZ_SECONDS)

$(VENV)/ci/bin/python: requirements/ci.txt
	$(PYTHON) -m venv $(VENV)/ci
	$(VENV)/ci/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/ci.txt
	@touch $@

pin: $(VENV)/ci/bin/python ## Pin the requirements anew, with hashes; PIN=--upgrade takes the newest.
	PATH="$(CURDIR)/$(VENV)/ci/bin:$$PATH" requirements/pin $(PIN)

licences: $(VENV)/.test ## Audit the licences of everything that the extras install.
	$(BIN)/python .ci/licences.py

SBOM := build/sbom.cdx.json
sbom: $(VENV)/.test $(VENV)/ci/bin/python ## Write the list of components (CycloneDX) into build/.
	@mkdir -p build
	$(VENV)/ci/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		--output-file $(SBOM) $(BIN)/python

sanitize: $(TESTED) ## Run the fuzz corpus and the crash calls with every memory access checked.
	$(BIN)/python -m tests.sanitize

clean: ## Remove everything that was built.
	rm -rf build dist site .venv src/*.egg-info
	find src -name '*.so' -delete
