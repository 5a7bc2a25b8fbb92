package gflow.e2e;

import gflow.job.BlobId;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A home of its own with a daemon of its own, and the commands as a user types them. Closing it
 * ends everything that it started and complains about what is left.
 */
final class Lab implements AutoCloseable {
  private static final Path PROGRAM = Path.of(System.getProperty("gflow.home", "target/gflow"));
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofMillis(15);
  private static final Duration SELDOM = Duration.ofMillis(150);

  private static final Path PROC = Path.of("/proc");

  private final Path top;
  private final Map<String, String> environment = new ConcurrentSkipListMap<>();
  private OptionalInt user = OptionalInt.empty();

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
    // A real Slurm may be installed here, for other tests.
    environment.put("GFLOW_AUTOSTART", "yes");
    for (String variable : variables) {
      String[] parts = variable.split("=", 2);
      environment.put(parts[0], parts[1]);
    }
  }

  /** The same for another user than root, who runs the test: what root may do proves little. */
  static Lab ofUser(int uid) {
    var lab = new Lab();
    lab.user = OptionalInt.of(uid);
    lab.own(lab.top);
    lab.own(lab.work());
    return lab;
  }

  private void own(Path path) {
    user.ifPresent(
        uid -> {
          try {
            Files.setAttribute(path, "unix:uid", uid);
            Files.setAttribute(path, "unix:gid", uid);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
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

  /** Programs in there come before others. */
  void prefer(Path folder) {
    environment.merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
  }

  void configure(String toml) {
    write(home().resolve("gflow.toml"), toml);
  }

  Path write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      own(file.toAbsolutePath().getParent());
      Files.writeString(file, text);
      own(file);
      return file;
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

  /** Runs a command with one more variable. */
  Said runWith(String variable, String... words) {
    String[] parts = variable.split("=", 2);
    try {
      return await(start(user, Map.of(parts[0], parts[1]), words), words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command as another user would, in the same home. */
  Said runAs(int uid, String... words) {
    try {
      return await(start(OptionalInt.of(uid), Map.of(), words), words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
      return await(process, words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Said await(Process process, String... words) throws IOException {
    try {
      process.getOutputStream().close();
      var err = new ArrayList<String>();
      Thread reader = Thread.ofVirtual().start(() -> err.add(all(process.getErrorStream())));
      var out = new ArrayList<String>();
      Thread printer = Thread.ofVirtual().start(() -> out.add(all(process.getInputStream())));
      // First the end, then the output: one that hangs must not hang the test with it.
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(Arrays.toString(words) + " did not end");
      }
      reader.join();
      printer.join();
      return new Said(process.exitValue(), out.getFirst(), err.getFirst());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a command and leaves it running. */
  Process start(String... words) throws IOException {
    return start(user, Map.of(), words);
  }

  private Process start(OptionalInt who, Map<String, String> more, String... words)
      throws IOException {
    // Java looks for programs on its own PATH, not on that of the child.
    var all = new ArrayList<>(List.of(words));
    for (String folder : List.of("bin", "slurm")) {
      Path own = PROGRAM.toAbsolutePath().resolve(folder).resolve(words[0]);
      if (!words[0].startsWith("/") && Files.exists(own)) {
        all.set(0, own.toString());
      }
    }
    who.ifPresent(uid -> all.addAll(0, as(uid)));
    var builder = new ProcessBuilder(all).directory(work().toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().putAll(more);
    return builder.start();
  }

  /** The words that make a command another user's. */
  static List<String> as(int uid) {
    return List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups", "--");
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

  /** By the pid in the door, because a daemon that is just starting does not answer yet. */
  Optional<ProcessHandle> daemon() {
    String door = read(home().resolve("run/door/daemon"));
    return door.isEmpty()
        ? Optional.empty()
        : ProcessHandle.of(Long.parseLong(door.split(" ", -1)[0])).filter(ProcessHandle::isAlive);
  }

  boolean daemonHas(String variable) {
    return daemon()
        .map(d -> environ(PROC.resolve(Long.toString(d.pid()))).contains(variable + "\0"))
        .orElse(false);
  }

  /** The shells that start a killed daemon again, and what they wait for. */
  private Stream<ProcessHandle> guards() {
    return processes().stream()
        .filter(pid -> commandLine(pid).endsWith("\0gflowd\0guard\0"))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .flatMap(guard -> Stream.concat(Stream.of(guard), guard.children()));
  }

  /** kill -9, and nobody starts it again: the guard first. */
  void killDaemon() {
    guards().forEach(Lab::kill);
    killOnlyDaemon();
  }

  /** kill -9; its guard starts the next one. */
  void killOnlyDaemon() {
    daemon().ifPresent(Lab::kill);
  }

  /** Returns when nothing of it runs. Of another's child Java asks only now and then. */
  static void kill(ProcessHandle process) {
    process.destroyForcibly();
    while (process.isAlive() && !isZombie(process.pid())) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  private static boolean isZombie(long pid) {
    return bytes(PROC.resolve(pid + "/stat")).replaceFirst(".*\\) ", "").startsWith("Z");
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
  List<Map<String, Object>> jobs() {
    return jobs("-s", "all");
  }

  /**
   * One row for each job or task that these words name; the rows of very many need a lot of heap.
   */
  @SuppressWarnings("unchecked")
  List<Map<String, Object>> jobs(String option, String which) {
    return (List<Map<String, Object>>) json("gqueue", option, which, "--json").get("jobs");
  }

  Map<String, Object> job(long id) {
    return jobs().stream()
        .filter(j -> ((Number) j.get("job_id")).longValue() == id)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no job " + id));
  }

  /** The lines of a map's results, by index: one for each item. */
  @SuppressWarnings("unchecked")
  Map<Long, Map<String, Object>> results(String folder) {
    var all = new TreeMap<Long, Map<String, Object>>();
    for (String line : read(work().resolve(folder).resolve("results.jsonl")).lines().toList()) {
      try {
        var result = (Map<String, Object>) Json.parse(line);
        if (all.put((Long) result.get("index"), result) != null) {
          throw new AssertionError("a second line for an item: " + line);
        }
      } catch (BadJson e) {
        throw new AssertionError(line, e);
      }
    }
    return all;
  }

  /** Those of a job, over or not. */
  @SuppressWarnings("unchecked")
  List<Map<String, Object>> steps(long job) {
    return (List<Map<String, Object>>)
        json("gqueue", "--steps", "-j", Long.toString(job), "--json").get("steps");
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
    long start = System.nanoTime();
    while (!so.getAsBoolean()) {
      long waited = System.nanoTime() - start;
      if (waited > PATIENCE.toNanos()) {
        throw new AssertionError(
            "waited in vain for " + what + "\n" + run("gqueue").out() + daemonLog());
      }
      // A look is a process, and others need the machine: who waits long looks less often.
      LockSupport.parkNanos(Math.clamp(waited / 8, SOON.toNanos(), SELDOM.toNanos()));
    }
  }

  String daemonLog() {
    return read(home().resolve("gflowd.log"));
  }

  /** All processes that carry this home in their environment, or stand in a folder of it. */
  List<Long> processes() {
    return processes(p -> environ(p).contains("GFLOW_HOME=" + home() + "\0") || standsIn(p, top));
  }

  /** Those of {@link #processes} but for the daemon and its guard. */
  List<Long> processesOfJobs() {
    var own = new ArrayList<Long>();
    daemon().ifPresent(d -> own.add(d.pid()));
    guards().forEach(g -> own.add(g.pid()));
    return processes().stream().filter(pid -> !own.contains(pid)).toList();
  }

  /** All with this text in their environment, where NUL ends each entry. */
  static List<Long> processesWith(String text) {
    return processes(p -> environ(p).contains(text));
  }

  /** Its words, with NUL after each. */
  static String commandLine(long pid) {
    return bytes(PROC.resolve(pid + "/cmdline"));
  }

  /** All that stand in this folder or below it. */
  static List<Long> processesIn(Path folder) {
    return processes(p -> standsIn(p, folder));
  }

  /** The cgroups and private temporary folders of this home's attempts. */
  List<String> leftOutside() {
    String hash = BlobId.of(home().toString().getBytes(StandardCharsets.UTF_8)).sha256();
    String mark = "gflow-" + uid() + "-" + hash.substring(0, 16);
    String find =
        "find /sys/fs/cgroup /tmp/gflow-%d/%s -mindepth 1 -name '%s-*' -o -path '*/%s/*'"
            .formatted(uid(), mark, mark, mark);
    return bash(find + " 2>/dev/null | grep -v /spare-").lines();
  }

  private int uid() {
    try {
      return (int) Files.getAttribute(top, "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean standsIn(Path process, Path folder) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).startsWith(folder);
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  private static List<Long> processes(Predicate<Path> which) {
    try (Stream<Path> all = Files.list(PROC)) {
      return all.filter(p -> p.getFileName().toString().matches("\\d+"))
          .filter(which)
          .map(p -> Long.parseLong(p.getFileName().toString()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String environ(Path process) {
    return bytes(process.resolve("environ"));
  }

  private static String bytes(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    run("gflowd", "down", "--cancel");
    killDaemon();
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
