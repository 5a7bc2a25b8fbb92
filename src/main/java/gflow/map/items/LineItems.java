package gflow.map.items;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Items of the lines of a file. Those without anything are left out, and counted. */
abstract class LineItems extends ItemStream {
  final LineReader lines;
  private long leftOut;

  LineItems(LineReader lines) {
    this.lines = lines;
  }

  /** What a line begins; empty if that is no item but what is said of all. */
  abstract Optional<Item> item(String line) throws IOException, BadItems;

  boolean isEmpty(String line) {
    return line.isBlank();
  }

  /** Each line as it is; blanks are something. */
  static LineItems plain(LineReader lines) {
    return new LineItems(lines) {
      @Override
      Optional<Item> item(String line) {
        return Optional.of(item(List.of(line)));
      }

      @Override
      boolean isEmpty(String line) {
        return line.isEmpty();
      }
    };
  }

  @Override
  public final Optional<Item> next() throws IOException, BadItems {
    Optional<Item> item = Optional.empty();
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      if (isEmpty(line.get())) {
        leftOut++;
      } else {
        item = item(line.get());
      }
      if (item.isPresent()) {
        break;
      }
    }
    return item;
  }

  @Override
  public final long leftOut() {
    return leftOut;
  }

  @Override
  public final void close() throws IOException {
    lines.close();
  }
}
