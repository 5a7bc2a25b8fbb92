package gflow.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of a stored object, taken one by one; what is left was not written by us. */
final class StoredFields {
  private final Map<?, ?> map;
  private int taken;

  StoredFields(@Nullable Object tree) {
    this.map = as(Map.class, tree == null ? Map.of() : tree, "object");
  }

  Optional<String> text(String name) {
    return take(name).map(value -> as(String.class, value, name));
  }

  String string(String name) {
    return text(name).orElseThrow(() -> new DamagedRow(name + " is missing"));
  }

  /** What is zero was not written. */
  long number(String name) {
    return take(name).map(value -> as(Long.class, value, name)).orElse(0L);
  }

  int whole(String name) {
    return Math.toIntExact(number(name));
  }

  boolean flag(String name) {
    return take(name).map(value -> as(Boolean.class, value, name)).orElse(false);
  }

  <T> List<T> list(String name, Function<@Nullable Object, T> element) {
    List<?> parts = take(name).<List<?>>map(v -> as(List.class, v, name)).orElse(List.of());
    return parts.stream().map(element).toList();
  }

  List<Integer> numbers(String name) {
    return list(name, part -> Math.toIntExact(as(Long.class, part, name)));
  }

  /** As it is, to be read later or to be looked up. */
  Optional<Object> take(String name) {
    Object value = map.get(name);
    taken += value == null ? 0 : 1;
    return Optional.ofNullable(value);
  }

  void end() {
    if (taken != map.size()) {
      throw new DamagedRow("there are unknown fields in " + map.keySet());
    }
  }

  static <T> T as(Class<T> type, @Nullable Object value, String name) {
    if (!type.isInstance(value)) {
      throw new DamagedRow(name + " is " + value);
    }
    return type.cast(value);
  }
}
