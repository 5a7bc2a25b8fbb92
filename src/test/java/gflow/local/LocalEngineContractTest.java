package gflow.local;

import gflow.job.AttemptId;
import gflow.job.Engine;
import gflow.job.EngineContract;
import gflow.job.JobSpec;
import gflow.job.Step;
import gflow.job.Where;
import gflow.local.mps.MpsPlaces;
import gflow.process.Cgroups;
import gflow.process.Launcher;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.process.ProcessMark;
import gflow.process.Subreaper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** The local engine, with real processes of this machine. */
class LocalEngineContractTest extends EngineContract {
  @TempDir Path folder;

  @Override
  protected Machine machine() {
    Subreaper.become();
    return new ThisMachine(folder);
  }

  private static final class ThisMachine implements Machine {
    private final Path folder;
    private final BrokenFiles files = new BrokenFiles();
    private final Map<Step.Parent, Process> parents = new HashMap<>();
    private @Nullable LocalEngine engine;

    ThisMachine(Path folder) {
      this.folder = folder;
    }

    @Override
    public Engine connect(Engine.Listener listener) {
      var setup =
          new LocalEngine.Setup(
              places(),
              Launcher.best(),
              Cgroups.detect(Cgroups.Mode.NONE),
              new LocalEngine.GpuRules(
                  folder, true, LocalEngine.Binding.NONE, Fence.none(), MpsPlaces.NONE),
              marks(),
              HaltPoints.NONE,
              InstantSource.system());
      engine = new LocalEngine(setup, id -> new byte[0], listener);
      return engine;
    }

    @Override
    public void disconnect() {
      if (engine != null) {
        engine.close();
        engine = null;
      }
    }

    @Override
    public void await(String what, BooleanSupplier isSo) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!isSo.getAsBoolean()) {
        if (System.nanoTime() > end) {
          throw new AssertionError("not within a minute: " + what);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3));
      }
    }

    /** Each writes down that it began, its pid, and the signals that it gets. */
    @Override
    public JobSpec job(AttemptId id, Does what) {
      String note = "echo %s >>" + file(id) + "; ";
      String wait = "while :; do sleep 600 & wait $!; done";
      String usr1 = "trap '" + note.formatted(10).replace("; ", "") + "' USR1; ";
      String program =
          switch (what) {
            case ENDS_WELL -> "exit 0";
            case ENDS_WITH_3 -> "exit 3";
            case IS_KILLED -> "kill -9 $$";
            case RUNS -> wait;
            case IS_STUBBORN -> "trap '" + note.formatted(15).replace("; ", "") + "' TERM; " + wait;
            case LEAVES_ANOTHER -> "sleep 600 & exit 0";
          };
      return LocalEngineTest.spec(usr1 + note.formatted("begun $$") + program);
    }

    private Path file(AttemptId id) {
      return folder.resolve("did-" + id);
    }

    private long lines(AttemptId id, String text) {
      try {
        return Files.exists(file(id))
            ? Files.readAllLines(file(id)).stream().filter(l -> l.startsWith(text)).count()
            : 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Where where() {
      return new Where.Here(Proc.bootId());
    }

    @Override
    public int begun(AttemptId id) {
      return (int) lines(id, "begun");
    }

    @Override
    public int signals(AttemptId id, int signal) {
      return (int) lines(id, Integer.toString(signal));
    }

    @Override
    public boolean isLeft(AttemptId id) {
      ProcessMark mark = adoption().mark(id);
      return ProcessHandle.allProcesses()
          .flatMap(p -> ProcessId.of(p.pid()).stream())
          .anyMatch(p -> p.alive() && mark.isOn(p.pid()));
    }

    private Adoption adoption() {
      return new Adoption(places(), Cgroups.detect(Cgroups.Mode.NONE), marks(), Proc.bootId());
    }

    private AttemptPaths places() {
      return new AttemptPaths(
          files.path(folder.resolve("jobs")),
          folder.resolve("logs"),
          folder.resolve("tmp"),
          "host");
    }

    private AttemptMarks marks() {
      return new AttemptMarks(folder.toString(), "secret", AttemptMarks.Early.NONE);
    }

    @Override
    public Step.Parent fork(AttemptId id) {
      try {
        Process process = new ProcessBuilder("sleep", "600").start();
        ProcessId its = ProcessId.of(process.pid()).orElseThrow();
        var parent = new Step.Parent(its.pid(), its.startTime());
        parents.put(parent, process);
        return parent;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void end(Step.Parent parent) {
      Process process = parents.remove(parent);
      process.destroyForcibly();
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void failOnce(int k) {
      files.fail(k, 1, "No space left on device");
    }

    @Override
    public void close() {
      parents.values().forEach(Process::destroyForcibly);
    }
  }
}
