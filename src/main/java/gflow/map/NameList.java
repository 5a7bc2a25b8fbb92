package gflow.map;

import gflow.process.RawText;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Very many names in little memory: their bytes, one after the other. Sorted by bytes. */
final class NameList {
  private byte[] bytes = new byte[1 << 12];
  private int[] ends = new int[1 << 8];
  private int count;

  void add(String name) {
    byte[] more = RawText.bytes(name);
    int start = end(count - 1);
    int end = Math.addExact(start, more.length);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, larger(bytes.length, end));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, larger(count, count + 1));
    }
    System.arraycopy(more, 0, bytes, start, more.length);
    ends[count++] = end;
  }

  private static int larger(int now, int needed) {
    return (int) Math.max(needed, Math.min((long) now * 3 / 2, Integer.MAX_VALUE - 8));
  }

  boolean isEmpty() {
    return count == 0;
  }

  Iterator<String> sorted() {
    int[] order = new int[count];
    Arrays.setAll(order, i -> i);
    sort(order, new int[count], 0, count);
    return new Iterator<>() {
      private int at;

      @Override
      public boolean hasNext() {
        return at < count;
      }

      @Override
      public String next() {
        if (at == count) {
          throw new NoSuchElementException();
        }
        int index = order[at++];
        return RawText.of(bytes, end(index - 1), end(index));
      }
    };
  }

  private int end(int index) {
    return index < 0 ? 0 : ends[index];
  }

  /** By merging; the JDK sorts numbers only by themselves. */
  private void sort(int[] order, int[] room, int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    sort(order, room, from, middle);
    sort(order, room, middle, to);
    System.arraycopy(order, from, room, from, to - from);
    int left = from;
    int right = middle;
    for (int at = from; at < to; at++) {
      boolean takeLeft = left < middle && (right == to || compare(room[left], room[right]) <= 0);
      order[at] = takeLeft ? room[left++] : room[right++];
    }
  }

  private int compare(int a, int b) {
    return Arrays.compareUnsigned(bytes, end(a - 1), end(a), bytes, end(b - 1), end(b));
  }
}
