package gflow.script.value;

import java.util.ArrayList;
import java.util.List;

/** Rows of comma-separated values; a field in double quotes may hold commas, quotes, line ends. */
public final class Csv {
  /** The line on which it starts, and its fields. */
  public record Row(int line, List<Field> fields) {
    public List<String> values() {
      return fields.stream().map(Field::text).toList();
    }
  }

  public record Field(String text, boolean quoted) {}

  private final String text;
  private int at;
  private int line = 1;

  private Csv(String text) {
    this.text = text;
  }

  /** Blank lines are left out. */
  public static List<Row> rows(String text) throws BadInput {
    var csv = new Csv(text);
    var rows = new ArrayList<Row>();
    while (csv.at < text.length()) {
      Row row = csv.row();
      if (!row.fields().equals(List.of(new Field("", false)))) {
        rows.add(row);
      }
    }
    return rows;
  }

  private Row row() throws BadInput {
    int start = line;
    var fields = new ArrayList<Field>();
    while (true) {
      fields.add(field());
      if (at == text.length() || text.charAt(at++) == '\n') {
        line++;
        return new Row(start, fields);
      }
    }
  }

  /** Ends before a comma, a line end or the end. */
  private Field field() throws BadInput {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '"') {
      return quoted();
    }
    int start = at;
    while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
      at++;
    }
    return new Field(text.substring(start, at).strip(), false);
  }

  private Field quoted() throws BadInput {
    int start = line;
    var field = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"' && (at == text.length() || text.charAt(at) != '"')) {
        afterQuote(start);
        return new Field(field.toString(), true);
      }
      if (c == '"') {
        at++;
      }
      line += c == '\n' ? 1 : 0;
      field.append(c);
    }
    throw new BadInput("line " + start + ": a quote \" is not closed");
  }

  private void afterQuote(int start) throws BadInput {
    while (at < text.length() && " \t\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
      throw new BadInput("line " + start + ": text after a closing quote; write \"\" for a quote");
    }
  }
}
