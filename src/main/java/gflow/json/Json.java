package gflow.json;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** JSON as plain values: maps, lists, strings, numbers, booleans and null. */
public final class Json {
  private Json() {}

  /** Reads one value: whole numbers as Long, others as Double, objects in their order. */
  public static @Nullable Object parse(String text) throws BadJson {
    return new JsonReader(text, false, bytes -> {}).read();
  }

  /** What a text weighs in memory once it is read; who is told may say that it is too much. */
  public interface Weight {
    void add(long bytes) throws BadJson;
  }

  /** As parse, for texts from outside: a small one may be a very large tree. */
  public static @Nullable Object parse(String text, Weight weight) throws BadJson {
    return new JsonReader(text, false, weight).read();
  }

  /** As parse, but numbers keep all their digits, as BigDecimal. */
  public static @Nullable Object parseExact(String text) throws BadJson {
    return new JsonReader(text, true, bytes -> {}).read();
  }

  public static String text(@Nullable Object tree) {
    var text = new StringBuilder();
    new JsonWriter(false, text::append).value(tree).end("");
    return text.toString();
  }

  /** The same as a line, in parts if it is long. */
  public static void write(@Nullable Object tree, Consumer<String> sink) {
    new JsonWriter(false, sink).value(tree).end("\n");
  }

  /** Over several lines, for people. */
  public static String pretty(@Nullable Object tree) {
    var text = new StringBuilder();
    new JsonWriter(true, text::append).value(tree).end("");
    return text.toString();
  }

  /** The same in parts of whole lines. */
  public static void pretty(@Nullable Object tree, Consumer<String> sink) {
    new JsonWriter(true, sink).value(tree).end("\n");
  }
}
