package gflow.map.items;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** Items one after the other, however many there are. It numbers those that it makes itself. */
public abstract class ItemStream implements AutoCloseable {
  private static final SequencedMap<String, String> NO_COLUMNS = new LinkedHashMap<>();
  private int count;

  /** Empty at the end. */
  public abstract Optional<Item> next() throws IOException, BadItems;

  /** Empty lines that were passed over so far. */
  public long leftOut() {
    return 0;
  }

  @Override
  public void close() throws IOException {}

  final Item item(List<String> values) {
    return item(values, NO_COLUMNS);
  }

  final Item item(List<String> values, SequencedMap<String, String> columns) {
    return new Item(count++, values, columns);
  }

  /** Of those that are numbered already; {@code whence} is closed at the end. */
  static ItemStream of(Iterator<Item> items, Closeable whence) {
    return new ItemStream() {
      @Override
      public Optional<Item> next() {
        return items.hasNext() ? Optional.of(items.next()) : Optional.empty();
      }

      @Override
      public void close() throws IOException {
        whence.close();
      }
    };
  }

  /** The first so many of another, so many at a time as one item; the last may have fewer. */
  static final class Cut extends ItemStream {
    private final ItemStream all;
    private final int perCall;
    private int left;

    Cut(ItemStream all, int most, int perCall) {
      this.all = all;
      this.perCall = perCall;
      left = most;
    }

    @Override
    public Optional<Item> next() throws IOException, BadItems {
      if (perCall == 1) {
        return nextOfAll();
      }
      var values = new ArrayList<String>(perCall);
      while (values.size() < perCall) {
        Optional<Item> one = nextOfAll();
        if (one.isEmpty()) {
          break;
        }
        if (one.get().values().size() != 1 || !one.get().columns().isEmpty()) {
          throw new BadItems("-N is for items of one value; these have more");
        }
        values.addAll(one.get().values());
      }
      return values.isEmpty() ? Optional.empty() : Optional.of(item(values));
    }

    private Optional<Item> nextOfAll() throws IOException, BadItems {
      return left-- > 0 ? all.next() : Optional.empty();
    }

    @Override
    public long leftOut() {
      return all.leftOut();
    }

    @Override
    public void close() throws IOException {
      all.close();
    }
  }
}
