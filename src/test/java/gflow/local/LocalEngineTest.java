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
import gflow.job.JobSpec;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.SampleSpec;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import gflow.job.Where;
import gflow.local.mps.MpsPlaces;
import gflow.process.Cgroups;
import gflow.process.Launcher;
import gflow.process.Proc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine makes of the record that an attempt has left, or not. */
class LocalEngineTest implements Engine.Listener {
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(7)), 1);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Allocation NOTHING = new Allocation(List.of(), Ranges.EMPTY, 0);
  private static final String BEFORE = "an earlier boot";

  /** Read before a test has calls of the kernel fail. */
  private static final String BOOT = Proc.bootId();

  @TempDir Path folder;

  private final List<TaskEvent> told = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void happened(AttemptId attempt, TaskEvent event) {
    told.add(event);
  }

  @Override
  public void stepEnded(StepId step, Step.End end) {}

  @Override
  public void taken(GpuId gpu) {}

  @Override
  public void locked(AttemptId attempt, GpuId gpu, boolean ours) {}

  @Test
  void without_a_record_in_the_same_boot_it_never_ran() throws IOException {
    adopt(null, Proc.bootId());

    assertThat(told).singleElement().isInstanceOf(TaskEvent.NeverRan.class);
    assertThat(record()).hasContent("void\n");
  }

  @Test
  void without_a_record_after_a_reboot_it_may_have_run_and_is_lost() throws IOException {
    adopt(null, BEFORE);

    assertThat(told).containsExactly(new TaskEvent.Lost("the machine went down", NOW));
    assertThat(record()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\0\0\0\0", "start 99", "start 99\n", "\0\0\n", "\u00ff\n"})
  void what_a_power_cut_left_of_a_record_does_not_say_that_it_never_ran(String text)
      throws IOException {
    adopt(text, BEFORE);

    assertThat(told).containsExactly(new TaskEvent.Lost("the machine went down", NOW));
  }

  @Test
  void what_a_record_says_is_true_after_a_reboot_too() throws IOException {
    adopt("void\n", BEFORE);
    assertThat(told.removeFirst()).isInstanceOf(TaskEvent.NeverRan.class);

    adopt("start 4000001 " + BEFORE.replace(' ', '-') + "\n", BEFORE);
    assertThat(told.removeFirst()).isEqualTo(new TaskEvent.Lost("the machine went down", NOW));

    adopt("start 4000001 b\n0m0.1s 0m0.1s\nexit 3\n", BEFORE);
    assertThat(told).singleElement().isInstanceOf(TaskEvent.ProgramEnded.class);
    assertThat(((TaskEvent.ProgramEnded) told.getFirst()).exit().exit()).isEqualTo(Exit.code(3));
  }

  @Test
  void a_wrapper_that_ended_before_its_record_said_anything_ran_nothing() throws Exception {
    Files.createDirectories(record().getParent());
    Files.createFile(record());
    try (var engine = engine()) {
      engine.run(launch(ID, spec()));
      while (told.size() < 2) {
        Thread.sleep(5);
      }
    }

    assertThat(told.getLast())
        .isEqualTo(
            new TaskEvent.NeverRan(
                TaskEvent.Blame.WORLD, "its record or process could not be made", NOW));
  }

  private Path record() {
    return folder.resolve("jobs").resolve("7.1").resolve("record");
  }

  private void adopt(@Nullable String text, String boot) throws IOException {
    if (text != null) {
      Files.createDirectories(record().getParent());
      Files.writeString(record(), text, StandardCharsets.ISO_8859_1);
    }
    try (var engine = engine()) {
      engine.adopt(ID, spec(), new Attempt(1, NOTHING, NOW, new Where.Here(boot)));
      engine.awaitAdopted();
    }
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
            new AttemptMarks("mark", "secret", AttemptMarks.Early.NONE),
            HaltPoints.NONE,
            InstantSource.fixed(NOW));
    return new LocalEngine(setup, id -> new byte[0], this);
  }

  static Effect.Launch launch(AttemptId id, JobSpec spec) {
    var attempt = new Attempt(1, NOTHING, NOW, new Where.Here(BOOT));
    return new Effect.Launch(id, spec, attempt);
  }

  private static JobSpec spec() {
    return spec("true");
  }

  static JobSpec spec(String line) {
    return SampleSpec.of(new Program.ShellLine(line))
        .withScene(SampleSpec.in("/", 0027, List.of()));
  }
}
