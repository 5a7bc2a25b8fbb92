package gflow.map.plan;

import gflow.map.items.BadItems;
import gflow.map.items.Item;
import gflow.map.items.ItemFile;
import gflow.map.items.ItemStream;
import gflow.map.items.Source;
import gflow.map.items.Sources;
import gflow.map.items.StandardInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Takes the items of an order from where they come from, one by one, looks whether the command can
 * do with them, and writes them down, or only counts them. For one way through them.
 */
public final class ItemSpool {
  /** The first of the items, how many there are, and what the user should hear of them. */
  public record Seen(List<Item> first, int count, List<String> notes) {
    public Seen {
      first = List.copyOf(first);
      notes = List.copyOf(notes);
    }
  }

  /** What was written, and what the user should hear of it. */
  public record Spooled(ItemFile.Written written, List<String> notes) {
    public Spooled {
      notes = List.copyOf(notes);
    }
  }

  private interface Sink {
    void take(Item item) throws IOException, BadItems;
  }

  private final MapOrder order;
  private final Path folder;
  private final StandardInput stdin;
  private final RepeatedItems twice = new RepeatedItems();
  private final List<String> notes = new ArrayList<>();
  private int count;

  /** {@code folder}: the caller's, from which names of files are seen. */
  public ItemSpool(MapOrder order, Path folder, StandardInput stdin) {
    this.order = order;
    this.folder = folder;
    this.stdin = stdin;
  }

  /** Only looks, and gives back so many of those that would run first. */
  public Seen look(int most) throws BadItems {
    var first = new ArrayList<Sized>();
    Optional<ItemSizes> sizes = sizes();
    try {
      run(
          item -> {
            double size = sizes.isPresent() ? sizes.get().size(item) : 0;
            if (first.size() < most || (most > 0 && first.getLast().size() < size)) {
              first.add(new Sized(item, size));
              first.sort(Comparator.comparingDouble(Sized::size).reversed());
              first.subList(Math.min(most, first.size()), first.size()).clear();
            }
          });
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written", e);
    }
    return new Seen(first.stream().map(Sized::item).toList(), count, notes);
  }

  private record Sized(Item item, double size) {}

  private Optional<ItemSizes> sizes() {
    return order.items().sizeFrom().map(from -> new ItemSizes(folder, from));
  }

  /** Writes the file whole, or leaves none; the hash is that of the items as they were given. */
  public Spooled write(Path file) throws BadItems {
    Optional<ItemSizes> sizes = sizes();
    Path unsorted = file.resolveSibling(file.getFileName() + ".unsorted");
    try {
      ItemFile.Written written = written(sizes.isPresent() ? unsorted : file, sizes);
      if (sizes.isPresent()) {
        sizes.get().sort(unsorted, file);
        Files.delete(unsorted);
      }
      return new Spooled(written, notes);
    } catch (IOException e) {
      throw without(new BadItems("cannot write " + file + ": " + Sources.why(e)), file, unsorted);
    } catch (BadItems e) {
      throw without(e, file, unsorted);
    }
  }

  private static BadItems without(BadItems why, Path... files) {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        why.addSuppressed(e);
      }
    }
    return why;
  }

  private ItemFile.Written written(Path file, Optional<ItemSizes> sizes)
      throws IOException, BadItems {
    try (var out = new ItemFile.Writing(file)) {
      run(
          item -> {
            byte[] line = ItemFile.line(item);
            if (sizes.isPresent()) {
              sizes.get().add(item, out.length(), line.length);
            }
            out.add(line);
          });
      return out.sync();
    }
  }

  private void run(Sink sink) throws IOException, BadItems {
    Source source = order.items().source();
    MapOrder.Items wanted = order.items();
    var sources = new Sources(folder, stdin);
    try (ItemStream items = sources.open(source, wanted.limit(), wanted.perCall())) {
      Optional<Item> item = next(items, source);
      if (item.isEmpty()) {
        throw new BadItems("there are no items in " + source.shown() + hint(source));
      }
      var fit = new TemplateFit(order, item.get());
      notes.addAll(fit.doubts());
      while (item.isPresent()) {
        fit.check(item.get());
        twice.add(item.get());
        sink.take(item.get());
        if (++count == Integer.MAX_VALUE) {
          throw new BadItems("there are more than two thousand million items");
        }
        item = next(items, source);
      }
      say(items.leftOut());
    }
  }

  private static String hint(Source source) {
    return source instanceof Source.InFile in && in.isStdin()
        ? "; add ::: a b c, --items 'data/*.xyz' or --items-from FILE"
        : "";
  }

  private static Optional<Item> next(ItemStream items, Source source) throws BadItems {
    try {
      return items.next();
    } catch (IOException e) {
      throw new BadItems("cannot read " + source.shown() + ": " + Sources.why(e));
    }
  }

  private void say(long leftOut) {
    if (leftOut > 0) {
      notes.add(leftOut == 1 ? "1 empty line is left out" : leftOut + " empty lines are left out");
    }
    if (twice.again() > 0) {
      notes.add(
          twice.again() == 1
              ? "1 item is there twice"
              : twice.again() + " items are there more than once");
    }
  }
}
