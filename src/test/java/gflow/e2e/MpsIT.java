package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.gpu.NvmlStub;
import gflow.local.FakeMps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that takes its GPUs for real, and its MPS too. */
class MpsIT {
  private static final long GIB = 1L << 30;
  private static final String PIPES = "echo ${CUDA_MPS_PIPE_DIRECTORY:-none} $CUDA_VISIBLE_DEVICES";

  /** Until the test says so. */
  private static final String WAITS =
      "touch on.$SLURM_JOB_ID; while [ ! -e end ]; do sleep 0.05; done";

  @TempDir static Path folder;

  private static Lab lab;
  private static NvmlStub driver;
  private static FakeMps mps;

  @BeforeAll
  static void up() throws IOException {
    driver = NvmlStub.compile(Files.createDirectories(folder.resolve("lib")));
    mps = FakeMps.in(folder.resolve("driver"));
    lab = new Lab("GFLOW_GPUS=nvml", "GFLOW_JAVA_OPTIONS=-Dgflow.nvml=" + driver.library());
    lab.prefer(mps.folder());
    uses("");
    lab.up();
  }

  @AfterAll
  static void close() {
    lab.close();
    assertThat(mps.living()).isEmpty();
  }

  @AfterEach
  void clear() throws IOException {
    mps.does();
    lab.ok("gcancel", "--all");
    lab.awaitIdle();
    assertThat(mps.living()).isEmpty();
    Files.deleteIfExists(lab.work().resolve("end"));
    for (Path file : programs()) {
      Files.delete(file);
    }
  }

  private static List<Path> programs() {
    try (var files = Files.newDirectoryStream(lab.work(), "on.*")) {
      return StreamSupport.stream(files.spliterator(), false).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A job counts as running while its server starts. */
  private static void awaitPrograms(int count) {
    lab.await(count + " programs", () -> programs().size() == count);
  }

  private static String uuid(int gpu) {
    return "GPU-" + ProcessHandle.current().pid() + "-" + gpu;
  }

  /** Two GPUs; {@code lines}: who is on the second one. */
  private static void uses(String lines) {
    driver.says(
        "driver 580\n"
            + "gpu %s %d H200\nused 0\n".formatted(uuid(0), 24 * GIB)
            + "gpu %s %d H200\nused 0\n".formatted(uuid(1), 24 * GIB)
            + lines);
  }

  private static void end() {
    lab.write(lab.work().resolve("end"), "");
  }

  private static String show(long job) {
    return lab.ok("gjob", "show", "" + job).out();
  }

  @Test
  void the_tasks_of_an_array_share_a_server_that_outlives_the_daemon_and_goes_with_them() {
    long starts = mps.starts();
    long array =
        lab.submit("--array", "0-3", "--gpus", "1/4", "--gpu-ids", "1", "--mps", "--wrap", WAITS);
    awaitPrograms(4);
    List<Long> living = mps.living();
    assertThat(mps.controls()).hasSize(1);
    assertThat(mps.said()).anyMatch(line -> line.startsWith("start " + uuid(1) + " "));
    assertThat(show(array)).contains("Mps=yes (--mps)");

    lab.killDaemon();
    lab.up();
    assertThat(mps.living()).containsExactlyInAnyOrderElementsOf(living);
    end();
    lab.awaitIdle();
    assertThat(mps.living()).isEmpty();
    assertThat(mps.starts()).isEqualTo(starts + 1);
    assertThat(lab.jobs())
        .filteredOn(job -> Long.valueOf(array).equals(job.get("array_job_id")))
        .hasSize(4)
        .allMatch(job -> job.get("state").equals("COMPLETED"));
  }

  @Test
  void who_is_on_the_gpu_without_the_server_is_named_and_the_server_is_nobodys_outsider() {
    lab.submit("--gpus", "1/2", "--gpu-ids", "1", "--mps", "--wrap", WAITS);
    awaitPrograms(1);
    List<Long> own = lab.processesOfJobs();
    String seen =
        Stream.concat(own.stream(), mps.servers().stream())
            .map(pid -> "process " + pid + " " + GIB + "\n")
            .collect(Collectors.joining());
    uses("used " + 3 * GIB + "\n" + seen + "mps " + own.getLast() + " " + GIB + "\n");

    lab.await(
        "the notice", () -> lab.ok("gqueue", "-h").out().contains("on GPU 1 runs without MPS"));
    assertThat(lab.ok("ginfo").out()).contains("(MPS: 1 client)").doesNotContain("outsider");
    uses("");
    end();
    lab.awaitIdle();
  }

  @Test
  void several_programs_on_a_gpu_get_a_server_without_asking_and_none_if_told_so() {
    long job = lab.submit("--gpus", "1", "--spread", "-n", "3", "--wrap", PIPES);
    long without = lab.submit("--gpus", "1", "--spread", "-n", "3", "--no-mps", "--wrap", PIPES);
    lab.awaitIdle();

    assertThat(lab.log(job).lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith(lab.home() + "/run/mps/") && line.contains("/pipe GPU-"));
    assertThat(show(job)).contains("Mps=yes (several programs on a GPU)");
    assertThat(lab.log(without).lines()).hasSize(3).allMatch(line -> line.matches("none [01]"));
    assertThat(show(without)).doesNotContain("Mps=");
  }

  @Test
  void what_went_wrong_with_the_server_is_the_cause_of_what_failed_by_it() {
    long job = lab.submit("--gpus", "2", "--mps", "--wrap", WAITS + "; exit 3");
    awaitPrograms(1);
    long control = mps.controls().getFirst();
    ProcessHandle.of(control).ifPresent(Lab::kill);
    lab.await(
        "the problem",
        () ->
            lab.ok("gflowd", "status")
                .out()
                .contains("the MPS server of GPU 0,1 died and was started again"));
    end();
    lab.awaitState(job, "FAILED");

    assertThat(show(job))
        .contains("Cause=mps")
        .contains("the MPS server of GPU 0,1 failed, or another program on it did");
    assertThat(lab.ok("gflowd", "status").out()).contains("Problems").doesNotContain("MPS server");
  }

  @Test
  void a_server_that_does_not_start_keeps_its_job_waiting_and_says_why() {
    mps.does("refuse");
    long job = lab.submit("--gpus", "1", "--mps", "--wrap", PIPES);
    lab.await("the reason", () -> lab.ok("gqueue", "-h").out().contains("no GPU will have it"));
    mps.does();

    lab.awaitState(job, "COMPLETED");
  }

  @Test
  void a_cancelled_job_leaves_nothing_though_the_control_daemon_hangs() {
    long job = lab.submit("--gpus", "1", "--mps", "--wrap", WAITS);
    awaitPrograms(1);
    mps.does("hang quit");
    lab.ok("gcancel", "" + job);
    lab.awaitState(job, "CANCELLED");

    assertThat(mps.living()).isEmpty();
  }

  @Test
  void a_step_of_a_job_without_a_server_hears_where_to_write_it() {
    long job = lab.submit("--gpus", "1", "grun", "--mps", "true");
    lab.awaitIdle();

    assertThat(lab.log(job))
        .contains("--mps in a job without it: the job must have a server first");
    assertThat(lab.ok("grun", "--gpus", "1", "--mps", "sh", "-c", PIPES).out())
        .startsWith(lab.home() + "/run/mps/");
    assertThat(lab.run("gbatch", "--mps", "true").err())
        .contains("--mps without a GPU; add --gpus 1");
  }
}
