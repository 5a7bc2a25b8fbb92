package gflow.store;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Gives the same object for the same text or tree. A hundred thousand waiting jobs mostly share
 * owner, folder, environment and request; held once, they fit into the daemon's memory.
 */
final class Interned<K, T> {
  /** Enough for what is shared; what is not must not be kept twice. */
  private static final int MOST = 10_000;

  private final Map<K, T> known = new HashMap<>();
  private final Function<K, T> parse;

  Interned(Function<K, T> parse) {
    this.parse = parse;
  }

  T of(K written) {
    T value = known.get(written);
    if (value == null) {
      value = parse.apply(written);
      if (known.size() >= MOST) {
        known.clear();
      }
      known.put(written, value);
    }
    return value;
  }
}
