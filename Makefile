# Every target does its own set-up in .venv; a fresh clone needs nothing but Python 3.11 and make.
PYTHON ?= python3
BIN := .venv/bin
# One process more than there are processors: a fifth of the time a test waits, for a socket, a kill or a Java machine.
PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(1 + os.cpu_count())')
# Tests that share Spark or a browser run in one process, and begin first.
PARALLEL := -n $(PROCESSES) --dist loadgroup --no-loadscope-reorder

# Tests start hundreds of processes: where Python may write no bytecode, each would compile all of ours again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lowest endurance realweb sanitize flakes lint bench docs java browser clean

demo: .venv/installed
	rm -rf demo
	$(BIN)/corpulyzer demo demo

# The examples in docstrings, then all tests but endurance, in a process per core and one more.
test: lint java browser
	$(BIN)/pytest -q --doctest-modules src/corpulyzer
	$(BIN)/pytest $(PARALLEL)

# Hundreds of kills, memory at tens of thousands of pages, thousands of examples; with SHORT=1 a part of each.
endurance: .venv/installed .venv/wayback java browser
	$(BIN)/pytest --endurance $(if $(SHORT),short,full) $(PARALLEL)

# A crawl of WordPress, MediaWiki and DokuWiki, as Debian packs them, on this machine; prints what it came to.
realweb: .venv/installed
	sh tools/realweb_packages.sh
	$(BIN)/pytest -q -s --endurance full tests/real_web

# Compiled code in a build that stops at the first wrong step in memory or in arithmetic: its tests, and pages that
# nobody wrote for MINUTES. Python's own pools are off, as no sanitizer looks into them; its leaks are not ours.
SANITIZED := .sanitized
MINUTES ?= 3
NATIVE_TESTS := tests/native tests/records tests/text/test_joined.py tests/page/test_edges.py \
  $(addprefix tests/page/extract/, test_links.py test_compiled_walk.py default/test_chances.py) \
  $(addprefix tests/page/identify/, test_scorer.py test_told.py)
UNDER_SANITIZERS = LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc PYTHONPATH=$(CURDIR)/$(SANITIZED)
sanitize: .venv/installed
	rm -rf $(SANITIZED)
	mkdir $(SANITIZED)
	cp -rs $(CURDIR)/src/corpulyzer $(SANITIZED)
	rm -f $(SANITIZED)/corpulyzer/native/*.so
	$(CC) -shared -fPIC -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	  -I$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))') \
	  src/corpulyzer/native/*.c -o $(SANITIZED)/corpulyzer/native/_compiled.so
	$(UNDER_SANITIZERS) $(BIN)/pytest -q -p no:cacheprovider $(NATIVE_TESTS)
	$(UNDER_SANITIZERS) $(BIN)/python tools/fuzz_native.py --minutes $(MINUTES)

# The quick tests again and again, in random orders, four at once, with a busy loop on every core; counts failures.
flakes: .venv/installed java browser
	$(BIN)/python tools/flakes.py $(FLAKES)

lint: .venv/installed
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

# The lowest version of every dependency that pyproject.toml allows, and the tests that use them all.
# Only files with such tests are read: the others ask for packages that are not needed here.
LOWEST := .venv-lowest
lowest: java browser $(LOWEST)/installed
	$(LOWEST)/bin/python -m pip freeze -q --exclude-editable -r $(LOWEST)/lowest.txt | sed '/^## /,$$d'
	$(LOWEST)/bin/python -m pytest -p no:cacheprovider -m smoke $$(grep -rl 'mark.smoke$$' tests --include='*.py')

$(LOWEST)/installed: pyproject.toml setup.py tools/lowest.py $(wildcard src/corpulyzer/*.[ch] src/corpulyzer/*/*.[ch])
	rm -rf $(LOWEST)
	$(PYTHON) -m venv $(LOWEST)
	$(PYTHON) tools/lowest.py annotate fasttext render report spark > $(LOWEST)/lowest.txt
	$(LOWEST)/bin/python -m pip install -q --no-compile -r $(LOWEST)/lowest.txt -e . \
	  fastwarc h2 hypothesis 'moto[s3,server]' psutil pytest pytest-xdist trustme
	@touch $@

bench: .venv/benchmarks
	$(BIN)/python benchmarks/batch.py

docs: .venv/installed
	$(BIN)/mkdocs build --strict

# Spark needs Java 17 or newer; where it is missing and may be installed, Debian's is.
java:
	@command -v java >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -q && apt-get install -q -y default-jre-headless; } \
	  || echo "No Java: tests of the Spark engine will be skipped."

# Pages are opened in a real browser; where there is none and one may be installed, Debian's Chromium is, with fonts
# for the scripts that tests show.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || command -v google-chrome >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -q && apt-get install -q -y chromium fonts-noto-core; } \
	  || echo "No Chromium: tests of the report in a browser will be skipped."

.venv/installed: pyproject.toml setup.py $(wildcard src/corpulyzer/*.[ch] src/corpulyzer/*/*.[ch])
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q -e '.[dev,docs]'
	# Apart from the rest: older pips take the two spellings of an extra of lxml for two packages.
	$(BIN)/python -m pip install -q 'readability-lxml>=0.8.1'
	@touch $@

# pywb brings another `brotli` than ours, so it lives apart.
.venv/wayback: .venv/installed
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install -q pywb || echo "No pywb: its replay of exports will be skipped."
	@touch $@

.venv/benchmarks: .venv/installed
	$(BIN)/python -m pip install -q -e '.[bench]'
	@touch $@

clean:
	rm -rf .venv $(LOWEST) $(SANITIZED) demo site
