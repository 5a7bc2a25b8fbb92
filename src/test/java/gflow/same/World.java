package gflow.same;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A scheduler of its own, real or ours, with 16 CPUs, 64 GB and 4 GPUs that do not exist. */
final class World implements AutoCloseable {
  private static final Path PROGRAM =
      Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath();
  private static final Path SLURM_UP = Case.HOME.resolve("slurm-up").toAbsolutePath();
  private static final int PATIENCE = 200;

  /** As slurm-up says it to the real one. */
  private static final String SETTINGS =
      """
      [defaults]
      time = "1h"
      grace = "3s"
      [partitions.short]
      max_time = "10m"
      """;

  private final Path top;
  private final Map<String, String> environment = new TreeMap<>();
  private final String down;

  private World(String down) throws IOException {
    top = Files.createTempDirectory("same");
    this.down = down;
    environment.put("HOME", top.toString());
    environment.put("USER", System.getProperty("user.name"));
    environment.put("TERM", "dumb");
  }

  static World slurm() throws IOException {
    var world = new World(SLURM_UP + " down $HOME/slurm");
    world.environment.put("SLURM_CONF", world.top.resolve("slurm/slurm.conf").toString());
    world.environment.put("PATH", path(""));
    world.start(SLURM_UP + " up $HOME/slurm");
    return world;
  }

  static World gflow() throws IOException {
    var world = new World("gflowd down --cancel");
    Path home = world.top.resolve("home");
    world.environment.put("GFLOW_HOME", home.toString());
    world.environment.put("GFLOW_GPUS", "sim:a100:4x24G");
    world.environment.put("GFLOW_CPUS", "16");
    world.environment.put("GFLOW_MEM", "64G");
    world.environment.put("PATH", path(PROGRAM + "/slurm:" + PROGRAM + "/bin:"));
    Files.createDirectories(home);
    Files.writeString(home.resolve("gflow.toml"), SETTINGS);
    // So many ids are gone at once: none of the others can be taken for another number.
    world.start("gflowd up && gbatch --hold --array 0-699999 true");
    return world;
  }

  private static String path(String first) {
    Path tools = Case.HOME.resolve("tools").toAbsolutePath();
    return first + tools + ":" + System.getenv("PATH");
  }

  private void start(String line) throws IOException {
    Path said = top.resolve("start");
    if (run(top, line, said, said) != 0) {
      throw new AssertionError(line + ": " + Files.readString(said));
    }
  }

  Path folder(Case which) throws IOException {
    return Files.createDirectory(top.resolve(which.name()));
  }

  /** Runs lines of bash; ends what does not end. */
  int run(Path folder, String lines, Path out, Path err) {
    var builder = new ProcessBuilder("bash", "-c", lines).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.redirectInput(Path.of("/dev/null").toFile()).redirectOutput(out.toFile());
    if (out.equals(err)) {
      builder.redirectErrorStream(true);
    } else {
      builder.redirectError(err.toFile());
    }
    try {
      Process process = builder.start();
      if (!process.waitFor(PATIENCE, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("did not end: " + lines);
      }
      return process.exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What a command prints. */
  String said(String line) throws IOException {
    Path out = Files.createTempFile(top, "said", "");
    run(top, line, out, Path.of("/dev/null"));
    String said = Files.readString(out);
    Files.delete(out);
    return said;
  }

  @Override
  public void close() throws IOException {
    said(down);
    try (Stream<Path> all = Files.walk(top)) {
      all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    }
  }
}
