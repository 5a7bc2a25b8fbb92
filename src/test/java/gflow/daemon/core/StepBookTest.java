package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.core.StepBook.Answer;
import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Exit;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.StepRequest;
import gflow.job.StepRequest.Gpus;
import gflow.job.StepRequest.Memory;
import gflow.job.TaskId;
import gflow.job.Where;
import gflow.store.Change;
import gflow.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order of steps in one attempt, and what is committed of them. */
class StepBookTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(42)), 1);
  private static final StepBook.Home HOME = home(2);
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final List<Change> changes = new ArrayList<>();
  private final List<Runnable> told = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private final Timers timers = new Timers();
  private final StepBook book =
      new StepBook(
          new StepBook.Notes() {
            @Override
            public void commit(Change change) {
              changes.add(change);
            }

            @Override
            public void effect(Effect effect) {
              effects.add(effect);
            }

            @Override
            public void afterwards(Runnable tell) {
              told.add(tell);
            }
          },
          timers,
          _ -> GRACE);

  private static StepBook.Home home(int gpus) {
    var grants = new ArrayList<GpuGrant>();
    for (int i = 0; i < gpus; i++) {
      grants.add(new GpuGrant(new GpuId("gpu-" + i), i, GpuPart.WHOLE, 0));
    }
    var request = new Request(4, 0, 0, new GpuRequest.Whole(gpus), GpuFilter.ANY);
    var allocation = new Allocation(grants, Ranges.firstN(4), 0);
    return new StepBook.Home(
        ID, new Attempt(1, allocation, NOW, new Where.Here("boot")), request, false);
  }

  private static StepBook.Wish wish(long pid, int gpus) {
    var request =
        new StepRequest(
            1, 1, true, false, new Memory.OfTheJob(), new Gpus.Count(gpus, Optional.empty()));
    return new StepBook.Wish(new Step.Parent(pid, 7), "x", request, Optional.empty());
  }

  private Answer ask(long pid, int gpus) {
    return book.ask(HOME, wish(pid, gpus), NOW);
  }

  private void commit() {
    changes.clear();
    effects.clear();
    var all = List.copyOf(told);
    told.clear();
    all.forEach(Runnable::run);
  }

  private void end(int number, int code) {
    var end = new Step.End(Exit.code(code), NOW.plusSeconds(9));
    book.ended(new StepId(ID, number), end, Optional.of(HOME), NOW);
  }

  private static Step runs(Answer answer) {
    return ((Answer.Runs) answer).step();
  }

  @Test
  void a_start_is_committed_and_then_an_effect_that_leaves_nothing_to_the_loops_thread() {
    Step step = runs(ask(100, 1));

    assertThat(changes).containsExactly(new Change.StepStarted(step));
    assertThat(effects).containsExactly(new Effect.BeginStep(step));
    book.signal(step, 10);
    assertThat(effects).last().isEqualTo(new Effect.SignalStep(step, 10));
    assertThat(told).isEmpty();
  }

  @Test
  void who_asks_again_gets_the_same_step_and_nothing_is_committed() {
    Step step = runs(ask(100, 1));
    commit();

    assertThat(runs(ask(100, 1))).isEqualTo(step);
    assertThat(changes).isEmpty();
  }

  @Test
  void those_who_wait_come_in_their_order_but_one_that_fits_passes() {
    ask(100, 1);
    ask(101, 1);
    var both = (Answer.Waits) ask(102, 2);
    var one = (Answer.Waits) ask(103, 1);
    commit();

    end(0, 3);

    assertThat(one.granted()).as("not before the commit").isNotDone();
    commit();
    assertThat(both.granted()).isNotDone();
    assertThat(one.granted().join().id().number()).isEqualTo(2);
    end(1, 0);
    end(2, 0);
    commit();
    assertThat(both.granted().join().share().gpus()).hasSize(2);
  }

  @Test
  void who_leaves_the_queue_gets_nothing() {
    ask(100, 2);
    var waits = (Answer.Waits) ask(101, 1);
    book.leave(ID, new Step.Parent(101, 7));

    end(0, 0);
    commit();

    assertThat(waits.granted()).isNotDone();
    assertThat(book.running()).isEmpty();
  }

  @Test
  void what_could_not_be_committed_has_not_happened() {
    var mark = book.mark();
    ask(100, 2);
    book.undoTo(mark);

    assertThat(book.running()).isEmpty();
    assertThat(runs(ask(101, 2)).id().number()).isZero();
  }

  @Test
  void when_the_attempt_is_over_its_steps_are_too() {
    Step step = runs(ask(100, 2));
    var waits = (Answer.Waits) ask(101, 1);
    commit();

    book.over(ID, Exit.signal(9), NOW, NOW.plusSeconds(100));

    assertThat(changes)
        .containsExactly(
            new Change.StepEnding(step.id(), new Step.Ending(NOW, JobState.CANCELLED)),
            new Change.StepEnded(step.id(), new Step.End(Exit.signal(9), NOW)));
    commit();
    assertThat(waits.granted()).isCompletedExceptionally();
    end(0, 0);
    assertThat(changes).as("its own end comes late").isEmpty();
  }

  @Test
  void after_a_restart_running_steps_keep_their_parts_and_numbers_go_on() {
    Step step = runs(ask(100, 2));
    var next =
        new StepBook(
            new StepBook.Notes() {
              @Override
              public void commit(Change change) {}

              @Override
              public void effect(Effect effect) {}

              @Override
              public void afterwards(Runnable tell) {}
            },
            timers,
            _ -> GRACE);
    next.fill(List.of(new Store.LiveSteps(ID, 5, List.of(step))));

    assertThat(runs(next.ask(HOME, wish(100, 2), NOW))).isEqualTo(step);
    assertThat(next.ask(HOME, wish(101, 1), NOW)).isInstanceOf(Answer.Waits.class);
    assertThat(runs(next.ask(HOME, wish(102, 0), NOW)).id().number()).isEqualTo(5);
  }

  /** What is heard at that time, in the order of the timers. */
  private List<String> heardUntil(Instant now) {
    timers.due(now).forEach(timer -> book.due(timer.task(), now));
    var heard = new ArrayList<String>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.SignalStep(Step step, int signal)) {
        heard.add(step.id() + " " + signal);
      }
    }
    commit();
    return heard;
  }

  @Test
  void a_step_with_a_time_limit_is_told_to_end_and_then_killed() {
    var limited =
        new StepBook.Wish(
            wish(100, 1).parent(), "x", wish(100, 1).request(), Optional.of(Duration.ofMinutes(1)));
    Step step = runs(book.ask(HOME, limited, NOW));
    runs(ask(101, 1));

    assertThat(heardUntil(NOW.plusSeconds(59))).isEmpty();
    assertThat(heardUntil(NOW.plusSeconds(60))).containsExactly("42.0 15");
    assertThat(heardUntil(NOW.plusSeconds(89))).isEmpty();
    assertThat(heardUntil(NOW.plusSeconds(90))).containsExactly("42.0 9");
    var late = new Step.End(Exit.signal(15), NOW.plusSeconds(61));
    assertThat(step.state(late)).isEqualTo(JobState.TIMEOUT);
    var early = new Step.End(Exit.code(3), NOW.plusSeconds(50));
    assertThat(step.state(early)).isEqualTo(JobState.FAILED);
  }

  @Test
  void a_cancelled_step_is_committed_and_told_at_once_and_only_once() {
    Step step = runs(ask(100, 1));
    commit();

    assertThat(book.cancel(step, NOW)).isTrue();

    assertThat(changes)
        .containsExactly(
            new Change.StepEnding(step.id(), new Step.Ending(NOW, JobState.CANCELLED)));
    Step ending = book.running(new JobId(42), 0).orElseThrow();
    assertThat(book.cancel(ending, NOW.plusSeconds(1))).isFalse();
    assertThat(heardUntil(NOW)).containsExactly("42.0 15");
    assertThat(ending.state(new Step.End(Exit.OK, NOW))).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void after_a_restart_a_step_that_shall_end_is_told_again() {
    Step step = runs(ask(100, 1)).withEnding(new Step.Ending(NOW, JobState.CANCELLED));
    commit();

    book.fill(List.of(new Store.LiveSteps(ID, 1, List.of(step))));

    assertThat(heardUntil(NOW.plusSeconds(1))).containsExactly("42.0 15");
    assertThat(heardUntil(NOW.plusSeconds(31))).containsExactly("42.0 9");
    assertThat(heardUntil(NOW.plusSeconds(61))).as("until it is gone").containsExactly("42.0 9");
  }

  @Test
  void a_step_that_was_to_end_long_ago_has_its_grace_from_the_sigterm_of_this_daemon() {
    var order = new Step.Ending(NOW.minusSeconds(600), JobState.TIMEOUT);
    Step step = runs(ask(100, 1)).withEnding(order);
    commit();

    book.fill(List.of(new Store.LiveSteps(ID, 1, List.of(step))));

    assertThat(heardUntil(NOW)).containsExactly("42.0 15");
    assertThat(heardUntil(NOW.plusSeconds(29))).isEmpty();
    assertThat(heardUntil(NOW.plusSeconds(30))).containsExactly("42.0 9");
  }

  @Test
  void the_limit_of_a_step_is_the_same_on_a_clock_that_was_set() {
    var limited =
        new StepBook.Wish(
            wish(100, 1).parent(), "x", wish(100, 1).request(), Optional.of(Duration.ofMinutes(1)));
    book.ask(HOME, limited, NOW);
    Instant then = NOW.plusSeconds(3600);

    book.clockSet(Duration.ofHours(1));

    assertThat(heardUntil(then.plusSeconds(59))).isEmpty();
    assertThat(heardUntil(then.plusSeconds(60))).containsExactly("42.0 15");
    book.clockSet(Duration.ofHours(-1));
    assertThat(heardUntil(NOW.plusSeconds(89))).isEmpty();
    assertThat(heardUntil(NOW.plusSeconds(90))).containsExactly("42.0 9");
  }
}
