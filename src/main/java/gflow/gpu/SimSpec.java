package gflow.gpu;

import gflow.job.GpuId;
import gflow.job.Ranges;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Simulated GPUs from a word: groups {@code [TYPE:]COUNTxSIZE} separated by commas, as in {@code
 * a100:2x80G,2x24G}, or {@code 0} for none. A type belongs to the one group that it precedes.
 */
final class SimSpec {
  private static final int MOST = 64;
  private static final Pattern GROUP =
      Pattern.compile("(?:([A-Za-z][A-Za-z0-9_.-]*):)?([0-9]{1,9})[xX]([0-9]{1,9})([MGTmgt])");
  private static final long LARGEST = 1L << 50;

  private SimSpec() {}

  static List<GpuDevice> parse(String groups) throws BadGpuSpec {
    if (groups.equals("0")) {
      return List.of();
    }
    var devices = new ArrayList<GpuDevice>();
    for (String group : groups.split(",", -1)) {
      addGroup(devices, group.strip());
    }
    return List.copyOf(devices);
  }

  private static void addGroup(List<GpuDevice> devices, String group) throws BadGpuSpec {
    Matcher words = GROUP.matcher(group);
    if (!words.matches()) {
      throw new BadGpuSpec(
          "simulated GPUs: '" + group + "' is not [TYPE:]COUNTxSIZE, such as 4x24G or a100:2x80G");
    }
    int count = Integer.parseInt(words.group(2));
    if (count < 1 || devices.size() + count > MOST) {
      throw new BadGpuSpec(
          "simulated GPUs: '" + group + "' must leave between 1 and " + MOST + " GPUs in all");
    }
    long memory = bytes(group, words.group(3), words.group(4));
    String name = "Simulated " + (words.group(1) == null ? "GPU" : words.group(1));
    for (int i = 0; i < count; i++) {
      int index = devices.size();
      devices.add(new GpuDevice(id(index), index, name, memory, Ranges.EMPTY, true));
    }
  }

  private static long bytes(String group, String number, String unit) throws BadGpuSpec {
    int shift =
        switch (unit.toUpperCase(Locale.ROOT)) {
          case "M" -> 20;
          case "G" -> 30;
          default -> 40;
        };
    long count = Long.parseLong(number);
    if (count < 1 || count > LARGEST >> shift) {
      throw new BadGpuSpec("simulated GPUs: the size in '" + group + "' must be 1M to 1024T");
    }
    return count << shift;
  }

  /** Has the shape of a UUID, so that columns fit, and letters that no real one has. */
  private static GpuId id(int index) {
    return new GpuId(String.format(Locale.ROOT, "GPU-simulate-0000-0000-0000-%012d", index));
  }
}
