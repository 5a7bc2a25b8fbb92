package gflow.sim;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.Exit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** The processes of one attempt, and how they are going to behave. */
final class SimProcess {
  final AttemptId id;
  final Allocation allocation;
  final String boot;
  final Duration runTime;
  final boolean ignoresTerm;
  final Leftover leftover;
  final boolean outOfMemory;
  final boolean outOfGpuMemory;
  private final Exit natural;
  private boolean hardToKill;
  Instant begun = Instant.MIN;
  final List<Integer> signals = new ArrayList<>();
  final List<GpuGrant> lent = new ArrayList<>();
  Phase phase = Phase.WRAPPER;
  Optional<Exit> exit = Optional.empty();
  final Set<Duration> warnings = new TreeSet<>();
  Instant knownSince = Instant.MAX;
  Optional<Instant> warnedAt = Optional.empty();

  enum Phase {
    /** Spawned, but it has not created its record yet. */
    WRAPPER,
    PROGRAM,
    /** The program has ended and left something behind. */
    LEFTOVER,
    GONE
  }

  enum Leftover {
    NONE,
    SHORT,
    POLITE,
    STUBBORN
  }

  /** How it is going to behave. */
  record Behaviour(
      Duration runTime,
      Exit natural,
      boolean ignoresTerm,
      Leftover leftover,
      boolean outOfMemory,
      boolean outOfGpuMemory,
      boolean hardToKill) {
    static Behaviour any(Random random) {
      boolean isLong = random.nextInt(4) == 0;
      Exit natural = random.nextInt(3) == 0 ? Exit.code(1 + random.nextInt(100)) : Exit.OK;
      return new Behaviour(
          Duration.ofMillis(isLong ? random.nextInt(120_000) : random.nextInt(15_000)),
          natural,
          random.nextInt(6) == 0,
          random.nextInt(5) == 0 ? anyOf(random) : Leftover.NONE,
          !natural.ok() && random.nextInt(8) == 0,
          random.nextInt(3) == 0,
          random.nextInt(10) == 0);
    }
  }

  SimProcess(AttemptId id, Allocation allocation, String boot, Behaviour behaviour) {
    this.id = id;
    this.allocation = allocation;
    this.boot = boot;
    runTime = behaviour.runTime();
    ignoresTerm = behaviour.ignoresTerm();
    leftover = behaviour.leftover();
    natural = behaviour.natural();
    outOfMemory = behaviour.outOfMemory();
    outOfGpuMemory = behaviour.outOfGpuMemory() && !allocation.gpus().isEmpty();
    hardToKill = behaviour.hardToKill();
  }

  private static Leftover anyOf(Random random) {
    return Leftover.values()[1 + random.nextInt(3)];
  }

  boolean alive() {
    return phase != Phase.GONE;
  }

  Exit natural() {
    return natural;
  }

  /** Some hang in the kernel for a while: the first SIGKILL does not help. */
  boolean diesOfKill() {
    boolean dies = !hardToKill;
    hardToKill = false;
    return dies;
  }

  @Override
  public String toString() {
    return id + " " + phase + exit.map(e -> " " + e.status()).orElse("");
  }
}
