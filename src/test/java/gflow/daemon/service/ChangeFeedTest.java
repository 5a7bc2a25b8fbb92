package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.Authority;
import gflow.api.ChangesView;
import gflow.api.ContainedBugs;
import gflow.api.FollowingScreen;
import gflow.api.SnapshotView;
import gflow.daemon.NoLogs;
import gflow.daemon.Specs;
import gflow.daemon.core.Clocks;
import gflow.daemon.core.CommitHooks;
import gflow.daemon.core.Core;
import gflow.daemon.core.Inventory;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.Ledger;
import gflow.daemon.core.Loop;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.PoisonedRequests;
import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Problems;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.Requests;
import gflow.daemon.core.Routing;
import gflow.daemon.core.TurnRunner;
import gflow.daemon.service.ChangeRing.Thing;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.local.LocalEngine;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ChangeFeedTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Specs.T0);

  @TempDir Path folder;

  private final MemoryStore store = new MemoryStore(new MemoryStore.Disk());
  private ChangeRing ring = new ChangeRing(10_000);
  private final Problems problems =
      new Problems(CLOCK, (p, open) -> ring.changed(List.of(new Thing.OpenProblems()), Specs.T0));
  private final Loop loop = loop();

  private Loop loop() {
    // Nothing starts: what these jobs want is not there.
    var stock = new Inventory.Stock(List.of(), true, Ranges.firstN(4), 1L << 36, 0, "boot");
    var inventory = new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
    var core =
        new Core(
            new Ledger(store.history()), inventory, Specs.grace(Duration.ZERO), Routing.HERE, 100);
    var hooks = new Loop.Hooks(effect -> {}, (c, turn) -> {}, () -> {}, broken -> {});
    var clocks = new Clocks(CLOCK, () -> Duration.ZERO);
    var scheduler = new TurnRunner(core, store, new Committed(), new ContainedBugs(line -> {}));
    return new Loop(scheduler, clocks, hooks);
  }

  private final class Committed implements CommitHooks {
    @Override
    public void before(String what, List<Change> changes) {}

    @Override
    public void after(String what, List<Change> changes) {
      ring.committed(changes, Specs.T0);
    }
  }

  @BeforeEach
  void start() throws Exception {
    var environment = Specs.gpus(1).scene().environment();
    store.commit(List.of(new Change.PutBlob(environment, new byte[0])));
    loop.start();
  }

  @AfterEach
  void stop() {
    loop.close();
  }

  /** With only the parts that are asked here. */
  private Service service() {
    var views = new Views(ZoneOffset.UTC, new NoLogs(), LocalEngine.Binding.NONE);
    var finder = new JobFinder(store.history());
    var context = new ServiceContext(loop, store, views, finder, CLOCK, ZoneOffset.UTC);
    var reading = new Querying(context, new NoLogs(), AnswerLimits.ofThisProcess());
    var operating =
        new Operating(
            context, "h", "simulated", true, List.of(), new ControlsShown(List.of(), List.of()));
    var feed =
        new ChangeFeed(
            context,
            ring,
            reading,
            new Stepping(context, null, "h"),
            operating,
            problems,
            () -> {});
    var requests =
        new Requests(
            new ContainedBugs(line -> {}),
            new PoisonedRequests(folder.resolve("poison"), problems));
    return new Service(
        Specs.ANNA,
        new Service.Parts(
            new Authority(Specs.ANNA),
            requests,
            null,
            null,
            reading,
            null,
            null,
            null,
            operating,
            null,
            feed,
            null));
  }

  private Job submit(gflow.job.JobSpec spec) throws Refusal {
    return loop.ask((core, now) -> core.submit(spec, now));
  }

  private void hold(Job job, int first, int last) throws Refusal {
    loop.ask(
        (core, now) -> {
          core.hold(core.ledger().job(job.id()).orElseThrow(), Ranges.of(first, last), now);
          return now;
        });
  }

  private void cancel(Job job) throws Refusal {
    loop.ask(
        (core, now) -> core.cancel(job, Ranges.firstN(job.spec().tasks().count()), "anna", now));
  }

  private String fresh() {
    var screen = new FollowingScreen(this::service);
    screen.refresh();
    return screen.shown();
  }

  @Test
  void who_has_a_snapshot_and_the_changes_after_it_is_in_step() throws Exception {
    Job kept = submit(Specs.gpus(1));
    Job gone = submit(Specs.gpus(1));
    Job array = submit(Specs.array(Ranges.of(0, 9), 1));
    var screen = new FollowingScreen(this::service);
    screen.refresh();

    cancel(gone);
    hold(array, 2, 4);
    hold(kept, 0, 0);
    submit(Specs.gpus(2));
    problems.report(Kind.DISK, "", "full", "make room");
    screen.refresh();

    assertThat(screen.shown())
        .isEqualTo(fresh())
        .contains("PENDINGtrue", "disk full")
        .doesNotContain(gone.id() + " null");
    assertThat(screen.snapshots).isEqualTo(1);
    problems.solved(Kind.DISK, "");
    screen.refresh();
    assertThat(screen.shown()).isEqualTo(fresh()).doesNotContain("disk full");
  }

  @Test
  void who_was_away_for_ten_thousand_changes_is_back_in_step_by_snapshot_and_number()
      throws Exception {
    Job array = submit(Specs.array(Ranges.of(0, 9), 1));
    var screen = new FollowingScreen(this::service);
    screen.refresh();
    long before = ring.number();

    for (int i = 0; ring.number() - before <= 10_000; i++) {
      Job job = submit(Specs.gpus(1));
      if (i % 2 == 0) {
        cancel(job);
      }
    }
    hold(array, 1, 1);
    screen.refresh();

    assertThat(screen.snapshots).isEqualTo(2);
    assertThat(screen.shown()).isEqualTo(fresh());
    // From there on by number again.
    cancel(array);
    screen.refresh();
    assertThat(screen.snapshots).isEqualTo(2);
    assertThat(screen.shown()).isEqualTo(fresh()).doesNotContain(array.id() + " 0,2-9");
  }

  @Test
  void what_is_still_kept_is_told_in_parts_each_thing_once() throws Exception {
    var snapshot = (Answer.Ok<SnapshotView>) service().ask(new ApiRequest.Snapshot());
    Job job = submit(Specs.array(Ranges.of(0, 9), 1));
    for (int i = 0; i < 10; i++) {
      hold(job, i, i);
    }

    var answer =
        service()
            .ask(
                new ApiRequest.Changes(
                    snapshot.value().epoch(),
                    OptionalLong.of(snapshot.value().number()),
                    Duration.ZERO));

    ChangesView changes = ((Answer.Ok<ChangesView>) answer).value();
    assertThat(changes.number()).isEqualTo(ring.number());
    assertThat(changes.deltas()).filteredOn(d -> d.kind().equals("job")).hasSize(1);
  }

  @Test
  void a_number_of_another_life_or_of_none_is_gone() throws Exception {
    submit(Specs.gpus(1));
    String epoch = ring.epoch();
    var screen = new FollowingScreen(this::service);
    screen.refresh();
    ring = new ChangeRing(10_000);
    submit(Specs.gpus(1));

    assertThat(
            service()
                .ask(new ApiRequest.Changes(epoch, OptionalLong.of(0), Duration.ZERO))
                .toString())
        .contains("GONE", "GET /v1/snapshot starts anew");
    assertThat(
            service()
                .ask(new ApiRequest.Changes(ring.epoch(), OptionalLong.of(99), Duration.ZERO))
                .toString())
        .contains("GONE");
    screen.refresh();
    assertThat(screen.snapshots).isEqualTo(2);
    assertThat(screen.shown()).isEqualTo(fresh());
  }

  @Test
  void who_waits_hears_of_it_when_it_happens_and_of_the_end() throws Exception {
    // The first turn of the loop keeps the clock, which is a change of its own.
    submit(Specs.gpus(1));
    var request =
        new ApiRequest.Changes(
            ring.epoch(), OptionalLong.of(ring.number()), Duration.ofSeconds(20));
    Service service = service();
    var heard = new java.util.concurrent.LinkedBlockingQueue<String>();
    Thread waiting = Thread.ofVirtual().start(() -> heard.add(service.ask(request).toString()));
    Job job = submit(Specs.gpus(1));

    assertThat(heard.take()).contains("kind=job", "jobId=" + job.id());
    ring.close();
    waiting.join();
  }

  @Test
  void a_clock_that_was_set_makes_everybody_start_anew() {
    ring.changed(List.of(new Thing.Unfinished(new JobId(7))), Specs.T0);
    assertThat(ring.keeps(ring.epoch(), 1)).isTrue();

    ring.committed(List.of(new Change.ClockSet(Duration.ofHours(1))), Specs.T0);

    assertThat(ring.keeps(ring.epoch(), 1)).isFalse();
    assertThat(ring.keeps(ring.epoch(), ring.number())).isTrue();
  }
}
