# Two commands matter: `make build` and `make test`. Nothing else is needed than Python 3.11+, git and a package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: build test compat lint release clean help

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile

build: $(VENV)/.installed ## set everything up and build the release into ./ncimp; a second time, only what changed
	"$(BIN)/ncimp" build

test: $(VENV)/.tested ## install what the tests need and run those not marked slow, on every core
	"$(BIN)/python" -m pytest -m "$(or $(MARKS),not slow)" -n auto --dist worksteal

compat: build $(VENV)/.tested ## load ./ncimp on every generation of datasets, and build it again in other environments
	"$(BIN)/python" -m pytest tests/compat --compat ncimp
	"$(BIN)/python" scripts/compare_builds.py --release ncimp

lint: $(VENV)/.linted ## format, lint, types, walls
	"$(BIN)/ruff" check .
	"$(BIN)/ruff" format --check .
	"$(BIN)/mypy"
	"$(BIN)/lint-imports"

release: $(VENV)/.tested ## run the checklist of RELEASING.md: make release VERSION=1.0.0 [PREVIOUS=folder]
	"$(BIN)/python" scripts/release_check.py "$(VERSION)" --previous "$(PREVIOUS)"

clean: ## remove the environment, the work folder and the release
	rm -rf "$(VENV)" .ncimp-work ncimp

# The three stamps say which dependencies the environment holds, for the pins they were installed from.
$(VENV)/.installed: pyproject.toml constraints.txt scripts/make_venv.sh
	sh scripts/make_venv.sh "$(PYTHON)" "$(VENV)" ""
	touch "$(VENV)/.installed"

$(VENV)/.tested: $(VENV)/.installed
	sh scripts/make_venv.sh "$(PYTHON)" "$(VENV)" "[test]"
	touch "$(VENV)/.tested"

$(VENV)/.linted: $(VENV)/.installed
	sh scripts/make_venv.sh "$(PYTHON)" "$(VENV)" "[dev]"
	touch "$(VENV)/.linted"
