package gflow.map.items;

import gflow.script.value.NearestWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of a command, with the places where an item goes. What is no placeholder of these items
 * stays as it is, so that {@code awk '{print $1}'} and JSON survive; so does a brace after a
 * dollar, which is the shell's. One pass: what an item brings is never looked at again.
 */
public final class CommandTemplate {
  private static final Pattern FIELD = Pattern.compile("(?<!\\$)\\{([^{}]*)\\}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,3}");
  private static final List<String> OURS = List.of("stem", "name", "dir", "index", "gpu", "slot");
  private static final Item NONE = Item.of(0, "");

  /** A piece of a word. */
  private sealed interface Part {
    record Text(String text) implements Part {}

    /** All values of the item. */
    record Values(PathPart part) implements Part {}

    record Value(int number, PathPart part) implements Part {}

    record Column(String name, PathPart part) implements Part {}

    record Index(int first) implements Part {}

    record Slot(int first) implements Part {}

    record Gpu() implements Part {}

    /** Says what the item is, not only where it runs. */
    default boolean isOfItem() {
      return !(this instanceof Text || this instanceof Slot || this instanceof Gpu);
    }
  }

  /** What the items have: so many values, and these columns. */
  private record Known(int values, SequencedMap<String, String> columns, boolean item) {}

  private final List<List<Part>> words = new ArrayList<>();
  private final List<String> doubts = new ArrayList<>();
  private final boolean append;

  private CommandTemplate(List<String> command, Known known, boolean append) {
    command.forEach(word -> words.add(parts(word, known, doubts)));
    this.append = append && !namesItem();
  }

  public boolean namesItem() {
    return parts().anyMatch(Part::isOfItem);
  }

  private Stream<Part> parts() {
    return words.stream().flatMap(List::stream);
  }

  /**
   * {@code like}: any of the items, for what they have; of {@code perCall} for each call the last
   * may have fewer. With {@code append} the item is put last where no word names it.
   */
  public static CommandTemplate of(List<String> command, Item like, int perCall, boolean append) {
    int values = Math.max(like.values().size(), perCall);
    return new CommandTemplate(command, new Known(values, like.columns(), true), append);
  }

  /** Of a worker, which is started before it has an item: only slot and GPU are known. */
  public static CommandTemplate ofWorker(List<String> command) {
    return new CommandTemplate(command, new Known(0, NONE.columns(), false), false);
  }

  public List<String> words(Item item, RunPlace place) {
    var all = new ArrayList<String>(words.size() + item.values().size());
    for (List<Part> word : words) {
      if (word.size() == 1 && word.getFirst() instanceof Part.Values(PathPart part)) {
        item.values().forEach(value -> all.add(part.of(value)));
      } else {
        all.add(text(word, item, place));
      }
    }
    if (append) {
      all.addAll(item.values());
    }
    return all;
  }

  /** For a worker. */
  public List<String> words(RunPlace place) {
    return words(NONE, place);
  }

  /** As one text, for the name of a file. */
  public String text(Item item, RunPlace place) {
    return String.join(" ", words(item, place));
  }

  /** The columns that it needs. */
  public SortedSet<String> columns() {
    return parts()
        .flatMap(part -> part instanceof Part.Column column ? Stream.of(column.name()) : null)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Placeholders that are none but look like one, each in a line. */
  public List<String> doubts() {
    return List.copyOf(doubts);
  }

  /** The first word that asks for an item, for commands that get none. */
  public static Optional<String> namesItem(List<String> command) {
    return command.stream()
        .filter(
            word ->
                parts(word, new Known(1, NONE.columns(), true), new ArrayList<>()).stream()
                    .anyMatch(Part::isOfItem))
        .findFirst();
  }

  private static List<Part> parts(String word, Known known, List<String> doubts) {
    var parts = new ArrayList<Part>();
    int from = 0;
    Matcher field = FIELD.matcher(word);
    while (field.find()) {
      Optional<Part> part = part(field.group(1), known);
      if (part.isPresent()) {
        text(parts, word.substring(from, field.start()));
        parts.add(part.get());
        from = field.end();
      } else {
        doubt(field.group(1), field.end() - field.start() == word.length(), known)
            .ifPresent(doubts::add);
      }
    }
    text(parts, word.substring(from));
    return List.copyOf(parts);
  }

  private static void text(List<Part> parts, String text) {
    if (!text.isEmpty()) {
      parts.add(new Part.Text(text));
    }
  }

  /** A column of the items is meant before a word of ours. */
  private static Optional<Part> part(String field, Known known) {
    if (!field.isEmpty() && known.columns().containsKey(field)) {
      return Optional.of(new Part.Column(field, PathPart.WHOLE));
    }
    return switch (field) {
      case "gpu" -> Optional.of(new Part.Gpu());
      case "slot" -> Optional.of(new Part.Slot(0));
      case "%" -> Optional.of(new Part.Slot(1));
      default -> known.item() ? ofItem(field, known) : Optional.empty();
    };
  }

  private static Optional<Part> ofItem(String field, Known known) {
    return switch (field) {
      case "index" -> Optional.of(new Part.Index(0));
      case "#" -> Optional.of(new Part.Index(1));
      case "stem" -> Optional.of(new Part.Values(PathPart.STEM));
      case "name" -> Optional.of(new Part.Values(PathPart.NAME));
      case "dir" -> Optional.of(new Part.Values(PathPart.DIR));
      default -> signed(field, known);
    };
  }

  /** As in GNU parallel: nothing, a number or a column, then the sign of a part of the path. */
  private static Optional<Part> signed(String field, Known known) {
    for (PathPart part :
        List.of(
            PathPart.STEM, PathPart.DIR, PathPart.NAME, PathPart.WITHOUT_SUFFIX, PathPart.WHOLE)) {
      if (field.endsWith(part.sign)) {
        String base = field.substring(0, field.length() - part.sign.length());
        if (base.isEmpty()) {
          return Optional.of(new Part.Values(part));
        }
        if (known.columns().containsKey(base)) {
          return Optional.of(new Part.Column(base, part));
        }
        if (NUMBER.matcher(base).matches() && Integer.parseInt(base) <= known.values()) {
          return Optional.of(new Part.Value(Integer.parseInt(base), part));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> doubt(String field, boolean whole, Known known) {
    if (whole && NUMBER.matcher(field).matches() && known.item()) {
      int values = known.values();
      return Optional.of(
          "{%s} is left as it is; the items have %d value%s"
              .formatted(field, values, values == 1 ? "" : "s"));
    }
    if (!NAME.matcher(field).matches()) {
      return Optional.empty();
    }
    var names = new ArrayList<>(known.columns().keySet());
    names.addAll(OURS);
    return NearestWord.to(field, names)
        .map(near -> "{" + field + "} is left as it is; did you mean {" + near + "}?");
  }

  private static String text(List<Part> word, Item item, RunPlace place) {
    var all = new StringBuilder();
    word.forEach(part -> all.append(text(part, item, place)));
    return all.toString();
  }

  private static String text(Part part, Item item, RunPlace place) {
    return switch (part) {
      case Part.Text(String text) -> text;
      case Part.Values(PathPart path) -> ItemVariables.joined(item, path);
      case Part.Value(int number, PathPart path) ->
          number <= item.values().size() ? path.of(item.values().get(number - 1)) : "";
      case Part.Column(String name, PathPart path) ->
          path.of(item.columns().getOrDefault(name, ""));
      case Part.Index(int first) -> Integer.toString(item.index() + first);
      case Part.Slot(int first) -> Integer.toString(place.slot() + first);
      case Part.Gpu() -> place.gpu();
    };
  }
}
