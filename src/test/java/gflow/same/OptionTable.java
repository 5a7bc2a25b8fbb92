package gflow.same;

import gflow.script.grammar.Opt;
import gflow.script.order.BatchOptions;
import gflow.script.step.StepOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What gflow makes of each of Slurm's options: {@code options.txt}, with the grammar's names. */
final class OptionTable {
  static final String STEPS = "Steps";

  /** Some options of one sort, and what is said of them. */
  record Row(String section, List<String> names, String here) {
    /** Said to be the same: then a case must show it. */
    boolean claimed() {
      return here.startsWith("as Slurm");
    }
  }

  private OptionTable() {}

  static List<Row> rows() {
    var rows = new ArrayList<Row>();
    String section = "";
    for (String line : read().lines().toList()) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (line.contains(" | ")) {
        String[] parts = line.split(" \\| ", 2);
        rows.add(new Row(section, List.of(parts[0].split(" ", -1)), parts[1]));
      }
    }
    return rows;
  }

  private static String read() {
    try {
      return Files.readString(Case.HOME.resolve("options.txt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Opt> grammar(String section) {
    return section.equals(STEPS)
        ? StepOptions.grammar("srun").options()
        : BatchOptions.GRAMMAR.options();
  }

  static Optional<Opt> option(String section, String name) {
    return grammar(section).stream()
        .filter(o -> o.name().equals(name) || o.aliases().contains(name))
        .findFirst();
  }

  /** {@code `-n`, `--ntasks`}. */
  static String written(String section, String name) {
    Opt option = option(section, name).orElseThrow(() -> new AssertionError("no --" + name));
    Stream<String> letters = option.shorts().chars().limit(1).mapToObj(c -> "`-" + (char) c + "`");
    return String.join(", ", Stream.concat(letters, Stream.of("`--" + name + "`")).toList());
  }

  /** Whether a case writes this option: as a directive, or after sbatch or srun. */
  static boolean in(Case one, String section, String name) {
    Opt option = option(section, name).orElseThrow();
    return one.text().lines().anyMatch(line -> writes(line, section.equals(STEPS), option, name));
  }

  private static boolean writes(String line, boolean step, Opt option, String name) {
    String mark = step ? "\\bsrun\\b" : "^#SBATCH\\b|\\bsbatch\\b";
    String letters = option.shorts().isEmpty() ? "" : "|-[" + option.shorts() + "](?![a-z-])";
    String names =
        String.join("|", Stream.concat(Stream.of(name), option.aliases().stream()).toList());
    return line.matches(".*(?:" + mark + ").* (?:--(?:" + names + ")(?![a-z-])" + letters + ").*");
  }
}
