package gflow.json;

import org.jspecify.annotations.Nullable;

/** JSON as plain values: maps, lists, strings, numbers, booleans and null. */
public final class Json {
  private Json() {}

  /** Reads one value: whole numbers as Long, others as Double, objects in their order. */
  public static @Nullable Object parse(String text) throws BadJson {
    return new JsonReader(text, false).read();
  }

  /** As parse, but numbers keep all their digits, as BigDecimal. */
  public static @Nullable Object parseExact(String text) throws BadJson {
    return new JsonReader(text, true).read();
  }

  public static String text(@Nullable Object tree) {
    return new JsonWriter(false).value(tree).text();
  }

  /** Over several lines, for people. */
  public static String pretty(@Nullable Object tree) {
    return new JsonWriter(true).value(tree).text();
  }
}
