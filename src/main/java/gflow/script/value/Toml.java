package gflow.script.value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Reads the part of TOML that the config file and group files need: tables, and keys with a text, a
 * number, true or false, or a list of texts or whole numbers on one or several lines. What is
 * outside it is a problem with its line, never a guess.
 */
public final class Toml {
  /**
   * {@code value} is a String, Long, Double, Boolean or a list of Strings or Longs; the table is
   * empty of what stands before the first one.
   */
  public record Entry(String table, String key, Object value, int line) {
    public String name() {
      return table + "." + key;
    }
  }

  public record Table(String name, int line) {}

  public record Content(
      List<Table> tables, List<Entry> entries, SequencedMap<Integer, String> wrong) {}

  private final List<String> lines;
  private final List<Table> tables = new ArrayList<>();
  private final SequencedMap<String, Entry> entries = new LinkedHashMap<>();
  private final SequencedMap<Integer, String> wrong = new LinkedHashMap<>();
  private Optional<String> table;
  private int next;

  private Toml(String text, Optional<String> first) {
    this.lines = text.lines().toList();
    this.table = first;
  }

  /** Every key stands in a table. */
  public static Content read(String text) {
    return new Toml(text, Optional.empty()).read();
  }

  /** Some keys stand before the first table. */
  public static Content readFromTop(String text) {
    return new Toml(text, Optional.of("")).read();
  }

  private Content read() {
    while (next < lines.size()) {
      int line = ++next;
      try {
        statement(uncommented(lines.get(line - 1)), line);
      } catch (BadInput e) {
        wrong.put(line, e.line());
      }
    }
    return new Content(List.copyOf(tables), List.copyOf(entries.values()), wrong);
  }

  private void statement(String text, int line) throws BadInput {
    if (text.startsWith("[[")) {
      throw new BadInput("lists of tables ([[…]]) are not known here");
    }
    if (text.startsWith("[")) {
      header(text, line);
    } else if (!text.isEmpty()) {
      assignment(text, line);
    }
  }

  private void header(String text, int line) throws BadInput {
    if (!text.endsWith("]")) {
      throw new BadInput("a table is a name in brackets, as in [machine]");
    }
    String name = dotted(text.substring(1, text.length() - 1).strip());
    for (Table known : tables) {
      if (known.name().equals(name)) {
        throw new BadInput("[" + name + "] is there twice, first in line " + known.line());
      }
    }
    table = Optional.of(name);
    tables.add(new Table(name, line));
  }

  private void assignment(String text, int line) throws BadInput {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new BadInput("expected key = value, was " + text);
    }
    String key = bare(text.substring(0, equals).strip(), "key");
    String value = text.substring(equals + 1).strip();
    if (value.startsWith("[")) {
      value = whole(value);
    }
    if (table.isEmpty()) {
      throw new BadInput(key + " is in no table: write a line like [machine] before it");
    }
    var entry = new Entry(table.get(), key, value(value), line);
    Entry before = entries.putIfAbsent(entry.name(), entry);
    if (before != null) {
      throw new BadInput(key + " is there twice, first in line " + before.line());
    }
  }

  /** One name, or two as in {@code partitions.short}. */
  private static String dotted(String name) throws BadInput {
    int dot = name.indexOf('.');
    return dot < 0
        ? bare(name, "table")
        : bare(name.substring(0, dot), "table") + "." + bare(name.substring(dot + 1), "table");
  }

  private static String bare(String name, String what) throws BadInput {
    if (!name.matches("[A-Za-z0-9_-]+")) {
      throw new BadInput("a " + what + " has letters, digits and _, was \"" + name + '"');
    }
    return name;
  }

  /** A list may go over several lines. */
  private String whole(String start) throws BadInput {
    var text = new StringBuilder(start);
    while (!text.toString().endsWith("]")) {
      if (next >= lines.size() || lines.get(next).strip().startsWith("[")) {
        throw new BadInput("the list does not end: ] is missing");
      }
      text.append(' ').append(uncommented(lines.get(next++)));
    }
    return text.toString();
  }

  private static Object value(String text) throws BadInput {
    if (text.isEmpty()) {
      throw new BadInput("there is no value after =");
    }
    return switch (text.charAt(0)) {
      case '"', '\'' -> string(text);
      case '[' -> list(text);
      case '{' -> throw new BadInput("inline tables ({…}) are not known here");
      default -> word(text);
    };
  }

  private static Object word(String text) throws BadInput {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    String digits = text.replace("_", "");
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      return real(text, digits);
    }
  }

  private static Double real(String text, String digits) throws BadInput {
    try {
      if (digits.matches("-?\\d(.*\\d)?")) {
        return Double.valueOf(digits);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadInput("a text must be quoted, as in \"" + text + '"');
  }

  private static String string(String text) throws BadInput {
    char quote = text.charAt(0);
    if (text.startsWith("\"\"\"") || text.startsWith("'''")) {
      throw new BadInput("texts over several lines are not known here");
    }
    int end = text.indexOf(quote, 1);
    if (quote == '"' && text.indexOf('\\') >= 0) {
      throw new BadInput("\\ is not known in \"…\": write '…', which takes it as it is");
    }
    if (end < 0) {
      throw new BadInput("the text does not end: " + quote + " is missing");
    }
    if (end < text.length() - 1) {
      throw new BadInput("expected nothing after the text, was " + text.substring(end + 1).strip());
    }
    return text.substring(1, end);
  }

  private static List<Object> list(String text) throws BadInput {
    var values = new ArrayList<Object>();
    String inside = text.substring(1, text.length() - 1).strip();
    for (String part : split(inside)) {
      Object value = value(part);
      if (!(value instanceof String) && !(value instanceof Long)) {
        throw new BadInput("a list holds texts or whole numbers, was " + part);
      }
      if (!values.isEmpty() && values.getFirst().getClass() != value.getClass()) {
        throw new BadInput("a list holds values of one kind, was " + text);
      }
      values.add(value);
    }
    return List.copyOf(values);
  }

  /** At commas outside quotes; one comma may stand at the end. */
  private static List<String> split(String text) throws BadInput {
    var parts = new ArrayList<String>();
    int start = 0;
    for (int comma = plain(text, ',', 0); comma >= 0; comma = plain(text, ',', start)) {
      parts.add(text.substring(start, comma).strip());
      start = comma + 1;
    }
    String last = text.substring(start).strip();
    if (!last.isEmpty()) {
      parts.add(last);
    }
    if (parts.contains("")) {
      throw new BadInput("there is a comma too many in the list");
    }
    return parts;
  }

  private static String uncommented(String line) {
    int hash = plain(line, '#', 0);
    return (hash < 0 ? line : line.substring(0, hash)).strip();
  }

  /** Where this character next stands outside quotes; less than 0 if it does not. */
  private static int plain(String text, char wanted, int from) {
    char quote = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == 0 && c == wanted) {
        return i;
      }
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote == c) {
        quote = 0;
      }
    }
    return -1;
  }
}
