package gflow.store;

import static gflow.store.Samples.at;
import static gflow.store.Samples.attempt;
import static gflow.store.Samples.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.Job;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.Usage;
import gflow.store.Store.LiveSteps;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What every store knows of steps. */
abstract class StepContract extends HistoryContract {
  private static Step step(Job job, int offset, int number) {
    return new Step(
        new StepId(new AttemptId(job.task(offset), 1), number),
        "train",
        2,
        number == 1,
        new Step.Share(3, Ranges.of(2, 4), Samples.HALF_GPU.gpus(), 1L << 30),
        new Step.Parent(4711, 99),
        at(20 + number),
        number == 2 ? Optional.of(new Step.Ending(at(50), JobState.TIMEOUT)) : Optional.empty());
  }

  private static Step.End end(int code) {
    var usage = new Usage(Optional.of(Duration.ofMillis(1250)), OptionalLong.of(3L << 30));
    return new Step.End(Exit.code(code), at(30), usage);
  }

  private Job started() throws StoreException {
    Job job = Samples.array(1, 4);
    store.commit(
        List.of(
            new Change.Submit(job),
            new Change.AttemptStarted(new AttemptId(job.task(2), 1), attempt(1, at(10)))));
    return job;
  }

  @Test
  void running_steps_survive_and_their_numbers_are_not_used_again() throws StoreException {
    Job job = started();
    store.commit(
        List.of(
            new Change.StepStarted(step(job, 2, 0)),
            new Change.StepStarted(step(job, 2, 1)),
            new Change.StepStarted(step(job, 2, 2)),
            new Change.StepEnded(step(job, 2, 2).id(), end(7))));

    store = reopen(store);

    assertThat(store.load().steps())
        .containsExactly(
            new LiveSteps(
                new AttemptId(job.task(2), 1), 3, List.of(step(job, 2, 0), step(job, 2, 1))));
  }

  @Test
  void all_steps_of_a_task_are_kept_with_their_ends() throws StoreException {
    Job job = started();
    store.commit(List.of(new Change.StepStarted(step(job, 2, 0))));
    store.commit(List.of(new Change.StepEnded(step(job, 2, 0).id(), end(7))));
    store.commit(List.of(new Change.StepStarted(step(job, 2, 1))));

    assertThat(store.history().steps(job.task(2)))
        .containsExactly(
            new History.PastStep(step(job, 2, 0), Optional.of(end(7))),
            new History.PastStep(step(job, 2, 1), Optional.empty()));
    assertThat(store.history().steps(job.task(1))).isEmpty();
  }

  @Test
  void when_a_step_shall_end_survives() throws StoreException {
    Job job = started();
    var ending = new Step.Ending(at(40), JobState.CANCELLED);
    store.commit(
        List.of(
            new Change.StepStarted(step(job, 2, 1)),
            new Change.StepStarted(step(job, 2, 2)),
            new Change.StepEnding(step(job, 2, 1).id(), ending)));

    store = reopen(store);

    assertThat(store.load().steps().getFirst().running())
        .containsExactly(step(job, 2, 1).withEnding(ending), step(job, 2, 2));
  }

  @Test
  void a_step_ends_once() throws StoreException {
    Job job = started();
    store.commit(List.of(new Change.StepStarted(step(job, 2, 0))));
    store.commit(List.of(new Change.StepEnded(step(job, 2, 0).id(), end(0))));

    assertThatThrownBy(
            () -> store.commit(List.of(new Change.StepEnded(step(job, 2, 0).id(), end(1)))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("4.0");
  }

  @Test
  void steps_are_forgotten_with_their_job() throws StoreException {
    Job job = Samples.job(1);
    var over = outcome(JobState.COMPLETED, at(40));
    store.commit(
        List.of(
            new Change.Submit(job),
            new Change.AttemptStarted(new AttemptId(job.task(0), 1), attempt(1, at(10))),
            new Change.StepStarted(step(job, 0, 0)),
            new Change.StepEnded(step(job, 0, 0).id(), end(0)),
            new Change.AttemptEnded(new AttemptId(job.task(0), 1), attempt(1, at(10)), over),
            new Change.Progress(Samples.ended(job, 0, over))));

    assertThat(store.prune(at(100)).jobs()).isOne();

    assertThat(store.history().steps(job.task(0))).isEmpty();
    assertThat(store.load().steps()).isEmpty();
  }
}
