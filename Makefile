# The two commands of the README, `make demo` and `make test`, do all their set-up themselves.
VENV   := .venv
BIN    := $(VENV)/bin
PYTHON ?= python3
JOBS   ?= $(shell nproc)

.PHONY: build demo test fast asan all bench studies format config lint clean

build: build/build.ninja
	@$(BIN)/cmake --build build -j $(JOBS) --target bayesid

demo: build
	@build/bin/bayesid demo

# Formatting, warnings as errors, C++ tests, command-line tests, Python tests. CI runs `make lint` too.
test: format fast
	@$(BIN)/ctest --test-dir build/dev -j $(JOBS) --output-on-failure -L slow

# The quick part of the tests.
fast: build/dev/build.ninja
	@$(BIN)/cmake --build build/dev -j $(JOBS)
	@$(BIN)/ctest --test-dir build/dev -j $(JOBS) --output-on-failure -LE slow

# Quick tests of the library with address and undefined-behaviour sanitizers.
asan: build/asan/build.ninja
	@$(BIN)/cmake --build build/asan -j $(JOBS) --target unit_tests
	@$(BIN)/ctest --test-dir build/asan -j $(JOBS) --output-on-failure -LE "slow|program|unsanitized"

# The program, benchmarks and studies.
all: build/build.ninja
	@$(BIN)/cmake --build build -j $(JOBS)

bench: all $(VENV)/.dev
	@$(BIN)/python bench/run.py

studies: all $(VENV)/.dev
	@$(BIN)/python studies/run.py $(STUDIES)

format: $(VENV)/.dev
	@git ls-files '*.cpp' '*.hpp' | xargs -r $(BIN)/clang-format --dry-run --Werror

# The tables of docs/guide/config.md and the schema beside it, from the fields of src/config.
config: build/dev/build.ninja
	@$(BIN)/cmake --build build/dev -j $(JOBS) --target config_docs
	@build/dev/bin/config_docs docs/guide

lint: build/dev/build.ninja
	@$(BIN)/python tools/lint.py --all

clean:
	rm -rf build

build/build.ninja: $(VENV)/.run CMakeLists.txt CMakePresets.json
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset release

build/dev/build.ninja: $(VENV)/.dev CMakeLists.txt CMakePresets.json
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset dev

build/asan/build.ninja: $(VENV)/.dev CMakeLists.txt CMakePresets.json
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset asan

$(VENV)/.run: requirements.txt
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	@echo "installing the pinned wheels of requirements.txt"
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
