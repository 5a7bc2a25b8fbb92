package gflow.local;

import gflow.job.Exit;
import gflow.job.TaskState.Exited;
import gflow.job.Usage;
import gflow.process.Ended;
import gflow.process.Signals;
import gflow.process.Used;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** How a program ended, by what its wrapper wrote, its cgroup counted, and the kernel told. */
final class ProgramEnd {
  private ProgramEnd() {}

  static Exited of(Optional<AttemptRecord> record, Used used, Optional<Ended> ended, Instant now) {
    boolean outOfMemory = used.oomKills() > 0;
    Optional<Duration> cpu = ended.flatMap(Ended::cpu).or(used::cpu);
    OptionalLong peak =
        used.peakMemoryBytes().isPresent()
            ? used.peakMemoryBytes()
            : ended.map(Ended::maxRssBytes).orElse(OptionalLong.empty());
    if (record.orElse(null) instanceof AttemptRecord.Finished finished) {
      var usage = new Usage(cpu.or(finished::cpuTime), peak);
      Instant at = ended.isPresent() ? now : finished.at();
      return new Exited(finished.exit(), usage, outOfMemory, at);
    }
    // No code and no process: the wrapper was killed with everything else.
    return new Exited(Exit.signal(Signals.KILL), new Usage(cpu, peak), outOfMemory, now);
  }
}
