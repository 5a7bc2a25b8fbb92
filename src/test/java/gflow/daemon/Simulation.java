package gflow.daemon;

import gflow.daemon.SimDaemon.Crash;
import gflow.daemon.SimDaemon.Gpus;
import gflow.daemon.SimDaemon.World;
import gflow.daemon.core.OperatorControls;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.Where;
import gflow.plan.UsageLimits;
import gflow.sim.Agenda;
import gflow.sim.CommitLaws;
import gflow.sim.MachineLaws;
import gflow.sim.RandomJobs;
import gflow.sim.SimMachine;
import gflow.sim.Told;
import gflow.sim.Violation;
import gflow.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * The real core and loop on a simulated machine, through the troubles of one seed: first a time of
 * chaos, then quiet in which everything must come to its end.
 */
final class Simulation {
  private static final Duration CHAOS = Duration.ofMinutes(3);
  private static final Duration PATIENCE = Duration.ofHours(3);
  private static final int MOST_STEPS = 200_000;

  private final Agenda agenda = new Agenda();
  private final Told told = new Told();
  private final Random random;
  private final World world;
  private final Users users;
  private final Trouble trouble;
  private final Runners runners;
  private final StepUsers stepUsers;
  private MemoryStore store = new MemoryStore();
  private Optional<SimDaemon> daemon = Optional.empty();
  private Instant calmSince = agenda.steady();
  private int steps;

  Simulation(long seed) {
    random = new Random(seed);
    var stock = new RandomJobs(random);
    var laws = new MachineLaws(stock.devices(), stock.cpus(), stock.memory());
    var machine = new SimMachine(agenda, random, laws);
    var gpus = new Gpus(new TreeMap<>(), new TreeMap<>());
    world = new World(agenda, random, stock, machine, new CommitLaws(machine, told), gpus);
    users = new Users(world, told);
    trouble = new Trouble(this, world);
    runners = new Runners(world);
    stepUsers = new StepUsers(world);
  }

  /** Returns what happened, line by line. */
  List<String> run() {
    start();
    Instant end = agenda.steady().plus(CHAOS);
    agenda.in(Duration.ZERO, this::somethingHappens);
    agenda.in(Duration.ZERO, this::runnersAct);
    while (agenda.steady().isBefore(end)) {
      step();
    }
    quiet();
    Instant latest = agenda.steady().plus(PATIENCE);
    while (!over()) {
      Violation.unless(agenda.steady().isBefore(latest), () -> "these never end: " + left());
      step();
    }
    atTheEnd();
    return agenda.log();
  }

  List<String> log() {
    return agenda.log();
  }

  private void step() {
    Violation.unless(++steps < MOST_STEPS, "no end in sight");
    Instant wake = daemon.map(SimDaemon::wake).orElse(Instant.MAX);
    Optional<Instant> next = agenda.next();
    try {
      if (next.isPresent() && !next.get().isAfter(wake)) {
        agenda.runNext();
      } else {
        agenda.advance(wake);
        daemon.orElseThrow().turn();
      }
      daemon.ifPresent(this::timeLimits);
    } catch (Crash crash) {
      crash();
    }
  }

  // ---- chaos ----

  private boolean chaos = true;

  private void somethingHappens() {
    if (!chaos) {
      return;
    }
    if (random.nextInt(5) == 0) {
      trouble.happens();
    } else {
      daemon.ifPresent(users::act);
    }
    agenda.in(Duration.ofMillis(random.nextInt(2500)), this::somethingHappens);
  }

  private void runnersAct() {
    daemon.ifPresent(runners::act);
    daemon.ifPresent(d -> stepUsers.act(d, calmSince));
    if (chaos || !over()) {
      agenda.in(Duration.ofMillis(random.nextInt(4000)), this::runnersAct);
    }
  }

  int stepsRan() {
    return stepUsers.ran();
  }

  int lent() {
    return runners.lent();
  }

  Optional<SimDaemon> daemon() {
    return daemon;
  }

  void diskFull(boolean full) {
    agenda.note(full ? "disk full" : "disk has room");
    store.disk().full(full);
    calmSince = agenda.steady().plusSeconds(5);
  }

  void start() {
    if (daemon.isEmpty()) {
      agenda.note("daemon starts");
      daemon = Optional.of(new SimDaemon(world, store));
      calmSince = agenda.steady();
    }
  }

  void crash() {
    daemon.ifPresent(
        d -> {
          agenda.note("daemon dies");
          store = d.die();
          daemon = Optional.empty();
          agenda.in(Duration.ofMillis(random.nextInt(20_000)), this::start);
          if (random.nextInt(8) == 0) {
            world.machine().reboot();
          }
        });
  }

  // ---- quiet ----

  private void quiet() {
    agenda.note("quiet");
    chaos = false;
    diskFull(false);
    agenda.setClock(Duration.ZERO);
    world.gpus().outsiders().clear();
    world.gpus().lost().clear();
    start();
    SimDaemon d = daemon.orElseThrow();
    d.disarm();
    d.lookSoon();
    users.control(d, OperatorControls.none(UsageLimits.NONE));
    agenda.in(Duration.ofSeconds(1), this::letGo);
  }

  /** Releases what is held, and cancels what says that it waits for ever. */
  private void letGo() {
    daemon.ifPresent(
        d -> {
          for (Job job : d.core().ledger().jobs()) {
            users.release(d, job.id(), job.held());
            if (d.core().ledger().parents().never(job.id())
                && !job.spec().terms().dependencies().cancelIfNever()) {
              users.cancel(d, job.id(), job.waiting());
            }
          }
        });
    agenda.in(Duration.ofMinutes(1), this::letGo);
  }

  private boolean over() {
    return daemon
            .map(d -> d.core().ledger().jobs().isEmpty() && d.wake().isAfter(agenda.steady()))
            .orElse(false)
        && world.machine().quiet();
  }

  private String left() {
    var lines = new ArrayList<String>();
    daemon.ifPresent(d -> d.core().ledger().jobs().forEach(job -> lines.add(d.about(job))));
    return String.join("\n", lines);
  }

  private void atTheEnd() {
    Violation.unless(
        store.load().steps().stream().allMatch(s -> s.running().isEmpty()), "steps never end");
    for (JobId id : told.jobs()) {
      Optional<Job> job = world(id);
      Violation.unless(job.isPresent(), "job " + id + " was acknowledged and is lost");
      Job.Tally tally = job.get().tally();
      Violation.unless(
          job.get().over() && tally.ended() == told.tasks(id),
          "not every task of " + id + " has ended: " + tally);
    }
  }

  private Optional<Job> world(JobId id) {
    try {
      return store.history().job(id);
    } catch (gflow.store.Store.StoreException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * In the queue of another engine no time is lost. The news that it began may be long on their
   * way, and if the clock was set meanwhile, the time counts from when they came.
   */
  private Optional<Instant> start(AttemptId id, Attempt attempt) {
    Instant clockSet = agenda.clockSetAt();
    return attempt.where() instanceof Where.There
        ? world
            .machine()
            .begun(id)
            .map(at -> (at.isAfter(clockSet) ? at : clockSet).plusSeconds(30))
        : Optional.of(world.laws().startedAt(id));
  }

  /** Whoever has time to act makes an end of what is over its limit, within the grace time. */
  private void timeLimits(SimDaemon d) {
    Duration slack = SimDaemon.GRACE.multipliedBy(4);
    Instant now = agenda.steady();
    for (var holding : d.core().ledger().holdings()) {
      Job job = d.core().ledger().job(holding.task().job()).orElseThrow();
      Optional<Instant> end =
          Attempt.of(job.state(holding.task().offset()))
              .flatMap(a -> start(new AttemptId(holding.task(), a.number()), a))
              .flatMap(start -> job.spec().terms().timeLimit().map(start::plus));
      Instant known = told.limitSetAt(job.id());
      boolean late =
          end.map(at -> at.isAfter(known) ? at : known)
              .filter(at -> at.plus(slack).isBefore(now))
              .isPresent();
      Violation.unless(
          !late || calmSince.plus(slack).isAfter(now),
          () -> holding.task() + " runs past its limit");
    }
  }
}
