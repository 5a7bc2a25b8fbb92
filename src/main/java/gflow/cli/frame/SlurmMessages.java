package gflow.cli.frame;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Slurm says where gflow refuses: programs look for its words. */
final class SlurmMessages {
  /** What getopt says, and not Slurm: without "error". */
  static final String UNRECOGNIZED = "unrecognized option '";

  static final String FATAL = "fatal: ";
  static final String FAILED = "Batch job submission failed: ";

  private static final String NO_GRES = "Invalid generic resource (gres) specification";
  private static final String NO_TASKS =
      "Failed to validate job spec. --gpus-per-task used without either --gpus or -n/--ntasks is"
          + " not allowed.";
  private static final String NO_TIME =
      FAILED + "Requested time limit is invalid (missing or exceeds some limit)";
  private static final String NOT_HERE = FAILED + "Requested node configuration is not available";

  /** The first whose start fits a line of gflow's; in its words $1 is a part of that line. */
  private static final List<Row> ROWS =
      List.of(
          misread(".*?there is no option (--?[^\\s;(]*)", UNRECOGNIZED + "$1'"),
          misread("time '", "Invalid --time specification"),
          misread("size '", "Invalid --mem specification"),
          misread("there is no signal '", "Invalid --signal specification"),
          said("deadline '.*' cannot be met", NO_TIME),
          said("--begin is after --deadline", "Incompatible begin and deadline time specification"),
          said(
              "--time-min is more than",
              FAILED + "Invalid time-min specification (exceeds job's time or other limits)"),
          said(
              "there is no partition '([^']*)'",
              "invalid partition specified: $1",
              FAILED + "Invalid partition name specified"),
          said("there is no node '", FAILED + "Invalid node name specified"),
          misread("(begin|deadline|time-min|open-mode) '", "Invalid --$1 specification"),
          said("array '", FAILED + "Invalid job array specification"),
          said("dependency '|there is no job ", FAILED + "Job dependency problem"),
          said("gres '|there is no gres '", NO_GRES),
          said(
              "--mem.* exclude each other;",
              FATAL + "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive."),
          said("no program; ", FATAL + "No command given to execute."),
          said("--gpus-per-task needs the number of tasks", NO_TASKS, NO_GRES),
          said(
              "-*([a-z-]+) '([^']*)' is not a whole number",
              "Invalid numeric value \"$2\" for --$1."),
          said("Need \\d+ nodes, ", FAILED + "Node count specification invalid"),
          said("Need [\\d:-]+, partition ", NO_TIME),
          said("Need .* CPUs?, ", "CPU count per node can not be satisfied", NOT_HERE),
          said("Need \\S+ memory, ", "Memory specification can not be satisfied", NOT_HERE),
          said(
              "Need \\S+ of temporary disk, ",
              "Temporary disk specification can not be satisfied",
              NOT_HERE),
          said("Need |No GPU ", NOT_HERE));

  private SlurmMessages() {}

  private record Row(Pattern start, boolean misread, List<String> lines) {
    Optional<Said> of(String line) {
      Matcher matcher = start.matcher(line);
      return matcher.lookingAt()
          ? Optional.of(new Said(misread, lines.stream().map(l -> filled(l, matcher)).toList()))
          : Optional.empty();
    }

    private static String filled(String line, Matcher found) {
      String text = line;
      for (int group = 1; group <= found.groupCount(); group++) {
        text = text.replace("$" + group, found.group(group));
      }
      return text;
    }
  }

  /** Slurm's lines; {@code misread}: for it the command line itself is wrong. */
  record Said(boolean misread, List<String> lines) {}

  private static Row said(String start, String... lines) {
    return new Row(Pattern.compile(start), false, List.of(lines));
  }

  private static Row misread(String start, String line) {
    return new Row(Pattern.compile(start), true, List.of(line));
  }

  static Optional<Said> of(String line) {
    String what = line.replaceFirst("^\\S+ line \\d+: ", "");
    return ROWS.stream().flatMap(row -> row.of(what).stream()).findFirst();
  }
}
