package gflow.script.value;

import gflow.job.Ranges;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Whole numbers and lists of them, as options take them. */
public final class WholeNumbers {
  private static final Pattern DIGITS = Pattern.compile("\\d{1,10}");

  private WholeNumbers() {}

  /** A number between the bounds; {@code what} starts the line if it is none. */
  public static int between(String what, String text, int least, int most) throws BadInput {
    String word = text.strip();
    if (!DIGITS.matcher(word).matches()
        || Long.parseLong(word) < least
        || Long.parseLong(word) > most) {
      String bound = most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most;
      throw new BadInput(what + " '" + text + "' is not a whole number; write " + bound);
    }
    return Integer.parseInt(word);
  }

  /** {@code 0,2}, {@code 0-3}, {@code 0-1,3}. */
  public static Ranges list(String what, String text, int most) throws BadInput {
    var numbers = new TreeSet<Integer>();
    for (String part : text.strip().split(",", -1)) {
      int dash = part.indexOf('-');
      int first = entry(what, text, dash < 0 ? part : part.substring(0, dash), most);
      int last = dash < 0 ? first : entry(what, text, part.substring(dash + 1), most);
      if (last < first) {
        throw new BadInput(what + " '" + text + "' goes down from " + first + " to " + last);
      }
      for (int n = first; n <= last; n++) {
        numbers.add(n);
      }
    }
    return Ranges.ofAll(numbers);
  }

  private static int entry(String what, String text, String part, int most) throws BadInput {
    String word = part.strip();
    if (!DIGITS.matcher(word).matches() || Long.parseLong(word) > most) {
      throw new BadInput(
          what + " '" + text + "' is no list of numbers up to " + most + "; write 0,2 or 0-3");
    }
    return Integer.parseInt(word);
  }
}
