package gflow.script.value;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The patterns in names of output files: {@code %j}, {@code %A_%a}, {@code %5j}, {@code %x}. */
public final class FilePatterns {
  private static final Pattern FIELD = Pattern.compile("%(\\d{0,2})([a-zA-Z%])");

  /** What Slurm puts for the index where there is no array. */
  private static final String NO_INDEX = "4294967294";

  /** {@code jobId} is the task's own number, {@code arrayId} that of the whole. */
  public record Values(
      long jobId,
      long arrayId,
      OptionalInt index,
      String name,
      String user,
      String host,
      Optional<StepTask> step) {
    /** Of a script, which is no step with a number. */
    public Values(
        long jobId, long arrayId, OptionalInt index, String name, String user, String host) {
      this(jobId, arrayId, index, name, user, host, Optional.empty());
    }
  }

  /** The numbers of a step, and of one of its tasks. */
  public record StepTask(int step, int task) {}

  private FilePatterns() {}

  public static String expand(String pattern, Values values) {
    if (pattern.indexOf('%') < 0) {
      return pattern;
    }
    Matcher matcher = FIELD.matcher(pattern);
    var text = new StringBuilder();
    while (matcher.find()) {
      String value =
          value(matcher.group(2).charAt(0), values)
              .map(v -> padded(v, matcher.group(1)))
              .orElse(matcher.group());
      matcher.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(text).toString();
  }

  /** Empty for letters that are no field; they are kept. */
  private static Optional<String> value(char letter, Values v) {
    return switch (letter) {
      case '%' -> Optional.of("%");
      case 'j' -> Optional.of(Long.toString(v.jobId()));
      case 'J' -> Optional.of(v.jobId() + v.step().map(s -> "." + s.step()).orElse(""));
      case 'A' -> Optional.of(Long.toString(v.arrayId()));
      case 'a' ->
          Optional.of(v.index().isPresent() ? Integer.toString(v.index().getAsInt()) : NO_INDEX);
      // A slash in a name must not lead into another folder.
      case 'x' -> Optional.of(v.name().replace('/', '_'));
      case 'u' -> Optional.of(v.user());
      case 'N' -> Optional.of(v.host());
      case 'n' -> Optional.of("0");
      case 't' -> Optional.of(v.step().map(s -> Integer.toString(s.task())).orElse("0"));
      case 's' -> Optional.of(v.step().map(s -> Integer.toString(s.step())).orElse("batch"));
      default -> Optional.empty();
    };
  }

  private static String padded(String value, String width) {
    boolean number = value.chars().allMatch(Character::isDigit);
    if (width.isEmpty() || !number) {
      return value;
    }
    // Slurm stops at 10 places too.
    int missing = Math.min(10, Integer.parseInt(width)) - value.length();
    return "0".repeat(Math.max(0, missing)) + value;
  }
}
