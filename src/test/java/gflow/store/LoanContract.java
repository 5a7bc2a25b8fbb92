package gflow.store;

import static gflow.store.Samples.at;
import static gflow.store.Samples.attempt;
import static gflow.store.Samples.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.job.Job;
import gflow.job.JobState;
import gflow.job.Loan;
import gflow.store.Store.LiveLoans;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every store knows of cards on loan. */
abstract class LoanContract extends StepContract {
  private static final AttemptId ID = new AttemptId(Samples.job(1).task(0), 1);

  private static GpuId gpu(int index) {
    return new GpuId("GPU-" + index);
  }

  private static Loan loan(int index, int second) {
    return new Loan(new GpuGrant(gpu(index), index, GpuRequest.WHOLE, 24L << 30), at(second));
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
  void cards_on_loan_survive_and_so_does_the_time_of_those_that_came_back() throws StoreException {
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
  void a_card_may_come_and_go_but_is_lent_once_at_a_time() throws StoreException {
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
    double own = AttemptWriter.gpuSeconds(attempt(1, at(10)), at(40));
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
