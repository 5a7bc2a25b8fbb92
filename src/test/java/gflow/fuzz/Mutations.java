package gflow.fuzz;

import gflow.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Wrong numbers, wrong texts, and texts with something wrong in them; all from one seed. */
final class Mutations {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "1",
          "7",
          "65535",
          "65536",
          "99999",
          "2147483647",
          "2147483648",
          "-2147483648",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "99999999999999999999999",
          "1e308",
          "1e999",
          "0.5",
          "1.0000000001",
          "-0",
          "0x10",
          "1_000",
          "٣",
          "",
          " 5 ",
          "+5",
          "1-",
          "1-2147483647",
          "5-1");

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "@",
          "@_3",
          "1_[0-3]",
          "1,2,5-9",
          "1-100000",
          "1-200001",
          "0-999999%3",
          "0-999999:2",
          "afterok:1:2:3",
          "after:1+9999999",
          "singleton",
          "1?2",
          "now+9999999weeks",
          "+999999999-01-01T00:00:00Z",
          "-999999999-12-31T23:59:59+18:00",
          "0000-01-01T00:00:00Z",
          "9999-12-31T23:59:59Z",
          "2030-02-30T00:00:00Z",
          "tomorrow",
          "25:61",
          "3650-0",
          "9999999-0",
          "unlimited",
          "1024T",
          "999999999999T",
          "0",
          "gpu:65536",
          "gpu:a100:-1",
          "0.333",
          ".001",
          "1-8",
          "8-1",
          "map_gpu:-1",
          "mask_gpu:0xffffffffffffffff",
          "single:0",
          "B:USR1@65536",
          "SIGKILL",
          "64",
          "65",
          "../../../etc/passwd",
          "/dev/zero",
          "%j-%a-%%-%9999999j",
          "{x}",
          "{{{",
          "x=1..1000000",
          "x=1,2,3",
          "a\u0000b",
          "\uD800",
          "\uDC80",
          "\uFFFF",
          "é",
          "🦊",
          "line\nline",
          "tab\there",
          "'\"`$(reboot)",
          "-",
          "--",
          "---",
          "--=",
          "-=",
          "=",
          "\\",
          "x".repeat(300),
          "9".repeat(70),
          "[".repeat(120),
          "1,".repeat(500),
          "null",
          "true",
          "{}",
          "[]");

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
  private static final Pattern QUOTED = Pattern.compile("\"[^\"\\\\]*\"");

  private final Random random;

  Mutations(Random random) {
    this.random = random;
  }

  <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  boolean chance(int of) {
    return random.nextInt(of) == 0;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  String number() {
    return any(NUMBERS);
  }

  String text() {
    return chance(3) ? number() : any(TEXTS);
  }

  /** None to three things are changed. */
  String changed(String text) {
    String now = text;
    for (int i = random.nextInt(4); i > 0; i--) {
      now = once(now);
    }
    return now;
  }

  private String once(String text) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> replaced(text, NUMBER, number());
      case 2, 3 -> replaced(text, QUOTED, "\"" + escaped(text()) + "\"");
      case 4 -> replaced(text, QUOTED, chance(2) ? number() : any(List.of("null", "[]", "{}")));
      case 5 -> without(text);
      case 6 -> with(text, text());
      default -> with(text, piece(text));
    };
  }

  private static String escaped(String text) {
    String quoted = Json.text(text);
    return quoted.substring(1, quoted.length() - 1);
  }

  /** One of those that match. */
  private String replaced(String text, Pattern pattern, String by) {
    var found = new ArrayList<int[]>();
    for (Matcher m = pattern.matcher(text); m.find(); ) {
      found.add(new int[] {m.start(), m.end()});
    }
    if (found.isEmpty()) {
      return with(text, by);
    }
    int[] at = any(found);
    return text.substring(0, at[0]) + by + text.substring(at[1]);
  }

  private String without(String text) {
    if (text.isEmpty()) {
      return text;
    }
    int from = random.nextInt(text.length());
    int to = Math.min(text.length(), from + 1 + random.nextInt(6));
    return text.substring(0, from) + text.substring(to);
  }

  private String with(String text, String more) {
    int at = random.nextInt(text.length() + 1);
    return text.substring(0, at) + more + text.substring(at);
  }

  private String piece(String text) {
    if (text.isEmpty()) {
      return "x";
    }
    int from = random.nextInt(text.length());
    return text.substring(from, Math.min(text.length(), from + 1 + random.nextInt(20)));
  }
}
