package gflow.sim;

import gflow.job.AttemptId;
import gflow.job.Engine;
import gflow.job.EngineContract;
import gflow.job.Exit;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.Where;
import gflow.sim.SimProcess.Behaviour;
import gflow.sim.SimProcess.Leftover;
import gflow.sim.SimSteps.SimParent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Nested;

/**
 * The simulated engine does what the real one does: otherwise what the simulation proves would be
 * about another program. Here nothing happens by chance.
 */
class SimEngineContractTest extends EngineContract {
  @Override
  protected Machine machine() {
    return new CalmMachine(new Where.Here("boot-1"));
  }

  /** The same with a queue of its own, as a cluster has one. */
  @Nested
  class WithAQueue extends EngineContract {
    @Override
    protected Machine machine() {
      return new CalmMachine(new Where.There("cluster", ""));
    }
  }

  /** Chance never brings what is rare. */
  private static final class Calm extends Random {
    private static final long serialVersionUID = 1;

    @Override
    public int nextInt(int bound) {
      return bound - 1;
    }
  }

  private static final class CalmMachine implements EngineContract.Machine {
    private static final Duration LONG = Duration.ofDays(1);

    private final Agenda agenda = new Agenda();
    private final SimMachine machine =
        new SimMachine(
            agenda,
            new Calm(),
            new MachineLaws(List.of(), Ranges.firstN(4), 1L << 40, Duration.ZERO));
    private final Map<Step.Parent, SimParent> parents = new HashMap<>();
    private final Where where;

    CalmMachine(Where where) {
      this.where = where;
    }

    @Override
    public Engine connect(Engine.Listener listener) {
      return machine.connect(listener);
    }

    @Override
    public void disconnect() {
      machine.disconnect();
    }

    @Override
    public void await(String what, BooleanSupplier isSo) {
      Instant end = agenda.steady().plus(Duration.ofMinutes(10));
      while (!isSo.getAsBoolean()) {
        if (agenda.next().filter(at -> at.isBefore(end)).isEmpty()) {
          throw new AssertionError("it never comes: " + what + "\n" + agenda.log());
        }
        agenda.runNext();
      }
    }

    @Override
    public JobSpec job(AttemptId id, Does what) {
      Duration soon = Duration.ofMillis(50);
      machine.does(
          id,
          switch (what) {
            case ENDS_WELL -> ends(soon, Exit.OK, Leftover.NONE);
            case ENDS_WITH_3 -> ends(soon, Exit.code(3), Leftover.NONE);
            case IS_KILLED -> ends(soon, Exit.signal(9), Leftover.NONE);
            case RUNS -> ends(LONG, Exit.OK, Leftover.NONE);
            case IS_STUBBORN ->
                new Behaviour(LONG, Exit.OK, true, Leftover.NONE, false, false, false);
            case LEAVES_ANOTHER -> ends(soon, Exit.OK, Leftover.POLITE);
          });
      return new RandomJobs(new Random(1)).spec(new ArrayList<>(), agenda.instant());
    }

    private static Behaviour ends(Duration after, Exit exit, Leftover leftover) {
      return new Behaviour(after, exit, false, leftover, false, false, false);
    }

    @Override
    public Where where() {
      return where;
    }

    @Override
    public int begun(AttemptId id) {
      return machine.laws().ran(id) ? 1 : 0;
    }

    @Override
    public boolean isLeft(AttemptId id) {
      return machine.process(id).filter(SimProcess::alive).isPresent();
    }

    @Override
    public int signals(AttemptId id, int signal) {
      return machine.process(id).map(p -> Collections.frequency(p.signals, signal)).orElse(0);
    }

    @Override
    public Step.Parent fork(AttemptId id) {
      SimParent parent = machine.steps().fork(id);
      parents.put(parent.process, parent);
      return parent.process;
    }

    @Override
    public void end(Step.Parent parent) {
      machine.steps().die(parents.get(parent));
    }

    @Override
    public void failOnce(int k) {
      machine.failOnce(k);
    }

    @Override
    public void close() {}
  }
}
