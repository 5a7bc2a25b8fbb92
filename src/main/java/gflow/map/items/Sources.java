package gflow.map.items;

import gflow.process.RawText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Opens what items come from. */
public record Sources(Path folder, StandardInput stdin) {
  /** The first so many (0: all) of them, so many at a time as one item. */
  public ItemStream open(Source source, int limit, int perCall) throws BadItems {
    try {
      return new ItemStream.Cut(open(source), limit == 0 ? Integer.MAX_VALUE : limit, perCall);
    } catch (IOException e) {
      throw new BadItems(source.shown() + ": " + why(e));
    }
  }

  private ItemStream open(Source source) throws IOException, BadItems {
    return switch (source) {
      case Source.Arguments(var groups) -> product(groups);
      case Source.Patterns(var patterns) -> oneByOne(files(patterns));
      case Source.Folder(var dir, var pattern) -> oneByOne(List.of(inFolder(dir, pattern)));
      case Source.Pairs pairs -> FilePairs.open(folder, pairs);
      case Source.InFile in -> inFile(in);
      case Source.Numbers(var ranges) -> oneByOne(ranges.stream().map(Sources::numbers).toList());
      case Source.Before(var earlier) -> before(RawPaths.path(folder, earlier));
    };
  }

  public static String why(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  /** By hand: a stream that is flattened would hold a whole part at once. */
  private static ItemStream oneByOne(List<Stream<String>> parts) {
    Iterator<Stream<String>> rest = parts.iterator();
    return new ItemStream() {
      private Iterator<String> part = rest.next().iterator();

      @Override
      public Optional<Item> next() {
        while (!part.hasNext() && rest.hasNext()) {
          part = rest.next().iterator();
        }
        return part.hasNext() ? Optional.of(item(List.of(part.next()))) : Optional.empty();
      }
    };
  }

  private static ItemStream before(Path earlier) throws IOException {
    ItemFile.Reading items = ItemFile.read(earlier.resolve("items"));
    return ItemStream.of(items, items);
  }

  private ItemStream inFile(Source.InFile from) throws IOException, BadItems {
    Path path = RawPaths.path(folder, from.file());
    if (!from.isStdin() && Files.isDirectory(path)) {
      throw new BadItems(
          from.file() + " is a directory, not a file; --dir-path takes its files as items");
    }
    InputStream in = from.isStdin() ? stdin.open() : Files.newInputStream(path);
    var lines = new LineReader(in, from.shown(), from.format() == Source.Format.NULS);
    return switch (from.format()) {
      case LINES, NULS -> LineItems.plain(lines);
      case JSON_LINES -> new JsonItems(lines);
      case TABLE -> new TableItems(lines);
    };
  }

  private List<Stream<String>> files(List<String> patterns) throws BadItems {
    var all = new ArrayList<Stream<String>>();
    for (String pattern : patterns) {
      List<byte[]> found = Glob.find(folder, "", pattern, false);
      if (!found.isEmpty()) {
        all.add(found.stream().map(RawText::of));
      } else if (Files.exists(RawPaths.path(folder, pattern))) {
        all.add(Stream.of(pattern));
      } else {
        throw new BadItems(
            Glob.isPattern(pattern)
                ? "--items '" + pattern + "' matches nothing in " + folder
                : "--items: there is no file " + pattern + " in " + folder);
      }
    }
    return all;
  }

  private Stream<String> inFolder(String dir, String pattern) throws BadItems {
    if (!Files.isDirectory(RawPaths.path(folder, dir))) {
      throw new BadItems("--dir-path: there is no folder " + dir);
    }
    List<byte[]> found = Glob.find(folder, dir, pattern, true);
    if (found.isEmpty()) {
      throw new BadItems("--dir-path " + dir + " has no files that match '" + pattern + "'");
    }
    return found.stream().map(RawText::of);
  }

  private static Stream<String> numbers(Source.Range range) {
    return LongStream.iterate(range.first(), n -> n <= range.last(), n -> n + range.step())
        .mapToObj(number -> padded(number, range.width()));
  }

  private static String padded(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  /** Each of a group with each of the next; the last changes first, as in GNU parallel. */
  private static ItemStream product(List<List<List<String>>> groups) {
    int count = groups.stream().mapToInt(List::size).reduce(1, (a, b) -> a * b);
    return ItemStream.of(
        IntStream.range(0, count).mapToObj(number -> choice(groups, number)).iterator(), () -> {});
  }

  private static Item choice(List<List<List<String>>> groups, int number) {
    var values = new ArrayList<String>();
    int rest = number;
    for (List<List<String>> group : groups.reversed()) {
      values.addAll(0, group.get(rest % group.size()));
      rest /= group.size();
    }
    return new Item(number, values, new LinkedHashMap<>());
  }
}
