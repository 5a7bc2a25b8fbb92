package gflow.script.value;

import java.util.ArrayList;
import java.util.List;

/** Splits a line as a shell would: quotes, backslashes, {@code # comment}; nothing is expanded. */
public final class ShellWords {
  private final String line;
  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;
  private int at;

  private ShellWords(String line) {
    this.line = line;
  }

  public static List<String> split(String line) throws BadInput {
    return new ShellWords(line).split();
  }

  /** One word that a shell reads back as it was. */
  public static String quote(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private List<String> split() throws BadInput {
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c == '#' && !inWord) {
        break;
      }
      read(c);
    }
    end();
    return List.copyOf(words);
  }

  private void read(char c) throws BadInput {
    switch (c) {
      case ' ', '\t', '\r', '\n' -> end();
      case '\'' -> quoted('\'');
      case '"' -> quoted('"');
      case '\\' -> take(at < line.length() ? line.charAt(at++) : '\\');
      default -> take(c);
    }
  }

  private void quoted(char quote) throws BadInput {
    inWord = true;
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c == quote) {
        return;
      }
      boolean escape = quote == '"' && c == '\\' && at < line.length();
      take(escape && "\"\\$`".indexOf(line.charAt(at)) >= 0 ? line.charAt(at++) : c);
    }
    throw new BadInput("a quote " + quote + " is not closed");
  }

  private void take(char c) {
    inWord = true;
    word.append(c);
  }

  private void end() {
    if (inWord) {
      words.add(word.toString());
      word.setLength(0);
      inWord = false;
    }
  }
}
