package gflow.api;

import gflow.json.Json;
import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import gflow.script.value.RawWords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, taken one by one; what is left was not known. Names may be written
 * with {@code -} or {@code _}; null is the same as absent.
 */
class JsonFields {
  private final SequencedMap<String, Object> left = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  JsonFields() {}

  static JsonFields of(@Nullable Object tree, String what) throws BadInput {
    if (!(tree instanceof Map<?, ?> map)) {
      throw new BadInput("expected " + what + " as a JSON object, was " + shown(tree));
    }
    var fields = new JsonFields();
    for (var entry : map.entrySet()) {
      String name = entry.getKey().toString().replace('-', '_');
      Object value = entry.getValue();
      if (value != null && fields.left.put(name, value) != null) {
        throw new BadInput(name + " is there twice, with - and with _");
      }
    }
    return fields;
  }

  final void put(String name, Object value) {
    left.put(name, value);
  }

  final @Nullable Object take(String name) {
    known.add(name);
    return left.remove(name);
  }

  /** Without taking it. */
  final @Nullable Object peek(String name) {
    return left.get(name);
  }

  Optional<String> text(String name) throws BadInput {
    Object value = take(name);
    return value == null ? Optional.empty() : Optional.of(text(name, value));
  }

  Optional<List<String>> texts(String name) throws BadInput {
    Object value = take(name);
    if (value == null) {
      return Optional.empty();
    }
    var texts = new ArrayList<String>();
    for (Object part : list(name, value)) {
      texts.add(plain(name + "[" + texts.size() + "]", part));
    }
    return Optional.of(List.copyOf(texts));
  }

  /** Texts, or whole numbers, in a list or one alone: {@code [41, "42_7"]}, {@code "PENDING"}. */
  List<String> words(String name) throws BadInput {
    Object value = take(name);
    if (value == null) {
      return List.of();
    }
    List<?> parts = value instanceof List<?> list ? list : List.of(value);
    var words = new ArrayList<String>();
    for (Object part : parts) {
      boolean whole = part instanceof Long;
      words.add(whole ? part.toString() : text(name + "[" + words.size() + "]", part));
    }
    return List.copyOf(words);
  }

  boolean flag(String name) throws BadInput {
    Object value = take(name);
    if (value != null && !(value instanceof Boolean)) {
      throw wrong(name, "true or false", value);
    }
    return Boolean.TRUE.equals(value);
  }

  Optional<Integer> whole(String name) throws BadInput {
    Object value = take(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Long number && number == number.intValue()) {
      return Optional.of(number.intValue());
    }
    throw wrong(name, "a whole number", value);
  }

  Optional<Instant> time(String name) throws BadInput {
    Optional<String> text = text(name);
    Optional<Instant> time = text.flatMap(BeginTimes::iso);
    if (text.isPresent() && time.isEmpty()) {
      throw wrong(name, "a time as in 2030-01-31T12:00:00Z", text.get());
    }
    return time;
  }

  Optional<byte[]> bytes(String name) throws BadInput {
    Object value = take(name);
    return value == null ? Optional.empty() : Optional.of(bytes(name, value));
  }

  Optional<JsonFields> object(String name) throws BadInput {
    Object value = take(name);
    return value == null ? Optional.empty() : Optional.of(of(value, name));
  }

  /** As it is, with names as they were written. */
  Optional<Map<?, ?>> map(String name) throws BadInput {
    Object value = take(name);
    if (value != null && !(value instanceof Map)) {
      throw wrong(name, "an object", value);
    }
    return Optional.ofNullable((Map<?, ?>) value);
  }

  Optional<List<?>> list(String name) throws BadInput {
    Object value = take(name);
    return value == null ? Optional.empty() : Optional.of(list(name, value));
  }

  boolean has(String name) {
    known.add(name);
    return left.containsKey(name);
  }

  /** Takes all that is left. */
  SequencedMap<String, Object> rest() {
    var rest = new LinkedHashMap<>(left);
    left.clear();
    return rest;
  }

  /** Called when all that is known was asked for. */
  void end() throws BadInput {
    end("field", known.isEmpty() ? "there are none" : "there are " + String.join(", ", known));
  }

  final void end(String what, String instead) throws BadInput {
    if (!left.isEmpty()) {
      throw new BadInput("there is no " + what + " " + firstLeft() + "; " + instead);
    }
  }

  String firstLeft() {
    return left.firstEntry().getKey();
  }

  final Set<String> known() {
    return known;
  }

  private static List<?> list(String name, Object value) throws BadInput {
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(name, "a list", value);
  }

  static String text(String name, @Nullable Object value) throws BadInput {
    return RawWords.text(name, plain(name, value));
  }

  /** Words of programs may be bytes that are no text. */
  private static String plain(String name, @Nullable Object value) throws BadInput {
    if (!(value instanceof String text)) {
      throw wrong(name, "a text", value);
    }
    if (text.indexOf('\0') >= 0) {
      throw new BadInput(name + " must not hold a NUL character");
    }
    return text;
  }

  static byte[] bytes(String name, @Nullable Object value) throws BadInput {
    if (value instanceof String text) {
      try {
        return Base64.getDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        // Said below.
      }
    }
    throw wrong(name, "base64", value);
  }

  static BadInput wrong(String name, String expected, @Nullable Object value) {
    return new BadInput(name + ": expected " + expected + ", was " + shown(value));
  }

  private static String shown(@Nullable Object value) {
    String text = Json.text(value);
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
