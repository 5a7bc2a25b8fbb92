# Thin names over Maven and the launcher.
.DEFAULT_GOAL := help
.PHONY: help check test sim fuzz kills crashes storm golden same record bench programs dist fmt

help: ## show this
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

check: ## everything that must hold: what .ci/run runs first
	mvn -B verify

test: ## unit tests; T=PlannerTest for some of them
	mvn -q -B test $(if $(T),-Dtest='$(T)')

sim: ## the simulation; SEEDS=5000 for a long one
	mvn -q -B test -Dtest=SimulationTest -Dsim.seeds=$(or $(SEEDS),200) $(if $(SEEDS),-Dlong.run=true)

fuzz: ## wrong requests and command lines; N=1000000 SEED=7 for a long one
	mvn -q -B test -Dtest=FuzzTest -Dlong.run=true \
	  -Dfuzz.n=$(or $(N),20000) -Dfuzz.seed=$(or $(SEED),1)

kills: ## maps of gmap, killed at random and resumed; SEED=83 SEEDS=1 for one of them
	target/gflow/jre/bin/java -cp target/test-classes:target/classes gflow.e2e.KilledMaps \
	  $(or $(SEED),0) $(or $(SEEDS),100)

crashes: ## the daemon killed again and again under every kind of work; KILLS=300 SEED=1
	mvn -q -B verify -Dtest=NoUnitTests -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=CrashIT -Dlong.run=true \
	  -Dcrash.kills=$(or $(KILLS),300) -Dcrash.seed=$(or $(SEED),1)

storm: ## the daemon killed in a storm of tiny tasks; KILLS=300 TASKS=20000 SEED=1
	mvn -q -B verify -Dtest=NoUnitTests -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=StormIT -Dlong.run=true \
	  -Dstorm.kills=$(or $(KILLS),300) -Dstorm.tasks=$(or $(TASKS),20000) -Dstorm.seed=$(or $(SEED),1)

golden: ## write the golden files anew; read the diff
	mvn -q -B test -Dgolden.write=true
	git diff --stat -- src/test/resources/golden

same: ## the cases of src/test/slurm under a real Slurm and under gflow; C="a b" for some of them
	target/gflow/jre/bin/java -cp target/test-classes gflow.same.Live compare $(C)

record: ## write down what a real Slurm answers; C="a b" for some cases; read the diff
	target/gflow/jre/bin/java -cp target/test-classes gflow.same.Live record $(C)
	git diff --stat -- src/test/slurm/answers

bench: ## the table of figures
	bench/run

programs: ## real programs, installed and run under gflow; P="gromacs torch" for some of them
	src/test/programs/run --write $(P)

dist: ## one .tar.gz for machines without JDK and Maven
	./gflow dist

fmt: ## format the Java sources
	mvn -q -B validate dependency:copy@formatter exec:exec@format -Dformat.mode=write
