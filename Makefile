# Forsyth. Needs Python 3.11 or newer and nothing else; everything is set up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)

ifdef UV
MAKE_VENV = $(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
INSTALL = $(UV) pip install --quiet --python $(BIN)/python
else
MAKE_VENV = $(PYTHON) -m venv $(VENV)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

HOT := $(wildcard src/forsyth/games/*/*.py src/forsyth/games/*/*.pxd src/forsyth/bulk/compact.py src/forsyth/bulk/compact.pxd) setup.py pyproject.toml

.PHONY: run tour test test-compiled test-pure check bench docs fuzz sanitize clean help

help: ## Show this list.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

$(BIN)/python:
	$(MAKE_VENV)

# Installing compiles the hot modules where a C compiler is found; they run as they are where none is.
$(VENV)/.run: $(BIN)/python $(HOT) requirements/run.txt
	$(INSTALL) -r requirements/run.txt
	$(INSTALL) --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements/bulk.txt requirements/test.txt
	$(INSTALL) -r requirements/bulk.txt -r requirements/test.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.run requirements/bulk.txt bench/requirements.txt
	$(INSTALL) -r requirements/bulk.txt -r bench/requirements.txt
	@touch $@

$(VENV)/.docs: $(VENV)/.run requirements/docs.txt
	$(INSTALL) -r requirements/docs.txt
	@touch $@

$(VENV)/.fuzz: $(VENV)/.run requirements/bulk.txt requirements/fuzz.txt
	$(INSTALL) -r requirements/bulk.txt -r requirements/fuzz.txt
	@touch $@

PORT ?= 8000
run: $(VENV)/.run ## Set up and serve the web page and the HTTP API on port 8000.
	$(BIN)/forsyth serve --port $(PORT)

tour: $(VENV)/.run ## Set up and show the command line at work on examples.
	@BIN=$(BIN) sh examples/tour.sh

test: check test-compiled test-pure ## Set up and run all checks and tests, compiled and pure.

# The web page is tested in Chromium where there is one, Spark where there is a Java; both once, and not again
# for the pure build: page and clusters are the same for both.
CHROMIUM := $(or $(FORSYTH_CHROMIUM),$(shell command -v chromium || command -v chromium-browser || command -v google-chrome))
JAVA := $(shell command -v java)
LEFT_OUT := $(if $(CHROMIUM),,browser)$(if $(CHROMIUM)$(JAVA),, or )$(if $(JAVA),,spark)

test-compiled: $(VENV)/.test
	@$(if $(CHROMIUM),:,echo "No Chromium found: the tests of the web page in a browser are left out.")
	@$(if $(JAVA),:,echo "No Java found: the tests on Spark are left out.")
	$(BIN)/python -m pytest -n 2 $(if $(LEFT_OUT),-m "not ($(LEFT_OUT))")

test-pure: $(VENV)/.test
	FORSYTH_PURE=1 $(BIN)/python -m pytest -n 2 -m "not browser and not ray and not spark"

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
fuzz: $(VENV)/.fuzz ## Fuzz every reader, FUZZ_SECONDS (180) in all.
	$(BIN)/python tests/fuzz/run.py --seconds $(FUZZ_SECONDS)

sanitize: $(VENV)/.test ## Run the fuzz corpus and the crash calls with every memory access checked.
	$(BIN)/python -m tests.sanitize

clean: ## Remove everything that was built.
	rm -rf build dist site .venv src/*.egg-info
	find src -name '*.so' -delete
