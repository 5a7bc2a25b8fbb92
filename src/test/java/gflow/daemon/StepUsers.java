package gflow.daemon;

import gflow.daemon.SimDaemon.World;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.StepBook;
import gflow.job.Job;
import gflow.job.Step;
import gflow.job.StepRequest;
import gflow.job.StepRequest.Gpus;
import gflow.job.StepRequest.Memory;
import gflow.sim.SimSteps;
import gflow.sim.SimSteps.SimParent;
import gflow.sim.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Programs inside jobs that ask for steps, wait for them, and ask the next daemon again; and people
 * who signal and cancel steps.
 */
final class StepUsers {
  /** So long a daemon may take, through a full disk too. */
  private static final Duration SLACK = SimDaemon.GRACE.multipliedBy(4);

  private static final Duration SOON = Duration.ofSeconds(5);

  private final World world;
  private final Random random;
  private final SimSteps machine;
  private final Map<SimParent, Wanting> wanting = new HashMap<>();
  private int ran;

  /** What a parent wants, of which daemon it has asked it, and since when it could have it. */
  private static final class Wanting {
    final StepBook.Home home;
    final StepBook.Wish wish;
    @Nullable SimDaemon asked;
    @Nullable CompletableFuture<Step> granted;
    Instant since = Instant.MAX;
    boolean refused;

    Wanting(StepBook.Home home, StepBook.Wish wish) {
      this.home = home;
      this.wish = wish;
    }

    /** Then nothing begins in it, and who waits is told at its end. */
    boolean ending(SimDaemon daemon) {
      return daemon
          .core()
          .home(home.id().task().number())
          .filter(now -> now.id().equals(home.id()))
          .isEmpty();
    }
  }

  StepUsers(World world) {
    this.world = world;
    random = world.random();
    machine = world.machine().steps();
  }

  /** A simulation in which no step runs tests nothing. */
  int ran() {
    return ran;
  }

  void act(SimDaemon daemon, Instant calmSince) {
    begin(daemon);
    for (SimParent parent : machine.alive()) {
      Wanting want = wanting.get(parent);
      if (want.refused) {
        machine.die(parent);
      } else if (parent.step().isEmpty()) {
        pursue(daemon, parent, want, calmSince);
      } else {
        inTime(parent, want, calmSince);
        meddle(daemon, parent.step().get());
      }
    }
  }

  private void begin(SimDaemon daemon) {
    for (Job job : List.copyOf(daemon.core().ledger().jobs())) {
      for (int offset : List.copyOf(job.live().keySet())) {
        daemon
            .core()
            .home(job.task(offset).number())
            .filter(home -> world.machine().runs(home.id()) && random.nextInt(4) == 0)
            .ifPresent(this::fork);
      }
    }
  }

  private void fork(StepBook.Home home) {
    SimParent parent = machine.fork(home.id());
    var request =
        new StepRequest(
            1 + random.nextInt(2), 1, random.nextBoolean(), random.nextInt(5) == 0, mem(), gpus());
    Optional<Duration> limit =
        random.nextInt(3) == 0
            ? Optional.of(Duration.ofMillis(1 + random.nextInt(8000)))
            : Optional.empty();
    wanting.put(parent, new Wanting(home, new StepBook.Wish(parent.process, "x", request, limit)));
  }

  private Memory mem() {
    return switch (random.nextInt(3)) {
      case 0 -> new Memory.OfTheJob();
      case 1 -> new Memory.Shared();
      default -> new Memory.Bytes(1 + random.nextLong(1L << 30));
    };
  }

  private Gpus gpus() {
    return switch (random.nextInt(3)) {
      case 0 -> new Gpus.OfTheJob();
      case 1 -> new Gpus.None();
      default -> new Gpus.Count(1, Optional.empty());
    };
  }

  // ---- one that wants a step ----

  private void pursue(SimDaemon daemon, SimParent parent, Wanting want, Instant calmSince) {
    if (want.asked != daemon) {
      want.asked = daemon;
      want.granted = null;
      want.since = Instant.MAX;
      ask(daemon, parent, want);
    } else if (want.granted != null && want.granted.isDone()) {
      hear(parent, want);
    } else if (want.granted != null && random.nextInt(20) == 0) {
      machine.die(parent);
      daemon.tell((core, now) -> core.steps().leave(want.home.id(), want.wish.parent()));
    } else if (want.granted != null) {
      waits(daemon, want, calmSince);
    }
  }

  private void ask(SimDaemon daemon, SimParent parent, Wanting want) {
    daemon.ask(
        (core, now) -> {
          if (want.ending(daemon)) {
            want.refused = true;
            throw new Refusal("not running any more");
          }
          return core.steps().ask(want.home, want.wish, now);
        },
        answer -> {
          switch (answer) {
            case StepBook.Answer.Runs(Step step) -> granted(parent, step);
            case StepBook.Answer.Never _ -> want.refused = true;
            case StepBook.Answer.Waits(var _, var granted) -> want.granted = granted;
          }
        });
  }

  private void hear(SimParent parent, Wanting want) {
    CompletableFuture<Step> granted = want.granted;
    if (granted == null || granted.isCompletedExceptionally()) {
      want.refused = true;
    } else {
      granted(parent, granted.join());
    }
  }

  private void granted(SimParent parent, Step step) {
    ran++;
    machine.granted(parent, step);
  }

  /** Where nothing runs there is nothing to wait for. */
  private void waits(SimDaemon daemon, Wanting want, Instant calmSince) {
    Instant now = world.agenda().steady();
    boolean idle =
        !want.ending(daemon)
            && daemon.core().steps().running().stream()
                .noneMatch(step -> step.id().attempt().equals(want.home.id()));
    want.since = !idle ? Instant.MAX : want.since.isBefore(now) ? want.since : now;
    Violation.unless(
        !idle || later(want.since, calmSince).plus(SOON).isAfter(now),
        () -> want.wish + " waits, and nothing runs in " + want.home.id());
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  // ---- one that has a step ----

  private void inTime(SimParent parent, Wanting want, Instant calmSince) {
    Instant now = world.agenda().steady();
    boolean late =
        want.wish
            .timeLimit()
            .map(limit -> parent.ranFor(now).compareTo(limit.plus(SLACK)) > 0)
            .orElse(false);
    Violation.unless(
        !late || calmSince.plus(SLACK).isAfter(now), () -> parent.process + " runs past its limit");
  }

  private void meddle(SimDaemon daemon, Step step) {
    switch (random.nextInt(30)) {
      case 0 -> onRunning(daemon, step, (book, now, live) -> book.cancel(live, now));
      case 1 ->
          onRunning(
              daemon,
              step,
              (book, now, live) -> {
                book.signal(live, 10);
                return true;
              });
      default -> {}
    }
  }

  private interface Meddling {
    boolean with(StepBook book, Instant now, Step live);
  }

  private void onRunning(SimDaemon daemon, Step step, Meddling meddling) {
    daemon.ask(
        (core, now) ->
            core.steps()
                .running(step.id().attempt().task().number(), step.id().number())
                .map(live -> meddling.with(core.steps(), now, live))
                .orElse(false),
        done -> world.agenda().note("step " + step.id() + " was told: " + done));
  }
}
