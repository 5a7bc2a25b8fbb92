package gflow.api;

import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The parameters after the question mark, taken one by one; what is left was not known. */
final class Query {
  private final TreeMap<String, List<String>> left;

  Query(Map<String, List<String>> parameters) {
    this.left = new TreeMap<>(parameters);
  }

  /** Given more than once, or with commas. */
  List<String> words(String name) {
    List<String> values = left.remove(name);
    var words = new ArrayList<String>();
    for (String value : values == null ? List.<String>of() : values) {
      int start = 0;
      for (int comma = value.indexOf(','); comma >= 0; comma = value.indexOf(',', start)) {
        words.add(value.substring(start, comma));
        start = comma + 1;
      }
      words.add(value.substring(start));
    }
    words.removeIf(String::isEmpty);
    return List.copyOf(words);
  }

  Optional<String> one(String name) throws BadInput {
    List<String> values = left.remove(name);
    if (values != null && values.size() > 1) {
      throw new BadInput(name + " may be given once");
    }
    return values == null ? Optional.empty() : Optional.of(values.getFirst());
  }

  boolean flag(String name) throws BadInput {
    String text = one(name).orElse("false");
    return switch (text) {
      case "true", "" -> true;
      case "false" -> false;
      default -> throw JsonFields.wrong(name, "true or false", text);
    };
  }

  void end(String known) throws BadInput {
    if (!left.isEmpty()) {
      String may = known.isEmpty() ? "this route takes none" : "there are " + known;
      throw new BadInput("there is no parameter " + left.firstKey() + "; " + may);
    }
  }
}
