# Two commands on a fresh machine: `make demo` and `make test`. Both install what they need into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(wildcard native/*/*.h native/*/*.cpp)
# Which build of torch: cpu, cuda, or what fits this machine.
TORCH ?=
# Python keeps what it compiles, whatever the environment says: torch takes twice as long to start without.
unexport PYTHONDONTWRITEBYTECODE
INSTALL = @TORCH='$(TORCH)' $(PYTHON) tools/install.py $(VENV)

.PHONY: help python install install-demo demo test test-more lint format types stubs tidy sanitize fuzz wheel clean

help:
	@echo "make demo      the paper in miniature on built-in pictures, into runs/demo"
	@echo "make test      lint, types and all tests"
	@echo "make test-more tests against other people's programs, each in an environment of its own"
	@echo "make tidy      the native core checked by clang-tidy"
	@echo "make sanitize  the native tests under address and undefined-behaviour sanitizers"
	@echo "make fuzz      a million random captions through every metric under the sanitizers"
	@echo "make wheel     build a wheel into dist/ and try it in new environments"
	@echo "make format    format the code; make stubs: regenerate the stub of the native core"
	@echo "make clean     remove everything that make made, except runs/"
	@echo "TORCH=cpu or TORCH=cuda before any of them chooses the build of torch; PYTHON=/path/to/python the Python"

python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "$(PYTHON) was not found; install Python 3.11 or newer, or name yours: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, and $(PYTHON) is `$(PYTHON) --version 2>&1`; install one, or name yours: make PYTHON=/path/to/python" >&2; exit 1; }

install: python
	$(INSTALL) test

install-demo: python
	$(INSTALL) demo

demo: install-demo
	@$(BIN)/spidercap demo --out runs/demo

test: install
	@echo "Lint and types, half a minute; then all tests on two workers, about 6 minutes on two cores"
	@$(MAKE) --no-print-directory lint types
	@echo "Tests: pytest"
	@$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder
	@echo "All is well. Next: make demo trains the paper's methods in 5 minutes; docs/pipeline.md shows what is where"

test-more: install
	@$(BIN)/python tools/test_more.py

lint: install
	@echo "Lint: ruff, clang-format"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run --Werror $(CPP)

types: install
	@echo "Types: mypy"
	@$(BIN)/mypy

format: install
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CPP)

stubs: install
	$(BIN)/python -m nanobind.stubgen -q -m spidercap._native -o src/spidercap/_native.pyi

tidy: install
	$(BIN)/python tools/tidy.py

sanitize: install
	$(BIN)/python tools/sanitize.py

fuzz: install
	$(BIN)/python tools/fuzz.py 1000000 --sanitized

wheel: install
	$(BIN)/python tools/try_wheel.py

clean:
	rm -rf $(VENV) build dist wheelhouse .mypy_cache .ruff_cache .pytest_cache .hypothesis
