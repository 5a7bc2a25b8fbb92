package gflow.gpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * NVML's list of processes as it comes from the driver. A record is {u32 pid, u64 memory, …} of 16,
 * 24 or 32 bytes: the first R535 drivers grew it under the old name, so that neither the symbol nor
 * the version tells. The buffer therefore has room for the largest form and is filled with a
 * pattern; where the pattern begins again, the last record ends.
 */
final class ProcessRecords {
  static final int LARGEST = 32;
  private static final List<Integer> SIZES = List.of(16, 24, LARGEST);
  private static final byte PATTERN = (byte) 0xAA;
  private static final int MOST_PIDS = 1 << 22;
  private static final int MOST = 1 << 16;

  /** One of NVML's functions that list processes. */
  interface Lister {
    int list(MemorySegment length, MemorySegment records);
  }

  record Entry(long pid, OptionalLong memory) {}

  /** The answer: an NVML code, and the entries if it is OK. */
  record Listing(int code, List<Entry> entries) {}

  private ProcessRecords() {}

  /** Asks with a growing buffer, since processes come between asking for the size and the list. */
  static Listing read(Lister lister) {
    int room = 32;
    while (true) {
      try (var arena = Arena.ofConfined()) {
        var length = arena.allocateFrom(JAVA_INT, room);
        var records = arena.allocate((long) room * LARGEST, 8).fill(PATTERN);
        int code = lister.list(length, records);
        int count = length.get(JAVA_INT, 0);
        if (code == NvmlLibrary.OK) {
          return new Listing(code, parse(records, Math.clamp(count, 0, room)));
        }
        if (code != NvmlLibrary.INSUFFICIENT_SIZE || room >= MOST) {
          return new Listing(code, List.of());
        }
        room = Math.clamp(Math.max(count + 8L, room * 2L), 1, MOST);
      }
    }
  }

  static List<Entry> parse(MemorySegment records, int count) {
    if (count == 0) {
      return List.of();
    }
    int size = sizeOf(records, count);
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < count; i++) {
      long at = (long) i * size;
      long memory = records.get(JAVA_LONG, at + 8);
      long pid = pid(records, at);
      if (pid > 0) {
        // −1 is NVML's word for "not available".
        entries.add(new Entry(pid, memory < 0 ? OptionalLong.empty() : OptionalLong.of(memory)));
      }
    }
    return List.copyOf(entries);
  }

  /**
   * The smallest size that holds all that was written. A driver that clears the whole buffer
   * defeats this; then the first size by which every pid can be one is taken, the usual 24 before
   * others.
   */
  private static int sizeOf(MemorySegment records, int count) {
    long end = records.byteSize();
    while (end > 0 && records.get(JAVA_BYTE, end - 1) == PATTERN) {
      end--;
    }
    long written = end;
    var measured = SIZES.stream().filter(s -> (long) s * count >= written).findFirst();
    return Stream.concat(measured.stream(), Stream.of(24, LARGEST, 16))
        .filter(s -> plausible(records, count, s))
        .findFirst()
        .orElse(measured.orElse(24));
  }

  private static boolean plausible(MemorySegment records, int count, int size) {
    for (int i = 0; i < count; i++) {
      long pid = pid(records, (long) i * size);
      if (pid < 1 || pid > MOST_PIDS) {
        return false;
      }
    }
    return true;
  }

  private static long pid(MemorySegment records, long at) {
    return Integer.toUnsignedLong(records.get(JAVA_INT, at));
  }
}
