package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.api.Answer;
import gflow.api.ContainedBugs;
import gflow.daemon.Specs;
import gflow.daemon.service.SpecEdits;
import gflow.gpu.GpuDevice;
import gflow.job.AttemptId;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.EarlySignal;
import gflow.job.Effect;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.RequestedOptions;
import gflow.job.TaskEvent;
import gflow.job.TaskState;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What becomes of bugs, and of turns that could not be kept. */
class TurnRunnerTest {
  static {
    Logger.getLogger("gflow.bugs").setLevel(Level.OFF);
  }

  private static final Instant T0 = Specs.T0;

  private final MemoryStore store = new MemoryStore();
  private final List<String> problems = new ArrayList<>();
  private final List<List<Change>> commits = new ArrayList<>();
  private Consumer<List<Change>> atCommit = commits::add;
  private Core core = core(true);
  private TurnRunner scheduler = scheduler();

  TurnRunnerTest() throws Exception {
    store.commit(List.of(new Change.PutBlob(Specs.gpus(0).scene().environment(), new byte[1])));
  }

  private Core core(boolean simulated) {
    var gpu = new GpuDevice(new GpuId("GPU-0"), 0, "A100", 1L << 34, Ranges.EMPTY, true);
    var stock = new Inventory.Stock(List.of(gpu), simulated, Ranges.firstN(4), 1L << 36, 0, "boot");
    var inventory = new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
    return new Core(
        new Ledger(store.history()),
        inventory,
        Specs.grace(Duration.ofSeconds(5)),
        Routing.HERE,
        1);
  }

  private TurnRunner scheduler() {
    var watcher =
        new CommitHooks() {
          @Override
          public void before(String what, List<Change> changes) {
            atCommit.accept(changes);
          }

          @Override
          public void after(String what, List<Change> changes) {}
        };
    return new TurnRunner(core, store, watcher, new ContainedBugs(problems::add));
  }

  private TurnRunner.Turn turn(Instant now, LoopWork... works) {
    TurnRunner.Turn turn = scheduler.turn(List.of(works), now);
    turn.answers().forEach(Runnable::run);
    return turn;
  }

  private static LoopWork.Ask<JobId> submit(JobSpec spec) {
    return new LoopWork.Ask<>((c, now) -> c.submit(spec, now).id());
  }

  private static String refusal(LoopWork.Ask<?> ask) {
    assertThat(ask.answer()).isCompletedExceptionally();
    var refusal = (Refusal) ask.answer().exceptionNow();
    assertThat(refusal.answer()).extracting("kind").isEqualTo(Answer.Kind.INTERNAL);
    return String.valueOf(refusal.getMessage());
  }

  @Test
  void a_request_that_meets_a_bug_is_taken_back_and_its_neighbours_are_not() {
    var before = submit(Specs.gpus(9));
    turn(T0, before);
    Job first = core.ledger().job(before.answer().join()).orElseThrow();
    commits.clear();
    var bad =
        new LoopWork.Ask<Integer>(
            (c, now) -> {
              c.submit(Specs.gpus(0), now);
              c.cancel(first, Ranges.firstN(1), "nobody", now);
              c.control(
                  OperatorControls.none(UsageLimits.NONE).withAllowed(Optional.of(List.of())),
                  setting());
              throw new ArithmeticException("integer overflow");
            });
    var good = submit(Specs.gpus(9));

    turn(T0, bad, good);

    assertThat(refusal(bad)).matches("internal error \\d+-1: look for it in gflowd.log, and .*");
    assertThat(good.answer().join()).isEqualTo(new JobId(2));
    assertThat(core.ledger().jobs()).extracting(Job::id).containsExactly(first.id(), new JobId(2));
    assertThat(core.inventory().controls().allows(0)).isTrue();
    assertThat(commits).hasSize(1);
    assertThat(commits.getFirst()).singleElement().isInstanceOf(Change.Submit.class);
    assertThat(problems).singleElement().asString().contains("internal error");
  }

  private static Change setting() {
    return new Change.Setting(OperatorControls.KEY, "{}");
  }

  @Test
  void a_stack_that_is_too_deep_is_the_end_of_that_request_only() {
    var bad = new LoopWork.Ask<Integer>((c, now) -> endless(0));

    turn(T0, bad);

    assertThat(refusal(bad)).contains("internal error");
  }

  @Test
  void one_that_is_too_deep_for_the_commit_or_in_a_look_ends_only_what_brought_it() {
    var bad = submit(Specs.gpus(9));
    var look = new LoopWork.Look<Integer>(c -> endless(0));
    atCommit =
        changes -> {
          if (changes.stream().anyMatch(change -> change instanceof Change.Submit)) {
            var _ = endless(0);
          }
        };

    turn(T0, bad, look);

    assertThat(refusal(bad)).contains("internal error");
    assertThat(look.answer().exceptionNow()).isInstanceOf(Refusal.class);
    assertThat(core.ledger().jobs()).isEmpty();
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int endless(int depth) {
    return endless(depth + 1) + 1;
  }

  @Test
  void a_job_that_broke_off_in_the_middle_is_not_counted() {
    JobSpec broken = after(new JobRef.Last());
    var bad = submit(broken);

    turn(T0, bad);

    assertThat(refusal(bad)).contains("internal error");
    assertThat(core.ledger().waitingTasks()).isZero();
    assertThat(core.ledger().jobs()).isEmpty();
  }

  private static JobSpec after(JobRef parent) {
    var d = new Dependency(Dependencies.Kind.AFTEROK, Optional.of(parent), Duration.ZERO);
    return SpecEdits.withDependencies(Specs.gpus(0), new Dependencies(false, List.of(d), false));
  }

  @Test
  void who_breaks_the_commit_of_many_is_found_and_the_others_are_kept() {
    var works = new ArrayList<LoopWork.Ask<JobId>>();
    for (int i = 0; i < 7; i++) {
      String key = i == 4 ? "2" : Integer.toString(i);
      works.add(
          new LoopWork.Ask<>(
              (c, now) -> {
                c.note(new Change.Answered(key, "x", now));
                return c.submit(Specs.gpus(9), now).id();
              }));
    }

    turn(T0, works.toArray(LoopWork[]::new));

    assertThat(refusal(works.remove(4))).contains("internal error");
    assertThat(works)
        .extracting(ask -> ask.answer().join().value())
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(store.load().jobs()).hasSize(6);
  }

  @Test
  void the_second_with_the_key_of_another_in_its_group_gets_the_answer_of_that_one() {
    LoopWork.Ask.Change<String> once =
        (c, now) -> {
          if (store.answered("k").isPresent()) {
            return "as before";
          }
          c.note(new Change.Answered("k", "x", now));
          return "done";
        };
    var first = new LoopWork.Ask<>(once);
    var second = new LoopWork.Ask<>(once);

    turn(T0, first, second);

    assertThat(first.answer().join()).isEqualTo("done");
    assertThat(second.answer().join()).isEqualTo("as before");
    assertThat(problems).isEmpty();
  }

  @Test
  void a_turn_that_is_broken_without_any_request_ends_the_loop() {
    turn(T0, submit(SpecEdits.withBegin(Specs.gpus(0), Optional.of(T0.plusSeconds(9)))));
    atCommit =
        changes -> {
          throw new IllegalStateException("a bug of the planner");
        };
    var innocent = submit(Specs.gpus(9));

    assertThatThrownBy(() -> turn(T0.plusSeconds(9), innocent))
        .hasRootCauseMessage("a bug of the planner");

    assertThat(innocent.answer()).isNotDone();
  }

  @Test
  void news_that_meets_a_bug_is_tried_again_and_then_left_to_the_next_start() {
    var tries = new ArrayList<Instant>();
    var news =
        new LoopWork.StepNews(
            (c, now) -> {
              tries.add(now);
              throw new IllegalStateException("no");
            });

    assertThat(turn(T0, news).again()).containsExactly(news);
    assertThat(turn(T0, news).trouble()).isPresent();
    assertThat(turn(T0, news).again()).isEmpty();

    assertThat(tries).hasSize(3);
    assertThat(problems.getLast()).contains("3 internal errors", "gflowd restart looks again");
  }

  @Test
  void a_look_that_meets_a_bug_is_answered_so_and_what_follows_a_commit_cannot_break_the_loop() {
    var look =
        new LoopWork.Look<Integer>(
            c -> {
              throw new IllegalStateException("no");
            });
    var told =
        new LoopWork.News() {
          @Override
          public void run(Core c, Instant now) {}

          @Override
          public void committed(Core c) {
            throw new IllegalStateException("no");
          }
        };

    turn(T0, look, told);

    assertThat(look.answer().exceptionNow()).isInstanceOf(Refusal.class);
    assertThat(problems).hasSize(2);
  }

  private AttemptId started(TurnRunner.Turn turn, Instant now) {
    AttemptId attempt = ((Effect.Launch) turn.effects().getLast()).attempt();
    turn(now, new LoopWork.Happened(attempt, new TaskEvent.Spawned(now)));
    return attempt;
  }

  /** With two hours, and a signal after the first. */
  private static JobSpec signalled() {
    var signal = new EarlySignal(10, Duration.ofHours(1), false);
    return Specs.gpus(1)
        .withAsked(new RequestedOptions(new TreeMap<>(), Optional.of(signal), Optional.empty()));
  }

  @Test
  void a_turn_that_comes_late_sends_the_signal_before_the_end_though_an_earlier_attempt_ran() {
    AttemptId first = started(turn(T0, submit(signalled())), T0);
    Instant later = T0.plus(Duration.ofMinutes(90));
    turn(later);
    var neverRan = new TaskEvent.NeverRan(TaskEvent.Blame.NOBODY, "by a test", later);
    started(turn(later, new LoopWork.Happened(first, neverRan)), later);

    assertThat(turn(later.plus(Duration.ofHours(3))).effects())
        .map(effect -> effect.getClass().getSimpleName())
        .containsExactly("Warn", "Terminate");
  }

  @Test
  void a_signal_that_is_due_in_a_turn_that_cannot_be_kept_is_sent_by_the_next() {
    started(turn(T0, submit(signalled())), T0);
    store.disk().full(true);
    Instant due = T0.plus(Duration.ofHours(1));

    TurnRunner.Turn failed = turn(due, submit(Specs.gpus(0)));
    store.disk().full(false);

    assertThat(failed.trouble()).isPresent();
    assertThat(turn(due.plusSeconds(1)).effects()).singleElement().isInstanceOf(Effect.Warn.class);
    assertThat(turn(due.plusSeconds(2)).effects()).isEmpty();
  }

  @Test
  void a_look_makes_no_plan() {
    core = core(false);
    scheduler = scheduler();

    assertThat(turn(T0, submit(Specs.gpus(1))).lookFirst()).isTrue();
    assertThat(turn(T0, new LoopWork.Look<>(c -> 1)).lookFirst()).isFalse();
    assertThat(turn(T0).lookFirst()).isTrue();
  }

  @Test
  void a_parent_that_cannot_be_read_is_looked_up_again_and_never_a_death() {
    var parent = submit(Specs.gpus(0));
    turn(T0, parent);
    Job running = core.ledger().jobs().iterator().next();
    var state = (TaskState.Starting) running.state(0);
    var id = new AttemptId(running.task(0), state.attempt().number());
    turn(
        T0,
        new LoopWork.Happened(id, new TaskEvent.NeverRan(TaskEvent.Blame.JOB, "by a test", T0)));
    store.disk().unreadable(true);

    var finder = new JobFinder(store.history());
    var asked =
        new LoopWork.Ask<Object>(
            (c, now) -> finder.find(new JobRef.ById(new JobId(1)), Specs.ANNA));
    turn(T0, submit(after(new JobRef.ById(new JobId(1)))), asked);

    assertThat(asked.answer().exceptionNow())
        .isInstanceOf(Refusal.class)
        .hasMessage("memory cannot be read");
    assertThat(core.ledger().parents().unread()).contains("memory cannot be read");
    assertThat(core.ledger().book().isEmpty()).isTrue();
    store.disk().unreadable(false);
    turn(T0.plusSeconds(10));
    assertThat(core.ledger().parents().unread()).isEmpty();
    assertThat(core.ledger().parents().never(new JobId(2))).isTrue();
    assertThat(problems).isEmpty();
  }
}
