package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ContainedBugs;
import gflow.daemon.Specs;
import gflow.daemon.core.LoopWork.Starts;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Exit;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.TaskEvent;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever submits waits for the commit, and not for the plan; and no start waits for long. */
class SubmissionTurnsTest {
  private static final Instant T0 = Specs.T0;

  private final MemoryStore store = new MemoryStore();
  private final List<String> said = new ArrayList<>();
  private final List<Effect.Launch> launched = new ArrayList<>();
  private final Loop loop = loop();

  SubmissionTurnsTest() throws Exception {
    store.commit(List.of(new Change.PutBlob(Specs.gpus(0).scene().environment(), new byte[1])));
    turn();
    said.clear();
  }

  private Loop loop() {
    var stock = new Inventory.Stock(List.of(), true, Ranges.firstN(2), 1L << 36, 0, "boot");
    var inventory = new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
    var grace = Specs.grace(Duration.ofSeconds(5));
    var core = new Core(new Ledger(store.history()), inventory, grace, Routing.HERE, 1);
    var commits =
        new CommitHooks() {
          @Override
          public void before(String what, List<Change> changes) {}

          @Override
          public void after(String what, List<Change> changes) {
            said.add("commit");
          }
        };
    var scheduler = new TurnRunner(core, store, commits, new ContainedBugs(said::add));
    var hooks = new Loop.Hooks(this::act, (_, _) -> {}, _ -> {}, _ -> {});
    return new Loop(scheduler, new Clocks(() -> T0, () -> Duration.ofHours(1)), hooks);
  }

  private void act(Effect effect) {
    if (effect instanceof Effect.Launch launch) {
      said.add("launch " + launch.attempt().task().job());
      launched.add(launch);
    }
  }

  private void turn(LoopWork... works) {
    List.of(works).forEach(loop::send);
    loop.turn(loop.arrived());
  }

  private LoopWork submit(JobSpec spec) {
    var ask = new LoopWork.Ask<JobId>((core, now) -> core.submit(spec, now).id(), Starts.SOON);
    var _ = ask.answer().thenAccept(id -> said.add("answer " + id));
    return ask;
  }

  private static LoopWork end(AttemptId attempt) {
    var exit = new TaskState.Exited(Exit.OK, Usage.UNKNOWN, false, T0);
    return new LoopWork.Happened(attempt, new TaskEvent.ProgramEnded(exit, true));
  }

  @Test
  void the_answer_comes_after_its_own_commit_and_the_start_right_behind() {
    turn(submit(Specs.gpus(0)));

    assertThat(said).containsExactly("commit", "answer 1");
    assertThat(loop.due()).isEqualTo(T0);

    turn();
    assertThat(said).containsExactly("commit", "answer 1", "commit", "launch 1");
    assertThat(loop.due()).isAfter(T0);
  }

  @Test
  void more_submissions_do_not_put_a_start_off_for_longer_than_one_commit() {
    turn(submit(Specs.gpus(0)));
    said.clear();

    turn(submit(Specs.gpus(0)));

    assertThat(said).containsExactly("commit", "answer 2", "launch 1", "launch 2");
  }

  @Test
  void what_an_end_frees_is_given_out_in_the_same_commit_also_beside_a_submission() {
    turn(submit(Specs.gpus(0)), submit(Specs.gpus(0)), submit(Specs.gpus(0)));
    turn();
    AttemptId first = launched.getFirst().attempt();
    turn(new LoopWork.Happened(first, new TaskEvent.Spawned(T0)));
    said.clear();

    turn(submit(Specs.gpus(0)), end(first));

    assertThat(said).containsExactly("commit", "answer 4", "launch 3");
  }

  @Test
  void what_could_not_be_kept_leaves_no_plan_undone() {
    store.disk().full(true);
    turn(submit(Specs.gpus(0)));
    store.disk().full(false);

    assertThat(said).isEmpty();
    turn(submit(Specs.gpus(0)));
    assertThat(said).containsExactly("commit", "answer 1", "launch 1");
  }

  @Test
  void whoever_looks_after_the_answer_or_beside_the_submission_sees_the_start() {
    turn(submit(Specs.gpus(0)));
    assertThat(waits(1)).isFalse();

    loop.send(submit(Specs.gpus(0)));
    assertThat(waits(2)).isFalse();
  }

  private boolean waits(long id) {
    var look =
        new LoopWork.Look<Boolean>(
            core -> !core.ledger().job(new JobId(id)).orElseThrow().waiting().isEmpty());
    turn(look);
    return look.answer().join();
  }
}
