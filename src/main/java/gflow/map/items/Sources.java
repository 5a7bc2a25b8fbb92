package gflow.map.items;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Opens what items come from. */
public final class Sources {
  private final Path folder;
  private final StandardInput stdin;

  public Sources(Path folder, StandardInput stdin) {
    this.folder = folder;
    this.stdin = stdin;
  }

  public ItemStream open(Source source) throws BadItems {
    try {
      return switch (source) {
        case Source.Arguments(var groups) -> ItemStream.ofValues(new Product(groups));
        case Source.Patterns(var patterns) -> ItemStream.ofTexts(files(patterns));
        case Source.Folder(var dir, var pattern) -> ItemStream.ofTexts(inFolder(dir, pattern));
        case Source.Pairs pairs -> FilePairs.open(folder, pairs);
        case Source.Lines(var file, boolean nul) -> lines(reader(file, nul));
        case Source.JsonLines(var file) -> new JsonItems(reader(file, false));
        case Source.Table(var file) -> new TableItems(reader(file, false));
        case Source.Numbers(var ranges) -> ItemStream.ofTexts(numbers(ranges));
        case Source.Before(var earlier) -> before(RawPaths.path(folder, earlier));
      };
    } catch (IOException e) {
      throw new BadItems(source.shown() + ": " + why(e));
    }
  }

  public static String why(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static ItemStream before(Path earlier) throws IOException {
    ItemFile.Reading items = ItemFile.read(earlier.resolve("items"));
    return new ItemStream() {
      @Override
      public Optional<Item> next() {
        return items.hasNext() ? Optional.of(items.next()) : Optional.empty();
      }

      @Override
      public void close() throws IOException {
        items.close();
      }
    };
  }

  private LineReader reader(String file, boolean nul) throws IOException, BadItems {
    if (file.equals("-")) {
      return new LineReader(stdin.open(), "stdin", nul);
    }
    Path path = RawPaths.path(folder, file);
    if (Files.isDirectory(path)) {
      throw new BadItems(file + " is a directory, not a file; --dir-path takes its files as items");
    }
    InputStream in = Files.newInputStream(path);
    return new LineReader(in, file, nul);
  }

  private static ItemStream lines(LineReader lines) {
    return new ItemStream.Counting() {
      private long empty;

      @Override
      public Optional<Item> next() throws IOException, BadItems {
        Optional<String> line = lines.next();
        while (line.isPresent() && line.get().isEmpty()) {
          empty++;
          line = lines.next();
        }
        return line.map(text -> item(List.of(text)));
      }

      @Override
      public long leftOut() {
        return empty;
      }

      @Override
      public void close() throws IOException {
        lines.close();
      }
    };
  }

  private Iterator<String> files(List<String> patterns) throws BadItems {
    var all = new ArrayList<Iterator<String>>();
    for (String pattern : patterns) {
      NameList found = Glob.find(folder, "", pattern, false);
      if (!found.isEmpty()) {
        all.add(found.sorted());
      } else if (Files.exists(RawPaths.path(folder, pattern))) {
        all.add(List.of(pattern).iterator());
      } else {
        throw new BadItems(
            Glob.isPattern(pattern)
                ? "--items '" + pattern + "' matches nothing in " + folder
                : "--items: there is no file " + pattern + " in " + folder);
      }
    }
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !all.isEmpty();
      }

      @Override
      public String next() {
        String name = all.getFirst().next();
        if (!all.getFirst().hasNext()) {
          all.removeFirst();
        }
        return name;
      }
    };
  }

  private Iterator<String> inFolder(String dir, String pattern) throws BadItems {
    if (!Files.isDirectory(RawPaths.path(folder, dir))) {
      throw new BadItems("--dir-path: there is no folder " + dir);
    }
    NameList found = Glob.find(folder, dir, pattern, true);
    if (found.isEmpty()) {
      throw new BadItems("--dir-path " + dir + " has no files that match '" + pattern + "'");
    }
    return found.sorted();
  }

  /** By hand: a stream that is flattened would hold a whole range at once. */
  private static Iterator<String> numbers(List<Source.Range> ranges) {
    return new Iterator<>() {
      private int at;
      private long next = ranges.getFirst().first();

      @Override
      public boolean hasNext() {
        return at < ranges.size();
      }

      @Override
      public String next() {
        Source.Range range = ranges.get(at);
        String number = padded(next, range.width());
        next += range.step();
        if (next > range.last() && ++at < ranges.size()) {
          next = ranges.get(at).first();
        }
        return number;
      }
    };
  }

  private static String padded(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  /** Each of a group with each of the next; the last changes first, as in GNU parallel. */
  private static final class Product implements Iterator<List<String>> {
    private final List<List<List<String>>> groups;
    private final int[] at;
    private boolean over;

    Product(List<List<List<String>>> groups) {
      this.groups = groups;
      at = new int[groups.size()];
      over = groups.stream().anyMatch(List::isEmpty);
    }

    @Override
    public boolean hasNext() {
      return !over;
    }

    @Override
    public List<String> next() {
      var values = new ArrayList<String>();
      for (int group = 0; group < at.length; group++) {
        values.addAll(groups.get(group).get(at[group]));
      }
      int last = at.length - 1;
      while (last >= 0 && ++at[last] == groups.get(last).size()) {
        at[last--] = 0;
      }
      over = last < 0;
      return values;
    }
  }
}
