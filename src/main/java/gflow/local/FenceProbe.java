package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.GpuId;
import gflow.process.OwnFiles;
import gflow.process.SmallFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether a fence holds on this machine by making one: kernels, AppArmor and util-linux
 * of different ages refuse at different places, some of them only when it is too late.
 */
record FenceProbe(Fence fence, FenceTools tools, Fence.Places places) {
  /** ssh refuses files there that are not root's or its user's, and inside root is nobody. */
  static final Path SSH_CONFIG = Path.of("/etc/ssh/ssh_config.d");

  /** Without persistence mode the driver starts each GPU anew, which takes seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Path UVM = Path.of("/dev/nvidia-uvm");
  private static final Path MODPROBE = Path.of("/usr/bin/nvidia-modprobe");

  private static final String CHECK =
      """
      shown=$1 smi=$2 ssh=$3
      shift 3
      for file; do
        [ "$file" -ef /dev/null ] || { echo "$file can still be seen"; exit 1; }
      done
      while read -r name value; do
        case $name:$value in
          CapEff:*[1-9a-f]*) echo "capabilities are not dropped"; exit 1 ;;
        esac
      done </proc/self/status
      if [ -n "$smi" ]; then
        found=$("$smi" -L | grep -c '^GPU ')
        [ "$found" = "$shown" ] || { echo "nvidia-smi shows $found GPUs, not $shown"; exit 1; }
      fi
      [ -z "$ssh" ] || "$ssh" -G localhost >/dev/null
      """;

  /** Empty if all went well. */
  Optional<String> problem() {
    if (places.files().isEmpty()) {
      return Optional.of("there are no GPUs");
    }
    if (places.own().keySet().stream().anyMatch(GpuId::mig)) {
      return Optional.of("instances of MIG share the device file of their GPU");
    }
    if (!places.files().containsAll(places.own().values())) {
      return Optional.of("the device file of a GPU is not known");
    }
    try {
      OwnFiles.folder(places.folder());
      copySshConfig();
      loadUvm();
      return attempt();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  /** All but the first are covered; a single one is. */
  private Optional<String> attempt() throws IOException, InterruptedException {
    List<Path> files = places.files();
    int shown = files.size() == 1 ? 0 : 1;
    List<Path> covered = files.subList(shown, files.size());
    Path table = places.folder().resolve("probe");
    var words = new ArrayList<>(fence.around(covered, WrapperShell.SH, table));
    words.addAll(List.of("/bin/sh", "-c", CHECK, "gflow", Integer.toString(shown)));
    words.add(tool(places.simulated().orElse(Path.of("/usr")).resolve("bin/nvidia-smi")));
    words.add(tool(Path.of("/usr/bin/ssh")));
    covered.forEach(file -> words.add(file.toString()));
    return run(words);
  }

  private static String tool(Path path) {
    return Files.isExecutable(path) ? path.toString() : "";
  }

  private Optional<String> run(List<String> words) throws IOException, InterruptedException {
    Path said = places.folder().resolve("probe.out");
    OwnFiles.write(said, new byte[0]);
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        return Optional.of("it took longer than " + PATIENCE.toSeconds() + " s to try one");
      }
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue() == 0 ? Optional.empty() : Optional.of(lastLine(said));
  }

  private static String lastLine(Path said) throws IOException {
    return SmallFile.read(said) instanceof SmallFile.Content(byte[] text, var _)
        ? new String(text, UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .reduce((_, line) -> line)
            .orElse("it cannot be made")
        : "it cannot be made";
  }

  /** In place: the folder itself may be mounted in jobs that run. */
  private void copySshConfig() throws IOException {
    if (!Files.isReadable(SSH_CONFIG)) {
      return;
    }
    Path copy = fence.sshCopy();
    OwnFiles.folder(copy);
    try (DirectoryStream<Path> old = Files.newDirectoryStream(copy)) {
      for (Path file : old) {
        if (!Files.exists(SSH_CONFIG.resolve(file.getFileName()))) {
          Files.delete(file);
        }
      }
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SSH_CONFIG)) {
      for (Path file : files) {
        if (Files.isRegularFile(file) && Files.isReadable(file)) {
          Path draft = places.folder().resolve("ssh.new");
          OwnFiles.write(draft, Files.readAllBytes(file));
          Files.move(draft, copy.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
  }

  /** After a boot the driver makes it when somebody computes, which nobody inside could. */
  private void loadUvm() throws IOException, InterruptedException {
    boolean missing = places.simulated().isEmpty() && !Files.exists(UVM);
    if (missing && Files.isExecutable(MODPROBE)) {
      run(List.of(MODPROBE.toString(), "-u", "-c", "0"));
    }
  }
}
