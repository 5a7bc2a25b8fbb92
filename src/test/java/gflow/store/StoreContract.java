package gflow.store;

import static gflow.store.Samples.ANNA;
import static gflow.store.Samples.BEN;
import static gflow.store.Samples.ENVIRONMENT;
import static gflow.store.Samples.at;
import static gflow.store.Samples.attempt;
import static gflow.store.Samples.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.RetryRules;
import gflow.job.TaskState;
import gflow.job.Where;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store does. */
abstract class StoreContract {
  Store store;

  /** The store, opened again as after the daemon's death. */
  abstract Store reopen(Store before) throws StoreException;

  abstract Store create() throws StoreException;

  /** As if the disk were full from now on, or had room again. */
  abstract void full(Store store, boolean now) throws StoreException;

  @BeforeEach
  void create_it() throws StoreException {
    store = create();
    store.commit(List.of(Samples.putEnvironment()));
  }

  @AfterEach
  void close_it() {
    store.close();
  }

  void commit(Change... changes) throws StoreException {
    store.commit(List.of(changes));
  }

  /** Submits it and runs its first task to that end. */
  Job submitAndEnd(Job job, JobState state, Instant endedAt) throws StoreException {
    Job after = Samples.ended(job, 0, outcome(state, endedAt));
    var changes = new ArrayList<Change>();
    changes.add(new Change.Submit(job));
    changes.addAll(Samples.run(job, 0, 1, outcome(state, endedAt)));
    changes.add(new Change.Progress(after));
    store.commit(changes);
    return after;
  }

  @Test
  void a_new_store_is_empty_and_counts_from_1() throws StoreException {
    assertThat(store.load().jobs()).isEmpty();
    assertThat(store.load().nextId()).isEqualTo(1);
    assertThat(store.load().settings()).isEmpty();
  }

  @Test
  void a_submitted_job_survives() throws StoreException {
    Job job = Samples.job(1);
    Job array = Samples.array(2, 1000);
    commit(new Change.Submit(job), new Change.Submit(array));

    store = reopen(store);

    assertThat(store.load().jobs()).containsExactly(job, array);
    assertThat(store.load().nextId()).isEqualTo(1003);
  }

  @Test
  void a_number_is_never_given_out_twice() throws StoreException {
    commit(new Change.Submit(Samples.array(5, 10)));

    assertThatThrownBy(() -> commit(new Change.Submit(Samples.job(15))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("15");
    commit(new Change.Submit(Samples.job(16)));
  }

  @Test
  void a_job_without_its_environment_is_refused_as_a_whole() throws StoreException {
    JobSpec spec = Samples.spec(ANNA, "x");
    var script = spec.running("x", new Program.Script(Samples.blob('5'), List.of()));

    assertThatThrownBy(() -> commit(new Change.Submit(Samples.job(1, script))))
        .isInstanceOf(IllegalStateException.class);

    assertThat(store.load().jobs()).isEmpty();
    // The order within a group does not matter.
    commit(new Change.Submit(Samples.job(1, script)), Samples.put(Samples.blob('5')));
    assertThat(store.load().jobs()).hasSize(1);
  }

  @Test
  void of_a_group_that_fails_nothing_is_left() throws StoreException {
    Job job = Samples.job(1);
    commit(new Change.Submit(job), new Change.Answered("k", "1", at(0)));
    Store.Loaded before = store.load();

    assertThatThrownBy(
            () ->
                commit(
                    Samples.put(Samples.blob('7')),
                    new Change.Submit(Samples.job(2)),
                    new Change.Progress(job.hold(Ranges.firstN(1))),
                    new Change.Setting("drained", "GPU-a"),
                    new Change.AttemptStarted(attempt(job, 0, 1), attempt(1, at(3))),
                    new Change.Answered("k", "2", at(1))))
        .isInstanceOf(IllegalStateException.class);

    assertThat(store.load()).isEqualTo(before);
    assertThat(store.blob(Samples.blob('7'))).isEmpty();
    assertThat(store.answered("k")).contains("1");
    store = reopen(store);
    assertThat(store.load()).isEqualTo(before);
  }

  @Test
  void on_a_full_disk_a_commit_fails_with_one_line_and_works_again_with_room()
      throws StoreException {
    Job first = Samples.job(1);
    commit(new Change.Submit(first));
    full(store, true);
    var big = new Change.PutBlob(Samples.blob('b'), new byte[200_000]);

    assertThatThrownBy(() -> commit(new Change.Submit(Samples.job(2)), big))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("the disk is full: ");

    assertThat(store.load().jobs()).containsExactly(first);
    assertThat(store.load().nextId()).isEqualTo(2);
    full(store, false);
    commit(new Change.Submit(Samples.job(2)), big);
    store = reopen(store);
    assertThat(store.load().jobs()).containsExactly(first, Samples.job(2));
    assertThat(store.blob(Samples.blob('b')).orElseThrow()).hasSize(200_000);
  }

  @Test
  void progress_keeps_all_but_spec_and_live_tasks() throws StoreException {
    Job array = Samples.array(1, 20);
    Job after =
        array
            .hold(Ranges.of(3, 4))
            .with(5, new TaskState.Pending(3))
            .again(5, new RetryRules.Again(true, false, true, Optional.of(at(77))))
            .drop(Ranges.of(10, 12), at(9), "cancelled by anna");
    after = Samples.ended(after, 0, outcome(JobState.FAILED, at(20)));
    commit(new Change.Submit(array));
    commit(new Change.Progress(after.withSpec(Samples.spec(ANNA, "other"))));

    store = reopen(store);

    assertThat(store.load().jobs()).containsExactly(after);
  }

  @Test
  void a_job_may_be_submitted_with_progress() throws StoreException {
    Job array = Samples.array(1, 20).drop(Ranges.of(0, 3), at(9), "why");
    commit(new Change.Submit(array));

    assertThat(store.load().jobs()).containsExactly(array);
  }

  @Test
  void an_edited_spec_replaces_the_old_one() throws StoreException {
    Job job = Samples.job(1);
    commit(new Change.Submit(job));
    Job edited = job.withSpec(Samples.ofProject(job.spec().withName("new"), "p1"));
    commit(new Change.Respec(edited));

    store = reopen(store);

    assertThat(store.load().jobs()).containsExactly(edited);
  }

  @Test
  void attempts_without_an_end_are_starting_or_completing() throws StoreException {
    Job array = Samples.array(1, 5);
    var first = attempt(1, at(10));
    commit(
        new Change.Submit(array),
        new Change.AttemptStarted(attempt(array, 0, 1), first),
        new Change.AttemptStarted(attempt(array, 1, 1), first),
        new Change.AttemptStarted(attempt(array, 2, 1), first),
        new Change.AttemptStarted(attempt(array, 3, 1), first));
    Job started = array.with(0, new TaskState.Starting(first));
    started = started.with(1, new TaskState.Starting(first));
    started = started.with(2, new TaskState.Starting(first));
    started = started.with(3, new TaskState.Starting(first));
    var cancelled = new TaskState.Cause.Cancelled("anna");
    var large = new TaskState.Cause.GpuMemory("uses 2G on GPU 0, promised 1G");
    var requeued = new TaskState.Cause.Requeued("ben", true);
    commit(
        new Change.Progress(started),
        new Change.AttemptEnding(attempt(array, 1, 1), cancelled, at(20)),
        new Change.AttemptEnding(attempt(array, 2, 1), large, at(21)),
        new Change.AttemptEnding(attempt(array, 3, 1), requeued, at(22)));

    store = reopen(store);

    Job loaded = store.load().jobs().getFirst();
    assertThat(loaded.live().values())
        .containsExactly(
            new TaskState.Starting(first),
            new TaskState.Completing(first, cancelled, Optional.empty(), at(20)),
            new TaskState.Completing(first, large, Optional.empty(), at(21)),
            new TaskState.Completing(first, requeued, Optional.empty(), at(22)));
    assertThat(loaded.waiting()).isEqualTo(Ranges.of(4, 4));
    assertThat(store.history().job(new JobId(3))).contains(loaded);
  }

  @Test
  void what_another_engine_calls_an_attempt_and_when_it_began_there_are_kept()
      throws StoreException {
    Job job = Samples.job(1);
    AttemptId id = attempt(job, 0, 1);
    var sent = new Attempt(1, Samples.HALF_GPU, at(10), new Where.There("cluster", ""));
    var begun = new Attempt(1, Samples.HALF_GPU, at(99), new Where.There("cluster", "811"));
    commit(new Change.Submit(job), new Change.AttemptStarted(id, sent));
    commit(new Change.Progress(job.with(0, new TaskState.Starting(sent))));
    commit(new Change.AttemptMoved(id, begun));

    store = reopen(store);

    assertThat(store.load().jobs().getFirst().live().values())
        .containsExactly(new TaskState.Starting(begun));
    commit(new Change.AttemptEnded(id, begun, outcome(JobState.COMPLETED, at(120))));
    assertThatThrownBy(() -> commit(new Change.AttemptMoved(id, begun)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(store.history().attempts(id.task().number()).getFirst().attempt()).isEqualTo(begun);
  }

  @Test
  void an_attempt_that_never_ran_leaves_no_row() throws StoreException {
    Job job = Samples.job(1);
    commit(
        new Change.Submit(job), new Change.AttemptStarted(attempt(job, 0, 1), attempt(1, at(1))));
    commit(new Change.AttemptUndone(attempt(job, 0, 1)));

    assertThat(store.load().jobs()).containsExactly(job);
    assertThatThrownBy(() -> commit(new Change.AttemptUndone(attempt(job, 0, 1))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_attempt_starts_once_and_ends_once() throws StoreException {
    Job job = Samples.job(1);
    var id = attempt(job, 0, 1);
    var first = attempt(1, at(1));
    var started = new Change.AttemptStarted(id, first);
    var ended = new Change.AttemptEnded(id, first, outcome(JobState.COMPLETED, at(2)));
    commit(new Change.Submit(job));

    assertThatThrownBy(() -> commit(ended)).isInstanceOf(IllegalStateException.class);
    commit(started);
    assertThatThrownBy(() -> commit(started)).isInstanceOf(IllegalStateException.class);
    commit(ended);
    assertThatThrownBy(() -> commit(ended)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_ended_job_is_loaded_no_more_but_known() throws StoreException {
    Job after = submitAndEnd(Samples.job(1), JobState.COMPLETED, at(20));

    assertThat(store.load().jobs()).isEmpty();
    assertThat(store.load().nextId()).isEqualTo(2);
    assertThat(store.history().job(new JobId(1))).contains(after);
    assertThat(store.history().job(new JobId(2))).isEmpty();
  }

  @Test
  void settings_stay_until_they_are_emptied() throws StoreException {
    commit(new Change.Setting("a", "1"), new Change.Setting("b", "2"));
    commit(new Change.Setting("a", "3"), new Change.Setting("b", ""));

    store = reopen(store);

    assertThat(store.load().settings()).containsOnly(java.util.Map.entry("a", "3"));
  }

  @Test
  void blobs_are_kept_byte_for_byte_and_once() throws StoreException {
    byte[] bytes = {0, -1, 10, 0, 127};
    commit(new Change.PutBlob(Samples.blob('1'), bytes));
    commit(new Change.PutBlob(Samples.blob('1'), new byte[] {9}));

    assertThat(store.blob(Samples.blob('1')).orElseThrow()).isEqualTo(bytes);
    assertThat(store.blob(Samples.blob('2'))).isEmpty();
  }

  @Test
  void a_repeated_request_finds_its_answer() throws StoreException {
    commit(new Change.Answered("pid 7", "Submitted batch job 1", at(0)));

    store = reopen(store);

    assertThat(store.answered("pid 7")).contains("Submitted batch job 1");
    assertThat(store.answered("pid 8")).isEmpty();
  }

  @Test
  void prune_forgets_old_ends_and_what_only_they_needed() throws StoreException {
    JobSpec spec = Samples.spec(BEN, "b");
    var scripted = spec.running("b", new Program.Script(Samples.blob('5'), List.of("x")));
    commit(Samples.put(Samples.blob('5')));
    submitAndEnd(Samples.job(1, scripted), JobState.FAILED, at(100));
    Job young = submitAndEnd(Samples.job(2), JobState.COMPLETED, at(200));
    Job waiting = Samples.job(3);
    commit(
        new Change.Submit(waiting),
        new Change.Answered("old", "1", at(0)),
        new Change.Answered("new", "2", at(0).plus(Duration.ofHours(25))));

    assertThat(store.prune(at(200)).jobs()).isEqualTo(1);

    assertThat(store.history().job(new JobId(1))).isEmpty();
    assertThat(store.history().attempts(Samples.job(1).task(0).number())).isEmpty();
    assertThat(store.history().job(new JobId(2))).contains(young);
    assertThat(store.blob(Samples.blob('5'))).isEmpty();
    assertThat(store.blob(ENVIRONMENT)).isPresent();
    assertThat(store.answered("old")).isEmpty();
    assertThat(store.answered("new")).contains("2");
    assertThat(store.load().jobs()).containsExactly(waiting);
    assertThat(store.load().nextId()).isEqualTo(4);
  }

  @Test
  void prune_never_lowers_the_next_number() throws StoreException {
    submitAndEnd(Samples.job(7), JobState.COMPLETED, at(100));
    store.prune(at(1000));

    store = reopen(store);

    assertThat(store.load().nextId()).isEqualTo(8);
    assertThat(store.blob(ENVIRONMENT)).isEmpty();
  }

  @Test
  void prune_keeps_a_blob_that_an_edit_began_to_use() throws StoreException {
    Job first = Samples.job(1);
    commit(new Change.Submit(first), Samples.put(Samples.blob('5')));
    JobSpec spec = first.spec();
    var edited = spec.running("x", new Program.Script(Samples.blob('5'), List.of()));
    commit(new Change.Respec(first.withSpec(edited)));

    store.prune(at(1000));

    assertThat(store.blob(Samples.blob('5'))).isPresent();
    assertThat(store.blob(ENVIRONMENT)).isPresent();

    commit(new Change.Respec(first));
    store.prune(at(1000));
    assertThat(store.blob(Samples.blob('5'))).isEmpty();
    assertThat(store.blob(ENVIRONMENT)).isPresent();
  }

  @Test
  void a_job_ended_with_its_last_task_in_whatever_order_that_is_told() throws StoreException {
    Job array = Samples.array(1, 2);
    var late = outcome(JobState.COMPLETED, at(300));
    var early = outcome(JobState.COMPLETED, at(100));
    commit(new Change.Submit(array));
    store.commit(Samples.run(array, 1, 1, late));
    store.commit(Samples.run(array, 0, 1, early));
    commit(new Change.Progress(Samples.ended(Samples.ended(array, 1, late), 0, early)));

    assertThat(store.prune(at(200)).jobs()).isZero();
    assertThat(store.prune(at(301)).jobs()).isEqualTo(1);
  }
}
