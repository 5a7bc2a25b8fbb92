package gflow.map.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.json.BadJson;
import gflow.map.items.BadItems;
import gflow.map.items.Item;
import gflow.map.items.ItemFile;
import gflow.map.items.RawPaths;
import gflow.map.items.Sources;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * How large items are, where the largest shall come first: {@code file} is the size of the files
 * that an item names, {@code file:COLUMN} that of the file in a column, {@code COLUMN} its number.
 */
final class ItemSizes {
  private static final String FILE = "file";

  private final Path folder;
  private final String from;
  private double[] sizes = new double[1024];
  private long[] starts = new long[1024];
  private int count;

  ItemSizes(Path folder, String from) {
    this.folder = folder;
    this.from = from;
  }

  /** {@code start}: where its line starts. */
  void add(Item item, long start) throws BadItems {
    if (count == sizes.length) {
      sizes = Arrays.copyOf(sizes, count * 2);
      starts = Arrays.copyOf(starts, count * 2);
    }
    sizes[count] = size(item);
    starts[count++] = start;
  }

  double size(Item item) throws BadItems {
    if (from.equals(FILE)) {
      double sum = 0;
      for (String value : item.values()) {
        sum += file(value);
      }
      return sum;
    }
    boolean file = from.startsWith(FILE + ":");
    String name = file ? from.substring(FILE.length() + 1) : from;
    String value = item.columns().get(name);
    if (value == null) {
      throw bad(item, "has no column '" + name + "'");
    }
    return file ? file(value) : number(item, value);
  }

  private double file(String value) throws BadItems {
    try {
      return Files.size(RawPaths.path(folder, value));
    } catch (IOException e) {
      throw new BadItems("--size-from " + from + ": " + value + ": " + Sources.why(e));
    }
  }

  private double number(Item item, String value) throws BadItems {
    try {
      double number = Double.parseDouble(value.strip());
      if (!Double.isNaN(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw bad(item, "has no number but '" + value + "'");
  }

  private BadItems bad(Item item, String what) {
    return new BadItems("--size-from " + from + ": item " + (item.index() + 1) + " " + what);
  }

  /** Writes the lines of a file anew, the largest item first; of equals the one that came first. */
  void sort(Path unsorted, Path sorted) throws IOException {
    try (var in = new RandomAccessFile(unsorted.toFile(), "r");
        var out = new ItemFile.Writing(sorted)) {
      for (int index : order()) {
        long end = index + 1 < count ? starts[index + 1] : in.length();
        var line = new byte[Math.toIntExact(end - starts[index])];
        in.seek(starts[index]);
        in.readFully(line);
        out.add(ItemFile.numberedLine(ItemFile.parse(new String(line, UTF_8), index)));
      }
      out.sync();
    } catch (BadJson e) {
      throw new IOException(unsorted + " is damaged: " + e.getMessage(), e);
    }
  }

  private List<Integer> order() {
    var order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Double.compare(sizes[b], sizes[a]));
    return Arrays.asList(order);
  }
}
