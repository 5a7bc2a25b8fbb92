package gflow.json;

import io.avaje.json.JsonException;
import io.avaje.json.JsonWriter;
import io.avaje.json.mapper.JsonMapper;
import io.avaje.json.stream.JsonStream;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as plain values: maps, lists, strings, numbers, booleans and null. */
public final class Json {
  private static final JsonStream STREAM = JsonStream.builder().serializeNulls(true).build();
  private static final JsonMapper MAPPER = JsonMapper.builder().jsonStream(STREAM).build();

  private Json() {}

  /** Reads one value. */
  public static @Nullable Object parse(String text) throws BadJson {
    try {
      Object value = MAPPER.fromJson(text);
      if (value == null && !text.strip().equals("null")) {
        throw new BadJson("this is no JSON: " + start(text));
      }
      return value;
    } catch (JsonException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new BadJson("this is no JSON: " + start(text));
    }
  }

  private static String start(String text) {
    String line = text.strip().lines().findFirst().orElse("(empty)");
    return line.length() <= 60 ? line : line.substring(0, 60) + "…";
  }

  public static String text(@Nullable Object tree) {
    return write(tree, false);
  }

  /** Over several lines, for people. */
  public static String pretty(@Nullable Object tree) {
    return write(tree, true);
  }

  private static String write(@Nullable Object tree, boolean pretty) {
    try (var writer = STREAM.bufferedWriter()) {
      writer.serializeNulls(true);
      writer.serializeEmpty(true);
      writer.pretty(pretty);
      value(writer, tree);
      return writer.result();
    }
  }

  private static void value(JsonWriter writer, @Nullable Object tree) {
    switch (tree) {
      case null -> writer.nullValue();
      case String text -> writer.value(text);
      case Boolean flag -> writer.value(flag.booleanValue());
      case Integer number -> writer.value(number.intValue());
      case Long number -> writer.value(number.longValue());
      case Double number -> writer.value(number.doubleValue());
      case Map<?, ?> map -> {
        writer.beginObject();
        map.forEach(
            (name, part) -> {
              writer.name(name.toString());
              value(writer, part);
            });
        writer.endObject();
      }
      case Collection<?> list -> {
        writer.beginArray();
        list.forEach(part -> value(writer, part));
        writer.endArray();
      }
      default -> throw new IllegalArgumentException("not a JSON value: " + tree.getClass());
    }
  }
}
