package gflow.store;

import io.avaje.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Objects and lists out of JSON, field by field. */
final class Parsing {
  private Parsing() {}

  interface Parser<T> {
    T parse(JsonReader in);
  }

  interface Field {
    void read(String name);
  }

  static <T> T read(String json, Parser<T> parser) {
    try (JsonReader in = SpecWriter.JSON.reader(json)) {
      return parser.parse(in);
    }
  }

  static void object(JsonReader in, Field field) {
    in.beginObject();
    while (in.hasNextField()) {
      field.read(in.nextField());
    }
    in.endObject();
  }

  static <T> List<T> list(JsonReader in, Supplier<T> element) {
    var list = new ArrayList<T>();
    in.beginArray();
    while (in.hasNextElement()) {
      list.add(element.get());
    }
    in.endArray();
    return List.copyOf(list);
  }

  static IllegalStateException unknown(String field) {
    return new IllegalStateException("unknown field in a stored spec: " + field);
  }
}
