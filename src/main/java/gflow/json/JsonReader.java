package gflow.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value, strictly: nothing after it, no double names, at most {@value #DEPTH} levels
 * deep (a stack overflow must not be sendable). Our own, because the small libraries refuse texts
 * over 32 kB, which a script or an environment may well have, and lose digits of long numbers.
 */
final class JsonReader {
  static final int DEPTH = 100;

  /** What values take in memory beside their letters, and what each adds to the list it is in. */
  private static final int LIST = 80;

  private static final int OBJECT = 136;
  private static final int FIELD = 48;
  private static final int TEXT = 48;
  private static final int OTHER = 32;

  private final String text;
  private final boolean exact;
  private final Json.Weight weight;
  private int at;
  private int depth;

  /** {@code exact}: numbers keep all their digits, as BigDecimal. */
  JsonReader(String text, boolean exact, Json.Weight weight) {
    this.text = text;
    this.exact = exact;
    this.weight = weight;
  }

  @Nullable Object read() throws BadJson {
    Object value = value();
    space();
    if (at < text.length()) {
      throw bad("expected nothing more");
    }
    return value;
  }

  private @Nullable Object value() throws BadJson {
    space();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> list();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw bad("expected a value");
    };
  }

  private Map<String, @Nullable Object> object() throws BadJson {
    weight.add(OBJECT);
    var fields = new LinkedHashMap<String, @Nullable Object>();
    enter();
    if (!skip('}')) {
      do {
        space();
        int start = at;
        String name = string();
        space();
        expect(':');
        if (fields.containsKey(name)) {
          at = start;
          throw bad("the name is there twice");
        }
        weight.add(FIELD);
        fields.put(name, value());
      } while (skip(','));
      expect('}');
    }
    depth--;
    return fields;
  }

  private List<@Nullable Object> list() throws BadJson {
    weight.add(LIST);
    var values = new ArrayList<@Nullable Object>();
    enter();
    if (!skip(']')) {
      do {
        values.add(value());
      } while (skip(','));
      expect(']');
    }
    depth--;
    return values;
  }

  private void enter() throws BadJson {
    if (++depth > DEPTH) {
      throw bad("more than " + DEPTH + " levels deep");
    }
    at++;
  }

  private String string() throws BadJson {
    expect('"');
    int start = at;
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') {
      plain(text.charAt(at));
    }
    if (peek() == '"') {
      weight.add(TEXT + (long) at - start);
      return text.substring(start, at++);
    }
    return escaped(new StringBuilder().append(text, start, at));
  }

  /** The rest of a text, from its first backslash. */
  private String escaped(StringBuilder value) throws BadJson {
    while (!skipHere('"')) {
      if (at == text.length()) {
        throw bad("the text does not end");
      }
      char c = text.charAt(at);
      plain(c);
      value.append(c == '\\' ? escape() : c);
    }
    weight.add(TEXT + 2L * value.length());
    return value.toString();
  }

  private void plain(char c) throws BadJson {
    if (c < ' ') {
      throw bad("a control character must be escaped");
    }
    at++;
  }

  private char escape() throws BadJson {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> hex();
      default -> {
        at--;
        throw bad("there is no such escape");
      }
    };
  }

  private char hex() throws BadJson {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(peek(), 16);
      if (digit < 0) {
        throw bad("expected four hex digits");
      }
      code = code << 4 | digit;
      at++;
    }
    return (char) code;
  }

  private Object number() throws BadJson {
    int start = at;
    skipHere('-');
    if (!skipHere('0')) {
      digits();
    }
    boolean whole = true;
    if (skipHere('.')) {
      digits();
      whole = false;
    }
    if (skipHere('e') || skipHere('E')) {
      if (!skipHere('-')) {
        skipHere('+');
      }
      digits();
      whole = false;
    }
    weight.add(OTHER);
    return number(text.substring(start, at), whole);
  }

  private Object number(String number, boolean whole) throws BadJson {
    try {
      if (exact) {
        return new BigDecimal(number);
      }
      if (whole) {
        return Long.valueOf(number);
      }
    } catch (NumberFormatException e) {
      // Over 64 bits: as near as a double comes. What is exact has a bound too.
    }
    double value = Double.parseDouble(number);
    if (exact || Double.isInfinite(value)) {
      throw bad("the number is too large");
    }
    return value;
  }

  private void digits() throws BadJson {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == start) {
      throw bad("expected a digit");
    }
  }

  private @Nullable Object word(String word, @Nullable Object value) throws BadJson {
    if (!text.startsWith(word, at)) {
      throw bad("expected " + word);
    }
    weight.add(OTHER / 4);
    at += word.length();
    return value;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean skip(char c) {
    space();
    return skipHere(c);
  }

  private boolean skipHere(char c) {
    boolean there = peek() == c;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char c) throws BadJson {
    if (!skipHere(c)) {
      throw bad("expected " + c);
    }
  }

  /** The next character; NUL, which fits nowhere, at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private BadJson bad(String what) {
    return new BadJson("this is no JSON: " + what + place());
  }

  private String place() {
    if (at >= text.length()) {
      return text.isBlank() ? ", was empty" : " at the end";
    }
    String before = text.substring(0, at);
    long line = 1 + before.chars().filter(c -> c == '\n').count();
    int column = at - before.lastIndexOf('\n');
    String rest = text.substring(at, Math.min(at + 20, text.length()));
    int end = rest.indexOf('\n');
    return " at " + line + ":" + column + ", was " + (end < 0 ? rest : rest.substring(0, end));
  }
}
