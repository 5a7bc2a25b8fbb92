package gflow.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One map that is killed at moments that a seed chooses, gone on with and killed again, until it is
 * let end. What came of it must be as if nobody had killed anything.
 */
final class KilledMap {
  /** In a job of its own, in somebody's job, or in an allocation without any daemon. */
  enum Place {
    QUEUE,
    JOB,
    ALONE
  }

  enum Victim {
    RUNNER,
    ITEM,
    DAEMON,
    CLIENT
  }

  private static final int RUNS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PATIENCE_AFTER = Duration.ofSeconds(3);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(700);

  private final Lab lab;
  private final long seed;
  private final Random random;
  private final Place place;
  private final boolean worker;
  private final List<String> items;
  private final MapLedger ledger;
  private final List<String> story = new ArrayList<>();
  private final long start = System.nanoTime();
  private boolean begun;
  private boolean daemonKilled;

  KilledMap(Lab lab, long seed) {
    this.lab = lab;
    this.seed = seed;
    random = new Random(seed);
    // Also a few seeds in a row have them all.
    place = Place.values()[(int) (seed % 3)];
    worker = seed / 3 % 2 == 1;
    items = KilledItems.choose(random);
    ledger = new MapLedger(folder(), worker, items);
  }

  private Path folder() {
    return lab.work().resolve("map-" + seed);
  }

  private Path results() {
    return folder().resolve("r");
  }

  /** What was done, for who looks at a seed that failed. */
  List<String> story() {
    return story;
  }

  /** The last of what gmap printed. */
  String said() {
    String said = Lab.read(folder().resolve("said"));
    return said.substring(Math.max(0, said.length() - 500)).strip();
  }

  private void tell(String what) {
    story.add("%.1f %s".formatted((System.nanoTime() - start) / 1e9, what));
  }

  void run() throws IOException, InterruptedException {
    tell("%s, %s, %d items".formatted(place, worker ? "workers" : "processes", items.size()));
    KilledItems.write(lab, folder(), items);
    int killedRuns = 1 + random.nextInt(RUNS);
    for (int i = 0; i < killedRuns; i++) {
      run(1 + random.nextInt(2));
    }
    run(0);
    awaitGone();
  }

  // ---- a run ----

  /** Unless somebody who was needed was killed, it must have done all of its work. */
  private void run(int hits) throws IOException, InterruptedException {
    Process client = start();
    boolean broken = false;
    for (int hit = 0; hit < hits; hit++) {
      String moment = moment(client);
      broken |= strike(moment, client);
    }
    awaitEnd(client);
    if (broken) {
      ledger.look();
    } else {
      ledger.check(place == Place.JOB ? code() : client.exitValue());
    }
  }

  private Process start() throws IOException {
    // One that was killed between the two has begun, too: whoever comes next ends its making.
    begun |= Files.exists(results().resolve("replacing"));
    begun |= Files.exists(results().resolve("map.json"));
    String[] words = {
      "--results r --gpus 4 --quiet",
      begun ? "--resume" : "--items-from items",
      worker ? "--worker" : "",
      begun ? "" : worker ? "./worker" : "./item"
    };
    tell(begun ? "resumed" : "started");
    String gmap = "gmap " + String.join(" ", words) + " >>said 2>&1";
    String line =
        switch (place) {
          case QUEUE -> "exec " + gmap;
          case ALONE -> "SLURM_JOB_ID=1 CUDA_VISIBLE_DEVICES=0,1,2,3 exec " + gmap;
          case JOB -> "exec gbatch --wait --gpus 4 -o log --wrap '" + gmap + "; echo $? >code'";
        };
    Files.deleteIfExists(folder().resolve("code"));
    return lab.start("bash", "-c", "cd " + folder() + " && export " + mark() + " && " + line);
  }

  private String mark() {
    return "KILLED_MAP=" + seed;
  }

  private int code() throws IOException {
    return Integer.parseInt(Files.readString(folder().resolve("code")).strip());
  }

  private void awaitEnd(Process client) throws InterruptedException {
    awaitDaemon();
    if (!client.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("gmap did not end");
    }
    tell("client ended");
    if (place != Place.ALONE) {
      lab.awaitIdle();
    }
    lab.await("the end of the runner", () -> runner().isEmpty());
  }

  /** The guard of one that is killed often waits longer and longer. */
  private void awaitDaemon() {
    if (daemonKilled) {
      lab.up();
      daemonKilled = false;
    }
  }

  // ---- kills ----

  /** While it starts, when the runner is there, or when so much is done; says which it was. */
  private String moment(Process client) {
    int there = ledger.lines().size();
    int lines = there + random.nextInt(items.size() - there + 1);
    long millis = random.nextInt((int) LONGEST_PAUSE.toMillis());
    return switch (random.nextInt(4)) {
      case 0 -> {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
        yield "after " + millis + " ms";
      }
      case 1 -> {
        await(PATIENCE, () -> runner().isPresent() || !client.isAlive());
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
        yield millis + " ms after the runner came";
      }
      default -> {
        await(PATIENCE, () -> ledger.lines().size() >= lines || !client.isAlive());
        yield "at " + lines + " lines";
      }
    };
  }

  private static void await(Duration patience, BooleanSupplier so) {
    long end = System.nanoTime() + patience.toNanos();
    while (!so.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  /** True if the map, or who watches it, cannot go on. */
  private boolean strike(String moment, Process client) {
    Victim victim = victim();
    boolean hit =
        switch (victim) {
          case RUNNER -> kill(runner().or(() -> whoStarts(client)));
          case ITEM -> kill(oneOf(item()));
          case CLIENT -> client.isAlive() && kill(Optional.of(client.toHandle()));
          case DAEMON -> killDaemon();
        };
    tell(moment + " " + victim + (hit ? " killed" : " was not there"));
    if (hit && victim == Victim.ITEM) {
      ledger.itemKilled();
    }
    if (hit && victim != Victim.DAEMON) {
      ledger.disturbed();
    }
    ledger.look();
    return hit && (victim == Victim.RUNNER || victim == Victim.CLIENT);
  }

  private Victim victim() {
    return switch (place) {
      case ALONE -> random.nextInt(3) > 0 ? Victim.RUNNER : Victim.ITEM;
      case JOB -> Victim.values()[random.nextInt(3)];
      case QUEUE -> Victim.values()[random.nextInt(4)];
    };
  }

  private static boolean kill(Optional<ProcessHandle> process) {
    process.ifPresent(Lab::kill);
    return process.isPresent();
  }

  /** Sometimes its guard starts the next one, and sometimes a person does. */
  private boolean killDaemon() {
    daemonKilled = true;
    if (random.nextInt(3) > 0) {
      lab.killOnlyDaemon();
    } else {
      lab.killDaemon();
      lab.up();
    }
    return true;
  }

  private Optional<ProcessHandle> runner() {
    String word = place == Place.QUEUE ? "\0--run-folder\0" : "\0gmap\0";
    return Lab.processesWith(mark() + "\0").stream()
        .filter(pid -> Lab.commandLine(pid).contains("gflow.Main\0"))
        .filter(pid -> Lab.commandLine(pid).contains(word))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .findFirst();
  }

  /** The shell that becomes the runner. */
  private Optional<ProcessHandle> whoStarts(Process client) {
    return place == Place.ALONE && client.isAlive()
        ? Optional.of(client.toHandle())
        : Optional.empty();
  }

  private List<Long> item() {
    return Lab.processesWith("GFLOW_ITEM_MARK=" + results() + "#").stream().sorted().toList();
  }

  private Optional<ProcessHandle> oneOf(List<Long> processes) {
    return processes.isEmpty()
        ? Optional.empty()
        : ProcessHandle.of(processes.get(random.nextInt(processes.size())));
  }

  /** A client may have started the next daemon. */
  private List<Long> left() {
    return Lab.processesWith(mark() + "\0").stream()
        .filter(pid -> !Lab.commandLine(pid).contains("\0gflowd\0"))
        .toList();
  }

  private void awaitGone() {
    await(PATIENCE_AFTER, () -> left().isEmpty());
    List<Long> left = left();
    if (!left.isEmpty()) {
      throw new AssertionError(
          "processes were left: " + left.stream().map(Lab::commandLine).toList());
    }
  }
}
