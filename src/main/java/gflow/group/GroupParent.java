package gflow.group;

import gflow.process.Descriptor;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.script.env.Environment;
import gflow.script.group.GroupFile;
import gflow.script.group.Role;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The program of a group's job: starts the roles one after the other, each as a step, and ends what
 * is left of them in the opposite order. Whatever happens to it, the job ends whole by the engine.
 */
public final class GroupParent {
  private static final List<Integer> ENDING =
      List.of(Signals.TERM, Signals.INT, Signals.HUP, Signals.QUIT);

  /** All roles together: a little less than a job has between TERM and KILL. */
  private static final Duration GRACE = Duration.ofSeconds(9);

  /** Within it a server whose clients are gone may still end by itself. */
  private static final Duration DESERTED = Duration.ofSeconds(5);

  private static final Duration GOODBYE = Duration.ofSeconds(2);

  private static final String CAUSE = "cause";
  private static final int LONGEST = 1000;

  private static final long QUIET = 60_000;

  /** What the job was given: the file, what is private, where logs go, and its surroundings. */
  public record Setting(
      Path file, String tmp, String logs, String launcher, byte[] environment, String folder) {
    String variable(String name) {
      return Environment.of(environment).value(name).orElse("");
    }
  }

  /** What happens to a group. */
  private sealed interface News {
    record Ended(Role role, int code) implements News {}

    record Signal(int number) implements News {}
  }

  /** How the job ends: its code, and the cause where that is none of its own. */
  private record End(int code, String cause) {}

  private final GroupFile group;
  private final Setting setting;
  private final Consumer<String> say;
  private final ProcessWatch watch;
  private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
  private final SequencedMap<String, RunningRole> started = new LinkedHashMap<>();
  private Optional<Long> desertedAt = Optional.empty();

  private GroupParent(GroupFile group, Setting setting, ProcessWatch watch, Consumer<String> say) {
    this.group = group;
    this.setting = setting;
    this.watch = watch;
    this.say = say;
  }

  /** Returns the code of the job. */
  public static int run(Setting setting, Consumer<String> say)
      throws IOException, InterruptedException, BadInput {
    GroupFile group =
        GroupFile.parse(setting.file().getFileName().toString(), Files.readString(setting.file()));
    try (var watch = new ProcessWatch()) {
      var parent = new GroupParent(group, setting, watch, say);
      Optional<Descriptor> signals = Signals.blocked();
      signals.ifPresent(from -> watch.read(from, parent::hear));
      return parent.run();
    }
  }

  private boolean hear(byte[] bytes) {
    Signals.read(bytes).forEach(signal -> news.add(new News.Signal(signal)));
    return true;
  }

  private int run() throws IOException, InterruptedException {
    Optional<End> end = Optional.empty();
    while (end.isEmpty()) {
      // Judging may find a role ready, for which others wait.
      end = judge();
      end = end.isPresent() ? end : startThoseWhoMay();
      if (end.isEmpty()) {
        end = take(Optional.ofNullable(news.poll(pause(), TimeUnit.MILLISECONDS)));
      }
    }
    if (!end.get().cause().isEmpty()) {
      tell(end.get().cause());
    }
    if (end.get().code() == 0) {
      awaitGoodbyes();
    }
    stop();
    return end.get().code();
  }

  /** To who reads the log, and to the engine for who asks of the job. */
  private void tell(String cause) throws IOException {
    say.accept(cause);
    Files.writeString(
        setting.file().resolveSibling(CAUSE),
        cause.substring(0, Math.min(LONGEST, cause.length())));
  }

  private Optional<End> take(Optional<News> one) {
    if (one.isEmpty()) {
      return Optional.empty();
    }
    return switch (one.get()) {
      case News.Ended(Role role, int code) -> {
        Objects.requireNonNull(started.get(role.name())).over(code);
        yield Optional.empty();
      }
      case News.Signal(int number) ->
          ENDING.contains(number) ? Optional.of(new End(128 + number, "")) : Optional.empty();
    };
  }

  // ---- starting ----

  private Optional<End> startThoseWhoMay() throws IOException {
    for (Role role : group.roles()) {
      if (!started.containsKey(role.name()) && role.turn().after().stream().allMatch(this::isUp)) {
        try {
          start(role);
        } catch (BadInput e) {
          return Optional.of(new End(1, "role " + role.name() + ": " + e.line()));
        }
      }
    }
    return Optional.empty();
  }

  private boolean isUp(String name) {
    RunningRole role = started.get(name);
    return role != null && role.isReady();
  }

  private void start(Role role) throws IOException, BadInput {
    var running =
        RunningRole.start(role, setting, watch, code -> news.add(new News.Ended(role, code)));
    started.put(role.name(), running);
  }

  private long pause() {
    long pause =
        started.values().stream()
            .filter(role -> !role.isReady() && !role.isOver())
            .mapToLong(RunningRole::pause)
            .min()
            .orElse(QUIET);
    long left =
        desertedAt
            .map(at -> (at + DESERTED.toNanos() - System.nanoTime()) / 1_000_000)
            .orElse(QUIET);
    return Math.max(1, Math.min(pause, left + 1));
  }

  // ---- judging ----

  private Optional<End> judge() {
    for (RunningRole role : started.values()) {
      Optional<End> end = role.isOver() ? afterItsEnd(role) : whileItStarts(role);
      if (end.isPresent()) {
        return end;
      }
    }
    Optional<End> deserted = deserted();
    if (deserted.isPresent()) {
      return deserted;
    }
    boolean all = started.size() == group.roles().size();
    return all && started.values().stream().allMatch(RunningRole::isOver)
        ? Optional.of(new End(worst(started.values().stream().toList()), ""))
        : Optional.empty();
  }

  private static int worst(List<RunningRole> roles) {
    return roles.stream().mapToInt(RunningRole::code).max().orElse(0);
  }

  private static Optional<End> whileItStarts(RunningRole role) {
    List<String> missing = role.look();
    if (missing.isEmpty() || !role.isLate()) {
      return Optional.empty();
    }
    String cause =
        "role %s is not ready after %s: %s%s"
            .formatted(
                role.name(),
                words(role.role().turn().timeout()),
                String.join("; ", missing),
                role.lastLine());
    return Optional.of(new End(1, cause));
  }

  private static String words(Duration time) {
    return time.toSeconds() % 60 == 0 ? time.toMinutes() + " min" : time.toSeconds() + " s";
  }

  /** A role that has failed ends the job if it was told to, or if others need it. */
  private Optional<End> afterItsEnd(RunningRole role) {
    String how = "role " + role.name() + " ended with code " + role.code();
    if (!role.isReady()) {
      String what = String.join("; ", role.look());
      return Optional.of(
          new End(Math.max(1, role.code()), how + ", and " + what + role.lastLine()));
    }
    boolean needed = after(role).stream().anyMatch(other -> !isOver(other));
    if (role.role().ends() || (role.code() != 0 && needed)) {
      return Optional.of(new End(role.code(), role.code() == 0 ? "" : how + role.lastLine()));
    }
    return Optional.empty();
  }

  private List<Role> after(RunningRole role) {
    return group.roles().stream().filter(r -> r.turn().after().contains(role.name())).toList();
  }

  private boolean isOver(Role role) {
    RunningRole running = started.get(role.name());
    return running != null && running.isOver();
  }

  /** A server whose clients have all died waits for ever: nobody comes any more. */
  private Optional<End> deserted() {
    for (RunningRole server : started.values()) {
      List<RunningRole> clients =
          after(server).stream()
              .map(role -> started.get(role.name()))
              .filter(Objects::nonNull)
              .toList();
      boolean gone =
          !clients.isEmpty()
              && clients.size() == after(server).size()
              && clients.stream().allMatch(role -> role.isOver() && role.isLost());
      if (gone && !server.isOver()) {
        long now = System.nanoTime();
        long since = desertedAt.orElse(now);
        desertedAt = Optional.of(since);
        return now - since < DESERTED.toNanos()
            ? Optional.empty()
            : Optional.of(new End(worst(clients), desertion(server, clients.getLast())));
      }
    }
    return Optional.empty();
  }

  private static String desertion(RunningRole server, RunningRole last) {
    return "all tasks of role %s have failed, with code %d, and nobody comes to %s any more%s"
        .formatted(last.name(), last.code(), server.name(), last.lastLine());
  }

  // ---- stopping ----

  /** A server that is done has told its clients, and they are about to end by themselves. */
  private void awaitGoodbyes() throws InterruptedException {
    long end = System.nanoTime() + GOODBYE.toNanos();
    for (RunningRole role : started.values()) {
      await(role, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
  }

  /** Who was started last goes first; each has its part of the time that there is. */
  private void stop() throws InterruptedException {
    List<RunningRole> left =
        started.reversed().values().stream().filter(role -> !role.isOver()).toList();
    for (RunningRole role : left) {
      role.end();
      if (!await(role, GRACE.dividedBy(left.size()))) {
        role.kill();
        await(role, GRACE);
      }
    }
  }

  private boolean await(RunningRole role, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!role.isOver() && System.nanoTime() < end) {
      long left = Math.max(1, (end - System.nanoTime()) / 1_000_000);
      var _ = take(Optional.ofNullable(news.poll(left, TimeUnit.MILLISECONDS)));
    }
    return role.isOver();
  }
}
