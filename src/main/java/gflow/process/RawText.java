package gflow.process;

import java.nio.charset.StandardCharsets;

/**
 * Names of files are bytes, and not always UTF-8. As a string, a byte that is none becomes the lone
 * surrogate U+DC80 to U+DCFF, as in Python: nothing is lost, and JSON can carry it.
 */
public final class RawText {
  private static final char FIRST = 0xDC80;
  private static final char LAST = 0xDCFF;

  private RawText() {}

  public static String of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  public static String of(byte[] bytes, int from, int to) {
    var text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return text.indexOf('\uFFFD') < 0 ? text : slowly(bytes, from, to);
  }

  private static String slowly(byte[] bytes, int from, int to) {
    var text = new StringBuilder(to - from);
    for (int at = from; at < to; ) {
      int length = length(bytes, at, to);
      if (length == 0) {
        text.append((char) (FIRST + (bytes[at] & 0x7F)));
        at++;
      } else {
        text.append(new String(bytes, at, length, StandardCharsets.UTF_8));
        at += length;
      }
    }
    return text.toString();
  }

  /** Of the letter that starts here; 0 if none does. */
  private static int length(byte[] bytes, int at, int to) {
    for (int length = 1; length <= 4 && at + length <= to; length++) {
      String letter = new String(bytes, at, length, StandardCharsets.UTF_8);
      boolean really = bytes[at] == (byte) 0xEF && length == 3;
      if (letter.codePointCount(0, letter.length()) == 1
          && (letter.charAt(0) != '\uFFFD' || (really && isReplacement(bytes, at)))) {
        return length;
      }
    }
    return 0;
  }

  private static boolean isReplacement(byte[] bytes, int at) {
    return bytes[at + 1] == (byte) 0xBF && bytes[at + 2] == (byte) 0xBD;
  }

  /** Whether it has bytes; halves of letters from elsewhere have none. */
  public static boolean isWhole(String text) {
    return text.chars().noneMatch(c -> Character.isSurrogate((char) c))
        || of(bytes(text)).equals(text);
  }

  public static byte[] bytes(String text) {
    return isPlain(text) ? text.getBytes(StandardCharsets.UTF_8) : slowly(text);
  }

  /** A loop: every word of every start comes by. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= FIRST && text.charAt(i) <= LAST) {
        return false;
      }
    }
    return true;
  }

  private static byte[] slowly(String text) {
    var bytes = new java.io.ByteArrayOutputStream(text.length() + 8);
    for (int at = 0; at < text.length(); ) {
      int letter = text.codePointAt(at);
      if (letter >= FIRST && letter <= LAST) {
        bytes.write(letter - FIRST + 0x80);
      } else {
        bytes.writeBytes(Character.toString(letter).getBytes(StandardCharsets.UTF_8));
      }
      at += Character.charCount(letter);
    }
    return bytes.toByteArray();
  }
}
