package gflow.daemon.core;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ContainedBugs;
import gflow.daemon.Daemon;
import gflow.daemon.Specs;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Exit;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Terms;
import gflow.job.Ranges;
import gflow.job.TaskEvent;
import gflow.job.TaskState.Exited;
import gflow.job.Usage;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** People set the machine's clock; what runs must not notice. */
class ClocksTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration UP = Duration.ofDays(3);

  private final MemoryStore store = new MemoryStore();
  private volatile Instant wall = Specs.T0;
  private volatile Duration boot = UP;
  private final BlockingDeque<Effect> effects = new LinkedBlockingDeque<>();
  private @Nullable Core core;
  private final Clocks clocks = new Clocks(() -> wall, () -> boot);

  /** A daemon as {@link Daemon} builds it, turned by hand. */
  private Loop start() {
    var loaded = store.load();
    var ledger = new Ledger(store.history());
    Optional<Instant> kept = Clocks.kept(loaded.settings(), "boot");
    new Recovery().fill(ledger, loaded, Specs.grace(GRACE), clocks.nowBy(kept));
    var stock = new Inventory.Stock(List.of(), true, Ranges.firstN(4), 1L << 36, 0, "boot");
    var inventory = new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
    core = new Core(ledger, inventory, Specs.grace(GRACE), Routing.HERE, loaded.nextId());
    core.clockWas(kept);
    var hooks = new Loop.Hooks(effects::add, (c, turn) -> {}, _ -> {}, broken -> {});
    return new Loop(
        new TurnRunner(core, store, CommitHooks.NONE, new ContainedBugs(line -> {})),
        clocks,
        hooks);
  }

  /** Time goes by, by every clock. */
  private void after(Duration time) {
    wall = wall.plus(time);
    boot = boot.plus(time);
  }

  private Job submit(Loop loop, JobSpec spec) throws Exception {
    var blob = spec.scene().environment();
    store.commit(List.of(new Change.PutBlob(blob, "A=1".getBytes(StandardCharsets.UTF_8))));
    var job = new LinkedBlockingQueue<Job>();
    loop.turn(
        Optional.of(
            new LoopWork.Ask<>(
                (core, now) -> {
                  Job submitted = core.submit(spec, now);
                  job.add(submitted);
                  return submitted;
                })));
    return job.remove();
  }

  /** Two hours on no GPU. */
  private static JobSpec limited() {
    return Specs.gpus(0);
  }

  private void turn(Loop loop) {
    loop.turn(Optional.empty());
  }

  private long terminated() {
    return effects.stream().filter(e -> e instanceof Effect.Terminate).count();
  }

  @Test
  void a_clock_set_on_or_back_ends_nothing_early_and_nothing_late() throws Exception {
    for (Duration by : List.of(HOUR, HOUR.negated(), HOUR.multipliedBy(5))) {
      effects.clear();
      Loop loop = start();
      submit(loop, limited());
      after(Duration.ofMinutes(119));
      wall = wall.plus(by);

      turn(loop);
      assertThat(terminated()).as("early by %s", by).isZero();
      after(Duration.ofMinutes(1));
      turn(loop);
      assertThat(terminated()).as("late by %s", by).isOne();
      after(GRACE);
      turn(loop);
      assertThat(effects).last().isInstanceOf(Effect.Kill.class);
      end(loop);
    }
  }

  private void end(Loop loop) {
    Effect.Launch launch =
        (Effect.Launch) effects.stream().filter(e -> e instanceof Effect.Launch).findAny().get();
    var exited = new Exited(Exit.signal(9), Usage.UNKNOWN, false, wall);
    loop.happened(launch.attempt(), new TaskEvent.ProgramEnded(exited, true));
    turn(loop);
  }

  @Test
  void what_the_clock_did_while_no_daemon_was_there_counts_as_little() throws Exception {
    Job job = submit(start(), limited());
    after(Duration.ofMinutes(60));
    wall = wall.minus(HOUR);

    Loop next = start();
    turn(next);
    after(Duration.ofMinutes(59));
    turn(next);
    assertThat(terminated()).isZero();
    after(Duration.ofMinutes(1));
    turn(next);
    assertThat(terminated()).isOne();

    // And the grace of what was being ended.
    wall = wall.plus(HOUR);
    next = start();
    turn(next);
    after(GRACE.minusSeconds(1));
    turn(next);
    assertThat(effects).noneMatch(e -> e instanceof Effect.Kill);
    after(Duration.ofSeconds(1));
    turn(next);
    assertThat(effects).last().isEqualTo(new Effect.Kill(new AttemptId(job.task(0), 1)));
  }

  @Test
  void a_clock_that_was_set_is_committed_at_once_or_tried_again() throws Exception {
    Loop loop = start();
    Job job = submit(loop, limited());
    wall = wall.plus(HOUR);
    store.disk().full(true);

    turn(loop);
    assertThat(started(store.load().jobs().getFirst())).isEqualTo(Specs.T0);
    store.disk().full(false);
    turn(loop);

    Instant shifted = Specs.T0.plus(HOUR);
    assertThat(started(store.load().jobs().getFirst())).isEqualTo(shifted);
    assertThat(started(requireNonNull(core).ledger().job(job.id()).orElseThrow()))
        .isEqualTo(shifted);
    assertThat(loop.isClockSet()).isFalse();
  }

  @Test
  void a_begin_time_that_has_come_by_a_clock_that_was_set_is_served_while_nothing_happens()
      throws Exception {
    JobSpec spec = limited();
    var terms = spec.terms();
    var later =
        new Terms(
            terms.priority(),
            terms.timeLimit(),
            Optional.of(wall.plus(HOUR)),
            false,
            terms.dependencies(),
            0,
            Terms.USUAL);
    Loop loop = start();
    submit(loop, spec.withTerms(later));
    assertThat(effects).isEmpty();
    try (loop) {
      loop.start();
      awaitSleep();
      wall = wall.plus(HOUR);
      assertThat(effects.poll(60, TimeUnit.SECONDS)).isInstanceOf(Effect.Launch.class);
    }
  }

  /** Until the loop waits for something to happen. */
  private static void awaitSleep() {
    while (Thread.getAllStackTraces().keySet().stream()
        .noneMatch(
            t -> t.getName().equals("gflow-loop") && t.getState() == Thread.State.TIMED_WAITING)) {
      Thread.onSpinWait();
    }
  }

  private static Instant started(Job job) {
    return Attempt.of(job.live().get(0)).orElseThrow().startedAt();
  }
}
