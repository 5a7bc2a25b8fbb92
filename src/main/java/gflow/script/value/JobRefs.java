package gflow.script.value;

import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.StepRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How users name jobs: {@code 42}, {@code 42_7}, {@code 42_[1-3,5]}, {@code 1,2,5-9}, and {@code @}
 * for the number of the last one.
 */
public final class JobRefs {
  private static final int MOST = 100_000;
  private static final String LAST = "@";
  private static final Pattern JOB = Pattern.compile("(\\d{1,18}|@)(?:_(\\d{1,9}))?");
  private static final Pattern STEP = Pattern.compile("([\\d@_]+)\\.(\\d{1,9})");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
  private static final Pattern TASKS = Pattern.compile("(\\d{1,18}|@)_\\[([^\\]]*)\\]");

  private JobRefs() {}

  /** One job or task. */
  public static JobRef one(String text) throws BadInput {
    String word = text.strip();
    Matcher matcher = JOB.matcher(word);
    if (!matcher.matches()) {
      throw bad(text);
    }
    if (matcher.group(2) != null) {
      return task(text, matcher.group(1), Integer.parseInt(matcher.group(2)));
    }
    return word.equals(LAST) ? new JobRef.Last() : new JobRef.ById(id(text, word));
  }

  private static JobRef task(String text, String array, int index) throws BadInput {
    return array.equals(LAST)
        ? new JobRef.LastTask(index)
        : new JobRef.ArrayTask(id(text, array), index);
  }

  /** Whether the word names a step: {@code 42.0}, {@code 42_7.1}. */
  public static boolean isStep(String word) {
    return STEP.matcher(word.strip()).matches();
  }

  public static StepRef step(String text) throws BadInput {
    Matcher matcher = STEP.matcher(text.strip());
    if (!matcher.matches()) {
      throw new BadInput("step '" + text + "' is not understood; write 42.0 or 42_7.0");
    }
    return new StepRef(one(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** A list; what is named twice comes once, at its first place. */
  public static List<JobRef> list(String text) throws BadInput {
    return all(List.of(text));
  }

  /** The words of a command line, each of which may be a list. */
  public static List<JobRef> all(List<String> words) throws BadInput {
    var refs = new LinkedHashSet<JobRef>();
    for (String word : words) {
      for (String part : split(word)) {
        refs.addAll(part(word, part.strip()));
        if (refs.size() > MOST) {
          throw tooMany(word);
        }
      }
    }
    return List.copyOf(refs);
  }

  private static List<JobRef> part(String text, String part) throws BadInput {
    Matcher range = RANGE.matcher(part);
    if (range.matches()) {
      return range(text, id(text, range.group(1)), id(text, range.group(2)));
    }
    Matcher tasks = TASKS.matcher(part);
    if (tasks.matches()) {
      // A row of waiting tasks is shown with its limit, and what is shown may be pasted.
      String indices = tasks.group(2).replaceFirst("%\\d+$", "");
      var refs = new ArrayList<JobRef>();
      for (int index : ArrayIndices.parse(indices).indices().stream().limit(MOST + 1L).toArray()) {
        refs.add(task(text, tasks.group(1), index));
      }
      return refs;
    }
    return List.of(one(part));
  }

  private static List<JobRef> range(String text, JobId first, JobId last) throws BadInput {
    if (last.value() < first.value()) {
      throw new BadInput("job ids '" + text + "' go down from " + first + " to " + last);
    }
    if (last.value() - first.value() >= MOST) {
      throw tooMany(text);
    }
    var refs = new ArrayList<JobRef>();
    for (long id = first.value(); id <= last.value(); id++) {
      refs.add(new JobRef.ById(new JobId(id)));
    }
    return refs;
  }

  /** At commas that are not inside brackets. */
  private static List<String> split(String text) {
    return List.of(text.strip().split(",(?![^\\[]*\\])", -1));
  }

  private static JobId id(String text, String digits) throws BadInput {
    long value = Long.parseLong(digits);
    if (value == 0) {
      throw new BadInput("job id '" + text + "': ids start at 1");
    }
    return new JobId(value);
  }

  private static BadInput tooMany(String text) {
    return new BadInput("job ids '" + text + "' are more than " + MOST + "; name fewer at a time");
  }

  private static BadInput bad(String text) {
    return new BadInput("job id '" + text + "' is not understood; write 42, 42_7 or @");
  }
}
