package gflow.process;

import java.util.Optional;

/**
 * One process for ever: its pid, and its start in clock ticks since boot, which the next owner of
 * the same pid does not share.
 */
public record ProcessId(long pid, long startTime) {
  public static Optional<ProcessId> of(long pid) {
    return Proc.stat(pid).map(Proc.Stat::id);
  }

  /** Of one that we have just started. */
  public static Optional<ProcessId> ofChild(long pid) {
    return Proc.statAtOnce(pid).map(Proc.Stat::id);
  }

  public static ProcessId self() {
    return of(Proc.self()).orElseThrow();
  }

  /** Whether it still runs; a zombie does not. */
  public boolean alive() {
    return Proc.stat(pid).filter(stat -> stat.startTime() == startTime && !stat.dead()).isPresent();
  }
}
