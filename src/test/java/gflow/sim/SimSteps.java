package gflow.sim;

import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.Step;
import gflow.job.StepId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parents of steps on the simulated machine: processes inside attempts that ask for a part, run
 * something on it, and end. They end with their attempt, and outlive the daemons.
 */
public final class SimSteps {
  private static final int TERM = 15;
  private static final int KILL = 9;

  private final Agenda agenda;
  private final Random random;
  private final TreeMap<Long, SimParent> parents = new TreeMap<>();
  private long lastPid = 1000;

  /** One process that asks for a step; {@code step} once it was told which one it has. */
  public static final class SimParent {
    public final AttemptId attempt;
    public final Step.Parent process;
    public final boolean stubborn;
    @Nullable Step step;
    boolean alive = true;
    Optional<Exit> exit = Optional.empty();
    Optional<Instant> termAt = Optional.empty();
    @Nullable Instant grantedAt;

    private SimParent(AttemptId attempt, Step.Parent process, boolean stubborn) {
      this.attempt = attempt;
      this.process = process;
      this.stubborn = stubborn;
    }

    public boolean alive() {
      return alive;
    }

    public Optional<Step> step() {
      return Optional.ofNullable(step);
    }

    public Duration ranFor(Instant now) {
      return grantedAt == null ? Duration.ZERO : Duration.between(grantedAt, now);
    }

    /** What its record says; one that was killed has written none. */
    Exit said() {
      return exit.orElse(Exit.signal(KILL));
    }
  }

  SimSteps(Agenda agenda, Random random) {
    this.agenda = agenda;
    this.random = random;
  }

  public SimParent fork(AttemptId attempt) {
    long pid = ++lastPid;
    var parent = new SimParent(attempt, new Step.Parent(pid, pid * 7), random.nextInt(6) == 0);
    parents.put(pid, parent);
    return parent;
  }

  Optional<SimParent> find(Step.Parent process) {
    return Optional.ofNullable(parents.get(process.pid()));
  }

  public Collection<SimParent> alive() {
    return parents.values().stream().filter(SimParent::alive).toList();
  }

  /** It was told that it may run: nobody else has what is its own. */
  public void granted(SimParent parent, Step step) {
    if (parent.step != null || !parent.alive()) {
      return;
    }
    parent.step = step;
    parent.grantedAt = agenda.steady();
    agenda.note("step " + step.id() + " runs on " + step.share().gpus().size() + " GPUs");
    StepLaws.apart(running(step.id().attempt()));
    agenda.in(Duration.ofMillis(random.nextInt(12_000)), () -> end(parent, anyExit()));
  }

  private List<Step> running(AttemptId attempt) {
    var running = new ArrayList<Step>();
    for (SimParent parent : alive()) {
      if (parent.attempt.equals(attempt)) {
        parent.step().ifPresent(running::add);
      }
    }
    return running;
  }

  private Exit anyExit() {
    return random.nextInt(3) == 0 ? Exit.code(1 + random.nextInt(100)) : Exit.OK;
  }

  private void end(SimParent parent, Exit exit) {
    if (parent.alive) {
      parent.exit = Optional.of(exit);
      die(parent);
    }
  }

  /** Also of one that gives up while it waits. */
  public void die(SimParent parent) {
    if (parent.alive) {
      parent.alive = false;
      gone.run(parent);
    }
  }

  /** All that runs in an attempt ends with it. */
  void attemptGone(AttemptId id) {
    alive().stream().filter(p -> p.attempt.equals(id)).forEach(this::die);
  }

  void signal(Step step, int signal, Instant now) {
    Optional<SimParent> found = find(step.parent()).filter(SimParent::alive);
    if (found.isEmpty()) {
      return;
    }
    SimParent parent = found.get();
    if (signal == KILL) {
      StepLaws.killed(parent, now);
      die(parent);
    } else if (signal == TERM) {
      parent.termAt = Optional.of(parent.termAt.orElse(now));
      if (!parent.stubborn) {
        agenda.in(Duration.ofMillis(random.nextInt(2000)), () -> end(parent, Exit.signal(TERM)));
      }
    }
  }

  // ---- who hears of ends ----

  /** Whoever watches processes now. */
  interface Gone {
    void run(SimParent parent);
  }

  private Gone gone = _ -> {};

  void watchedBy(Gone watch) {
    gone = watch;
  }

  /** How a step ended, if its parent is gone. */
  Optional<Step.End> end(StepId id, Step.Parent process) {
    return find(process).filter(p -> !p.alive).map(p -> new Step.End(p.said(), agenda.instant()));
  }
}
