# Everything a person does with this repository. Needs Python 3.11 or newer with venv, a C compiler and make; the rest
# (CMake, ninja, Cython, linters) comes from the package index into .venv.
#
#   PYTHON=python3.12 make test      another interpreter (for a new .venv; `make distclean` removes the old one)
#   CUDD_ROOT=/opt/cudd make test    an installed CUDD 3 instead of the one in third_party/cudd

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The one build tree behind the editable install, the C tests and the C benchmarks: CUDD is compiled once for all three.
BUILD := build/dev

export PATH := $(abspath $(BIN)):$(PATH)
# For tests/drivers/faults.py, which loads a library of the C tests.
export SYMCF_BUILD := $(abspath $(BUILD))
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Compiled modules are kept. The tests start hundreds of processes, and each of them would compile pandas and scikit-learn again.
unexport PYTHONDONTWRITEBYTECODE

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint lint-python lint-c lint-words lint-yaml lint-types lint-stubs format test-c test-py test-long test-fast coverage-python coverage-c test-matrix test-newest test-essential test-platforms test-clock property exhaustive sanitize sanitize-threads sanitize-python faults valgrind fuzz \
	fuzz-coverage torture questions mutate test-dddmp test-spark-ray lock bench bench-docs bench-published \
	figures docs docs-write wheel release-check clean distclean

C_FILES = $(wildcard src/core/*.[ch] tests/core/*.[ch] tests/dddmp/*.[ch] bench/core/*.[ch])
PYTHON_DIRS = src tests bench docs cmake examples
CYTHON_FILES = $(wildcard src/core/*.pyx src/core/*.px[di])
# Directories count as sources, too: their time changes when a module is added to or removed from the package.
SOURCES = pyproject.toml CMakeLists.txt $(wildcard cmake/* */core/CMakeLists.txt) $(C_FILES) $(CYTHON_FILES) \
	$(shell find src/symcf -type d -not -name __pycache__ 2>/dev/null)

help:           ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# --- set-up: one stamp a step, each redone only when what it read has changed ------------------------------------------

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo 'symcf needs Python 3.11 or newer as "$(PYTHON)"; choose another with: make PYTHON=...' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo 'symcf needs the venv module of "$(PYTHON)" (on Debian: apt install python3-venv)' >&2; exit 1; }
	@command -v $${CC:-cc} >/dev/null || \
		{ echo "symcf needs a C compiler as \"$${CC:-cc}\" (on Debian: apt install gcc libc6-dev), or CC=..." >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# What pyproject.toml lists, so that no requirement is written twice.
# LOCKED=1: the versions of requirements-ci.txt. CONSTRAINTS=...: those of another file of pip's.
CONSTRAINTS ?= $(if $(LOCKED),requirements-ci.txt)
TOOLS ?= x["test"] + x["dev"] + x["docs"]
requirements = $(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); x = p["project"]["optional-dependencies"]; print(*$(1), sep="\n")'

$(VENV)/.build-tools: $(VENV)/.created pyproject.toml
	$(call requirements,p["build-system"]["requires"] + p["project"]["dependencies"]) > $@.txt
	$(BIN)/pip install --quiet -r $@.txt 'cmake>=3.26' ninja $(addprefix -c ,$(CONSTRAINTS))
	@touch $@

# Without isolation, because an isolated build's tools are gone when make wants to build the next change incrementally.
$(VENV)/.installed: $(VENV)/.build-tools $(SOURCES)
	$(BIN)/pip install --quiet --no-build-isolation --editable . -C build-dir=$(BUILD) -C build.targets=_core \
		-C cmake.define.SYMCF_BUILD_TESTS=ON -C cmake.define.SYMCF_BUILD_BENCH=ON
	@touch $@

# The C tests and benchmarks, which `make demo` does not wait for.
# Without MAKEFLAGS: ninja would look for make's job server, which is not passed on, and call that an error.
$(BUILD)/.built: $(VENV)/.installed
	MAKEFLAGS= $(BIN)/cmake --build $(BUILD)
	@touch $@

# Compiled at their first import: most of their modules never are. After the build tools, so that what both need is there and
# this can run while the core is compiled.
$(VENV)/.dev-tools: $(VENV)/.build-tools pyproject.toml
	$(call requirements,$(TOOLS)) > $@.txt
	$(BIN)/pip install --quiet --no-compile -r $@.txt $(addprefix -c ,$(CONSTRAINTS))
	@touch $@

# The versions that the tests last passed with. Only asked for with LOCKED=1, because a lock is right for one version of
# Python and one system, and a fresh machine may have others. No hashes: they differ from wheel to wheel and index to index.
lock: $(VENV)/.dev-tools $(VENV)/.installed     ## write requirements-ci.txt: the installed versions, for LOCKED=1
	@{ echo "# Written by make lock with $$($(BIN)/python -V) on $$(uname -sm); used by: make LOCKED=1 test"; \
		$(BIN)/pip freeze --exclude-editable --exclude symcf | grep -E '^[A-Za-z0-9._-]+==[^ ]+$$'; } > requirements-ci.txt

# --- use ---------------------------------------------------------------------------------------------------------------

demo: $(VENV)/.installed                        ## explain the paper's admission example, also on the command line
	@$(BIN)/python -m symcf.demo
	@printf '\n$$ symcf explain docs/examples/admission.json docs/examples/applicants.csv --id name\n'
	@$(BIN)/symcf explain docs/examples/admission.json docs/examples/applicants.csv --id name

# As many at a time as there are processors; pytest, which has workers of its own, comes last.
JOBS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
test:                                           ## everything a change must pass: lint, types, C tests, pytest
	@$(MAKE) -j$(JOBS) $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) lint test-c
	@$(MAKE) test-py

lint: lint-python lint-c lint-words lint-yaml lint-types lint-stubs  ## style, wording and types, changing nothing

lint-python: $(VENV)/.dev-tools
	$(BIN)/ruff check $(PYTHON_DIRS)
	$(BIN)/ruff format --check $(PYTHON_DIRS)

lint-c: $(VENV)/.dev-tools
	$(BIN)/cython-lint $(CYTHON_FILES)
	$(BIN)/clang-format --dry-run -Werror $(C_FILES)

lint-words:
	$(PYTHON) tests/support/wording.py

lint-yaml: $(VENV)/.dev-tools
	$(BIN)/yamllint --strict .github .pre-commit-config.yaml CITATION.cff conda

lint-types: $(VENV)/.dev-tools $(VENV)/.installed
	$(BIN)/mypy

lint-stubs: $(VENV)/.dev-tools $(VENV)/.installed
	$(BIN)/python -m mypy.stubtest --ignore-missing-stub symcf._core

format: $(VENV)/.dev-tools                      ## rewrite Python and C in the house format
	$(BIN)/ruff check --fix-only --quiet $(PYTHON_DIRS)
	$(BIN)/ruff format $(PYTHON_DIRS)
	$(BIN)/clang-format -i $(C_FILES)

test-c: $(BUILD)/.built                         ## C-level tests, assertions on
	$(BIN)/ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure --no-tests=error

test-py: $(VENV)/.dev-tools $(BUILD)/.built     ## pytest
	$(BIN)/python -m pytest -n auto --dist worksteal

test-long: $(VENV)/.dev-tools $(BUILD)/.built   ## the tests that take many seconds each, and those of the tools: minutes
	$(BIN)/python -m pytest -n auto --dist worksteal -m long

# One module or concept each, and a part of the rest: what to run while you work.
test-fast: $(VENV)/.dev-tools $(VENV)/.installed  ## the unit tests and a part of the others: minutes
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow and not long and not clock and not exhaustive and not fuzz' $(FAST)
FAST = tests/unit tests/property/test_capabilities.py tests/integration/test_from_model.py tests/e2e/test_cli_why.py

# The floors are targets; a run that falls short says by how much.
COVERAGE_PYTHON ?= 92
COVERAGE_C ?= 95
coverage-python: $(VENV)/.dev-tools $(BUILD)/.built  ## lines of Python that the tests run, in percent: many minutes
	@rm -rf build/coverage/python && mkdir -p build/coverage/python
	$(BIN)/python -m coverage run -m pytest -q -n auto --dist worksteal --timeout 1200 $(TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --fail-under $(COVERAGE_PYTHON)

coverage-c: $(VENV)/.build-tools                ## lines of C that the C tests run, in percent: minutes
	$(BIN)/cmake -S . -B build/coverage/c -G Ninja -DCMAKE_BUILD_TYPE=None -DSYMCF_BUILD_TESTS=ON \
		'-DCMAKE_C_FLAGS=-O1 -g --coverage -fprofile-update=atomic -Wno-maybe-uninitialized'
	$(BIN)/cmake --build build/coverage/c
	@find build/coverage/c -name '*.gcda' -delete
	@set -e; for test in build/coverage/c/tests/core/test_*; do [ ! -f "$$test" ] || [ ! -x "$$test" ] || "$$test" > /dev/null; done
	$(BIN)/python tests/drivers/coverage_c.py --floor $(COVERAGE_C) build/coverage/c

# Each in an environment and a build tree of its own, below build/matrix, which stay for the next time.
MATRIX ?= 3.11 3.12 3.13 oldest
test-matrix:                                    ## pytest on each Python, and with the oldest dependencies: MATRIX="3.13 oldest"
	@.ci/test-matrix $(MATRIX)

# README and tutorial, and models of every kind, with what pip installs there today.
NEWEST = $(lastword $(foreach version,3.11 3.12 3.13,$(if $(shell .ci/python $(version)),$(version))))
test-newest: $(VENV)/.created                   ## the essential tests on the newest Python that is installed
	@if $(BIN)/python -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != "$(NEWEST)")'; then \
		echo 'make test-newest: this machine has no Python newer than $(NEWEST), which `make test` has used'; \
	else .ci/test-matrix --essential $(NEWEST); fi

# What `make test-newest` runs in the environment that it made.
test-essential: $(VENV)/.dev-tools $(VENV)/.installed
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not clock and not exhaustive and not fuzz' $(ESSENTIAL)
ESSENTIAL = tests/e2e/test_readme.py tests/integration/test_zoo.py tests/integration/test_boosted_libraries.py tests/integration/test_from_model.py \
	'tests/e2e/test_docs.py::test_code_prints_what_the_page_shows[docs/tutorial.md]'

# zig, which brings the headers of other systems, in an environment of its own below build/.
test-platforms: $(VENV)/.build-tools            ## the C core for ARM Linux, Windows and macOS; C tests by qemu and wine
	@PYTHON="$(PYTHON)" .ci/test-platforms

test-clock: $(VENV)/.dev-tools $(VENV)/.installed  ## tests that look at how long something takes; for an idle machine
	$(BIN)/python -m pytest -m clock

exhaustive: $(VENV)/.dev-tools $(VENV)/.installed  ## all Boolean functions of 4 variables, on all engines: minutes
	$(BIN)/python -m pytest -m exhaustive --timeout 3600

fuzz: $(VENV)/.dev-tools $(VENV)/.installed     ## ten thousand damaged files through the command line: minutes
	$(BIN)/python -m pytest tests/property/test_cli_fuzz.py -m fuzz -rP --timeout 3600

# For everything random: how long, and which; COUNT=... for targets that count instead. `make torture` leaves scripts of its
# failures in build/torture.
MINUTES ?= 10
SEED ?= 0
torture: $(VENV)/.dev-tools $(VENV)/.installed  ## random sequences of calls against brute force, MINUTES=10 SEED=0
	$(BIN)/python tests/torture --minutes $(MINUTES) --seed $(SEED)

questions: $(VENV)/.dev-tools $(VENV)/.installed  ## random questions with every option to models of every kind, COUNT=10000 SEED=0
	$(BIN)/python tests/drivers/questions.py --count $(or $(COUNT),10000) --seed $(SEED)

# The property tests of `make test`, which tries the same examples every time, with COUNT others: seeds SEED, SEED + 1, ...
property: $(VENV)/.dev-tools $(VENV)/.installed  ## the property tests with random examples, COUNT=10 SEED=0: minutes
	@failed=; for seed in $$(seq $(SEED) $$(($(SEED) + $(or $(COUNT),10) - 1))); do \
		echo "== make property COUNT=1 SEED=$$seed"; \
		$(BIN)/python -m pytest -q -n auto --dist worksteal -m hypothesis --hypothesis-profile=random --hypothesis-seed=$$seed \
			$$(grep -lE '^(from|import) hypothesis' tests/*/test_*.py) || failed="$$failed $$seed"; \
	done; [ -z "$$failed" ] || { echo "failed with SEED:$$failed" >&2; exit 1; }

# dddmp's files permit academic use only, so they are not in this repository and nothing else builds them (THIRD_PARTY.md).
test-dddmp: $(VENV)/.dev-tools $(VENV)/.installed  ## files and clauses against CUDD's dddmp, DDDMP_SOURCE=cudd-3.0.0/dddmp
	$(BIN)/cmake -S . -B build/dddmp -G Ninja -DCMAKE_BUILD_TYPE=Release -DSYMCF_TEST_DDDMP=ON "-DDDDMP_SOURCE=$(abspath $(DDDMP_SOURCE))"
	$(BIN)/cmake --build build/dddmp --target dddmp_check
	DDDMP_CHECK=$(abspath build/dddmp/tests/dddmp/dddmp_check) $(BIN)/python -m pytest tests/integration/test_dddmp.py -rs

# In an environment of its own, since both bring hundreds of megabytes. Spark needs Java; without it its test is skipped.
test-spark-ray:                                 ## the recipes of docs/scaling.md with Spark and Ray installed: minutes
	$(PYTHON) -m venv build/spark-ray
	build/spark-ray/bin/pip install --quiet '.[arrow,pandas]' pyspark 'ray[data]' pytest pytest-timeout hypothesis setuptools
	build/spark-ray/bin/python -m pytest tests/integration/test_spark.py tests/integration/test_ray.py -rs --timeout 600

# A fault at a time, in a copy: 60 of them in Python, then 25 in C, or COUNT=... of each. An hour.
mutate: $(VENV)/.dev-tools $(VENV)/.installed   ## plant small faults and see which no test notices, COUNT=60,25 SEED=0
	$(BIN)/python tests/drivers/mutate.py --count $(or $(COUNT),60) --seed $(SEED)
	$(BIN)/python tests/drivers/mutate.py --count $(or $(COUNT),25) --seed $(SEED) --c

# The readers, guided by coverage; `make fuzz` is for the command line as a whole.
fuzz-coverage: $(VENV)/.dev-tools $(VENV)/.installed  ## damaged inputs for everything that reads, MINUTES=10 SEED=0
	$(BIN)/python tests/drivers/fuzz.py --minutes $(MINUTES) --seed $(SEED)

sanitize: $(VENV)/.build-tools                  ## C-level tests under AddressSanitizer and UBSan
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSYMCF_BUILD_TESTS=ON -DSYMCF_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure --no-tests=error

# The C code that several threads call: batches, budgets, and the memory that batches leave to each other.
sanitize-threads: $(VENV)/.build-tools          ## C-level tests with threads under ThreadSanitizer
	$(BIN)/cmake -S . -B build/threads -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSYMCF_BUILD_TESTS=ON -DSYMCF_SANITIZE=threads
	$(BIN)/cmake --build build/threads --target test_batch test_batch_limits test_budget test_growing_map
	TSAN_OPTIONS=halt_on_error=1 $(BIN)/ctest --test-dir build/threads -R '^test_(batch|batch_limits|budget|growing_map)$$' --output-on-failure --no-tests=error

# An extension of its own, in a tree of its own, found before the installed one. ASan has to be there before Python; what Python
# itself does not free at its end is no leak of ours (`make faults` counts those). A worker that crashes leaves
# build/sanitize-python/report.*. Without the tests of browsers, clusters and
# documentation, which start processes by the hundred; without those that limit the address space, which ASan fills.
SANITIZED = build/sanitize-python
sanitize-python: $(VENV)/.dev-tools $(VENV)/.build-tools  ## the Python suite under AddressSanitizer and UBSan: many minutes
	$(BIN)/pip install --quiet --no-build-isolation --no-deps --upgrade --target $(SANITIZED)/site . \
		-C build-dir=$(SANITIZED)/build -C cmake.build-type=RelWithDebInfo -C cmake.define.SYMCF_SANITIZE=ON -C install.strip=false
	@echo 'import sys; sys.meta_path = [f for f in sys.meta_path if type(f).__name__ != "ScikitBuildRedirectingFinder"]' \
		> $(SANITIZED)/site/sitecustomize.py  # the finder of the editable install, which comes before all paths
	LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so) $$($${CC:-cc} -print-file-name=libubsan.so)" PYTHONPATH=$(abspath $(SANITIZED)/site) \
		PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:log_path=$(abspath $(SANITIZED))/report UBSAN_OPTIONS=print_stacktrace=1 \
		sh -c '$(BIN)/python -c "from symcf import _core; assert \"$(SANITIZED)\" in _core.__file__, _core.__file__" && exec "$$@"' - \
		$(BIN)/python -m pytest -n auto --dist worksteal --timeout 1200 -p no:cacheprovider $(addprefix --ignore=tests/,$(NOT_SANITIZED)) $(TESTS)
NOT_SANITIZED = e2e/test_build.py e2e/test_cli.py e2e/test_cli_data.py e2e/test_cli_process.py e2e/test_docs.py e2e/test_faults.py e2e/test_readme.py e2e/test_report.py integration/test_dask.py integration/test_jobs.py integration/test_ray.py integration/test_spark.py property/test_cli_fuzz.py

faults: $(BUILD)/.built                         ## allocations fail, one at a time, in calls from Python, COUNT=10000 SEED=0: minutes
	$(BIN)/python tests/drivers/faults.py --count $(or $(COUNT),10000) --seed $(SEED)

valgrind: $(BUILD)/.built                       ## C-level tests under valgrind, a leak is a failure
	@command -v valgrind >/dev/null || { echo 'make valgrind needs valgrind' >&2; exit 1; }
	@set -e; for test in $(BUILD)/tests/core/test_*; do \
		[ -x "$$test" ] || continue; echo "$$test"; \
		valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=1 "$$test"; \
	done

# What README and pages show, in one go: 25 minutes on an idle machine; continues where it stopped. QUICK=1 tries every program.
bench-docs: $(VENV)/.dev-tools $(BUILD)/.built  ## measure everything that README and pages show, QUICK=1 to try it
	$(BIN)/python bench/all.py $(if $(QUICK),--quick)

# With ARTEFACTS=dir also the published models and logs that lie there (bench/published/README.md).
bench-published: $(VENV)/.dev-tools $(VENV)/.installed  ## symcf beside published artefacts, or models in their formats: ARTEFACTS=dir
	$(BIN)/python bench/published/all.py $(if $(ARTEFACTS),--artefacts $(ARTEFACTS))

# Each file says what it measures, prints a table and writes bench/results/*.json.
BENCHES = kernels sat
bench: bench-docs                               ## all benchmarks, C level and Python: an hour
	@set -e; for bench in $(BENCHES); do echo "== bench/$$bench.py"; $(BIN)/python bench/$$bench.py; done

figures: $(VENV)/.dev-tools $(VENV)/.installed  ## redraw docs/*.svg and docs/images
	$(BIN)/python docs/figures.py
	$(BIN)/python docs/plots.py
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/screenshots.py  # needs chromium and chromium-driver

docs: $(VENV)/.dev-tools $(VENV)/.installed     ## the site, in build/docs
	$(BIN)/sphinx-build -W --keep-going -q docs build/docs
	@echo 'open build/docs/index.html'

docs-write: $(VENV)/.dev-tools $(VENV)/.installed  ## write what the code in pages and notebooks prints now into them
	$(BIN)/python docs/results.py --write
	$(BIN)/python docs/capabilities.py --write
	$(BIN)/python docs/what_is_read.py --write
	$(BIN)/python docs/blocks.py --write

# Through the sdist, so that a file missing from it is noticed. auditwheel finds the oldest system that the wheel runs on and names it
# in the file's name. Then the demo in empty environments, where no compiler can be found, by each Python that the wheel is for.
# By its version, since an index may have another.
WHEEL_PYTHONS ?= $(PYTHON)
VERSION = $(shell $(BIN)/python -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
wheel: $(VENV)/.dev-tools                       ## build dist/*.whl for manylinux with its bill of materials, and run the demo from it
	@rm -rf dist build/wheel build/wheel-venv
	$(BIN)/python -m build --sdist --outdir build/wheel
	for python in $(WHEEL_PYTHONS); do \
		rm -rf build/wheel-venv && $$python -m venv build/wheel-venv && \
		build/wheel-venv/bin/pip wheel --quiet --no-deps --wheel-dir build/wheel build/wheel/*.tar.gz || exit 1; \
	done
	@mkdir -p dist && cp build/wheel/*.tar.gz dist
	if [ "$$(uname)" = Linux ]; then $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl; else cp build/wheel/*.whl dist; fi
	for wheel in dist/*.whl; do $(BIN)/python cmake/sbom.py $$wheel || exit 1; done
	for python in $(WHEEL_PYTHONS); do \
		rm -rf build/wheel-venv && $$python -m venv build/wheel-venv && \
		build/wheel-venv/bin/pip install --quiet --only-binary :all: --find-links dist symcf==$(VERSION) && \
		(cd build && env PATH="$(abspath build/wheel-venv/bin)" python -m symcf.demo && \
		env PATH="$(abspath build/wheel-venv/bin)" symcf --version | grep -F '$(VERSION)') || exit 1; \
	done

# All that a release needs but the upload: the versions agree, nothing is uncommitted, all tests and sanitizers pass, the site builds
# without a warning, the figures have their origins, and the wheel of an sdist works in an empty environment.
release-check: $(VENV)/.dev-tools               ## everything that a release must pass: an hour
	$(BIN)/python .ci/release.py
	$(MAKE) test
	$(MAKE) sanitize sanitize-threads test-platforms docs
	$(MAKE) wheel
	$(BIN)/python bench/check_provenance.py
	@echo 'ready: tag v$(VERSION), and upload dist/*.tar.gz and dist/*.whl'

clean:          ## remove what was built; keep .venv
	rm -rf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache $(VENV)/.installed
	find src tests bench -name __pycache__ -prune -exec rm -rf {} +

distclean: clean  ## remove .venv, too
	rm -rf $(VENV)
