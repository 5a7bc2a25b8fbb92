package gflow.gpu;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an error number of the driver means, by NVIDIA's catalogue: what programs do to themselves
 * leaves the GPU sound, and some errors only a reset or a reboot mends.
 */
public record Xid(int number, String meaning, Verdict verdict) {
  public enum Verdict {
    /** A program's own doing, or nothing that matters now. */
    NOTE,
    /** A program's own doing, unless others have it on the same GPU too. */
    SUSPECT,
    /** Nothing may start there if it happens again. */
    DRAIN_ON_REPEAT,
    /** Nothing may start there. */
    DRAIN,
    /** Not in the table: people should look. */
    UNKNOWN
  }

  /** What is to be done about the GPU has changed: to what, a field of the driver says. */
  static final int RECOVERY = 154;

  private static final Map<Integer, Xid> TABLE = new TreeMap<>();

  static {
    add(Verdict.NOTE, 8, "GPU hang");
    add(Verdict.SUSPECT, 13, "exception in a program");
    add(Verdict.SUSPECT, 31, "page fault of a program");
    add(Verdict.NOTE, 32, "bad push buffer");
    add(Verdict.NOTE, 43, "channel reset");
    add(Verdict.NOTE, 45, "a program was ended");
    add(Verdict.DRAIN, 46, "GPU stopped");
    add(Verdict.DRAIN, 48, "double-bit memory error");
    add(Verdict.DRAIN, 62, "PMU halted");
    add(Verdict.NOTE, 63, "a row of memory was remapped");
    add(Verdict.DRAIN, 64, "remapping a row of memory failed");
    add(Verdict.NOTE, 68, "NVDEC exception");
    add(Verdict.DRAIN, 74, "NVLink error");
    add(Verdict.DRAIN, 79, "GPU has fallen off the bus");
    add(Verdict.NOTE, 92, "many single-bit memory errors");
    add(Verdict.NOTE, 94, "contained memory error");
    add(Verdict.DRAIN, 95, "uncontained memory error");
    add(Verdict.DRAIN_ON_REPEAT, 109, "context switch timed out");
    add(Verdict.DRAIN, 110, "security fault");
    add(Verdict.DRAIN, 119, "GSP timed out");
    add(Verdict.DRAIN, 120, "GSP error");
    add(Verdict.NOTE, 121, "C2C link error");
    add(Verdict.DRAIN, 140, "memory error that was not recovered");
    add(Verdict.DRAIN, 143, "initialisation failed");
    add(Verdict.DRAIN, 145, "NVLink error");
    add(Verdict.DRAIN, 149, "NVLink error");
    add(Verdict.DRAIN, RECOVERY, "the driver wants the GPU reset or the machine rebooted");
  }

  private static void add(Verdict verdict, int number, String meaning) {
    TABLE.put(number, new Xid(number, meaning, verdict));
  }

  public static Xid of(int number) {
    return Optional.ofNullable(TABLE.get(number))
        .orElseGet(() -> new Xid(number, "not known here", Verdict.UNKNOWN));
  }

  /** The change of what is to be done about the GPU, by the number that the driver has for that. */
  static Xid recovery(int action) {
    return switch (action) {
      case 0 -> new Xid(RECOVERY, "nothing is to be done any more", Verdict.NOTE);
      case 1 -> wants("the GPU reset");
      case 2 -> wants("the machine rebooted");
      case 3 -> wants("the GPU left alone until its peers let go of it (drain P2P)");
      case 4 -> wants("the GPU left alone by all and then reset (drain and reset)");
      default -> of(RECOVERY);
    };
  }

  private static Xid wants(String what) {
    return new Xid(RECOVERY, "the driver wants " + what, Verdict.DRAIN);
  }

  @Override
  public String toString() {
    return "XID " + number + ": " + meaning;
  }
}
