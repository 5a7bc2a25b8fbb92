package gflow.script.value;

import gflow.job.Ranges;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The indices of an array: {@code 0-31:4%8}, {@code 1,5,9-12}. */
public final class ArrayIndices {
  public static final int MOST_TASKS = 1_000_000;
  private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");

  /** The indices, and how many may run at a time (0 = all). */
  public record Spec(Ranges indices, int limit) {}

  private ArrayIndices() {}

  public static Spec parse(String text) throws BadInput {
    String word = text.strip();
    int percent = word.indexOf('%');
    int limit = percent < 0 ? 0 : limit(text, word.substring(percent + 1));
    var parts = new ArrayList<Ranges.Range>();
    long count = 0;
    for (String part : (percent < 0 ? word : word.substring(0, percent)).split(",", -1)) {
      Matcher matcher = PART.matcher(part.strip());
      if (!matcher.matches()) {
        throw bad(text, "is not understood");
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
      if (last < first) {
        throw bad(text, "goes down from " + first + " to " + last);
      }
      if (step == 0) {
        throw bad(text, "has a step of 0");
      }
      count += ((long) last - first) / step + 1;
      if (count > MOST_TASKS) {
        throw new BadInput("array '" + text + "' has more than " + MOST_TASKS + " tasks; split it");
      }
      stepped(first, last, step, parts);
    }
    return new Spec(Ranges.merged(parts), limit);
  }

  private static int limit(String text, String word) throws BadInput {
    if (!word.matches("[1-9]\\d{0,8}")) {
      throw bad(text, "has a bad limit after %");
    }
    return Integer.parseInt(word);
  }

  private static void stepped(int first, int last, int step, List<Ranges.Range> parts) {
    if (step == 1) {
      parts.add(new Ranges.Range(first, last));
      return;
    }
    for (long n = first; n <= last; n += step) {
      parts.add(new Ranges.Range((int) n, (int) n));
    }
  }

  private static BadInput bad(String text, String what) {
    return new BadInput("array '" + text + "' " + what + "; write 0-31, 1,5,7, 0-30:2 or 0-99%4");
  }
}
