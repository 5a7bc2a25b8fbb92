package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.GpuId;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskEvent.Blame;
import gflow.job.TaskId;
import gflow.job.Where;
import gflow.local.mps.MpsPlaces;
import gflow.process.BrokenCalls;
import gflow.process.Cgroups;
import gflow.process.Launcher;
import gflow.process.Proc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each call of the kernel that starts, watches or ends a job goes wrong once, and some ten times:
 * the job runs once and ends well all the same, at the latest when it is started again.
 */
@Isolated("its broken calls are those of the whole process")
class WorldErrorsTest implements Engine.Listener {
  private static final Allocation NOTHING = new Allocation(List.of(), Ranges.EMPTY, 0);
  private static final int EMFILE = 24;

  @TempDir Path folder;

  private final LinkedBlockingQueue<TaskEvent> told = new LinkedBlockingQueue<>();
  private long jobs;
  private int startedAgain;

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

  @ParameterizedTest(name = "errno {0}")
  @ValueSource(ints = {EMFILE, 28 /* ENOSPC */, 5 /* EIO */, 4 /* EINTR */})
  void each_call_may_fail_once(int errno) throws Exception {
    try (var engine = engine(path -> path)) {
      int calls = calls(engine);
      for (int k = 1; k <= calls; k++) {
        try (var _ = BrokenCalls.from(k, 1, errno)) {
          runsOnce(engine, "call " + k + " of " + calls);
        }
      }
    }
  }

  @Test
  void no_descriptor_is_left_for_a_while() throws Exception {
    try (var engine = engine(path -> path)) {
      int calls = calls(engine);
      for (int k = 1; k <= calls; k += 15) {
        try (var _ = BrokenCalls.from(k, 10, EMFILE)) {
          runsOnce(engine, "calls from " + k);
        }
      }
    }
  }

  /**
   * A dozen is more than a start and an end have, with folders that are used again and without.
   * Java makes a folder by several calls, and forgives one of them.
   */
  @ParameterizedTest
  @ValueSource(strings = {"No space left on device", "Too many open files", "Input/output error"})
  void each_file_may_fail_once_and_again(String error) throws Exception {
    var files = new BrokenFiles();
    try (var engine = engine(files::path)) {
      for (int k = 1; k <= 12; k++) {
        files.fail(k, 1, error);
        runsOnce(engine, "file " + k);
      }
      for (int k = 1; k <= 12; k++) {
        files.fail(k, 4, error);
        runsOnce(engine, "files from " + k);
      }
    }
    assertThat(startedAgain).as("starts that failed for it").isPositive();
  }

  /** Nobody else would ever say that it does not run. */
  @Test
  void a_start_that_meets_a_bug_is_told_and_made_again() throws Exception {
    var bugs = new AtomicInteger(1);
    Launching.Blobs blobs =
        _ -> {
          if (bugs.getAndDecrement() > 0) {
            throw new IllegalStateException("a bug");
          }
          return new byte[0];
        };
    try (var engine = engine(path -> path, blobs)) {
      runsOnce(engine, "after a bug");
    }
    assertThat(startedAgain).isEqualTo(1);
  }

  /** The next daemon has no descriptor left just when it looks who runs. */
  @Test
  void each_call_of_an_adoption_may_fail_once() throws Exception {
    var attempt = new Attempt(1, NOTHING, Instant.now(), new Where.Here(Proc.bootId()));
    for (int k = 1; k <= 25; k++) {
      var id = new AttemptId(new TaskId(new JobId(++jobs)), 1);
      Path go = folder.resolve("go-" + jobs);
      Path ran = folder.resolve("ran-" + jobs);
      String line = "echo ran >>" + ran + "; until [ -e " + go + " ]; do sleep 0.01; done";
      try (var engine = engine(path -> path)) {
        engine.run(LocalEngineTest.launch(id, LocalEngineTest.spec(line)));
        assertThat(told.poll(30, TimeUnit.SECONDS)).isInstanceOf(TaskEvent.Spawned.class);
        while (!Files.exists(ran)) {
          Thread.sleep(2);
        }
      }
      try (var engine = engine(path -> path);
          var _ = BrokenCalls.from(k, 3, EMFILE)) {
        engine.adopt(id, LocalEngineTest.spec(line), attempt);
        Files.createFile(go);
        assertThat(end("call " + k)).isInstanceOf(TaskEvent.ProgramEnded.class);
      }
      assertThat(ran).hasContent("ran");
    }
  }

  private int calls(LocalEngine engine) throws Exception {
    runsOnce(engine, "warm");
    try (var counted = BrokenCalls.none()) {
      runsOnce(engine, "counted");
      assertThat(counted.count()).isGreaterThan(10);
      return counted.count();
    }
  }

  /** As the loop does it: who never ran by the world's fault is started again. */
  private void runsOnce(LocalEngine engine, String what) throws Exception {
    var task = new TaskId(new JobId(++jobs));
    Path ran = folder.resolve("ran-" + jobs);
    for (int number = 1; number < 20; number++) {
      var id = new AttemptId(task, number);
      var spec = LocalEngineTest.spec("echo ran >>" + ran + "; sleep 0.01 & exit 0");
      engine.run(LocalEngineTest.launch(id, spec));
      TaskEvent end = end(what);
      engine.run(new Effect.Discard(id));
      if (end instanceof TaskEvent.NeverRan(var blame, String why, var _)) {
        assertThat(blame).as(what + ": " + why).isEqualTo(Blame.WORLD);
        startedAgain++;
      } else {
        assertThat(Files.readString(ran)).as(what).isEqualTo("ran\n");
        return;
      }
    }
    throw new AssertionError(what + ": it never ran");
  }

  /** The last word on an attempt; a program that left others behind has two. */
  private TaskEvent end(String what) throws InterruptedException {
    while (true) {
      TaskEvent event = told.poll(30, TimeUnit.SECONDS);
      assertThat(event).as(what + ": no end within 30 s").isNotNull();
      switch (event) {
        case TaskEvent.ProgramEnded(var exit, boolean whole) -> {
          assertThat(exit.exit().ok()).as(what + ": " + exit).isTrue();
          if (whole) {
            return event;
          }
        }
        case TaskEvent.Gone _, TaskEvent.NeverRan _ -> {
          return event;
        }
        case TaskEvent.Lost(String why, var _) -> throw new AssertionError(what + ": " + why);
        case TaskEvent.Queued _,
            TaskEvent.Spawned _,
            TaskEvent.Start _,
            TaskEvent.Cancel _,
            TaskEvent.Requeue _,
            TaskEvent.TimeUp _,
            TaskEvent.GpuMemoryExceeded _,
            TaskEvent.KillDue _ -> {}
      }
    }
  }

  private LocalEngine engine(UnaryOperator<Path> through) {
    return engine(through, _ -> new byte[0]);
  }

  private LocalEngine engine(UnaryOperator<Path> through, Launching.Blobs blobs) {
    var places =
        new AttemptPaths(
            through.apply(folder.resolve("jobs")),
            through.apply(folder.resolve("logs")),
            through.apply(folder.resolve("tmp")),
            "host");
    var setup =
        new LocalEngine.Setup(
            places,
            Launcher.best(),
            Cgroups.detect(Cgroups.Mode.NONE),
            new LocalEngine.GpuRules(
                folder, true, LocalEngine.Binding.NONE, Fence.none(), MpsPlaces.NONE),
            new AttemptMarks("mark-" + folder.getFileName(), "secret", AttemptMarks.Early.NONE),
            HaltPoints.NONE,
            InstantSource.system());
    return new LocalEngine(setup, blobs, this);
  }
}
