package gflow.cli.frame;

import gflow.api.Answer;
import gflow.cli.frame.SlurmMessages.Said;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a command says what is wrong. Slurm's way is {@code sbatch: error: …}, in its own words where
 * it has some, because programs look for them; then what gflow has to say, because people read it.
 * What cannot be read is code 255 of sbatch and 1 of the others, and scontrol does not name itself.
 */
public enum ErrorStyle {
  /** gflow's own way: one line after the command's name, 2 for what was typed wrong. */
  OURS,
  SBATCH,
  SCONTROL,
  /** It has Slurm's words of what it refuses already. */
  SRUN,
  /** Slurm's other commands. */
  SLURMS;

  private static final Pattern NO_OPTION = Pattern.compile("there is no option (--?[^\\s;(]*)");
  private static final Pattern NO_VALUE = Pattern.compile("(--\\S+) needs a value: .*");

  /** What comes from Slurm's library has no command's name before it. */
  private static final String LIBRARYS = "slurm_";

  private int usage() {
    return switch (this) {
      case OURS -> 2;
      case SBATCH, SRUN -> 255;
      case SCONTROL, SLURMS -> 1;
    };
  }

  /** These words are no command line. Each returns the exit code. */
  public int misread(Call call, List<String> words, BadInput bad) {
    if (this == OURS) {
      return wrong(call, bad);
    }
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
    return SlurmMessages.UNRECOGNIZED + typed + "'";
  }

  private static String unnamed(Call call, String line) {
    String start = call.name() + ": ";
    return line.startsWith(start) ? line.substring(start.length()) : line;
  }

  int wrong(Call call, BadInput bad) {
    String line = unnamed(call, bad.line());
    if (this == OURS) {
      call.problem(line);
      return usage();
    }
    return say(call, line);
  }

  int refused(Call call, Refused refused) {
    if (this == OURS || this == SRUN) {
      call.problem(refused.line());
      return refused.exitCode();
    }
    if (refused.exitCode() == Answer.Kind.NO_DAEMON.exitCode()) {
      error(call, "Unable to contact slurm controller (connect failure)");
      error(call, refused.line());
      return 1;
    }
    return say(call, refused.line());
  }

  private int say(Call call, String line) {
    Optional<Said> words = usage() == 255 ? SlurmMessages.of(line) : Optional.empty();
    words.ifPresent(w -> w.lines().forEach(one -> error(call, one)));
    line.lines().forEach(one -> error(call, one));
    if (words.stream().anyMatch(w -> w.lines().getFirst().startsWith(SlurmMessages.UNRECOGNIZED))) {
      call.output().problem("Try \"" + call.name() + " --help\" for more information");
    }
    return words.filter(Said::misread).isPresent() ? usage() : 1;
  }

  private void error(Call call, String line) {
    if (this == SCONTROL || line.startsWith(LIBRARYS)) {
      call.output().problem(line);
    } else if (line.startsWith(SlurmMessages.UNRECOGNIZED)
        || line.startsWith(SlurmMessages.FATAL)) {
      call.problem(line);
    } else {
      call.problem("error: " + line);
    }
  }

  /** The same words where {@code failed} stands for "Batch job submission failed: ". */
  public static List<String> words(String line, String failed) {
    return SlurmMessages.of(line).map(Said::lines).orElse(List.of()).stream()
        .map(said -> said.replace(SlurmMessages.FAILED, failed))
        .toList();
  }
}
