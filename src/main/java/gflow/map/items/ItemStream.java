package gflow.map.items;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** Items one after the other, however many there are. */
public interface ItemStream extends AutoCloseable {
  /** Empty at the end. */
  Optional<Item> next() throws IOException, BadItems;

  /** Empty lines that were passed over so far. */
  default long leftOut() {
    return 0;
  }

  @Override
  default void close() throws IOException {}

  /** Each value is an item. */
  static ItemStream ofTexts(Iterator<String> values) {
    return new Counting() {
      @Override
      public Optional<Item> next() {
        return values.hasNext() ? Optional.of(item(List.of(values.next()))) : Optional.empty();
      }
    };
  }

  static ItemStream ofValues(Iterator<List<String>> values) {
    return new Counting() {
      @Override
      public Optional<Item> next() {
        return values.hasNext() ? Optional.of(item(values.next())) : Optional.empty();
      }
    };
  }

  /** Numbers its items. */
  abstract class Counting implements ItemStream {
    private static final SequencedMap<String, String> NONE = new LinkedHashMap<>();
    private int count;

    Item item(List<String> values) {
      return item(values, NONE);
    }

    Item item(List<String> values, SequencedMap<String, String> columns) {
      return new Item(count++, values, columns);
    }
  }

  /** The first so many. */
  default ItemStream limit(int most) {
    ItemStream all = this;
    return new Around(all) {
      private int count;

      @Override
      public Optional<Item> next() throws IOException, BadItems {
        return count++ < most ? all.next() : Optional.empty();
      }
    };
  }

  /** So many at a time become one item; the last may have fewer. */
  default ItemStream grouped(int size) {
    ItemStream all = this;
    return new Around(all) {
      private int count;

      @Override
      public Optional<Item> next() throws IOException, BadItems {
        var values = new ArrayList<String>(size);
        while (values.size() < size) {
          Optional<Item> one = all.next();
          if (one.isEmpty()) {
            break;
          }
          if (one.get().values().size() != 1 || !one.get().columns().isEmpty()) {
            throw new BadItems("-N is for items of one value; these have more");
          }
          values.addAll(one.get().values());
        }
        return values.isEmpty()
            ? Optional.empty()
            : Optional.of(new Item(count++, values, new LinkedHashMap<>()));
      }
    };
  }

  /** A stream that comes of another. */
  abstract class Around implements ItemStream {
    private final ItemStream inner;

    Around(ItemStream inner) {
      this.inner = inner;
    }

    @Override
    public long leftOut() {
      return inner.leftOut();
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }
}
