package gflow.map.items;

import gflow.json.BadJson;
import gflow.json.Json;
import gflow.process.RawText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Each line a JSON value. Of an object the whole line is the item, and its fields are columns; of a
 * list each entry is a value; anything else is the item. Numbers stay as they are written.
 */
final class JsonItems extends LineItems {
  JsonItems(LineReader lines) {
    super(lines);
  }

  @Override
  Optional<Item> item(String line) throws BadItems {
    Object tree;
    try {
      tree = Json.parseExact(line);
    } catch (BadJson e) {
      // The place within one line has no use for a number of the line.
      throw lines.bad(
          "is no JSON"
              + String.valueOf(e.getMessage())
                  .replaceFirst("this is no JSON", "")
                  .replaceFirst(" at 1:(\\d+)", " at column $1"));
    }
    Item item =
        switch (tree) {
          case Map<?, ?> object -> ofObject(line.strip(), object);
          case List<?> list -> item(list.stream().map(JsonItems::text).toList());
          case null, default -> item(List.of(text(tree)));
        };
    if (item.values().isEmpty()) {
      throw lines.bad("is an empty list: there is no item in it");
    }
    check(item);
    return Optional.of(item);
  }

  private Item ofObject(String line, Map<?, ?> object) {
    var columns = new LinkedHashMap<String, String>();
    object.forEach((name, value) -> columns.put(String.valueOf(name), text(value)));
    return item(List.of(line), columns);
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case String text -> text;
      default -> Json.text(value);
    };
  }

  private void check(Item item) throws BadItems {
    var all = new ArrayList<>(item.values());
    all.addAll(item.columns().values());
    for (String text : all) {
      if (text.indexOf('\0') >= 0) {
        throw lines.bad("has a NUL in a text, which no program can be given");
      }
      if (!RawText.isWhole(text)) {
        throw lines.bad("has half a letter in a text, which no program can be given");
      }
    }
  }
}
