package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.ChangesView;
import gflow.api.FollowingScreen;
import gflow.api.Gflow;
import gflow.api.SnapshotView;
import gflow.daemon.Specs;
import gflow.daemon.StillDaemon;
import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Refusal;
import gflow.daemon.service.ChangeRing.Thing;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChangeFeedTest {
  private final MemoryStore store = new MemoryStore(new MemoryStore.Disk());
  private StillDaemon daemon;

  @BeforeEach
  void start() throws Exception {
    var environment = Specs.gpus(1).scene().environment();
    store.commit(List.of(new Change.PutBlob(environment, new byte[0])));
    // Nothing starts: what these jobs want is not there.
    daemon = new StillDaemon(StillDaemon.Setup.bare(), store);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private Gflow service() {
    return daemon.service();
  }

  private Job submit(gflow.job.JobSpec spec) throws Refusal {
    return daemon.loop().ask((core, now) -> core.submit(spec, now));
  }

  private void hold(Job job, int first, int last) throws Refusal {
    daemon
        .loop()
        .ask(
            (core, now) -> {
              core.hold(core.ledger().job(job.id()).orElseThrow(), Ranges.of(first, last), now);
              return now;
            });
  }

  private void cancel(Job job) throws Refusal {
    daemon
        .loop()
        .ask(
            (core, now) ->
                core.cancel(job, Ranges.firstN(job.spec().tasks().count()), "anna", now));
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
    daemon.problems().report(Kind.DISK, "", "full", "make room");
    screen.refresh();

    assertThat(screen.shown())
        .isEqualTo(fresh())
        .contains("PENDINGtrue", "disk full")
        .doesNotContain(gone.id() + " null");
    assertThat(screen.snapshots).isEqualTo(1);
    daemon.problems().solved(Kind.DISK, "");
    screen.refresh();
    assertThat(screen.shown()).isEqualTo(fresh()).doesNotContain("disk full");
  }

  @Test
  void who_was_away_for_ten_thousand_changes_is_back_in_step_by_snapshot_and_number()
      throws Exception {
    Job array = submit(Specs.array(Ranges.of(0, 9), 1));
    var screen = new FollowingScreen(this::service);
    screen.refresh();
    long before = daemon.changes().number();

    for (int i = 0; daemon.changes().number() - before <= 10_000; i++) {
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
    assertThat(changes.number()).isEqualTo(daemon.changes().number());
    assertThat(changes.deltas()).filteredOn(d -> d.kind().equals("job")).hasSize(1);
  }

  @Test
  void a_number_of_another_life_or_of_none_is_gone() throws Exception {
    submit(Specs.gpus(1));
    String epoch = daemon.changes().epoch();
    var screen = new FollowingScreen(this::service);
    screen.refresh();
    daemon.close();
    daemon = new StillDaemon(StillDaemon.Setup.bare(), store);
    submit(Specs.gpus(1));

    assertThat(
            service()
                .ask(new ApiRequest.Changes(epoch, OptionalLong.of(0), Duration.ZERO))
                .toString())
        .contains("GONE", "GET /v1/snapshot starts anew");
    assertThat(
            service()
                .ask(
                    new ApiRequest.Changes(
                        daemon.changes().epoch(), OptionalLong.of(99), Duration.ZERO))
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
            daemon.changes().epoch(),
            OptionalLong.of(daemon.changes().number()),
            Duration.ofSeconds(20));
    Gflow service = service();
    var heard = new java.util.concurrent.LinkedBlockingQueue<String>();
    Thread waiting = Thread.ofVirtual().start(() -> heard.add(service.ask(request).toString()));
    Job job = submit(Specs.gpus(1));

    assertThat(heard.take()).contains("kind=job", "jobId=" + job.id());
    daemon.changes().close();
    waiting.join();
  }

  @Test
  void a_clock_that_was_set_makes_everybody_start_anew() {
    daemon.changes().changed(List.of(new Thing.Unfinished(new JobId(7))), Specs.T0);
    assertThat(daemon.changes().keeps(daemon.changes().epoch(), 1)).isTrue();

    daemon.changes().committed(List.of(new Change.ClockSet(Duration.ofHours(1))), Specs.T0);

    assertThat(daemon.changes().keeps(daemon.changes().epoch(), 1)).isFalse();
    assertThat(daemon.changes().keeps(daemon.changes().epoch(), daemon.changes().number()))
        .isTrue();
  }
}
