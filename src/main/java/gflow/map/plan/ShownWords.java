package gflow.map.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.process.RawText;
import gflow.script.value.ShellWords;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** A command as a person would type it. */
public final class ShownWords {
  private ShownWords() {}

  public static String of(List<String> words) {
    return words.stream().map(ShownWords::quoted).collect(Collectors.joining(" "));
  }

  /** What a terminal cannot show is written as bash reads it. */
  private static String quoted(String word) {
    byte[] bytes = RawText.bytes(word);
    boolean plain =
        new String(bytes, UTF_8).equals(word) && word.chars().noneMatch(Character::isISOControl);
    if (plain) {
      return ShellWords.quote(word);
    }
    var text = new StringBuilder("$'");
    for (byte one : bytes) {
      boolean shown = one >= ' ' && one < 0x7f && one != '\'' && one != '\\';
      text.append(shown ? String.valueOf((char) one) : "\\x" + HexFormat.of().toHexDigits(one));
    }
    return text.append('\'').toString();
  }
}
