package gflow.map.items;

import gflow.script.value.BadInput;
import gflow.script.value.Csv;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** The rows of comma-separated values under a header; a row may go over several lines. */
final class TableItems extends LineItems {
  private static final int MOST_LINES = 1000;

  private Optional<List<String>> header = Optional.empty();

  TableItems(LineReader lines) {
    super(lines);
  }

  @Override
  Optional<Item> item(String line) throws IOException, BadItems {
    int start = lines.line();
    List<String> fields = fields(line, start);
    if (header.isEmpty()) {
      header = Optional.of(fields);
      checkHeader(fields, start);
      return Optional.empty();
    }
    List<String> names = header.get();
    int count = fields.size();
    if (count != names.size()) {
      throw lines.at(
          start,
          "has %d field%s, the header %d".formatted(count, count == 1 ? "" : "s", names.size()));
    }
    var columns = new LinkedHashMap<String, String>();
    for (int i = 0; i < count; i++) {
      columns.put(names.get(i), fields.get(i));
    }
    return Optional.of(item(fields, columns));
  }

  private void checkHeader(List<String> names, int start) throws BadItems {
    if (names.contains("")) {
      throw lines.at(start, "is the header, and a column of it has no name");
    }
    for (int i = 0; i < names.size(); i++) {
      if (names.indexOf(names.get(i)) < i) {
        throw lines.at(start, "is the header, and has the column '" + names.get(i) + "' twice");
      }
    }
  }

  private List<String> fields(String line, int start) throws IOException, BadItems {
    String row = start == 1 ? line.replaceFirst("^\uFEFF", "") : line;
    try {
      return Csv.rows(whole(row, start)).getFirst().values();
    } catch (BadInput e) {
      throw lines.at(start, "is no row: " + e.line().replaceFirst("^line \\d+: ", ""));
    }
  }

  private String whole(String first, int start) throws IOException, BadItems {
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
}
