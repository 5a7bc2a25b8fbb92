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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How large items are, where the largest shall come first: {@code file} is the size of the files
 * that an item names, {@code file:COLUMN} that of the file in a column, {@code COLUMN} its number.
 */
final class ItemSizes {
  private static final String FILE = "file";

  private final Path folder;
  private final String from;
  private final List<Line> lines = new ArrayList<>();

  /** Where the line of an item stands: there may be a million, so no more of it is kept. */
  private record Line(double size, long start, int length, int index) {}

  ItemSizes(Path folder, String from) {
    this.folder = folder;
    this.from = from;
  }

  /** {@code start}: where its line starts. */
  void add(Item item, long start, int length) throws BadItems {
    lines.add(new Line(size(item), start, length, item.index()));
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
    lines.sort(Comparator.comparingDouble(Line::size).reversed());
    try (var in = new RandomAccessFile(unsorted.toFile(), "r");
        var out = new ItemFile.Writing(sorted)) {
      for (Line line : lines) {
        var bytes = new byte[line.length()];
        in.seek(line.start());
        in.readFully(bytes);
        out.add(ItemFile.numberedLine(ItemFile.parse(new String(bytes, UTF_8), line.index())));
      }
      out.sync();
    } catch (BadJson e) {
      throw new IOException(unsorted + " is damaged: " + e.getMessage(), e);
    }
  }
}
