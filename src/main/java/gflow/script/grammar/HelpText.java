package gflow.script.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Lays out what {@code --help} prints. */
final class HelpText {
  private static final int COLUMNS = 100;
  private static final int LEFT = 34;

  /** Options of one kind, by their names. */
  record Kind(String title, String names) {
    boolean has(Opt option) {
      return option.name().matches(names);
    }
  }

  /** The headings of Slurm's own help, which programs look for; what fits none stands first. */
  static final List<Kind> SLURMS =
      List.of(
          new Kind("Constraint options", "contiguous|constraint|mem|mincpus|tmp|nodelist|exclude"),
          new Kind("Consumable resources related options", "exclusive|mem-per-cpu"),
          new Kind("GPU scheduling options", "(.*-)?gpus?(-.*)?"),
          new Kind("Help options", "help|usage"),
          new Kind("Other options", "version"));

  private HelpText() {}

  static String of(
      String command, String usage, String about, List<Opt> options, List<Kind> kinds) {
    var text = new StringBuilder("Usage: " + command + " " + usage + "\n");
    for (String line : about.split("\n", -1)) {
      wrap(line, COLUMNS).forEach(l -> text.append(l).append('\n'));
    }
    List<Opt> shown = options.stream().filter(o -> !o.hidden()).toList();
    list(text, first(command), shown, o -> kinds.stream().noneMatch(kind -> kind.has(o)));
    kinds.forEach(kind -> list(text, kind.title(), shown, kind::has));
    return text.toString();
  }

  private static String first(String command) {
    return switch (command) {
      case "sbatch", "srun", "salloc" -> "Parallel run options";
      case "sacct", "scontrol" -> "Valid <OPTION> values are";
      default -> "Options";
    };
  }

  private static void list(
      StringBuilder text, String title, List<Opt> options, Predicate<Opt> which) {
    List<Opt> some = options.stream().filter(which).toList();
    if (!some.isEmpty()) {
      text.append("\n").append(title).append(":\n");
      some.forEach(o -> text.append(entry(o)));
    }
  }

  static String brief(String command, String usage, List<Opt> options) {
    String start = "Usage: " + command + " ";
    String all =
        options.stream()
            .filter(o -> !o.hidden())
            .map(o -> "[" + o.form().replace(' ', '=') + "]")
            .collect(Collectors.joining(" "));
    String words = all + " " + usage.replaceFirst("^\\[\\S+] ?", "");
    return start
        + String.join("\n" + " ".repeat(start.length()), wrap(words, COLUMNS - start.length()))
        + "\n";
  }

  private static String entry(Opt option) {
    String left = left(option);
    List<String> right = wrap(option.help(), COLUMNS - LEFT);
    var text = new StringBuilder();
    boolean fits = left.length() <= LEFT - 2;
    text.append(fits ? left + " ".repeat(LEFT - left.length()) : left + "\n" + " ".repeat(LEFT));
    text.append(String.join("\n" + " ".repeat(LEFT), right)).append('\n');
    return text.toString();
  }

  private static String left(Opt option) {
    var letters = new StringBuilder();
    option.shorts().chars().forEach(c -> letters.append('-').append((char) c).append(", "));
    // Names without a letter stand under those with one.
    return "  " + (letters.isEmpty() ? "    " : letters) + option.form();
  }

  private static List<String> wrap(String text, int width) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
