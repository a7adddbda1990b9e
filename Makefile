# `make run` and `make test` install what is missing and do all the rest; `make help` lists everything.

SWIFT ?= swift
# The traits are a set without an order, but their order ends up in the compilers' arguments. Always the same order: changed
# arguments would rebuild everything.
BUILD = QUICK_ENGINE=1 SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
# Debug information takes an eighth of the time of the tests' build and a fifth of the program's. DEBUG_INFO= builds with it, for a
# debugger.
DEBUG_INFO ?= -debug-info-format none
# Options of a build to run locally: the command line tool is not optimised. `make package` does not use these options.
PROGRAM = QUICK_BUILD=1 $(BUILD) --disable-index-store -c release $(DEBUG_INFO) --product
SCRIPTS = $(shell find Web Tests Benchmarks Sources Scripts -name "*.js" -o -name "*.mjs")
STYLES = $(shell find Web Sources -name "*.css")
SOURCES := Package.swift Sources Tests Examples Fuzz/Package.swift Fuzz/Sources Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests iOS/App iOS/Simulator
TOOLCHAIN = $(shell Scripts/toolchain)
WITHOUT_BROWSER = $(patsubst %,Tests/Web/%.test.mjs,account/reconnect device/clock engine/allocator engine/cbor engine/rows files/zone-formats history/journey map/right-to-left packs/pack-file page/imports page/router places/city-index words/catalogue words/translate words/wording words/words)
WASM := .build-wasm/wasm32-unknown-none-wasm/release/WebModule.wasm
FILES_WASM := $(dir $(WASM))FileModule.wasm

.PHONY: checks phone-lives unit-simulation unit-store build-all test-all build-tls test-tls kill-test programs package package-test release bench-cluster bench-engine examples-test deploy-check android android-test demo demo-picture map map-tools server-simulation bench bench-build bench-module bench-wasm bench-instructions bench-instructions-keep bench-test end-to-end soak bench-server sanitize help run server page page-test page-speed page-pictures replay simulate test build api-check lint format unit wasm compare fuzz fuzz-smoke docs clean

help: ## this list of targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' Makefile | expand -t 14

run: ## the server, on http://127.0.0.1:8080, data in proximity-data
	@Scripts/install-needs run
	@Scripts/install-needs page
	@$(MAKE) --no-print-directory -j2 page server
	.build/release/proximity serve --page .build-page

# Built in parallel with the page: each keeps one core busy for minutes.
server:
	$(PROGRAM) proximity

demo: map-tools ## a server with a small real city, an account that is signed in, and phones that move through it
	@Scripts/install-needs run
	$(MAKE) --no-print-directory page
	$(PROGRAM) proximity
	@mkdir -p .build-demo
	@Scripts/demo/fetch .build-demo/city.osm.pbf
	Scripts/demo/run.py .build/release/proximity $(DEMO)

# The README's picture.
demo-picture:
	$(MAKE) --no-print-directory demo DEMO="--listen 127.0.0.1:0 --door 0 --then node Scripts/demo/picture.mjs docs/demo.png"

replay: ## replay the bundled walk through the bundled zones; writes report.html
	@Scripts/install-needs run
	$(PROGRAM) proximity
	.build/release/proximity replay Scenarios/walk.gpx --zones Scenarios/zones.pad --report report.html
	@echo "report.html shows the walk, the zones and why each alarm rang."

simulate: ## a simulated phone on scripted days (SIMULATE="TRACK... --zones FILE": along tracks): what each watch policy misses and costs; writes simulation.html
	@Scripts/install-needs run
	$(BUILD) --disable-index-store -c release $(DEBUG_INFO) --product proximity-lab
	.build/release/proximity-lab simulate $(or $(SIMULATE),--seeds 3) --curves --report simulation.html
	@echo "simulation.html sets energy against lateness."

# The stages that `test` and `test-all` share, each with its limit in minutes. With BUILT=1 the existing builds are used as they
# are.
CHECKS = "30 checks"

test: ## the checks for contributors and CI: style, Swift tests, the page in a browser, the program, a killed server
	@Scripts/install-needs test
	@Scripts/stages "5 lint" "45 build-all"
	@BUILT=1 Scripts/stages $(CHECKS) "30 page-test"

# `Scripts/test-rest` runs all tests of the page, in place of `page-test`.
test-all: ## everything, before a release: test, and fuzzing, benchmarks, Android, TLS, several servers, examples of deployment
	@Scripts/install-needs test
	@Scripts/stages "5 lint" "45 build-all"
	@BUILT=1 Scripts/stages $(CHECKS)
	@BUILT=1 Scripts/test-rest

build: ## debug build of the programs and the tests
ifndef BUILT
	$(BUILD) $(DEBUG_INFO) --build-tests
endif

# The debug build and the page are built in parallel: the page's compiler keeps one core busy for minutes.
build-all:
	@Scripts/install-needs page
	@$(MAKE) --no-print-directory -j2 build page

lint: ## the formatters' and linters' opinion, strictly
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	Scripts/check-oracles
	Scripts/check-prose
	Scripts/check-where-to-add
	Android/Tests/first-run/check
	iOS/Simulator/check
	@Scripts/install-needs lint
	@.venv-tests/bin/oxfmt --check $(SCRIPTS) $(STYLES)
	@.venv-tests/bin/oxlint $(SCRIPTS)

format: ## lay the sources out as lint wants them
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)
	@Scripts/install-needs lint
	@.venv-tests/bin/oxfmt $(SCRIPTS) $(STYLES)

# The program that draws maps of streets, in .build-vendor/tools.
map-tools:
	@Scripts/install-needs map
	@Scripts/page/vendor

map: map-tools ## adds extracts of OpenStreetMap to the map of streets and the search: FILES="berlin.osm.pbf ..."
	$(PROGRAM) proximity
	.build/release/proximity import-region $(FILES)

unit: build ## all Swift tests, and the page's scripts without a browser; TESTS=Timeline SEED=7: some of them, with one seed
ifneq ($(TESTS),)
	SEED=$(SEED) Scripts/swift-tests --filter '$(TESTS)'
else
	# In several runs, because all tests of a run begin at once: tests then wait less, and Foundation's `Process` crashes with
	# 1,300 open files.
	Scripts/swift-tests --skip '^(ServerTests|StoreTests|PostgreSQLClientTests)\.'
	Scripts/swift-tests --filter '^ServerTests\.' --skip ServerSimulationTests
	@$(MAKE) --no-print-directory -j2 unit-simulation unit-store
	node --test $(WITHOUT_BROWSER)
endif

# The simulated server uses little more than one core. The tests that wait for disks and for PostgreSQL run in parallel with it.
unit-simulation:
	Scripts/swift-tests --filter ServerSimulationTests
unit-store:
	Scripts/swift-tests --filter '^(StoreTests|PostgreSQLClientTests)\.'

server-simulation: build ## the simulated server for longer than the 40 seeds of `unit`: SEEDS=1000, HOURS=50 of each, SEED=17 one alone
	SIMULATED_SEEDS=$(or $(SEEDS),1000) SIMULATED_HOURS=$(or $(HOURS),50) SEED=$(SEED) TEST_MINUTES=600 \
	  Scripts/swift-tests --filter ServerSimulationTests

phone-lives: build ## lives of the app on simulated phones, for longer than the 20 phones of `unit`: SEEDS=400 phones of some 25 lives, SEED=17 one alone
	SIMULATED_SEEDS=$(or $(SEEDS),400) SEED=$(SEED) TEST_MINUTES=60 Scripts/swift-tests --filter LivesTests

kill-test: build ## kills the server under load for SOAK_SECONDS (20); no acknowledged fix or alarm may be lost or doubled
	Tests/Soak/kill.py .build/debug/proximity --seconds $${SOAK_SECONDS:-20}

soak: build ## kills the server, alone and several on one PostgreSQL, under load for SOAK_SECONDS (60); no acknowledged fix or alarm may be lost or doubled
	Tests/Soak/kill.py .build/debug/proximity --seconds $${SOAK_SECONDS:-60}
	Tests/Soak/places.py .build/debug/proximity
	Tests/Soak/cluster.py .build/debug/proximity --seconds $${SOAK_SECONDS:-60}

bench-server: ## posts/s, latency and memory of the server beside the bare HTTP stack, in turns; BENCH_OPTIONS
	@Scripts/install-needs bench
	$(PROGRAM) proximity
	BENCHMARKS=1 $(PROGRAM) HTTPStack
	Tests/ServerBenchmark/bench.py .build/release/proximity .build/release/HTTPStack $(BENCH_OPTIONS)

bench-cluster: ## 1, 2 and 4 processes on one PostgreSQL beside one with SQLite, in turns, and what larger machines carry; BENCH_OPTIONS
	@Scripts/install-needs bench
	$(PROGRAM) proximity
	Tests/ServerBenchmark/cluster.py .build/release/proximity $(BENCH_OPTIONS)

sanitize: ## the Server and Store tests under ThreadSanitizer, then under AddressSanitizer; builds of their own
	Scripts/sanitize thread
	Scripts/sanitize address

WASM_BUILD = WASM=1 $(BUILD) --scratch-path .build-wasm --triple wasm32-unknown-none-wasm -c release \
	  -Xlinker -L$(TOOLCHAIN)/lib/swift/embedded/wasm32-unknown-none-wasm --product

wasm: ## the engine and the readers of files as WebAssembly
ifndef BUILT
	$(WASM_BUILD) WebModule
	$(WASM_BUILD) FileModule
endif

page: ## the page, in .build-page: the engine, the map, what is kept for use without network; the app's sounds, in .build-sounds
	@Scripts/install-needs page
	$(MAKE) --no-print-directory wasm
	Scripts/build-page $(WASM) $(FILES_WASM)
	node Android/sounds.mjs .build-sounds

page-test: build page ## the page in a real browser; ALL=1: each look, language and browser; SHOTS=1: pictures in .build-page-shots
	@Scripts/install-needs test
	node Tests/Web/with-browsers.mjs node --test --test-concurrency=2 $(filter-out $(WITHOUT_BROWSER),$(wildcard Tests/Web/*/*.test.mjs))

page-speed: build page ## how soon the page is there and answers, on a processor 4 times slower; on a machine that does nothing else
	@Scripts/install-needs test
	ALL=1 SPEED=1 node --test --test-concurrency=1 Tests/Web/page/speed.test.mjs Tests/Web/page/first-load.test.mjs Tests/Web/page/fix.test.mjs

page-pictures: page ## renews the pictures that page-test compares the main screens with, in Tests/Web/pictures: look at them
	RENEW=1 node --test Tests/Web/page/pictures.test.mjs

android: ## the Android application, .build-android/proximity.apk (ABIS="arm64-v8a armeabi-v7a x86_64": for all processors)
	@Scripts/install-needs android
	$(MAKE) --no-print-directory page
	ABIS="$(ABIS)" Scripts/build-android

# Traces and the native engine's results for them, to compare other builds of the engine with. Takes a minute, once per program.
.build/traces.made: .build/debug/TraceRecorder Scenarios/walk.gpx Scenarios/zones.pad
	@rm -rf .build/traces .build/traces-files
	.build/debug/TraceRecorder .build/traces Scenarios/walk.gpx Scenarios/zones.pad
	@touch $@

android-test: android ## the Android application's tests, and its engine on an emulated phone's processor against the native one
ifndef BUILT
	$(BUILD) $(DEBUG_INFO) --product TraceRecorder
endif
	@$(MAKE) --no-print-directory .build/traces.made
	@rm -rf .build-android/traces
	@cp -R .build/traces .build-android/traces
	ABIS="$(ABIS)" Android/Checks/run .build-android/traces
	Android/Tests/run

compare: build wasm ## the same traces and files natively and in WebAssembly: the same bytes
	@$(MAKE) --no-print-directory .build/traces.made
	node Tests/Wasm/replay.mjs $(WASM) .build/traces
	node Tests/Wasm/files.mjs $(FILES_WASM) .build/traces-files

end-to-end: build map-tools ## the program as people run it: alarms by mail and webhook, notices, two processes, commands
	.venv-tests/bin/python Tests/EndToEnd/run.py .build/debug/proximity

# The stories and some Swift tests wait for a part of their time; meanwhile the others run.
checks: ## unit and programs, in parallel
	@BUILT=1 $(MAKE) --no-print-directory -j2 unit programs

programs: build wasm ## end-to-end, kill-test and compare, two at a time
	@BUILT=1 $(MAKE) --no-print-directory -j2 end-to-end kill-test compare

build-tls: ## debug build of the program and the tests of `test-tls`, with TLS inside the server, in .build-tls
	TLS_TESTS=1 $(BUILD) --scratch-path .build-tls --traits Server,PostgreSQL,TLS --build-tests

test-tls: build-tls ## tests of TLS inside the server: its Swift tests, and stories with certificates and mqtts://
	@Scripts/install-needs test
	BUILD_FOLDER=.build-tls Scripts/swift-tests --filter '^(ServerTests|MQTTClientTests)\.' --skip ServerSimulationTests
	.venv-tests/bin/python Tests/EndToEnd/run.py --tls .build-tls/debug/proximity

examples-test: ## the programs in Examples, packages of their own, with their tests
	$(SWIFT) test --package-path Examples/RegionMonitoring --scratch-path .build-examples --disable-xctest

package: ## a Debian package, and a tar for other Linux systems, of the program and the page: .build-packages
	@Scripts/install-needs package
	$(MAKE) --no-print-directory page
	program=$$(Scripts/package/program) && Scripts/package/packages "$$program"

release: ## the files of a release from the tag of its version, in .build-release (TRIAL=1: from any commit)
	Scripts/release $(if $(TRIAL),--trial)

package-test: package ## installs both in small Debian systems of their own, starts, upgrades, removes and purges; as root
	@Scripts/install-needs package-test
	Tests/Package/check.py

deploy-check: ## loads the examples of deploy/ with the programs that they are for (CHECK="caddy nginx": some of them)
	@Scripts/install-needs deploy
	@[ -x .build/debug/proximity ] || $(MAKE) --no-print-directory build
	@[ -f .build-page/index.html ] || $(MAKE) --no-print-directory page
	.venv-tests/bin/python Tests/Deploy/check.py $(CHECK)

api-check: build ## schemathesis tries a server's API against its own description, API_EXAMPLES each (20)
	API_PHASES=$(API_PHASES) API_SECONDS=$(API_SECONDS) Scripts/api-check $${API_EXAMPLES:-20}

fuzz: ## libFuzzer on every parser, FUZZ_SECONDS each (20)
	@Scripts/install-needs test
	Scripts/fuzz $${FUZZ_SECONDS:-20}

fuzz-smoke:
	Scripts/fuzz $${FUZZ_SECONDS:-2}

# Products are named, because a build of everything would need the server's dependencies, which are not resolved here.
bench-build:
	$(BUILD) --package-path Benchmarks --scratch-path .build-bench -c release --product IndexBenchmark
	$(BUILD) --package-path Benchmarks --scratch-path .build-bench -c release --product EngineBenchmark

bench: ## the zone index against S2, GEOS and PostGIS on the same fixes; writes Benchmarks/RESULTS.md (BENCH="--rounds 1 --workload one-zone")
	@Scripts/install-needs bench
	$(MAKE) --no-print-directory bench-build
	Benchmarks/Peers/build .build-bench/peers
	Benchmarks/run $(BENCH)

bench-wasm: bench-build bench-module ## the same points in node through WebAssembly, beside the native index (WORKLOADS="one-zone polygons-10k")
	@Scripts/install-needs bench
	Benchmarks/wasm.mjs $(WORKLOADS)

bench-module:
	WASM=1 $(BUILD) --package-path Benchmarks --scratch-path .build-bench-wasm --triple wasm32-unknown-none-wasm -c release --product IndexModule

bench-engine: bench-build ## the cost of a fix in the whole engine, among no zones and among many; BENCH_OPTIONS
	Benchmarks/engine $(BENCH_OPTIONS)

bench-instructions: bench-build ## instructions of a look-up, compared with Benchmarks/instructions.txt; a growth over 3 % fails
	@Scripts/install-needs bench
	Benchmarks/instructions

bench-instructions-keep: bench-build ## counts the instructions anew and keeps them in Benchmarks/instructions.txt
	@Scripts/install-needs bench
	Benchmarks/instructions --write

bench-test: bench-module ## every workload in small form, and places beside boundaries: the index against the slow witness, also in WebAssembly
	SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) test --package-path Benchmarks --scratch-path .build-bench --disable-xctest
	Benchmarks/wasm.mjs --check one-zone circles-10k long-edges

docs: build ## the libraries' documentation, in .build/docs
	Scripts/docs Geometry AlarmEngine ZoneFormats TrackFormats Formats

clean: ## forget all that was built
	rm -rf .build .build-package .build-packages .build-release .build-wasm .build-tls .build-fuzz .build-bench .build-bench-wasm .build-page .build-page-shots .build-vendor .build-vendor-android .build-android .build-demo report.html simulation.html
