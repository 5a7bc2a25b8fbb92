package gflow.map.plan;

import gflow.map.items.Item;

/** Counts items that were there before: by hashes of 64 bits, and only of the first million. */
final class RepeatedItems {
  private static final int MOST = 1_000_000;

  private long[] seen = new long[1024];
  private int count;
  private int again;

  void add(Item item) {
    if (count >= MOST) {
      return;
    }
    if (count > seen.length / 2) {
      grow();
    }
    if (put(hash(item))) {
      count++;
    } else {
      again++;
    }
  }

  int again() {
    return again;
  }

  private static long hash(Item item) {
    long hash = 0xcbf29ce484222325L;
    for (String value : item.values()) {
      for (int i = 0; i < value.length(); i++) {
        hash = (hash ^ value.charAt(i)) * 0x100000001b3L;
      }
      hash = (hash ^ 0x10000) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 29;
    return hash == 0 ? 1 : hash;
  }

  private boolean put(long hash) {
    int mask = seen.length - 1;
    int at = (int) hash & mask;
    while (seen[at] != 0) {
      if (seen[at] == hash) {
        return false;
      }
      at = at + 1 & mask;
    }
    seen[at] = hash;
    return true;
  }

  private void grow() {
    long[] old = seen;
    seen = new long[old.length * 2];
    for (long hash : old) {
      if (hash != 0) {
        put(hash);
      }
    }
  }
}
