package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.job.Exit;
import gflow.job.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What the parent of a step wrote when its tasks had ended: the code last, and before it the CPU
 * time of its children, as a shell's {@code times} says it or counted, and how large they were.
 */
record StepRecord(Exit exit, Usage usage) {
  private static final Pattern EXIT = Pattern.compile("exit \\d{1,3}");
  private static final Pattern COUNTED = Pattern.compile("(cpu|rss) \\d{1,18}");

  /** Empty if no parent wrote that, or not all of it. */
  static Optional<StepRecord> parse(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !text.endsWith("\n") || !EXIT.matcher(lines.getLast()).matches()) {
      return Optional.empty();
    }
    Optional<Duration> cpu = Optional.empty();
    OptionalLong rss = OptionalLong.empty();
    for (String line : lines) {
      long counted = COUNTED.matcher(line).matches() ? Long.parseLong(line.substring(4)) : -1;
      if (counted >= 0 && line.startsWith("rss")) {
        rss = OptionalLong.of(counted);
      } else if (counted >= 0) {
        cpu = Optional.of(Duration.ofNanos(counted * 1000));
      } else {
        // Of the two lines of times the second one counts.
        Optional<Duration> times = AttemptRecord.cpuTime(line);
        cpu = times.isPresent() ? times : cpu;
      }
    }
    Exit exit = Exit.ofShell(Integer.parseInt(lines.getLast().substring(5)));
    return Optional.of(new StepRecord(exit, new Usage(cpu, rss)));
  }
}
