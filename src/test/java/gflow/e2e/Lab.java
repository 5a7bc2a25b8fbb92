package gflow.e2e;

import gflow.json.BadJson;
import gflow.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A home of its own with a daemon of its own, and the commands as a user types them. Closing it
 * ends everything that it started and complains about what is left.
 */
final class Lab implements AutoCloseable {
  private static final Path PROGRAM = Path.of(System.getProperty("gflow.home", "target/gflow"));
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path top;
  private final Map<String, String> environment = new TreeMap<>();

  /** What a command said. */
  record Said(int code, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }

    /** The number in {@code Submitted batch job 42}. */
    long id() {
      return Long.parseLong(out.replaceAll("\\D", ""));
    }
  }

  Lab(String... variables) {
    try {
      top = Files.createTempDirectory("gflow-lab");
      Files.createDirectories(work());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    environment.put("GFLOW_HOME", home().toString());
    environment.put("HOME", top.toString());
    environment.put("PATH", PROGRAM.toAbsolutePath().resolve("bin") + ":" + System.getenv("PATH"));
    environment.put("GFLOW_GPUS", "sim:4x24G");
    environment.put("GFLOW_CPUS", "16");
    for (String variable : variables) {
      String[] parts = variable.split("=", 2);
      environment.put(parts[0], parts[1]);
    }
  }

  Path home() {
    return top.resolve("home");
  }

  /** Where commands are run. */
  Path work() {
    return top.resolve("work");
  }

  void set(String name, String value) {
    environment.put(name, value);
  }

  void configure(String toml) {
    write(home().resolve("gflow.toml"), toml);
  }

  Path write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String log(long job) {
    return read(home().resolve("logs/" + job + ".log"));
  }

  static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void up() {
    Said said = run("gflowd", "up");
    if (said.code() != 0) {
      throw new AssertionError("gflowd up: " + said);
    }
  }

  /** Runs a command and expects it to succeed. */
  Said ok(String... words) {
    Said said = run(words);
    if (said.code() != 0) {
      throw new AssertionError(Arrays.toString(words) + ": " + said);
    }
    return said;
  }

  Said run(String... words) {
    return input(null, words);
  }

  /** Runs a line as an interactive shell would. */
  Said bash(String line) {
    return run("bash", "-c", line);
  }

  Said input(@Nullable String stdin, String... words) {
    try {
      Process process = start(words);
      if (stdin != null) {
        process.getOutputStream().write(stdin.getBytes(StandardCharsets.UTF_8));
      }
      process.getOutputStream().close();
      var err = new ArrayList<String>();
      Thread reader = Thread.ofVirtual().start(() -> err.add(all(process.getErrorStream())));
      String out = all(process.getInputStream());
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(Arrays.toString(words) + " did not end");
      }
      reader.join();
      return new Said(process.exitValue(), out, err.getFirst());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a command and leaves it running. */
  Process start(String... words) throws IOException {
    // Java looks for programs on its own PATH, not on that of the child.
    Path own = PROGRAM.toAbsolutePath().resolve("bin").resolve(words[0]);
    var all = new ArrayList<>(List.of(words));
    if (!words[0].startsWith("/") && Files.exists(own)) {
      all.set(0, own.toString());
    }
    var builder = new ProcessBuilder(all).directory(work().toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static String all(java.io.InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long submit(String... words) {
    var all = new ArrayList<>(List.of("gbatch"));
    all.addAll(List.of(words));
    return ok(all.toArray(String[]::new)).id();
  }

  long daemonPid() {
    return ((Number) json("gflowd", "status", "--json").get("pid")).longValue();
  }

  /** kill -9, and not yet a new start. */
  void killDaemon() {
    ProcessHandle daemon = ProcessHandle.of(daemonPid()).orElseThrow();
    daemon.destroyForcibly();
    await("the daemon's death", () -> !daemon.isAlive());
  }

  @SuppressWarnings("unchecked")
  Map<String, Object> json(String... words) {
    try {
      return (Map<String, Object>) Json.parse(ok(words).out());
    } catch (BadJson e) {
      throw new AssertionError(Arrays.toString(words), e);
    }
  }

  /** One row for each job or task, over or not. */
  @SuppressWarnings("unchecked")
  List<Map<String, Object>> jobs() {
    return (List<Map<String, Object>>) json("gqueue", "-s", "all", "--json").get("jobs");
  }

  Map<String, Object> job(long id) {
    return jobs().stream()
        .filter(j -> ((Number) j.get("job_id")).longValue() == id)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no job " + id));
  }

  String state(long id) {
    return String.valueOf(job(id).get("state"));
  }

  void awaitState(long id, String state) {
    await("job " + id + " " + state, () -> state(id).equals(state));
  }

  /** Until nothing waits or runs. */
  void awaitIdle() {
    await("an empty queue", () -> ok("gqueue", "-h").out().isEmpty());
  }

  void await(String what, BooleanSupplier so) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "waited in vain for " + what + "\n" + run("gqueue").out() + daemonLog());
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  String daemonLog() {
    return read(home().resolve("gflowd.log"));
  }

  /** All processes that carry this home in their environment, but for those of this test. */
  List<Long> processes() {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(p -> p.getFileName().toString().matches("\\d+"))
          .filter(p -> environ(p).contains("GFLOW_HOME=" + home() + "\0"))
          .map(p -> Long.parseLong(p.getFileName().toString()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String environ(Path process) {
    try {
      return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    run("gflowd", "down", "--cancel");
    List<Long> left = processes();
    left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    try (Stream<Path> all = Files.walk(top)) {
      all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!left.isEmpty()) {
      throw new AssertionError("processes were left: " + left);
    }
  }
}
