package gflow.job;

import static gflow.job.Jobs.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobTest {
  private final Job array = Jobs.array(2);

  @Test
  void a_new_job_waits_with_all_its_tasks() {
    assertThat(array.waiting()).isEqualTo(Ranges.of(0, 4));
    assertThat(array.held().isEmpty()).isTrue();
    assertThat(array.over()).isFalse();
    assertThat(array.allStarted()).isFalse();
  }

  @Test
  void a_job_submitted_on_hold_is_held_with_all_its_tasks() {
    var hold =
        new Terms(10, Optional.empty(), Optional.empty(), true, Dependencies.NONE, 0, Terms.USUAL);
    Job job = Job.submitted(new JobId(1), Jobs.spec(Tasks.ONE, hold), Jobs.T0);

    assertThat(job.waiting().isEmpty()).isTrue();
    assertThat(job.held()).isEqualTo(Ranges.of(0, 0));
    assertThat(job.startable(T0)).isZero();
  }

  @Test
  void a_task_has_its_own_number() {
    assertThat(array.task(3).number()).isEqualTo(new JobId(44));
    assertThat(array.spec().tasks().index(3)).isEqualTo(6);
  }

  @Test
  void the_limit_of_an_array_counts_what_runs() {
    Job one = array.with(0, Jobs.starting(1, 1));
    Job two = one.with(1, new TaskState.Running(Jobs.attempt(1, 2)));

    assertThat(array.startable(T0)).isEqualTo(2);
    assertThat(one.startable(T0)).isEqualTo(1);
    assertThat(two.startable(T0)).isZero();
    assertThat(Jobs.array(0).startable(T0)).isEqualTo(5);
  }

  @Test
  void a_limit_below_what_runs_starts_nothing() {
    Job three = Jobs.array(0).with(0, Jobs.starting(1, 1)).with(1, Jobs.starting(1, 1));
    Job limited = three.withSpec(array.spec().withTasks(Jobs.array(1).spec().tasks()));

    assertThat(limited.startable(T0)).isZero();
  }

  @Test
  void hold_moves_only_what_waits_and_release_only_what_is_held() {
    Job held = array.with(0, Jobs.starting(1, 1)).hold(Ranges.of(0, 2));

    assertThat(held.held()).isEqualTo(Ranges.of(1, 2));
    assertThat(held.waiting()).isEqualTo(Ranges.of(3, 4));
    assertThat(held.live()).containsOnlyKeys(0);
    assertThat(held.release(Ranges.of(2, 4)).held()).isEqualTo(Ranges.of(1, 1));
    assertThat(held.release(Ranges.of(2, 4)).waiting()).isEqualTo(Ranges.of(2, 4));
  }

  @Test
  void dropped_tasks_count_as_failed_without_a_status() {
    Job dropped =
        array
            .hold(Ranges.of(1, 1))
            .with(0, Jobs.starting(1, 1))
            .drop(Ranges.of(0, 2), Jobs.T0.plusSeconds(7), "cancelled by anna");

    assertThat(dropped.waiting()).isEqualTo(Ranges.of(3, 4));
    assertThat(dropped.held().isEmpty()).isTrue();
    assertThat(dropped.live()).containsOnlyKeys(0);
    assertThat(dropped.dropped())
        .isEqualTo(new Job.Dropped(Ranges.of(1, 2), Jobs.T0.plusSeconds(7), "cancelled by anna"));
    assertThat(dropped.tally().failed()).isEqualTo(Ranges.of(1, 2));
    assertThat(dropped.tally().worstStatus()).isZero();
  }

  @Test
  void dropping_nothing_changes_nothing() {
    Job running = Jobs.retried(0, false).with(0, Jobs.starting(1, 1));

    assertThat(running.drop(Ranges.of(0, 0), Jobs.T0, "why")).isSameAs(running);
  }

  @Test
  void a_dropped_task_forgets_its_next_attempt() {
    Job retried = Jobs.retried(2, false).with(0, new TaskState.Pending(2));

    assertThat(retried.tries().next()).containsEntry(0, 2);
    assertThat(retried.state(0)).isEqualTo(new TaskState.Pending(2));
    Job dropped = retried.drop(Ranges.of(0, 0), Jobs.T0, "why");
    assertThat(dropped.tries().next()).isEmpty();
    assertThat(dropped.over()).isTrue();
  }

  @Test
  void the_tally_counts_ends_and_keeps_the_worst_status_and_the_last_start() {
    Job job =
        Jobs.array(0)
            .with(0, Jobs.starting(1, 5))
            .with(1, Jobs.starting(1, 8))
            .with(0, Jobs.ended(JobState.COMPLETED, Exit.OK))
            .with(1, Jobs.ended(JobState.FAILED, Exit.signal(9)))
            .with(2, Jobs.ended(JobState.FAILED, Exit.code(3)));

    assertThat(job.tally())
        .isEqualTo(new Job.Tally(1, Ranges.of(1, 2), 137, Jobs.T0.plusSeconds(8)));
    assertThat(job.tally().ended()).isEqualTo(3);
    assertThat(job.live()).isEmpty();
    assertThat(job.waiting()).isEqualTo(Ranges.of(3, 4));
    assertThat(job.over()).isFalse();
  }

  @Test
  void who_did_not_end_well_does_not_count_as_status_0() {
    Job running = Jobs.array(0).with(0, Jobs.starting(1, 5));
    for (JobState state :
        new JobState[] {JobState.NODE_FAIL, JobState.CANCELLED, JobState.TIMEOUT}) {
      assertThat(running.with(0, Jobs.ended(state, Exit.OK)).tally().worstStatus()).isEqualTo(1);
    }
  }

  @Test
  void a_job_is_over_with_its_last_task() {
    Job running = Jobs.retried(0, false).with(0, Jobs.starting(1, 1));

    assertThat(running.over()).isFalse();
    assertThat(running.allStarted()).isTrue();
    assertThat(running.with(0, Jobs.ended(JobState.COMPLETED, Exit.OK)).over()).isTrue();
  }

  @Test
  void a_task_that_is_tried_again_waits_with_its_number() {
    Job again = array.with(1, Jobs.starting(1, 1)).with(1, new TaskState.Pending(2));

    assertThat(again.waiting()).isEqualTo(Ranges.of(0, 4));
    assertThat(again.state(1)).isEqualTo(new TaskState.Pending(2));
    assertThat(again.state(0)).isEqualTo(new TaskState.Pending(1));
    assertThat(again.with(1, Jobs.starting(2, 3)).tries().next()).isEmpty();
  }

  @Test
  void a_failure_is_tried_again_only_so_often() {
    Job twice = Jobs.retried(2, false);
    assertThat(again(twice, 1)).isTrue();
    assertThat(again(twice, 2)).isTrue();
    assertThat(again(twice, 3)).isFalse();
  }

  @Test
  void what_is_spared_uses_up_no_retry() {
    Job once = Jobs.retried(1, false).again(0, RetryRules.Again.SPARED);
    Job spared = once.again(0, RetryRules.Again.SPARED);

    assertThat(again(spared, 3)).isTrue();
    assertThat(again(spared, 4)).isFalse();
    assertThat(spared.with(0, Jobs.starting(3, 1)).tries().spared()).containsEntry(0, 2);
    assertThat(spared.with(0, Jobs.ended(JobState.COMPLETED, Exit.OK)).tries().spared()).isEmpty();
    assertThat(spared.drop(Ranges.of(0, 0), Jobs.T0, "why").tries().spared()).isEmpty();
  }

  private static boolean again(Job job, int attempt) {
    return rules(job.with(0, Jobs.starting(attempt, 1)))
        .retries()
        .after(Failure.EXIT_CODE, false, Jobs.T0)
        .isPresent();
  }

  private static Lifecycle.Rules rules(Job job) {
    return job.rules(0, Jobs.T0, Jobs.T0, Lifecycle.GpuCompany.NONE);
  }

  @Test
  void who_rests_is_not_in_turn_until_its_time_comes_or_it_is_released() {
    var rest = new RetryRules.Again(false, false, false, Optional.of(T0.plusSeconds(2)));
    Job failed = Jobs.array(0).with(1, Jobs.starting(1, 1)).with(1, new TaskState.Pending(2));
    Job rests = failed.again(1, rest);

    assertThat(rests.turn(T0)).isEqualTo(Ranges.ofAll(List.of(0, 2, 3, 4)));
    assertThat(rests.startable(T0)).isEqualTo(4);
    assertThat(rests.turn(T0.plusSeconds(2))).isEqualTo(Ranges.of(0, 4));
    assertThat(rests.release(Ranges.of(1, 1)).turn(T0)).isEqualTo(Ranges.of(0, 4));
    assertThat(rests.later(Duration.ofSeconds(9)).turn(T0.plusSeconds(2)).contains(1)).isFalse();
    // On a clock that was set back by a day it does not wait for a day.
    assertThat(rests.turn(T0.minusSeconds(86_400))).isEqualTo(Ranges.of(0, 4));
    assertThat(rests.with(1, Jobs.starting(2, 3)).tries().resting()).isEmpty();
    assertThat(rests.drop(Ranges.of(0, 4), T0, "why").tries()).isEqualTo(Tries.NONE);
  }

  @Test
  void who_wants_its_gpus_for_itself_comes_after_the_others_and_asks_for_whole_ones() {
    var shared = new GpuRequest.Shared(2, GpuPart.of(1, 4), 5, true);
    Request parts = new Request(1, 0, 0, shared, GpuFilter.ANY);
    Job job = array.withSpec(array.spec().withRequest(parts)).again(0, RetryRules.Again.ALONE);

    assertThat(job.turn(T0)).isEqualTo(Ranges.of(1, 4));
    assertThat(job.request(T0)).isEqualTo(parts);
    Job last = job.hold(Ranges.of(1, 4));
    assertThat(last.turn(T0)).isEqualTo(Ranges.of(0, 0));
    assertThat(last.request(T0).gpus()).isEqualTo(new GpuRequest.Whole(2));
    assertThat(last.request(T0).filter().memory()).isEqualTo(5);
    assertThat(rules(last).retries().free()).isFalse();
    assertThat(rules(array).retries().free()).isTrue();
  }

  @Test
  void an_outcome_is_an_end() {
    assertThatThrownBy(() -> Jobs.outcome(JobState.RUNNING, Exit.OK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not an end: RUNNING");
  }
}
