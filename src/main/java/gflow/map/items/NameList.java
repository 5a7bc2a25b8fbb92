package gflow.map.items;

import gflow.process.RawText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Very many names in little memory: their bytes, in blocks that never move, so that a million of
 * them leaves no garbage behind. Sorted by bytes.
 */
final class NameList {
  private static final int BITS = 18;
  private static final int BLOCK = 1 << BITS;
  private static final int LENGTH = Integer.BYTES;

  /** Before each name stands its length. One that is longer than a block has several to itself. */
  private final List<byte[]> blocks = new ArrayList<>();

  /** Where the names begin: the number of the block, and the place in it. */
  private final List<int[]> starts = new ArrayList<>();

  private int used = BLOCK;
  private int count;

  void add(String name) {
    byte[] more = RawText.bytes(name);
    if (used + LENGTH + more.length > BLOCK) {
      blocks.add(new byte[Math.max(BLOCK, LENGTH + more.length)]);
      used = 0;
    }
    if (count % BLOCK == 0) {
      starts.add(new int[BLOCK]);
    }
    int block = blocks.size() - 1;
    if (block >= 1 << (Integer.SIZE - BITS)) {
      throw new IllegalStateException("names of more than a thousand million bytes");
    }
    starts.getLast()[count % BLOCK] = (block << BITS) | used;
    count++;
    byte[] to = blocks.getLast();
    for (int i = 0; i < LENGTH; i++) {
      to[used++] = (byte) (more.length >>> (i * Byte.SIZE));
    }
    System.arraycopy(more, 0, to, used, more.length);
    used += more.length;
  }

  boolean isEmpty() {
    return count == 0;
  }

  Iterator<String> sorted() {
    int[] order = new int[count];
    Arrays.setAll(order, i -> starts.get(i / BLOCK)[i % BLOCK]);
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
        int start = order[at++];
        return RawText.of(block(start), from(start), to(start));
      }
    };
  }

  private byte[] block(int start) {
    return blocks.get(start >>> BITS);
  }

  private static int from(int start) {
    return (start & (BLOCK - 1)) + LENGTH;
  }

  private int to(int start) {
    byte[] bytes = block(start);
    int length = 0;
    for (int i = 1; i <= LENGTH; i++) {
      length = (length << Byte.SIZE) | (bytes[from(start) - i] & 0xff);
    }
    return from(start) + length;
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
    return Arrays.compareUnsigned(block(a), from(a), to(a), block(b), from(b), to(b));
  }
}
