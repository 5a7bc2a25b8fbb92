package gflow.script.order;

import gflow.job.RetryOn;
import gflow.script.value.BadInput;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code --retry-on fail,oom}: after which ends there is another try. */
public final class RetrySyntax {
  private static final String ALL =
      Stream.of(RetryOn.values()).map(RetryOn::word).collect(Collectors.joining(","));

  public static final String WORDS = ALL + "," + RetryOn.ANY;

  private RetrySyntax() {}

  /** Each once, in the order of their names. */
  public static List<RetryOn> words(String text) throws BadInput {
    var words = EnumSet.noneOf(RetryOn.class);
    for (String word : text.split(",", -1)) {
      words.addAll(word.equals(RetryOn.ANY) ? EnumSet.allOf(RetryOn.class) : List.of(one(word)));
    }
    return List.copyOf(words);
  }

  private static RetryOn one(String word) throws BadInput {
    return RetryOn.of(word)
        .orElseThrow(() -> new BadInput("retry-on '" + word + "' is none of " + WORDS));
  }
}
