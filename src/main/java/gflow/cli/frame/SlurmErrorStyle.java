package gflow.cli.frame;

import gflow.api.Answer;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Slurm's way: {@code sbatch: error: …}, in its own words where it has some, because programs look
 * for them; then what gflow has to say, because people read it. What cannot be read is code 255 of
 * sbatch and 1 of the others, and scontrol does not name itself.
 */
public enum SlurmErrorStyle implements ErrorStyle {
  SBATCH,
  SCONTROL,
  /** It has Slurm's words of what it refuses already. */
  SRUN,
  OTHERS;

  private static final Pattern NO_OPTION = Pattern.compile("there is no option (--?[^\\s;(]*)");
  private static final Pattern NO_VALUE = Pattern.compile("(--\\S+) needs a value: .*");

  /** What comes from Slurm's library has no command's name before it. */
  private static final String LIBRARYS = "slurm_";

  /** What getopt says, and not Slurm: without "error". */
  private static final String UNRECOGNIZED = "unrecognized option '";

  private static final String FATAL = "fatal: ";

  private static final String FAILED = "Batch job submission failed: ";
  private static final String NO_GRES = "Invalid generic resource (gres) specification";
  private static final String NO_TASKS =
      "Failed to validate job spec. --gpus-per-task used without either --gpus or -n/--ntasks is"
          + " not allowed.";
  private static final String NOT_HERE = "Requested node configuration is not available";

  private int usage() {
    return this == SBATCH || this == SRUN ? 255 : 1;
  }

  @Override
  public int misread(Call call, List<String> words, BadInput bad) {
    String line = unnamed(call, bad.line());
    Matcher unknown = NO_OPTION.matcher(line);
    Matcher without = NO_VALUE.matcher(line);
    if (unknown.find()) {
      call.output().problem(call.name() + ": " + unrecognized(unknown.group(1), words));
    } else if (without.matches()) {
      call.problem("option '" + without.group(1) + "' requires an argument");
    }
    call.problem("error: " + line);
    call.output().problem("Try \"" + call.name() + " --help\" for more information");
    return usage();
  }

  /** As getopt says it: the word as it was typed. */
  private static String unrecognized(String option, List<String> words) {
    if (!option.startsWith("--")) {
      return "invalid option -- '" + option.substring(1) + "'";
    }
    String typed =
        words.stream().filter(w -> w.split("=", 2)[0].equals(option)).findFirst().orElse(option);
    return UNRECOGNIZED + typed + "'";
  }

  private static String unnamed(Call call, String line) {
    String start = call.name() + ": ";
    return line.startsWith(start) ? line.substring(start.length()) : line;
  }

  @Override
  public int wrong(Call call, BadInput bad) {
    return say(call, unnamed(call, bad.line()));
  }

  @Override
  public int refused(Call call, Refused refused) {
    if (this == SRUN) {
      return ErrorStyle.OURS.refused(call, refused);
    }
    if (refused.exitCode() == Answer.Kind.NO_DAEMON.exitCode()) {
      error(call, "Unable to contact slurm controller (connect failure)");
      error(call, refused.line());
      return 1;
    }
    return say(call, refused.line());
  }

  private int say(Call call, String line) {
    Optional<Said> words = usage() == 255 ? slurms(line) : Optional.empty();
    words.ifPresent(w -> w.lines().forEach(one -> error(call, one)));
    line.lines().forEach(one -> error(call, one));
    if (words.stream().anyMatch(w -> w.lines().getFirst().startsWith(UNRECOGNIZED))) {
      call.output().problem("Try \"" + call.name() + " --help\" for more information");
    }
    return words.map(Said::code).orElse(1) == 1 ? 1 : usage();
  }

  private void error(Call call, String line) {
    if (this == SCONTROL || line.startsWith(LIBRARYS)) {
      call.output().problem(line);
    } else if (line.startsWith(UNRECOGNIZED) || line.startsWith(FATAL)) {
      call.problem(line);
    } else {
      call.problem("error: " + line);
    }
  }

  /** What Slurm would say, and the code it would end with. */
  private record Said(int code, List<String> lines) {
    static Optional<Said> of(String... lines) {
      return Optional.of(new Said(1, List.of(lines)));
    }

    static Optional<Said> misread(String line) {
      return Optional.of(new Said(255, List.of(line)));
    }
  }

  /** The same words where {@code failed} stands for "Batch job submission failed: ". */
  public static List<String> words(String line, String failed) {
    return slurms(line).map(Said::lines).orElse(List.of()).stream()
        .map(said -> said.replace(FAILED, failed))
        .toList();
  }

  private static Optional<Said> slurms(String line) {
    String what = line.replaceFirst("^\\S+ line \\d+: ", "");
    Matcher unknown = NO_OPTION.matcher(what);
    if (unknown.find()) {
      return Said.misread(UNRECOGNIZED + unknown.group(1) + "'");
    }
    if (what.startsWith("time '")) {
      return Said.misread("Invalid --time specification");
    }
    if (what.startsWith("size '")) {
      return Said.misread("Invalid --mem specification");
    }
    if (what.startsWith("there is no signal '")) {
      return Said.misread("Invalid --signal specification");
    }
    if (what.matches("deadline '.*' cannot be met.*")) {
      return Said.of(FAILED + "Requested time limit is invalid (missing or exceeds some limit)");
    }
    if (what.startsWith("--begin is after --deadline")) {
      return Said.of("Incompatible begin and deadline time specification");
    }
    if (what.startsWith("--time-min is more than")) {
      return Said.of(
          FAILED + "Invalid time-min specification (exceeds job's time or other limits)");
    }
    if (what.startsWith("there is no partition '")) {
      String named = what.split("'", 3)[1];
      return Said.of(
          "invalid partition specified: " + named, FAILED + "Invalid partition name specified");
    }
    if (what.startsWith("there is no node '")) {
      return Said.of(FAILED + "Invalid node name specified");
    }
    Matcher other = Pattern.compile("(begin|deadline|time-min|open-mode) '.*").matcher(what);
    if (other.matches()) {
      return Said.misread("Invalid --" + other.group(1) + " specification");
    }
    if (what.startsWith("array '")) {
      return Said.of(FAILED + "Invalid job array specification");
    }
    if (what.startsWith("dependency '") || what.startsWith("there is no job ")) {
      return Said.of(FAILED + "Job dependency problem");
    }
    if (what.startsWith("gres '") || what.startsWith("there is no gres '")) {
      return Said.of(NO_GRES);
    }
    if (what.matches("--mem.* exclude each other;.*")) {
      return Said.of(FATAL + "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
    }
    if (what.startsWith("no program; ")) {
      return Said.of(FATAL + "No command given to execute.");
    }
    if (what.startsWith("--gpus-per-task needs the number of tasks")) {
      return Said.of(NO_TASKS, NO_GRES);
    }
    return number(what).or(() -> tooMuch(what));
  }

  private static Optional<Said> number(String what) {
    Matcher number = Pattern.compile("-*([a-z-]+) '([^']*)' is not a whole number.*").matcher(what);
    return number.matches()
        ? Said.of(
            "Invalid numeric value \"" + number.group(2) + "\" for --" + number.group(1) + ".")
        : Optional.empty();
  }

  private static Optional<Said> tooMuch(String what) {
    if (what.matches("Need \\d+ nodes, .*")) {
      return Said.of(FAILED + "Node count specification invalid");
    }
    if (what.matches("Need [\\d:-]+, partition .*")) {
      return Said.of(FAILED + "Requested time limit is invalid (missing or exceeds some limit)");
    }
    if (what.matches("Need .* CPUs?, .*")) {
      return Said.of("CPU count per node can not be satisfied", FAILED + NOT_HERE);
    }
    if (what.matches("Need \\S+ memory, .*")) {
      return Said.of("Memory specification can not be satisfied", FAILED + NOT_HERE);
    }
    if (what.matches("Need \\S+ of temporary disk, .*")) {
      return Said.of("Temporary disk specification can not be satisfied", FAILED + NOT_HERE);
    }
    return what.startsWith("Need ") || what.startsWith("No GPU ")
        ? Said.of(FAILED + NOT_HERE)
        : Optional.empty();
  }
}
