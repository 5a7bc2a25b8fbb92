package gflow.script.value;

import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.JobRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a job waits for, as Slurm writes it: {@code afterok:1:2,afterany:3}, {@code ?} for any of,
 * {@code after:41+5} minutes after its start, {@code singleton}. A plain id means {@code afterok}.
 */
public final class DependencySyntax {
  private DependencySyntax() {}

  public static Dependencies parse(String text, boolean cancelIfNever) throws BadInput {
    boolean any = text.contains("?");
    if (any && text.contains(",")) {
      throw new BadInput("dependency '" + text + "' mixes , (all) and ? (any); use one of them");
    }
    var list = new ArrayList<Dependency>();
    for (String part : text.strip().split(any ? "\\?" : ",", -1)) {
      list.addAll(part(text, part.strip()));
    }
    return new Dependencies(any, list, cancelIfNever);
  }

  /** As it would be written. */
  public static String format(Dependencies dependencies) {
    return dependencies.list().stream()
        .map(DependencySyntax::format)
        .collect(Collectors.joining(dependencies.any() ? "?" : ","));
  }

  public static String format(Dependency d) {
    String kind = d.kind().name().toLowerCase(Locale.ROOT);
    String delay = d.delay().isZero() ? "" : "+" + d.delay().toMinutes();
    return d.parent().map(parent -> kind + ":" + parent + delay).orElse(kind);
  }

  private static List<Dependency> part(String text, String part) throws BadInput {
    String[] pieces = part.split(":", -1);
    String word = pieces[0].toLowerCase(Locale.ROOT);
    if (word.isEmpty()) {
      throw bad(text, "has an empty place");
    }
    if (!Character.isLetter(word.charAt(0))) {
      return jobs(text, Kind.AFTEROK, List.of(pieces));
    }
    Kind kind = kind(text, word);
    List<String> ids = List.of(pieces).subList(1, pieces.length);
    if (kind == Kind.SINGLETON) {
      if (!ids.isEmpty()) {
        throw bad(text, "names a job after singleton");
      }
      return List.of(new Dependency(kind, Optional.empty(), Duration.ZERO));
    }
    if (ids.isEmpty()) {
      throw bad(text, "names no job after " + word);
    }
    return jobs(text, kind, ids);
  }

  private static Kind kind(String text, String word) throws BadInput {
    return Stream.of(Kind.values())
        .filter(kind -> kind.name().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(() -> bad(text, "has an unknown kind '" + word + "'"));
  }

  private static List<Dependency> jobs(String text, Kind kind, List<String> ids) throws BadInput {
    var list = new ArrayList<Dependency>();
    for (String id : ids) {
      int plus = id.indexOf('+');
      if (plus >= 0 && kind != Kind.AFTER) {
        throw bad(text, "has a delay, which only after: takes");
      }
      // Slurm's 42_* is the whole array, which is what 42 means here.
      String job = (plus < 0 ? id : id.substring(0, plus)).replaceFirst("_\\*$", "");
      Duration delay = plus < 0 ? Duration.ZERO : delay(text, id.substring(plus + 1));
      list.add(new Dependency(kind, Optional.of(job(text, job)), delay));
    }
    return list;
  }

  private static JobRef job(String text, String word) throws BadInput {
    try {
      return JobRefs.one(word);
    } catch (BadInput e) {
      throw bad(text, "names no job with '" + word + "'");
    }
  }

  private static Duration delay(String text, String minutes) throws BadInput {
    if (!minutes.matches("\\d{1,7}")) {
      throw bad(text, "has a delay that is no number of minutes");
    }
    return Duration.ofMinutes(Long.parseLong(minutes));
  }

  private static BadInput bad(String text, String what) {
    return new BadInput(
        "dependency '"
            + text
            + "' "
            + what
            + "; write 42, afterok:42:43, afterany:42, afternotok:42, after:42+5 or singleton");
  }
}
