package gflow;

import gflow.api.Answer;
import gflow.api.ApiRequest.Down;
import gflow.api.ApiRequest.Status;
import gflow.api.DaemonStatus;
import gflow.api.Gflow;
import gflow.cli.frame.Output;
import gflow.config.Folders;
import gflow.script.env.Environment;
import gflow.store.DataLock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** {@code gflowd up | down | restart | service install}: the daemon's life from outside. */
record Gflowd(Folders folders, Environment variables, Gflow gflow, Output output) {
  /** A shell's code for the end by a signal starts here. */
  private static final int KILLED = 128;

  private static final String USAGE =
      """
      usage: gflowd                      run the daemon in the foreground
             gflowd up                   start it, if it does not run
             gflowd down [--cancel]      stop it; jobs go on, unless --cancel ends them
             gflowd restart              stop and start it; jobs go on
             gflowd status [--json]      what it says of itself
             gflowd service install      start it with the machine (systemd user unit)
      """;

  /** For a daemon that is killed while it starts, again and again. */
  private static final int TRIES = 20;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Whoever waits for longer than a start takes on a busy machine hears why. */
  private static final Duration UNUSUAL = Duration.ofSeconds(10);

  int run(List<String> words) {
    return switch (String.join(" ", words)) {
      case "up" -> up(true);
      case "down" -> down(false);
      case "down --cancel" -> down(true);
      case "restart" -> restart();
      case "service install" -> new ServiceUnit(variables, output).install();
      case "--help", "-h", "help" -> {
        output.out(USAGE);
        yield 0;
      }
      default -> {
        output.problem(
            "gflowd: there is no '"
                + String.join(" ", words)
                + "'; there is: up, down [--cancel], restart, status, service install");
        yield 2;
      }
    };
  }

  /** {@code tells}: also that it went well. */
  int up(boolean tells) {
    try {
      for (int i = 0; i < TRIES; i++) {
        Heard before = listen(() -> false);
        if (before == Heard.ANSWER) {
          return up(tells, s -> "gflowd is up already (pid " + s.pid() + ")");
        }
        if (before == Heard.SILENCE) {
          return silent();
        }
        Process guard = start();
        if (firstLine(guard).equals(Foreground.READY) || listen(guard::isAlive) == Heard.ANSWER) {
          return up(tells, s -> "gflowd is up (pid " + s.pid() + "): " + has(s));
        }
        if (guard.isAlive() || !again(guard.exitValue())) {
          output.problem("gflowd: it did not start: " + lastLine(folders.log()));
          return 1;
        }
        // The one that was first, or ours, was killed before it answered: our turn again.
      }
      return silent();
    } catch (IOException e) {
      output.problem("gflowd: it could not be started: " + why(e));
      return 1;
    }
  }

  private int up(boolean tells, Function<DaemonStatus, String> line) {
    status().filter(_ -> tells).map(line).ifPresent(output::line);
    return 0;
  }

  private static String why(IOException e) {
    return e instanceof FileSystemException f && f.getReason() == null
        ? f.getFile() + ": " + e.getClass().getSimpleName()
        : String.valueOf(e.getMessage());
  }

  /** 0 if there is none, or one that answers. */
  int reached() {
    boolean refuses =
        gflow.ask(new Status()) instanceof Answer.No<DaemonStatus>(Answer.Kind kind, String _)
            && kind != Answer.Kind.NO_DAEMON;
    // Whoever is refused is told so when asking.
    return refuses || listen(() -> false) != Heard.SILENCE ? 0 : silent();
  }

  /** It holds the folder, and nobody hears it. */
  private int silent() {
    OptionalLong pid = DataLock.holder(folders.data());
    output.problem(
        "gflowd: the daemon "
            + (pid.isPresent() ? "(pid " + pid.getAsLong() + ") runs but" : "that was started")
            + " does not answer; look into "
            + folders.log()
            + (pid.isPresent() ? ", or end it with kill " + pid.getAsLong() : ""));
    return 1;
  }

  private static boolean again(int code) {
    return code == Foreground.TAKEN || code >= KILLED;
  }

  /** What is true of one moment: a daemon may come or die right after it. */
  private enum Heard {
    ANSWER,
    NOBODY,
    SILENCE
  }

  /**
   * Another one may have been first, or the guard may start ours again, or it makes its run folder
   * anew: all of that takes a moment. {@code comes}: there will be one that is not there yet.
   */
  private Heard listen(BooleanSupplier comes) {
    long start = System.nanoTime();
    boolean said = false;
    while (status().isEmpty()) {
      OptionalLong holder = DataLock.holder(folders.data());
      long waited = System.nanoTime() - start;
      if (holder.isEmpty() && (waited > PATIENCE.toNanos() || !comes.getAsBoolean())) {
        return Heard.NOBODY;
      }
      if (waited > PATIENCE.toNanos()) {
        return Heard.SILENCE;
      }
      if (!said && holder.isPresent() && waited > UNUSUAL.toNanos()) {
        output.problem(
            "gflowd: the daemon (pid " + holder.getAsLong() + ") does not answer yet; waiting");
        said = true;
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    return Heard.ANSWER;
  }

  private static String has(DaemonStatus s) {
    String gpus = s.gpus() == 1 ? "1 GPU" : s.gpus() + " GPUs";
    return gpus + (s.simulated() ? " (simulated)" : "") + ", " + s.cpus() + " CPUs";
  }

  /** In a session of its own, with the log as stderr; the daemon's stdout says that it is ready. */
  private Process start() throws IOException {
    Files.createDirectories(folders.data());
    Path log = folders.log();
    var own = PosixFilePermissions.fromString("rw-------");
    var made = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.newByteChannel(log, made, PosixFilePermissions.asFileAttribute(own)).close();
    var builder = new ProcessBuilder("setsid", "sh", Self.launcher().toString(), "gflowd", "guard");
    builder.directory(Path.of("/").toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().clear();
    builder.environment().putAll(variables.texts());
    return builder.start();
  }

  private static String firstLine(Process guard) throws IOException {
    var reader =
        new BufferedReader(new InputStreamReader(guard.getInputStream(), StandardCharsets.UTF_8));
    String line = reader.readLine();
    return line == null ? "" : line;
  }

  /** But for stack traces, which are for the log. */
  private static String lastLine(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> !line.startsWith("\t") && !line.startsWith("Caused by"))
        .reduce("it said nothing", (first, last) -> last);
  }

  private Optional<DaemonStatus> status() {
    return gflow.ask(new Status()) instanceof Answer.Ok<DaemonStatus>(DaemonStatus status)
        ? Optional.of(status)
        : Optional.empty();
  }

  private int down(boolean cancel) {
    int reached = reached();
    if (reached != 0) {
      return reached;
    }
    return switch (gflow.ask(new Status())) {
      case Answer.Ok<DaemonStatus>(DaemonStatus running) -> down(running, cancel);
      case Answer.No<DaemonStatus>(Answer.Kind kind, String line) -> {
        if (kind == Answer.Kind.NO_DAEMON) {
          // The guard of one that was killed looks there before it starts the next.
          folders.door().resolve("daemon").toFile().delete();
          output.line("gflowd is not running");
          yield 0;
        }
        yield refused(kind, line);
      }
    };
  }

  private int down(DaemonStatus running, boolean cancel) {
    return switch (gflow.ask(new Down(cancel))) {
      case Answer.Ok<Gflow.Done>(Gflow.Done done) -> {
        awaitEnd(running.pid());
        output.line("gflowd is " + done.text());
        yield 0;
      }
      case Answer.No<Gflow.Done>(Answer.Kind kind, String line) -> refused(kind, line);
    };
  }

  private int refused(Answer.Kind kind, String line) {
    output.problem("gflowd: " + line);
    return kind.exitCode();
  }

  private static void awaitEnd(long pid) {
    while (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private int restart() {
    int code = down(false);
    return code == 0 ? up(true) : code;
  }
}
