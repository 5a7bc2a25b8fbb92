package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.SampleSpec;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import gflow.job.Where;
import gflow.local.mps.MpsPlaces;
import gflow.process.Cgroups;
import gflow.process.Launcher;
import gflow.process.Pause;
import gflow.process.Proc;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine with servers that attempts share, and attempts that may use them. */
abstract class MpsTrial implements Engine.Listener {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final GpuPart HALF = GpuPart.of(1, 2);
  static final String WAITS = "while [ ! -e end ]; do sleep 0.02; done";

  record Told(AttemptId id, TaskEvent event) {}

  @TempDir Path folder;

  final LinkedBlockingQueue<Told> told = new LinkedBlockingQueue<>();
  final Map<String, Optional<String>> problems = new ConcurrentHashMap<>();
  FakeMps mps;
  final List<Long> before = Proc.children(Proc.self());
  LocalEngine engine;
  boolean open = true;

  @BeforeEach
  void start() throws IOException {
    mps = FakeMps.in(folder.resolve("driver"));
    Files.createDirectories(folder.resolve("work"));
    engine = engine();
    engine.awaitAdopted();
  }

  /** Those that died while no engine lived were reaped by nobody. */
  @AfterEach
  void nothing_is_left() {
    engine.close();
    mps.living().forEach(pid -> Signals.send(pid, Signals.KILL));
    Proc.all().stream().filter(this::isOfAJob).forEach(pid -> Signals.send(pid, Signals.KILL));
    var left = new ArrayList<>(Proc.children(Proc.self()));
    left.removeAll(before);
    left.forEach(pid -> Signals.send(pid, Signals.KILL));
    left.forEach(ProcessWatch::await);
  }

  private boolean isOfAJob(long pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/cwd")).startsWith(folder);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void happened(AttemptId attempt, TaskEvent event) {
    told.add(new Told(attempt, event));
  }

  @Override
  public void stepEnded(StepId step, Step.End end) {}

  @Override
  public void taken(GpuId gpu) {}

  @Override
  public void locked(AttemptId attempt, GpuId gpu, boolean ours) {}

  LocalEngine engine() {
    var places =
        new AttemptPaths(
            folder.resolve("jobs"), folder.resolve("logs"), folder.resolve("tmp"), "host");
    var setup =
        new LocalEngine.Setup(
            places,
            Launcher.best(),
            Cgroups.detect(Cgroups.Mode.NONE),
            new LocalEngine.GpuRules(
                folder, true, LocalEngine.Binding.NONE, Fence.none(), places()),
            new AttemptMarks("mps-test-" + folder.hashCode(), "s", AttemptMarks.Early.NONE),
            HaltPoints.NONE,
            InstantSource.fixed(NOW));
    var made = new LocalEngine(setup, id -> new byte[0], this);
    made.tellOfMps(problems::put);
    return made;
  }

  MpsPlaces places() {
    MpsPlaces usual = mps.places(folder.resolve("m"));
    return new MpsPlaces(usual.program(), usual.folder(), Duration.ofSeconds(5));
  }

  static AttemptId id(int job) {
    return new AttemptId(new TaskId(new JobId(job)), 1);
  }

  JobSpec spec(String line, GpuRequest gpus, MpsReason reason) {
    JobSpec spec =
        SampleSpec.of(new Program.ShellLine(line))
            .withScene(SampleSpec.in(folder.resolve("work").toString(), 0027, List.of()))
            .withRequest(new Request(1, 0, 0, gpus, GpuFilter.ANY));
    return spec.withAsked(spec.asked().withMps(reason));
  }

  JobSpec whole(String line, int gpus) {
    return spec(line, new GpuRequest.Whole(gpus), MpsReason.ASKED);
  }

  JobSpec half(String line) {
    return spec(line, GpuRequest.part(HALF), MpsReason.ASKED);
  }

  static Attempt given(JobSpec spec, int... gpus) {
    var grants = new ArrayList<GpuGrant>();
    boolean shared = spec.request().gpus() instanceof GpuRequest.Shared;
    for (int gpu : gpus) {
      GpuPart part = shared ? HALF : GpuPart.WHOLE;
      grants.add(new GpuGrant(new GpuId("GPU-" + gpu), gpu, part, 12L << 30));
    }
    var allocation = new Allocation(grants, Ranges.EMPTY, 0);
    return new Attempt(1, allocation, NOW, new Where.Here(Proc.bootId()));
  }

  void launch(int job, JobSpec spec, int... gpus) {
    engine.run(new Effect.Launch(id(job), spec, given(spec, gpus)));
  }

  TaskEvent next(int job) throws InterruptedException {
    Told one = told.poll(30, TimeUnit.SECONDS);
    assertThat(one).isNotNull();
    assertThat(one.id()).isEqualTo(id(job));
    return one.event();
  }

  TaskEvent.ProgramEnded ended(int job) throws InterruptedException {
    assertThat(next(job)).isInstanceOf(TaskEvent.Spawned.class);
    return (TaskEvent.ProgramEnded) next(job);
  }

  void gone(int job) throws InterruptedException {
    assertThat(next(job)).isInstanceOf(TaskEvent.Gone.class);
  }

  List<String> output(String name) throws IOException {
    return Files.readAllLines(folder.resolve("work").resolve(name));
  }

  void end() throws IOException {
    Files.createFile(folder.resolve("work/end"));
  }

  List<Path> servers() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("m"))) {
      return all.toList();
    }
  }

  static void until(BooleanSupplier seen) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!seen.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Pause.millis(5);
    }
  }

  /** A server that is killed while it starts makes that its first attempt never runs. */
  static boolean isOver(TaskEvent event) {
    return event instanceof TaskEvent.Gone || event instanceof TaskEvent.NeverRan;
  }
}
