package gflow.store;

import static gflow.store.Samples.ANNA;
import static gflow.store.Samples.BEN;
import static gflow.store.Samples.at;
import static gflow.store.Samples.attempt;
import static gflow.store.Samples.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gflow.job.Failure;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.job.TaskState;
import gflow.store.History.Ended;
import gflow.store.History.PastAttempt;
import gflow.store.History.Query;
import gflow.store.History.StateCount;
import gflow.store.History.StatsQuery;
import gflow.store.History.UserSum;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every history knows. */
abstract class HistoryContract extends StoreContract {
  private static final Query ALL =
      new Query(
          List.of(), Set.of(), List.of(), List.of(), Optional.empty(), Optional.empty(), 1000);

  private static Query numbers(long... numbers) {
    var ids = java.util.Arrays.stream(numbers).mapToObj(JobId::new).toList();
    return new Query(ids, Set.of(), List.of(), List.of(), Optional.empty(), Optional.empty(), 1000);
  }

  private static Query limit(int limit) {
    return new Query(
        List.of(), Set.of(), List.of(), List.of(), Optional.empty(), Optional.empty(), limit);
  }

  private List<Long> found(Query query) throws StoreException {
    return store.history().ended(query).stream()
        .map(t -> t.job().task(t.offsets().first()).number().value())
        .toList();
  }

  private void three_ends() throws StoreException {
    var spec = Samples.spec(ANNA, "train");
    submitAndEnd(Samples.job(1, spec), JobState.COMPLETED, at(300));
    submitAndEnd(
        Samples.job(2, Samples.ofProject(Samples.spec(BEN, "eval"), "p")),
        JobState.FAILED,
        at(100));
    submitAndEnd(Samples.job(3, spec), JobState.TIMEOUT, at(200));
    commit(new Change.Submit(Samples.job(4)));
  }

  @Test
  void ends_are_found_newest_first() throws StoreException {
    three_ends();

    assertThat(found(ALL)).containsExactly(1L, 3L, 2L);
    assertThat(found(limit(2))).containsExactly(1L, 3L);
    assertThat(store.history().count(limit(2))).isEqualTo(3);
    assertThat(store.history().count(numbers(2, 3, 99))).isEqualTo(2);
    assertThat(store.history().count(numbers(99))).isZero();
  }

  @Test
  void an_end_says_all_about_its_attempt() throws StoreException {
    Job job = submitAndEnd(Samples.job(1), JobState.FAILED, at(20));

    assertThat(store.history().ended(ALL))
        .containsExactly(
            Ended.task(
                job, 0, attempt(1, at(10)), outcome(JobState.FAILED, at(20)), Duration.ZERO));
  }

  @Test
  void ends_are_filtered() throws StoreException {
    three_ends();
    Optional<Instant> since = Optional.of(at(200));
    Optional<String> none = Optional.empty();

    assertThat(found(numbers(2, 3, 99))).containsExactly(3L, 2L);
    assertThat(found(numbers(99))).isEmpty();
    assertThat(
            found(
                new Query(
                    List.of(),
                    Set.of(JobState.FAILED, JobState.TIMEOUT),
                    List.of(),
                    List.of(),
                    none,
                    Optional.empty(),
                    9)))
        .containsExactly(3L, 2L);
    assertThat(
            found(
                new Query(
                    List.of(), Set.of(), List.of("ben"), List.of(), none, Optional.empty(), 9)))
        .containsExactly(2L);
    assertThat(
            found(
                new Query(
                    List.of(),
                    Set.of(),
                    List.of(),
                    List.of("train", "x"),
                    none,
                    Optional.empty(),
                    9)))
        .containsExactly(1L, 3L);
    assertThat(
            found(
                new Query(
                    List.of(),
                    Set.of(),
                    List.of(),
                    List.of(),
                    Optional.of("p"),
                    Optional.empty(),
                    9)))
        .containsExactly(2L);
    assertThat(found(new Query(List.of(), Set.of(), List.of(), List.of(), none, since, 9)))
        .containsExactly(1L, 3L);
  }

  @Test
  void tasks_cancelled_while_they_waited_are_one_row_without_an_attempt() throws StoreException {
    Job array = Samples.array(1, 1_000_000);
    Job after = array.drop(Ranges.of(10, 999_999), at(50), "cancelled by anna");
    commit(new Change.Submit(array));
    commit(new Change.Progress(after));

    assertThat(store.history().ended(ALL))
        .containsExactly(Ended.dropped(after, Ranges.of(10, 999_999)));
    assertThat(found(numbers(13))).containsExactly(13L);
    assertThat(found(numbers(5))).isEmpty();
    assertThat(store.history().count(limit(1))).isEqualTo(1);
    assertThat(store.history().ended(numbers(13)))
        .containsExactly(Ended.dropped(after, Ranges.of(11, 11)));
    assertThat(
            found(
                new Query(
                    List.of(),
                    Set.of(JobState.COMPLETED),
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    5)))
        .isEmpty();
  }

  @Test
  void dropped_tasks_and_attempts_are_in_one_order() throws StoreException {
    Job array = Samples.array(1, 3);
    Job after =
        Samples.ended(array, 0, outcome(JobState.COMPLETED, at(60)))
            .drop(Ranges.of(1, 2), at(50), "why");
    commit(new Change.Submit(array));
    store.commit(Samples.run(array, 0, 1, outcome(JobState.COMPLETED, at(60))));
    commit(new Change.Progress(after));
    submitAndEnd(Samples.job(5), JobState.COMPLETED, at(55));

    assertThat(found(ALL)).containsExactly(2L, 5L, 3L);
    assertThat(found(numbers(1))).containsExactly(2L, 3L);
    assertThat(found(numbers(4, 5))).containsExactly(5L, 4L);
    assertThat(found(limit(2))).containsExactly(2L, 5L);
  }

  @Test
  void a_task_that_is_tried_again_has_not_ended() throws StoreException {
    Job job = Samples.job(1);
    commit(new Change.Submit(job));
    var outcome = outcome(JobState.FAILED, at(20)).because(Failure.GPU_MEMORY, "no memory");
    store.commit(Samples.run(job, 0, 1, outcome));
    Job waits = job.with(0, new TaskState.Pending(2));
    commit(new Change.Progress(waits));
    assertThat(found(ALL)).isEmpty();
    assertThat(store.history().attempts(job.task(0).number()))
        .extracting(PastAttempt::outcome)
        .containsExactly(outcome);
    assertThat(store.load().jobs()).containsExactly(waits);

    var second = attempt(2, at(30));
    commit(
        new Change.AttemptStarted(attempt(job, 0, 2), second),
        new Change.Progress(waits.with(0, new TaskState.Starting(second))));
    assertThat(found(ALL)).isEmpty();

    var end = outcome(JobState.COMPLETED, at(40));
    commit(
        new Change.AttemptEnded(attempt(job, 0, 2), second, end),
        new Change.Progress(Samples.ended(waits, 0, end)));
    assertThat(store.history().ended(ALL))
        .extracting(Ended::outcome)
        .containsExactly(outcome(JobState.COMPLETED, at(40)));
    assertThat(store.history().attempts(job.task(0).number()))
        .extracting(p -> p.attempt().number(), p -> p.outcome().state())
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1, JobState.FAILED),
            org.assertj.core.groups.Tuple.tuple(2, JobState.COMPLETED));
  }

  @Test
  void a_task_cancelled_between_two_tries_ended_cancelled_and_once() throws StoreException {
    Job job = Samples.job(1);
    commit(new Change.Submit(job));
    store.commit(Samples.run(job, 0, 1, outcome(JobState.FAILED, at(20))));
    Job dropped =
        job.with(0, new TaskState.Pending(2)).drop(Ranges.firstN(1), at(25), "cancelled by anna");
    commit(new Change.Progress(dropped));

    assertThat(store.history().ended(ALL))
        .containsExactly(Ended.dropped(dropped, Ranges.firstN(1)));
  }

  @Test
  void the_last_job_of_a_user_is_known() throws StoreException {
    three_ends();

    assertThat(store.history().lastJob(ANNA.uid())).contains(new JobId(4));
    assertThat(store.history().lastJob(BEN.uid())).contains(new JobId(2));
    assertThat(store.history().lastJob(7)).isEmpty();
  }

  @Test
  void sums_go_over_attempts_and_dropped_tasks() throws StoreException {
    three_ends();
    Job array = Samples.array(5, 10);
    commit(new Change.Submit(array));
    commit(new Change.Progress(array.drop(Ranges.firstN(4), at(400), "why")));
    Job tried = Samples.job(16);
    commit(new Change.Submit(tried));
    store.commit(Samples.run(tried, 0, 1, outcome(JobState.FAILED, at(500))));
    store.commit(Samples.run(tried, 0, 2, outcome(JobState.FAILED, at(600))));

    var stats =
        store.history().stats(new StatsQuery(Optional.empty(), Optional.empty(), Optional.empty()));

    assertThat(stats.byState())
        .containsExactly(
            new StateCount(JobState.COMPLETED, 1),
            new StateCount(JobState.FAILED, 3),
            new StateCount(JobState.CANCELLED, 4),
            new StateCount(JobState.TIMEOUT, 1));
    assertThat(stats.gpuSeconds()).isEqualTo(25, within(1e-6));
    assertThat(stats.cpuSeconds()).isEqualTo(7.5, within(1e-6));
    assertThat(stats.meanRun()).isEqualTo(10, within(1e-6));
    assertThat(stats.meanWait()).isEqualTo((289 + 88 + 187 + 474) / 4.0, within(1e-6));
    assertThat(stats.byUser())
        .containsExactly(new UserSum("anna", 8, 20, 6), new UserSum("ben", 1, 5, 1.5));
  }

  @Test
  void sums_are_filtered() throws StoreException {
    three_ends();
    var none = Optional.<String>empty();

    var ben = store.history().stats(new StatsQuery(Optional.of("ben"), none, Optional.empty()));
    var project = store.history().stats(new StatsQuery(none, Optional.of("p"), Optional.empty()));
    var late = store.history().stats(new StatsQuery(none, none, Optional.of(at(200))));
    var nobody = store.history().stats(new StatsQuery(Optional.of("x"), none, Optional.empty()));

    assertThat(ben.byUser()).containsExactly(new UserSum("ben", 1, 5, 1.5));
    assertThat(project).isEqualTo(ben);
    assertThat(late.byUser()).containsExactly(new UserSum("anna", 2, 10, 3));
    assertThat(nobody.byState()).isEmpty();
    assertThat(nobody.meanWait()).isZero();
  }
}
