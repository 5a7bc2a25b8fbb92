# Thin names over Maven and the launcher.
.DEFAULT_GOAL := help
.PHONY: help check test sim golden bench dist fmt

help: ## show this
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

check: ## everything that must hold: what .ci/run runs first
	mvn -B verify

test: ## unit tests; T=PlannerTest for some of them
	mvn -q -B test $(if $(T),-Dtest='$(T)')

sim: ## the simulation; SEEDS=5000 for a long one
	mvn -q -B test -Dtest=SimulationTest -Dsim.seeds=$(or $(SEEDS),200)

golden: ## write the golden files anew; read the diff
	mvn -q -B test -Dgolden.write=true
	git diff --stat -- src/test/resources/golden

bench: ## the table of figures
	bench/run

dist: ## one .tar.gz for machines without JDK and Maven
	./gflow dist

fmt: ## format the Java sources
	mvn -q -B validate dependency:copy@formatter exec:exec@format -Dformat.mode=write
