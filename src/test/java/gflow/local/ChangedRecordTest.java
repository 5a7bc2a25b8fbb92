package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.Exit;
import gflow.job.GpuId;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import gflow.job.Where;
import gflow.local.mps.MpsPlaces;
import gflow.process.Cgroups;
import gflow.process.Launcher;
import gflow.process.Proc;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job may do what it likes to the record of its own attempt: it still ends once, by its code or
 * as lost, and never runs again.
 */
@Timeout(60)
class ChangedRecordTest implements Engine.Listener {
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(7)), 1);
  private static final Allocation NOTHING = new Allocation(List.of(), Ranges.EMPTY, 0);

  @TempDir Path folder;

  private final LinkedBlockingQueue<TaskEvent> told = new LinkedBlockingQueue<>();

  @Override
  public void happened(AttemptId attempt, TaskEvent event) {
    told.add(event);
  }

  @Override
  public void taken(GpuId gpu) {}

  @Override
  public void locked(AttemptId attempt, GpuId gpu, boolean ours) {}

  @Override
  public void stepEnded(StepId step, Step.End end) {}

  /** One for each test: what another one has left, or runs just now, is none of ours. */
  private AttemptMarks marks() {
    return new AttemptMarks("mark-" + folder.getFileName(), "secret", AttemptMarks.Early.NONE);
  }

  /** Who ended while there was no engine: no other daemon's parent would leave them. */
  @AfterEach
  void nobody_is_left_alive_or_unburied() throws InterruptedException {
    living().forEach(process -> Signals.send(process.pid(), Signals.KILL));
    try (var watch = new ProcessWatch()) {
      for (long pid : Proc.children(Proc.self())) {
        if (Proc.stat(pid).filter(Proc.Stat::dead).isPresent()) {
          var gone = new CountDownLatch(1);
          watch.child(pid, _ -> gone.countDown());
          gone.await();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm $R",
        ": >$R",
        "echo rubbish >$R",
        "rm $R; mkfifo $R",
        "rm $R; mkdir $R",
        "ln -sf /dev/zero $R",
        "yes | head -c 9000 >$R",
        "rm -rf ${R%/*}"
      })
  void its_code_counts_whatever_it_does_to_its_record(String change) throws Exception {
    try (var engine = engine()) {
      engine.run(launch(change + "; exit 5"));

      assertThat(next()).isInstanceOf(TaskEvent.Spawned.class);
      assertThat(exit(next())).isEqualTo(Exit.code(5));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm $R",
        ": >$R",
        "echo rubbish >$R",
        "rm $R; mkfifo $R",
        "rm $R; mkdir $R",
        "ln -sf /dev/zero $R",
        "rm -rf ${R%/*}"
      })
  void the_next_daemon_finds_it_by_its_processes(String change) throws Exception {
    String waits = "; touch changed; until [ -e go ]; do sleep 0.02; done; exit 5";
    try (var engine = engine()) {
      engine.run(launch(change + waits));
      await("changed");
    }
    told.clear();
    try (var engine = engine()) {
      adopt(engine);
      assertThat(next()).isInstanceOf(TaskEvent.Spawned.class);
      Files.createFile(folder.resolve("go"));
      assertEnded(next());
    }
    assertThat(folder.resolve("ran")).hasContent("ran");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm $R",
        ": >$R",
        "echo rubbish >$R",
        "rm $R; mkfifo $R",
        "rm $R; mkdir $R",
        "ln -sf /dev/zero $R",
        "rm -rf ${R%/*}"
      })
  void one_that_ended_while_nobody_looked_does_not_run_again(String change) throws Exception {
    try (var engine = engine()) {
      engine.run(launch("until [ -e go ]; do sleep 0.02; done; " + change + "; exit 5"));
      await("ran");
    }
    told.clear();
    Files.createFile(folder.resolve("go"));
    awaitNobody();
    try (var engine = engine()) {
      adopt(engine);
      assertEnded(next());
    }
    assertThat(folder.resolve("ran")).hasContent("ran");
  }

  /** The next daemon is killed as well: what it found out is not lost. */
  @Test
  void what_one_daemon_found_out_the_next_one_knows() throws Exception {
    try (var engine = engine()) {
      engine.run(
          launch("rm -rf ${R%/*}; touch changed; until [ -e go ]; do sleep 0.02; done; exit 5"));
      await("changed");
    }
    told.clear();
    try (var engine = engine()) {
      adopt(engine);
      assertThat(next()).isInstanceOf(TaskEvent.Spawned.class);
    }
    Files.createFile(folder.resolve("go"));
    awaitNobody();
    try (var engine = engine()) {
      adopt(engine);
      assertThat(exit(next())).isEqualTo(Exit.code(5));
    }
  }

  private static void assertEnded(TaskEvent event) {
    if (!(event instanceof TaskEvent.Lost)) {
      assertThat(exit(event)).isEqualTo(Exit.code(5));
    }
  }

  private static Exit exit(TaskEvent event) {
    assertThat(event).isInstanceOf(TaskEvent.ProgramEnded.class);
    return ((TaskEvent.ProgramEnded) event).exit().exit();
  }

  private TaskEvent next() throws InterruptedException {
    TaskEvent event = told.poll(20, TimeUnit.SECONDS);
    assertThat(event).as("news within 20 s").isNotNull();
    return event;
  }

  private void await(String file) throws InterruptedException {
    while (!Files.exists(folder.resolve(file))) {
      Thread.sleep(5);
    }
  }

  /** Its wrapper is gone, or a zombie that nobody has waited for. */
  private void awaitNobody() throws InterruptedException {
    while (!living().isEmpty()) {
      Thread.sleep(5);
    }
  }

  private List<Proc.Stat> living() {
    var mark = marks().of(ID);
    return Proc.all().stream()
        .flatMap(pid -> Proc.stat(pid).stream())
        .filter(process -> !process.dead() && mark.isOn(process.pid()))
        .toList();
  }

  private Effect.Launch launch(String line) {
    Path record = folder.resolve("jobs/7.1/record");
    String script = "cd " + folder + "; echo ran >>ran; R=" + record + "; " + line;
    return LocalEngineTest.launch(ID, LocalEngineTest.spec(script));
  }

  private void adopt(LocalEngine engine) {
    engine.adopt(
        ID,
        LocalEngineTest.spec(""),
        new Attempt(1, NOTHING, Instant.now(), new Where.Here(Proc.bootId())));
    engine.awaitAdopted();
  }

  private LocalEngine engine() {
    var places =
        new AttemptPaths(
            folder.resolve("jobs"), folder.resolve("logs"), folder.resolve("tmp"), "host");
    var setup =
        new LocalEngine.Setup(
            places,
            Launcher.best(),
            Cgroups.detect(Cgroups.Mode.NONE),
            new LocalEngine.GpuRules(
                folder, true, LocalEngine.Binding.NONE, Fence.none(), MpsPlaces.NONE),
            marks(),
            HaltPoints.NONE,
            InstantSource.system());
    return new LocalEngine(setup, id -> new byte[0], this);
  }
}
