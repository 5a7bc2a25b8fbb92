package gflow.store;

import static gflow.store.Samples.at;
import static gflow.store.Samples.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.GpuCurve;
import gflow.job.GpuUse;
import gflow.job.Job;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Usage;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What every store keeps of what attempts were seen to do with their GPUs. */
abstract class GpusSeenContract extends LoanContract {
  private static final AttemptId ID = new AttemptId(Samples.job(1).task(0), 1);
  private static final GpuCurve CURVE =
      GpuCurve.NONE
          .with(Duration.ofSeconds(3), 1, OptionalInt.of(97), 40L << 30)
          .with(Duration.ofSeconds(9), 1, OptionalInt.empty(), 0)
          .with(Duration.ofSeconds(900), 7, OptionalInt.of(0), 1);

  private static Change.GpusSeen seen(int looks, GpuCurve curve) {
    var use = new GpuUse(looks, OptionalInt.of(40), OptionalInt.of(90), 5, 6);
    return new Change.GpusSeen(ID, use, curve);
  }

  private Job started() throws StoreException {
    Job job = Samples.job(1);
    store.commit(
        List.of(new Change.Submit(job), new Change.AttemptStarted(ID, attempt(1, at(10)))));
    return job;
  }

  private void ended(Job job) throws StoreException {
    var over = new Outcome(JobState.COMPLETED, Exit.OK, Usage.UNKNOWN, at(40), "");
    store.commit(
        List.of(
            new Change.AttemptEnded(ID, attempt(1, at(10)), over),
            new Change.Progress(Samples.ended(job, 0, over))));
  }

  @Test
  void the_next_daemon_finds_what_was_kept_last() throws StoreException {
    started();
    store.commit(List.of(seen(1, GpuCurve.NONE)));
    store.commit(List.of(seen(2, CURVE)));

    store = reopen(store);

    assertThat(store.load().gpus()).containsExactly(seen(2, CURVE));
    assertThat(store.history().gpuCurve(ID)).contains(CURVE);
  }

  @Test
  void it_stays_after_the_end_though_the_end_itself_says_nothing_of_it() throws StoreException {
    Job job = started();
    store.commit(List.of(seen(2, CURVE)));
    ended(job);

    store = reopen(store);

    assertThat(store.load().gpus()).isEmpty();
    assertThat(store.history().gpuCurve(ID)).contains(CURVE);
    assertThat(store.history().attempts(job.id()).getFirst().outcome().usage().gpu())
        .contains(seen(2, CURVE).use());
    assertThatThrownBy(() -> store.commit(List.of(seen(3, CURVE))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_attempt_that_never_ran_leaves_none() throws StoreException {
    started();
    store.commit(List.of(seen(1, CURVE)));
    store.commit(List.of(new Change.AttemptUndone(ID)));

    assertThat(store.load().gpus()).isEmpty();
    assertThat(store.history().gpuCurve(ID)).isEmpty();
  }

  @Test
  void it_is_forgotten_with_its_job() throws StoreException {
    Job job = started();
    store.commit(List.of(seen(1, CURVE)));
    ended(job);

    assertThat(store.prune(at(100)).jobs()).isOne();
    assertThat(store.history().gpuCurve(ID)).isEmpty();
  }
}
