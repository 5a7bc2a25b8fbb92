package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation.GpuGrant;
import gflow.job.TaskEvent.Blame;
import gflow.job.TaskState.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every engine does, whatever it runs attempts on. {@code docs/engines.md} lists it. */
public abstract class EngineContract implements Engine.Listener {
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(7)), 1);
  private static final GpuId GPU = new GpuId("GPU-0");
  private static final int USR1 = 10;

  private final List<TaskEvent> told = Collections.synchronizedList(new ArrayList<>());
  private final List<Step.End> stepEnds = Collections.synchronizedList(new ArrayList<>());
  private final List<Boolean> locked = Collections.synchronizedList(new ArrayList<>());
  private Machine machine;
  private Engine engine;

  /** What a program does in these cases. */
  public enum Does {
    /** Ends at once with that code. */
    ENDS_WELL,
    ENDS_WITH_3,
    IS_KILLED,
    /** Until it is told to end. */
    RUNS,
    /** It takes no notice of SIGTERM. */
    IS_STUBBORN,
    /** Ends at once, and leaves another process that goes on. */
    LEAVES_ANOTHER
  }

  /** What outlives the daemons. */
  protected interface Machine extends AutoCloseable {
    /** A daemon has come, with an engine of its own. */
    Engine connect(Engine.Listener listener);

    /** The daemon is dead; what it ran goes on. */
    void disconnect();

    /** Lets time pass until that is so. */
    void await(String what, BooleanSupplier isSo);

    /** A job that does this, and where its attempts run. */
    JobSpec job(AttemptId id, Does what);

    Where where();

    /** How often the program of the attempt has begun. */
    int begun(AttemptId id);

    /** Whether a process of it is left. */
    boolean isLeft(AttemptId id);

    /** How often its program has had that signal. */
    int signals(AttemptId id, int signal);

    /** A process in the attempt that asks for a step, and its end. */
    Step.Parent fork(AttemptId id);

    void end(Step.Parent parent);

    /** The k-th thing that a start does from now on fails, by no fault of the job. */
    void failOnce(int k);

    @Override
    void close();
  }

  protected abstract Machine machine();

  @BeforeEach
  void start() {
    machine = machine();
    engine = machine.connect(this);
  }

  @AfterEach
  void stop() {
    engine.run(new Effect.Kill(ID));
    machine.await("everything is gone", () -> !machine.isLeft(ID));
    machine.disconnect();
    machine.close();
  }

  @Override
  public void happened(AttemptId attempt, TaskEvent event) {
    told.add(event);
  }

  @Override
  public void stepEnded(StepId step, Step.End end) {
    stepEnds.add(end);
  }

  @Override
  public void taken(GpuId gpu) {}

  @Override
  public void locked(AttemptId attempt, GpuId gpu, boolean ours) {
    locked.add(ours);
  }

  // ---- how it is done ----

  private Attempt attempt(Where where) {
    return new Attempt(1, Allocation.NONE, Jobs.T0, where);
  }

  private void launch(Does what) {
    engine.run(new Effect.Launch(ID, machine.job(ID, what), attempt(machine.where())));
  }

  private void launchAndBegin(Does what) {
    launch(what);
    machine.await("it begins", () -> machine.begun(ID) == 1);
    awaitTold("it runs", TaskEvent.Spawned.class::isInstance);
  }

  private void nextDaemon(Does what) {
    machine.disconnect();
    told.clear();
    engine = machine.connect(this);
    engine.adopt(ID, machine.job(ID, what), attempt(machine.where()));
  }

  private void awaitTold(String what, Predicate<TaskEvent> event) {
    machine.await(what, () -> List.copyOf(told).stream().anyMatch(event));
  }

  private static boolean isEnd(TaskEvent event) {
    return event instanceof TaskEvent.Gone
        || event instanceof TaskEvent.NeverRan
        || event instanceof TaskEvent.Lost
        || (event instanceof TaskEvent.ProgramEnded e && e.whole());
  }

  /** How the program ended, once nothing of it is left. */
  private Exit end() {
    awaitTold("its end", EngineContract::isEnd);
    assertThat(machine.isLeft(ID)).as("processes after the end").isFalse();
    return List.copyOf(told).stream()
        .filter(TaskEvent.ProgramEnded.class::isInstance)
        .map(event -> ((TaskEvent.ProgramEnded) event).exit().exit())
        .findFirst()
        .orElseThrow();
  }

  private void terminate() {
    engine.run(new Effect.Terminate(ID, new Cause.Cancelled("anna")));
  }

  private Effect.Warn warning(Duration limit) {
    return new Effect.Warn(ID, USR1, Recipients.ALL, limit);
  }

  private Step step(Step.Parent parent) {
    return new Step(
        new StepId(ID, 0),
        "x",
        1,
        false,
        new Step.Share(1, Ranges.EMPTY, List.of(), 0),
        parent,
        Jobs.T0,
        java.util.Optional.empty());
  }

  // ---- starts and ends ----

  @Test
  public void a_program_ends_with_its_exit_code() {
    launch(Does.ENDS_WITH_3);
    assertThat(end()).isEqualTo(Exit.code(3));
    assertThat(machine.begun(ID)).isEqualTo(1);
  }

  @Test
  public void a_program_that_ends_well_ends_with_0() {
    launch(Does.ENDS_WELL);
    assertThat(end()).isEqualTo(Exit.OK);
  }

  @Test
  public void a_program_that_was_killed_ends_by_that_signal() {
    launch(Does.IS_KILLED);
    assertThat(end()).isEqualTo(Exit.signal(9));
  }

  @Test
  public void who_begins_is_told_to_run() {
    launchAndBegin(Does.RUNS);
    assertThat(told).noneMatch(EngineContract::isEnd);
  }

  @Test
  public void what_a_program_leaves_behind_is_ended_before_the_end_is_whole() {
    launch(Does.LEAVES_ANOTHER);
    awaitTold("the program's end", TaskEvent.ProgramEnded.class::isInstance);
    assertThat(told).noneMatch(EngineContract::isEnd);
    terminate();
    assertThat(end()).isEqualTo(Exit.OK);
  }

  // ---- cancel, and time ----

  @Test
  public void who_is_told_to_end_ends() {
    launchAndBegin(Does.RUNS);
    terminate();
    assertThat(end()).isEqualTo(Exit.signal(15));
  }

  @Test
  public void who_is_told_to_end_while_it_is_launched_ends_too() {
    launch(Does.RUNS);
    terminate();
    engine.run(new Effect.Kill(ID));
    awaitTold("its end", EngineContract::isEnd);
    assertThat(machine.isLeft(ID)).as("processes after the end").isFalse();
  }

  @Test
  public void who_takes_no_notice_is_killed() {
    launchAndBegin(Does.IS_STUBBORN);
    terminate();
    machine.await("SIGTERM", () -> machine.signals(ID, 15) > 0);
    assertThat(told).noneMatch(EngineContract::isEnd);
    engine.run(new Effect.Kill(ID));
    assertThat(end()).isEqualTo(Exit.signal(9));
  }

  @Test
  public void a_signal_reaches_the_program() {
    launchAndBegin(Does.RUNS);
    engine.run(new Effect.Signal(ID, USR1, Recipients.ALL));
    machine.await("the signal", () -> machine.signals(ID, USR1) == 1);
  }

  @Test
  public void the_warning_before_a_limit_comes_once_for_each_limit_through_a_restart_too() {
    launchAndBegin(Does.RUNS);
    engine.run(warning(Duration.ofMinutes(1)));
    machine.await("the warning", () -> machine.signals(ID, USR1) == 1);
    nextDaemon(Does.RUNS);
    awaitTold("it runs", TaskEvent.Spawned.class::isInstance);
    engine.run(warning(Duration.ofMinutes(1)));
    engine.run(warning(Duration.ofMinutes(2)));
    machine.await("the next one", () -> machine.signals(ID, USR1) >= 2);
    assertThat(machine.signals(ID, USR1)).isEqualTo(2);
  }

  @Test
  public void what_is_done_for_an_attempt_that_is_over_does_nothing() {
    launch(Does.ENDS_WELL);
    end();
    int events = told.size();
    terminate();
    engine.run(new Effect.Kill(ID));
    engine.run(new Effect.Signal(ID, USR1, Recipients.ALL));
    engine.run(new Effect.Discard(ID));
    engine.run(new Effect.Discard(ID));
    assertThat(told).hasSize(events);
  }

  // ---- the daemon dies ----

  @Test
  public void who_runs_is_adopted_and_its_end_is_told() {
    launchAndBegin(Does.RUNS);
    nextDaemon(Does.RUNS);
    awaitTold("it runs", TaskEvent.Spawned.class::isInstance);
    terminate();
    assertThat(end()).isEqualTo(Exit.signal(15));
    assertThat(machine.begun(ID)).isEqualTo(1);
  }

  @Test
  public void who_ended_while_nobody_looked_is_told_with_its_code() {
    launch(Does.ENDS_WITH_3);
    end();
    nextDaemon(Does.ENDS_WITH_3);
    assertThat(end()).isEqualTo(Exit.code(3));
    assertThat(machine.begun(ID)).isEqualTo(1);
  }

  @Test
  public void who_was_never_launched_never_ran_and_never_will() {
    nextDaemon(Does.ENDS_WELL);
    awaitTold("its end", EngineContract::isEnd);
    assertThat(told)
        .singleElement()
        .isInstanceOfSatisfying(
            TaskEvent.NeverRan.class, e -> assertThat(e.blame()).isEqualTo(Blame.NOBODY));
    assertThat(machine.begun(ID)).isZero();
  }

  @Test
  public void who_left_nothing_behind_in_an_earlier_boot_is_lost() {
    if (machine.where() instanceof Where.Here) {
      engine.adopt(ID, machine.job(ID, Does.RUNS), attempt(new Where.Here("an earlier boot")));
      awaitTold("its end", EngineContract::isEnd);
      assertThat(told).singleElement().isInstanceOf(TaskEvent.Lost.class);
    }
  }

  @Test
  public void an_attempt_begins_at_most_once_however_often_daemons_die() {
    launch(Does.RUNS);
    for (int k = 0; k < 3; k++) {
      nextDaemon(Does.RUNS);
      awaitTold("it is known", _ -> true);
    }
    machine.await("what it comes to", () -> machine.begun(ID) == 1 || !machine.isLeft(ID));
    assertThat(machine.begun(ID)).isLessThan(2);
  }

  // ---- steps and loans ----

  @Test
  public void the_end_of_a_steps_parent_is_the_end_of_the_step() {
    launchAndBegin(Does.RUNS);
    Step.Parent parent = machine.fork(ID);
    engine.run(new Effect.BeginStep(step(parent)));
    machine.end(parent);
    machine.await("the step's end", () -> stepEnds.size() == 1);
  }

  @Test
  public void a_step_whose_parent_ended_while_nobody_looked_is_told() {
    launchAndBegin(Does.RUNS);
    Step.Parent parent = machine.fork(ID);
    machine.disconnect();
    machine.end(parent);
    engine = machine.connect(this);
    engine.run(new Effect.BeginStep(step(parent)));
    machine.await("the step's end", () -> stepEnds.size() == 1);
    engine.adopt(ID, machine.job(ID, Does.RUNS), attempt(machine.where()));
    awaitTold("it runs", TaskEvent.Spawned.class::isInstance);
  }

  @Test
  public void a_gpu_on_loan_is_locked_or_said_not_to_be() {
    launchAndBegin(Does.RUNS);
    engine.run(new Effect.Lend(ID, new GpuGrant(GPU, 0, GpuPart.WHOLE, 0)));
    machine.await("an answer", () -> locked.size() == 1);
    engine.run(new Effect.TakeBack(ID, GPU));
  }

  // ---- faults ----

  /** Nobody else would ever say that it does not run. */
  @Test
  public void whatever_fails_in_a_start_it_runs_once_or_is_said_never_to_have_run() {
    for (int k = 1; k <= 8; k++) {
      told.clear();
      machine.failOnce(k);
      var id = new AttemptId(new TaskId(new JobId(100 + k)), 1);
      engine.run(new Effect.Launch(id, machine.job(id, Does.ENDS_WELL), attempt(machine.where())));
      awaitTold("an end with fault " + k, EngineContract::isEnd);
      boolean never = told.stream().anyMatch(TaskEvent.NeverRan.class::isInstance);
      assertThat(machine.begun(id)).as("fault %d: %s", k, told).isEqualTo(never ? 0 : 1);
      engine.run(new Effect.Discard(id));
    }
  }
}
