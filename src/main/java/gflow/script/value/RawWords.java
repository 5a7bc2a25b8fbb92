package gflow.script.value;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.script.env.Environment;

/**
 * Words are bytes, and not always UTF-8. A byte that is none comes as the lone surrogate U+DC80 to
 * U+DCFF; programs get it back as it was. In a name, a path or an option it is refused: there it
 * would be changed in silence.
 */
public final class RawWords {
  private static final int FIRST = 0xDC80;
  private static final int LAST = 0xDCFF;

  private RawWords() {}

  /** The same word, if it is text. */
  public static String text(String what, String word) throws BadInput {
    if (word.codePoints().anyMatch(RawWords::isLone)) {
      throw new BadInput(
          what + " has bytes in it that are no UTF-8; only the arguments of a program may have");
    }
    return word;
  }

  /** The same word, if it is text or bytes: other halves of letters come from no kernel. */
  public static String bytes(String what, String word) throws BadInput {
    if (word.codePoints().anyMatch(c -> isLone(c) && !isByte(c))) {
      throw new BadInput(what + " has half a letter in it; no program can get that");
    }
    return word;
  }

  private static boolean isLone(int letter) {
    return letter >= Character.MIN_SURROGATE && letter <= Character.MAX_SURROGATE;
  }

  private static boolean isByte(int letter) {
    return letter >= FIRST && letter <= LAST;
  }

  /** In the form of {@link Environment}: each byte is one char. */
  public static String latin(String word) {
    var bytes = new StringBuilder();
    word.codePoints()
        .forEach(
            c ->
                bytes.append(
                    isByte(c)
                        ? Character.toString(c - FIRST + 0x80)
                        : new String(Character.toString(c).getBytes(UTF_8), ISO_8859_1)));
    return bytes.toString();
  }
}
