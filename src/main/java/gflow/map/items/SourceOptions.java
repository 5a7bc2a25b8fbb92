package gflow.map.items;

import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads where items shall come from: from {@code :::} after the command, or from one option. */
public final class SourceOptions {
  private static final List<String> NAMES =
      List.of("items", "dir-path", "pairs", "items-from", "jsonl", "csv", "range");
  private static final Pattern RANGE =
      Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?(?::(\\d{1,9}))?");

  private final Given given;
  private final List<String> command;
  private final List<String> arguments;

  public SourceOptions(Given given) {
    this.given = given;
    List<String> words = given.words();
    int at = 0;
    while (at < words.size() && !isSeparator(words.get(at))) {
      at++;
    }
    command = words.subList(0, at);
    arguments = words.subList(at, words.size());
  }

  private static boolean isSeparator(String word) {
    return word.equals(":::") || word.equals(":::+");
  }

  /** The words before the items. */
  public List<String> command() throws BadInput {
    if (command.contains("::::")) {
      throw new BadInput(":::: is not known here; write --items-from FILE for items in a file");
    }
    return command;
  }

  /** Empty if nothing says it. */
  public Optional<Source> source() throws BadInput {
    List<String> named = NAMES.stream().filter(given::has).toList();
    int sources = named.size() + (arguments.isEmpty() ? 0 : 1);
    if (sources > 1) {
      String other = arguments.isEmpty() ? "--" + named.get(1) : ":::";
      throw new BadInput(
          "--%s and %s both bring the items; give one of them".formatted(named.getFirst(), other));
    }
    if (given.has("pattern") && !given.has("dir-path")) {
      throw new BadInput("--pattern goes with --dir-path; alone it is --items PATTERN");
    }
    if (given.has("null") && sources > 0 && !given.has("items-from")) {
      throw new BadInput("-0 is for --items-from and stdin");
    }
    if (!arguments.isEmpty()) {
      return Optional.of(arguments());
    }
    return named.isEmpty() ? Optional.empty() : Optional.of(named(named.getFirst()));
  }

  private Source named(String name) throws BadInput {
    List<String> values = given.values(name);
    if (values.contains("")) {
      throw new BadInput("--" + name + " is empty");
    }
    String last = values.getLast();
    return switch (name) {
      case "items" -> new Source.Patterns(values);
      case "dir-path" -> new Source.Folder(last, given.value("pattern").orElse("*"));
      case "pairs" -> pairs(values);
      case "items-from" -> lines(last, given);
      case "jsonl" -> new Source.InFile(last, Source.Format.JSON_LINES);
      case "csv" -> new Source.InFile(last, Source.Format.TABLE);
      default -> numbers(values);
    };
  }

  /** Of a file ({@code -}: stdin), ended as it is asked for. */
  public static Source lines(String file, Given given) {
    return new Source.InFile(file, given.has("null") ? Source.Format.NULS : Source.Format.LINES);
  }

  private static Source pairs(List<String> patterns) throws BadInput {
    if (patterns.size() > 2) {
      throw new BadInput("--pairs is there twice; give it once");
    }
    for (String pattern : patterns) {
      if (!pattern.matches("[^*?\\[]*\\*[^*?\\[]*")) {
        throw new BadInput(
            "--pairs '" + pattern + "' needs one star, as in --pairs 'pred_*.pt' 'gt_*.pt'");
      }
    }
    return new Source.Pairs(patterns.getFirst(), patterns.getLast());
  }

  private static Source numbers(List<String> texts) throws BadInput {
    var ranges = new ArrayList<Source.Range>();
    for (String text : texts) {
      for (String part : text.split(",", -1)) {
        ranges.add(range(text, part.strip()));
      }
    }
    double count = ranges.stream().mapToLong(Source.Range::count).asDoubleStream().sum();
    checkCount("--range", count);
    return new Source.Numbers(ranges);
  }

  private static Source.Range range(String text, String part) throws BadInput {
    Matcher range = RANGE.matcher(part);
    if (!range.matches()) {
      throw new BadInput("range '" + text + "' is not understood; write 0-999, 0-100:5 or 1,4,9");
    }
    String first = range.group(1);
    String last = range.group(2) == null ? first : range.group(2);
    long step = range.group(3) == null ? 1 : Long.parseLong(range.group(3));
    if (step == 0) {
      throw new BadInput("range '" + text + "' has a step of 0; write 1 or more");
    }
    if (Long.parseLong(last) < Long.parseLong(first)) {
      throw new BadInput("range '" + text + "' goes down from " + first + " to " + last);
    }
    boolean zeros = first.length() > 1 && first.startsWith("0");
    return new Source.Range(
        Long.parseLong(first), Long.parseLong(last), step, zeros ? first.length() : 0);
  }

  private Source arguments() throws BadInput {
    var groups = new ArrayList<List<List<String>>>();
    for (int at = 0; at < arguments.size(); ) {
      int end = at + 1;
      while (end < arguments.size() && !isSeparator(arguments.get(end))) {
        end++;
      }
      List<String> values = arguments.subList(at + 1, end);
      if (arguments.get(at).equals(":::")) {
        groups.add(values.stream().map(List::of).toList());
      } else if (groups.isEmpty()) {
        throw new BadInput(":::+ pairs with a ::: before it, and there is none");
      } else {
        groups.add(linked(groups.removeLast(), values));
      }
      at = end;
    }
    checkCount(":::", groups.stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b));
    return new Source.Arguments(groups);
  }

  private static void checkCount(String what, double count) throws BadInput {
    if (count >= Integer.MAX_VALUE) {
      throw new BadInput(what + " makes %.0f items, which is too many".formatted(count));
    }
  }

  private static List<List<String>> linked(List<List<String>> rows, List<String> values)
      throws BadInput {
    if (rows.size() != values.size()) {
      throw new BadInput(
          "::: has %d values and :::+ has %d; they must be as many"
              .formatted(rows.size(), values.size()));
    }
    var linked = new ArrayList<List<String>>();
    for (int i = 0; i < rows.size(); i++) {
      var row = new ArrayList<>(rows.get(i));
      row.add(values.get(i));
      linked.add(List.copyOf(row));
    }
    return linked;
  }
}
