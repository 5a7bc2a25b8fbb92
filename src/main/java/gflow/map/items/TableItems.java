package gflow.map.items;

import gflow.script.value.BadInput;
import gflow.script.value.Csv;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** The rows of comma-separated values under a header; a row may go over several lines. */
final class TableItems extends ItemStream.Counting {
  private static final int MOST_LINES = 1000;

  private final LineReader lines;
  private Optional<List<String>> header = Optional.empty();
  private long empty;
  private int start;

  TableItems(LineReader lines) {
    this.lines = lines;
  }

  @Override
  public Optional<Item> next() throws IOException, BadItems {
    if (header.isEmpty()) {
      header = Optional.of(header());
    }
    Optional<List<String>> row = row();
    return row.isPresent() ? Optional.of(item(header.get(), row.get())) : Optional.empty();
  }

  private Item item(List<String> names, List<String> fields) throws BadItems {
    if (fields.size() != names.size()) {
      int count = fields.size();
      throw lines.at(
          start,
          "has %d field%s, the header %d".formatted(count, count == 1 ? "" : "s", names.size()));
    }
    var columns = new LinkedHashMap<String, String>();
    for (int i = 0; i < fields.size(); i++) {
      columns.put(names.get(i), fields.get(i));
    }
    return item(fields, columns);
  }

  private List<String> header() throws IOException, BadItems {
    List<String> names = row().orElse(List.of());
    for (String name : names) {
      if (name.isEmpty()) {
        throw lines.at(start, "is the header, and a column of it has no name");
      }
    }
    var once = new LinkedHashSet<String>();
    for (String name : names) {
      if (!once.add(name)) {
        throw lines.at(start, "is the header, and has the column '" + name + "' twice");
      }
    }
    return names;
  }

  /** Blank lines are left out. */
  private Optional<List<String>> row() throws IOException, BadItems {
    Optional<String> line = lines.next();
    while (line.isPresent() && line.get().isBlank()) {
      empty++;
      line = lines.next();
    }
    if (line.isEmpty()) {
      return Optional.empty();
    }
    start = lines.line();
    String row = start == 1 ? line.get().replaceFirst("^\uFEFF", "") : line.get();
    try {
      return Optional.of(Csv.rows(whole(row)).getFirst().values());
    } catch (BadInput e) {
      throw lines.at(start, "is no row: " + e.line().replaceFirst("^line \\d+: ", ""));
    }
  }

  private String whole(String first) throws IOException, BadItems {
    if (!isOpen(first)) {
      return first;
    }
    var row = new StringBuilder(first);
    do {
      Optional<String> more = lines.next();
      if (more.isEmpty() || lines.line() - start > MOST_LINES) {
        throw lines.at(start, "has a quote \" that is not closed");
      }
      row.append('\n').append(more.get());
    } while (isOpen(row));
    return row.toString();
  }

  /** Whether a quoted field goes on in the next line. A quote opens one only where it starts. */
  private static boolean isOpen(CharSequence row) {
    boolean quoted = false;
    boolean mayOpen = true;
    for (int i = 0; i < row.length(); i++) {
      char c = row.charAt(i);
      if (c == '"' && (quoted || mayOpen)) {
        quoted = !quoted;
        mayOpen = !quoted;
      } else if (!quoted) {
        mayOpen = c == ',' || (mayOpen && c == ' ');
      }
    }
    return quoted;
  }

  @Override
  public long leftOut() {
    return empty;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
