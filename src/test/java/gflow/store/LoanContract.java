package gflow.store;

import static gflow.store.Samples.at;
import static gflow.store.Samples.attempt;
import static gflow.store.Samples.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.Job;
import gflow.job.JobState;
import gflow.job.Loan;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskState;
import gflow.store.Store.LiveLoans;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every store knows of GPUs on loan. */
abstract class LoanContract extends StepContract {
  private static final AttemptId ID = new AttemptId(Samples.job(1).task(0), 1);

  private static GpuId gpu(int index) {
    return new GpuId("GPU-" + index);
  }

  private static Loan loan(int index, int second) {
    return new Loan(new GpuGrant(gpu(index), index, GpuPart.WHOLE, 24L << 30), at(second));
  }

  private static Change.GivenBack back(int index, int second) {
    return new Change.GivenBack(ID, gpu(index), at(second));
  }

  private Job started() throws StoreException {
    Job job = Samples.job(1);
    store.commit(
        List.of(new Change.Submit(job), new Change.AttemptStarted(ID, attempt(1, at(10)))));
    return job;
  }

  @Test
  void gpus_on_loan_survive_and_so_does_the_time_of_those_that_came_back() throws StoreException {
    started();
    store.commit(
        List.of(
            new Change.Lent(ID, loan(3, 20)),
            new Change.Lent(ID, loan(2, 21)),
            new Change.Lent(ID, loan(5, 22))));
    store.commit(List.of(back(3, 30)));

    store = reopen(store);

    assertThat(store.load().loans())
        .containsExactly(
            new LiveLoans(ID, Duration.ofSeconds(10), List.of(loan(2, 21), loan(5, 22))));
  }

  @Test
  void when_the_clock_is_set_what_runs_goes_with_it_and_what_is_over_stays() throws StoreException {
    Job job = started();
    var share = new Step.Share(1, Ranges.EMPTY, List.of(), 0);
    var ending = Optional.of(new Step.Ending(at(50), JobState.TIMEOUT));
    var parent = new Step.Parent(1, 2);
    var over = new Step(new StepId(ID, 0), "x", 1, false, share, parent, at(20), ending);
    var step = new Step(new StepId(ID, 1), "x", 1, false, share, parent, at(20), ending);
    var end = new Step.End(Exit.OK, at(30));
    var cause = new TaskState.Cause.TimeLimit();
    Job before = Samples.job(2);
    store.commit(List.of(new Change.Submit(before)));
    store.commit(Samples.run(before, 0, 1, outcome(JobState.COMPLETED, at(20))));
    store.commit(
        List.of(
            new Change.Lent(ID, loan(3, 20)),
            new Change.Lent(ID, loan(2, 21)),
            back(3, 30),
            new Change.StepStarted(over),
            new Change.StepStarted(step),
            new Change.StepEnded(over.id(), end),
            new Change.AttemptEnding(ID, cause, at(40))));

    store.commit(List.of(new Change.ClockSet(Duration.ofSeconds(-5))));
    store = reopen(store);

    var attempt = attempt(1, at(5));
    assertThat(store.load().jobs().getFirst().live().values())
        .containsExactly(new TaskState.Completing(attempt, cause, Optional.empty(), at(35)));
    assertThat(store.load().loans())
        .containsExactly(new LiveLoans(ID, Duration.ofSeconds(10), List.of(loan(2, 16))));
    assertThat(store.history().steps(job.task(0)))
        .containsExactly(
            new History.PastStep(over, Optional.of(end)),
            new History.PastStep(step.later(Duration.ofSeconds(-5)), Optional.empty()));
    assertThat(store.history().attempts(before.task(0).number()))
        .extracting(past -> past.attempt().startedAt(), past -> past.outcome().endedAt())
        .containsExactly(tuple(at(10), at(20)));
  }

  @Test
  void a_gpu_may_come_and_go_but_is_lent_once_at_a_time() throws StoreException {
    started();
    store.commit(List.of(new Change.Lent(ID, loan(3, 20)), back(3, 25)));
    store.commit(List.of(new Change.Lent(ID, loan(3, 25)), back(3, 31)));
    store.commit(List.of(new Change.Lent(ID, loan(3, 40))));

    assertThat(store.load().loans())
        .containsExactly(new LiveLoans(ID, Duration.ofSeconds(11), List.of(loan(3, 40))));
    assertThatThrownBy(() -> store.commit(List.of(new Change.Lent(ID, loan(3, 41)))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.commit(List.of(back(4, 41))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GPU-4");
  }

  @Test
  void nothing_is_lent_to_an_attempt_that_is_not_there() throws StoreException {
    assertThatThrownBy(() -> store.commit(List.of(new Change.Lent(ID, loan(3, 20)))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void the_time_on_loan_is_part_of_what_the_job_used() throws StoreException {
    Job job = started();
    var over = outcome(JobState.COMPLETED, at(40));
    store.commit(List.of(new Change.Lent(ID, loan(3, 20)), new Change.Lent(ID, loan(4, 30))));
    store.commit(
        List.of(
            back(3, 40),
            back(4, 40),
            new Change.AttemptEnded(ID, attempt(1, at(10)), over),
            new Change.Progress(Samples.ended(job, 0, over))));

    store = reopen(store);

    assertThat(store.load().loans()).isEmpty();
    var all =
        new History.Query(
            List.of(), Set.of(), List.of(), List.of(), Optional.empty(), Optional.empty(), 10);
    assertThat(store.history().ended(all).getFirst().lent()).isEqualTo(Duration.ofSeconds(30));
    double own = AttemptRows.gpuSeconds(attempt(1, at(10)), at(40));
    var none = new History.StatsQuery(Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(store.history().stats(none).gpuSeconds()).isEqualTo(own + 30);
  }

  @Test
  void loans_are_forgotten_with_their_job() throws StoreException {
    Job job = started();
    var over = outcome(JobState.COMPLETED, at(40));
    store.commit(
        List.of(
            new Change.Lent(ID, loan(3, 20)),
            back(3, 40),
            new Change.AttemptEnded(ID, attempt(1, at(10)), over),
            new Change.Progress(Samples.ended(job, 0, over))));

    assertThat(store.prune(at(100)).jobs()).isOne();
    assertThat(store.load().loans()).isEmpty();
  }
}
