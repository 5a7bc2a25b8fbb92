package gflow.daemon.core;

import gflow.job.AttemptId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Something of each attempt. A change is a new one, so that the old one can be put back. */
record PerAttempt<V>(SortedMap<AttemptId, V> all) {
  static <V> PerAttempt<V> none() {
    return new PerAttempt<>(Collections.emptySortedMap());
  }

  V get(AttemptId id, V otherwise) {
    return all.getOrDefault(id, otherwise);
  }

  PerAttempt<V> with(AttemptId id, V value) {
    var changed = new TreeMap<>(all);
    changed.put(id, value);
    return new PerAttempt<>(Collections.unmodifiableSortedMap(changed));
  }

  PerAttempt<V> without(AttemptId id) {
    if (!all.containsKey(id)) {
      return this;
    }
    var rest = new TreeMap<>(all);
    rest.remove(id);
    return new PerAttempt<>(Collections.unmodifiableSortedMap(rest));
  }
}
