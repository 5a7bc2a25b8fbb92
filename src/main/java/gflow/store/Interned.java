package gflow.store;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Gives the same object for the same text. A hundred thousand waiting jobs mostly share owner,
 * folder, environment and request; held once, they fit into the daemon's memory.
 */
final class Interned<T> {
  /** Enough for what is shared; what is not must not be kept twice. */
  private static final int MOST = 10_000;

  private final Map<String, T> known = new HashMap<>();
  private final Function<String, T> parse;

  Interned(Function<String, T> parse) {
    this.parse = parse;
  }

  T of(String text) {
    T value = known.get(text);
    if (value == null) {
      value = parse.apply(text);
      if (known.size() >= MOST) {
        known.clear();
      }
      known.put(text, value);
    }
    return value;
  }
}
