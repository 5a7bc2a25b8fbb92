package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.Failure;
import gflow.job.JobId;
import gflow.job.TaskId;
import gflow.job.TaskState.Exited;
import gflow.job.Usage;
import gflow.process.Fifo;
import gflow.process.FilePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureLogTest {
  private static final String OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to …\n";
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(7), 0, 0), 2);

  @TempDir Path folder;

  private static Optional<Failure> told(Exit exit, Path... files) {
    var parts = List.of(files).stream().map(file -> new FilePart(file, 0)).toList();
    return told(new FailureLog(Optional.of(parts)), exit);
  }

  private static Optional<Failure> told(FailureLog log, Exit exit) {
    return log.explained(new Exited(exit, Usage.UNKNOWN, false, Instant.EPOCH)).told();
  }

  private Path log(String text) throws IOException {
    return Files.writeString(folder.resolve("out"), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB",
        "torch.cuda.OutOfMemoryError: CUDA out of memory.",
        "RuntimeError: CUDA error: CUDA_ERROR_OUT_OF_MEMORY",
        "what():  parallel_for failed: cudaErrorMemoryAllocation: out of memory",
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 512 bytes",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory"
      })
  void what_programs_say_that_found_no_memory_on_a_gpu(String line) throws IOException {
    assertThat(told(Exit.code(1), log("epoch 3\n" + line + "\n"))).contains(Failure.GPU_MEMORY);
    assertThat(told(Exit.signal(6), log(line))).contains(Failure.GPU_MEMORY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RuntimeError: CUDA error: the remote procedural call between the MPS server and the MPS"
            + " client failed",
        "torch.AcceleratorError: CUDA error: the MPS server is not ready to accept new MPS client"
            + " requests",
        "what():  cudaErrorMpsRpcFailure",
        "CUDA_ERROR_MPS_CLIENT_TERMINATED"
      })
  void what_programs_say_whose_mps_server_failed(String line) throws IOException {
    assertThat(told(Exit.code(1), log("epoch 3\n" + line + "\n"))).contains(Failure.MPS);
  }

  @Test
  void a_server_of_somebody_else_is_another_cause() throws IOException {
    String line = "CUDA error: MPS client failed to connect to the MPS control daemon or the MPS";

    assertThat(told(Exit.code(1), log(line))).contains(Failure.MPS_TAKEN);
    assertThat(told(Exit.code(1), log("cudaErrorMpsConnectionFailed"))).contains(Failure.MPS_TAKEN);
  }

  @Test
  void other_errors_are_none_of_it() throws IOException {
    assertThat(told(Exit.code(1), log("MemoryError\nOutOfMemoryError of java\n"))).isEmpty();
    assertThat(told(Exit.code(1), log(""))).isEmpty();
  }

  @Test
  void only_the_last_lines_count() throws IOException {
    assertThat(told(Exit.code(1), log(OOM + "retrying\n".repeat(199)))).isPresent();
    assertThat(told(Exit.code(1), log(OOM + "retrying\n".repeat(200)))).isEmpty();
    // Nobody reads a line of many megabytes.
    assertThat(told(Exit.code(1), log(OOM.strip() + "x".repeat(1 << 20)))).isEmpty();
  }

  @Test
  void no_log_is_said_to_be_none() throws Exception {
    Path fifo = folder.resolve("fifo");
    Fifo.make(fifo, 0600);

    assertThat(told(Exit.code(1))).contains(Failure.UNKNOWN);
    assertThat(told(Exit.code(1), folder.resolve("none"), fifo, Path.of("/dev/zero")))
        .contains(Failure.UNKNOWN);
    assertThat(told(Exit.signal(11))).isEmpty();
    assertThat(told(Exit.code(1), fifo, log(OOM))).contains(Failure.GPU_MEMORY);
  }

  @Test
  void what_an_earlier_attempt_has_written_is_none_of_it_even_after_a_restart() throws IOException {
    var places = new AttemptPaths(folder.resolve("jobs"), folder, folder.resolve("tmp"), "host");
    var folders = new AttemptFolders(places);
    folders.make(ID);
    Path out = log(OOM);
    FailureLog log = logs(places, out, false).begins(folders);
    Files.writeString(out, "another error\n", StandardOpenOption.APPEND);

    FailureLog adopted = logs(places, out, false).goesOn();
    assertThat(adopted).isEqualTo(log);
    assertThat(told(log, Exit.code(1))).isEmpty();
    assertThat(told(logs(places, out, true).begins(folders), Exit.code(1))).isPresent();
  }

  private static FailureLog.Logs logs(AttemptPaths places, Path out, boolean anew) {
    return new FailureLog.Logs(List.of(out), anew, ID, places.folder(ID), false);
  }

  @Test
  void nobody_asks_about_one_without_gpus_or_that_ended_well() {
    var well = new Exited(Exit.OK, Usage.UNKNOWN, false, Instant.EPOCH);
    var badly = new Exited(Exit.code(1), Usage.UNKNOWN, false, Instant.EPOCH);

    assertThat(FailureLog.NONE.isAbout(badly)).isFalse();
    assertThat(new FailureLog(Optional.of(List.of())).isAbout(badly)).isTrue();
    assertThat(new FailureLog(Optional.of(List.of())).isAbout(well)).isFalse();
  }
}
