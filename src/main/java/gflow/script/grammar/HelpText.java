package gflow.script.grammar;

import java.util.ArrayList;
import java.util.List;

/** Lays out what {@code --help} prints. */
final class HelpText {
  private static final int COLUMNS = 100;
  private static final int LEFT = 34;

  private HelpText() {}

  static String of(String command, String usage, String about, List<Opt> options) {
    var text = new StringBuilder("Usage: " + command + " " + usage + "\n");
    for (String line : about.split("\n", -1)) {
      wrap(line, COLUMNS).forEach(l -> text.append(l).append('\n'));
    }
    text.append("\nOptions:\n");
    options.stream().filter(o -> !o.hidden()).forEach(o -> text.append(entry(o)));
    return text.toString();
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
