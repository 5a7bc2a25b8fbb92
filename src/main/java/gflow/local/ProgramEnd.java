package gflow.local;

import gflow.job.Exit;
import gflow.job.TaskState.Exited;
import gflow.job.Usage;
import gflow.process.CgroupUsage;
import gflow.process.ProcessEnd;
import gflow.process.Signals;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** How a program ended, by what the kernel told, its wrapper wrote, and its cgroup counted. */
sealed interface ProgramEnd {
  record Ran(Exited exit) implements ProgramEnd {}

  /** The wrapper ended before it could run the program. */
  record NeverRan() implements ProgramEnd {}

  /** It ran, and nobody can say how it ended. */
  record Unknown(String why) implements ProgramEnd {}

  /** Whether the kernel's word is enough: the wrapper exits with the program's code. */
  static boolean isTold(Optional<ProcessEnd> ended) {
    return ended.filter(e -> e.exitCode().isPresent() || neverBegan(e)).isPresent();
  }

  private static boolean neverBegan(ProcessEnd ended) {
    return ended.signal().isPresent() && Wrapper.NEVER_BEGAN.contains(ended.signal().getAsInt());
  }

  /** {@code ended}: of a wrapper that this daemon started; {@code record}: where that says less. */
  static ProgramEnd of(
      Optional<ProcessEnd> ended, Optional<AttemptRecord> record, CgroupUsage used, Instant now) {
    if (ended.filter(ProgramEnd::neverBegan).isPresent()) {
      return new NeverRan();
    }
    if (isTold(ended)) {
      return ran(Exit.ofShell(ended.get().exitCode().getAsInt()), ended, used, now);
    }
    boolean killed = ended.filter(e -> e.signal().isPresent()).isPresent();
    return switch (record.orElse(new AttemptRecord.Missing())) {
      case AttemptRecord.Finished finished -> ran(finished, ended, used, now);
      case AttemptRecord.Voided _ -> new NeverRan();
      // No code and no process: the wrapper was killed with everything else.
      case AttemptRecord.Started _ -> ran(Exit.signal(Signals.KILL), ended, used, now);
      case AttemptRecord.Missing _, AttemptRecord.Empty _, AttemptRecord.Changed _ when killed ->
          ran(Exit.signal(Signals.KILL), ended, used, now);
      case AttemptRecord.Missing _ -> silent(ended, "its record was removed");
      case AttemptRecord.Empty _ -> silent(ended, "its record was emptied");
      case AttemptRecord.Changed(String how) -> new Unknown("its record was changed: " + how);
    };
  }

  /** Of a wrapper that we started, but that Java waited for, the record is all there is. */
  private static ProgramEnd silent(Optional<ProcessEnd> ended, String why) {
    return ended.isPresent() ? new NeverRan() : new Unknown(why);
  }

  private static Ran ran(
      AttemptRecord.Finished finished, Optional<ProcessEnd> ended, CgroupUsage used, Instant now) {
    Instant at = ended.isPresent() ? now : finished.at();
    return ran(
        finished.exit(),
        ended,
        new CgroupUsage(used.cpu().or(finished::cpuTime), used.peakMemoryBytes(), used.oomKills()),
        at);
  }

  private static Ran ran(Exit exit, Optional<ProcessEnd> ended, CgroupUsage used, Instant at) {
    OptionalLong childs = ended.map(ProcessEnd::maxRssBytes).orElse(OptionalLong.empty());
    OptionalLong peak = LongStream.concat(used.peakMemoryBytes().stream(), childs.stream()).max();
    var usage = new Usage(ended.flatMap(ProcessEnd::cpu).or(used::cpu), peak);
    return new Ran(new Exited(exit, usage, used.oomKills() > 0, at));
  }
}
