package gflow.json;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes plain values as JSON, on one line or, with {@code pretty}, over several. A long text goes
 * out in parts, so that it is never there as a whole.
 */
final class JsonWriter {
  private static final int PART = 64 << 10;

  private final StringBuilder out = new StringBuilder();
  private final boolean pretty;
  private final Consumer<String> sink;
  private int depth;

  JsonWriter(boolean pretty, Consumer<String> sink) {
    this.pretty = pretty;
    this.sink = sink;
  }

  void end(String last) {
    sink.accept(out.append(last).toString());
  }

  /** Of several lines only whole ones. */
  private void part() {
    int end = pretty ? out.lastIndexOf("\n") + 1 : out.length();
    if (end > PART) {
      sink.accept(out.substring(0, end));
      out.delete(0, end);
    }
  }

  JsonWriter value(@Nullable Object tree) {
    if (tree == null) {
      out.append("null");
    } else if (tree instanceof String text) {
      string(text);
    } else if (tree instanceof Double number) {
      number(number);
    } else if (tree instanceof Boolean
        || tree instanceof Integer
        || tree instanceof Long
        || tree instanceof BigDecimal) {
      out.append(tree);
    } else if (tree instanceof Map<?, ?> map) {
      object(map);
    } else if (tree instanceof Collection<?> list) {
      list(list);
    } else {
      throw new IllegalArgumentException("not a JSON value: " + tree.getClass());
    }
    return this;
  }

  /** JSON has no word for what is no number. */
  private void number(double number) {
    if (Double.isFinite(number)) {
      out.append(number);
    } else {
      out.append("null");
    }
  }

  private void object(Map<?, ?> map) {
    open('{');
    boolean first = true;
    for (var field : map.entrySet()) {
      next(first);
      string(field.getKey().toString());
      out.append(pretty ? ": " : ":");
      value(field.getValue());
      first = false;
    }
    close('}', first);
  }

  private void list(Collection<?> list) {
    open('[');
    boolean first = true;
    for (Object part : list) {
      next(first);
      value(part);
      part();
      first = false;
    }
    close(']', first);
  }

  private void open(char bracket) {
    out.append(bracket);
    depth++;
  }

  private void next(boolean first) {
    if (!first) {
      out.append(',');
    }
    line();
  }

  private void close(char bracket, boolean empty) {
    depth--;
    if (!empty) {
      line();
    }
    out.append(bracket);
  }

  private void line() {
    if (pretty) {
      out.append('\n').repeat("  ", depth);
    }
  }

  private void string(String text) {
    out.append('"');
    int plain = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || isLone(text, i)) {
        out.append(text, plain, i);
        escape(c);
        plain = i + 1;
      }
    }
    out.append(text, plain, text.length()).append('"');
  }

  /** Half a letter, as bytes that are no UTF-8 are kept: it has no bytes of its own. */
  private static boolean isLone(String text, int at) {
    char c = text.charAt(at);
    if (!Character.isSurrogate(c)) {
      return false;
    }
    return Character.isHighSurrogate(c)
        ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
        : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
  }

  private void escape(char c) {
    out.append('\\');
    switch (c) {
      case '"', '\\' -> out.append(c);
      case '\n' -> out.append('n');
      case '\t' -> out.append('t');
      case '\r' -> out.append('r');
      default -> out.append("u").append(HexFormat.of().toHexDigits(c));
    }
  }
}
