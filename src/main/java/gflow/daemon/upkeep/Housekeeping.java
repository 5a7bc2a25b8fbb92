package gflow.daemon.upkeep;

import gflow.api.ContainedBugs;
import gflow.config.Config;
import gflow.daemon.core.Core;
import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Problems;
import gflow.daemon.core.Refusal;
import gflow.daemon.service.LogFiles;
import gflow.daemon.service.ServiceContext;
import gflow.job.Job;
import gflow.job.TaskState;
import gflow.script.value.Sizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What nobody asks for: an eye on the disk, and forgetting what is old. */
public final class Housekeeping implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.housekeeping");
  private static final int DISK_SECONDS = 10;
  private static final int FORGET_HOURS = 6;
  private static final Duration DYING = Duration.ofSeconds(30);
  private static final String FORGETTING = "could not forget what is old";
  private static final String LOOKING = "could not look at the logs of running jobs";

  private final ServiceContext context;
  private final LogFiles logs;
  private final Rules rules;
  private final Problems problems;
  private final ContainedBugs bugs;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("gflow-housekeeping").daemon().factory());
  private final Set<Path> large = new TreeSet<>();
  private Optional<LogGrowth> growth = Optional.empty();
  private @Nullable ScheduledFuture<?> look;
  private boolean low;

  /** How long history and logs are kept (empty = for ever), and how much disk is kept free. */
  public record Rules(
      Path data, Path logs, long diskFloor, Optional<Duration> keepHistory, Config.Log log) {}

  public Housekeeping(
      ServiceContext context, LogFiles logs, Rules rules, Problems problems, ContainedBugs bugs) {
    this.context = context;
    this.logs = logs;
    this.rules = rules;
    this.problems = problems;
    this.bugs = bugs;
  }

  public void start() {
    each(DISK_SECONDS, 0, this::disk);
    each(DYING.toSeconds(), DYING.toSeconds(), this::undying);
    if (rules.log().maxSize().isPresent()) {
      growth = Optional.of(new LogGrowth(rules.log().maxSize().getAsLong()));
      lookAtLogs(LogGrowth.FIRST);
    }
    each(FORGET_HOURS * 3600L, 60, this::forget);
  }

  /** What failed once is tried the next time: the executor itself would never run it again. */
  private void each(long seconds, long first, Runnable care) {
    Runnable contained =
        () -> {
          try {
            care.run();
          } catch (RuntimeException e) {
            bugs.contain("housekeeping", e);
          }
        };
    var _ = thread.scheduleWithFixedDelay(contained, first, seconds, TimeUnit.SECONDS);
  }

  /** From any thread: a job has started, and may write as fast as the disk can. */
  public synchronized void started() {
    if (look != null && look.getDelay(TimeUnit.MILLISECONDS) > LogGrowth.FIRST.toMillis()) {
      look.cancel(false);
      lookAtLogs(LogGrowth.FIRST);
    }
  }

  private synchronized void lookAtLogs(Duration in) {
    if (!thread.isShutdown()) {
      look =
          thread.schedule(
              () -> cutLogs(growth.orElseThrow()), in.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Processes in the kernel's hands, as on a disk that does not answer, hear no signal. */
  private void undying() {
    Instant before = context.now().minus(DYING);
    try {
      List<String> tasks = context.loop().look(core -> undying(core, before));
      for (String task : tasks) {
        problems.report(
            Kind.PROCESSES,
            task,
            "processes of job " + task + " do not die, and what it holds is not free",
            "ps -eo pid,stat,wchan:30,cmd shows what they wait for");
      }
      problems.keep(Kind.PROCESSES, tasks);
    } catch (Refusal e) {
      LOG.log(Level.WARNING, String.valueOf(e.getMessage()));
    }
  }

  private static List<String> undying(Core core, Instant before) {
    var tasks = new ArrayList<String>();
    for (Job job : core.ledger().jobs()) {
      job.live()
          .forEach(
              (offset, state) -> {
                if (state instanceof TaskState.Completing c && c.killAt().isBefore(before)) {
                  tasks.add(job.task(offset).number().toString());
                }
              });
    }
    return tasks;
  }

  /** Before anything may start: a job that a full disk kept waiting goes on waiting. */
  public boolean diskLow() {
    low = tellDisk();
    return low;
  }

  private boolean tellDisk() {
    long free = rules.data().toFile().getUsableSpace();
    boolean nowLow = free < rules.diskFloor();
    String full =
        "the disk is nearly full: only %s left in %s, and nothing starts below %s"
            .formatted(Sizes.rounded(free), rules.data(), Sizes.rounded(rules.diskFloor()));
    problems.set(
        Kind.DISK,
        "",
        nowLow ? Optional.of(full) : Optional.empty(),
        "make room, or set another floor under [disk] in gflow.toml");
    return nowLow;
  }

  private void disk() {
    context.store().upkeep();
    boolean nowLow = tellDisk();
    if (nowLow == low) {
      return;
    }
    LOG.log(Level.WARNING, nowLow ? "the disk is nearly full: nothing starts" : "room again");
    try {
      low =
          context
              .loop()
              .ask(
                  (core, now) -> {
                    core.diskLow(nowLow);
                    return nowLow;
                  });
    } catch (Refusal e) {
      LOG.log(Level.WARNING, String.valueOf(e.getMessage()));
    }
  }

  /** A runaway program must not fill the disk: its log starts anew, and says so. */
  private void cutLogs(LogGrowth growth) {
    Duration next = LogGrowth.SELDOM;
    try {
      Output written = context.loop().look(this::written);
      written.roles().forEach(start -> ofRoles(start, written.own()));
      growth.look(written.own(), System.nanoTime()).forEach(log -> cut(log, growth.most()));
      tellOfLarge(written.named(), growth.most());
      next = growth.next(!written.own().isEmpty());
      problems.solved(Kind.UPKEEP, LOOKING);
    } catch (Refusal | RuntimeException e) {
      LOG.log(Level.WARNING, LOOKING + ": " + e.getMessage());
      problems.report(Kind.UPKEEP, LOOKING, LOOKING + ": " + e.getMessage(), "");
    }
    lookAtLogs(next);
  }

  private static void cut(Path log, long most) {
    LOG.log(Level.WARNING, "cut " + log + ", which had grown over " + most + " bytes");
    try {
      Files.writeString(
          log,
          "[gflow: what stood here was cut, the log was over " + most + " bytes]\n",
          StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "could not cut " + log + ": " + e.getMessage());
    }
  }

  /** A file that a user named is the user's, whatever is in it: it is not cut, but seen. */
  private void tellOfLarge(List<Path> named, long most) {
    for (Path file : named) {
      if (file.toFile().isFile() && file.toFile().length() > most && large.add(file)) {
        problems.report(
            Kind.OUTPUT,
            file.toString(),
            "a running job has written over " + most + " bytes to " + file,
            "it is the user's file and is not cut");
      }
    }
    large.retainAll(named);
    problems.keep(Kind.OUTPUT, large.stream().map(Path::toString).toList());
  }

  /** What running jobs write to: logs that we gave them, and files that their users named. */
  private record Output(List<Path> own, List<Path> named, List<String> roles) {}

  /** The logs that a group has made for its roles; links lead to files of its user's. */
  private static void ofRoles(String start, List<Path> own) {
    int name = start.lastIndexOf('/') + 1;
    Path folder = Path.of(start.substring(0, name));
    String[] files = folder.toFile().list();
    for (String file : files == null ? new String[0] : files) {
      Path log = folder.resolve(file);
      if (file.startsWith(start.substring(name)) && !Files.isSymbolicLink(log)) {
        own.add(log);
      }
    }
  }

  private Output written(Core core) {
    var output = new Output(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (var holding : core.ledger().holdings()) {
      for (Job job : core.ledger().job(holding.task().job()).stream().toList()) {
        logs.roles(job, holding.task().offset()).ifPresent(output.roles()::add);
        boolean own = job.spec().writesLog();
        logs.out(job, holding.task().offset())
            .ifPresent(own ? output.own()::add : output.named()::add);
      }
    }
    return output;
  }

  private void forget() {
    Instant now = context.now();
    try {
      if (rules.keepHistory().isPresent()) {
        context.prune(now.minus(rules.keepHistory().get()));
      }
      rules.log().keep().ifPresent(keep -> forgetLogs(now.minus(keep)));
      problems.solved(Kind.UPKEEP, FORGETTING);
    } catch (Refusal | UncheckedIOException e) {
      LOG.log(Level.WARNING, FORGETTING + ": " + e.getMessage());
      problems.report(Kind.UPKEEP, FORGETTING, FORGETTING + ": " + e.getMessage(), "");
    }
  }

  /** A log that nobody has written to since then. */
  private void forgetLogs(Instant before) {
    try (Stream<Path> all = Files.walk(rules.logs())) {
      for (Path log : all.filter(Files::isRegularFile).toList()) {
        if (Files.getLastModifiedTime(log).toInstant().isBefore(before)) {
          Files.deleteIfExists(log);
        }
      }
    } catch (NoSuchFileException e) {
      // No log was written yet.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
