package gflow.script;

import gflow.job.Program;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces {@code {lr}} where lr is defined, and leaves all other braces alone. */
public final class Templates {
  private static final Pattern FIELD = Pattern.compile("\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

  private Templates() {}

  public static String apply(String text, SequencedMap<String, String> parameters) {
    if (parameters.isEmpty() || text.indexOf('{') < 0) {
      return text;
    }
    return FIELD
        .matcher(text)
        .replaceAll(
            field ->
                Matcher.quoteReplacement(parameters.getOrDefault(field.group(1), field.group())));
  }

  /** The text of a script is left as it is: its braces belong to its own language. */
  public static Program apply(Program program, SequencedMap<String, String> parameters) {
    return switch (program) {
      case Program.Argv(var words) -> new Program.Argv(apply(words, parameters));
      case Program.Script(var text, var arguments) ->
          new Program.Script(text, apply(arguments, parameters));
      case Program.ShellLine(var line) -> new Program.ShellLine(apply(line, parameters));
    };
  }

  private static List<String> apply(List<String> words, SequencedMap<String, String> parameters) {
    return words.stream().map(word -> apply(word, parameters)).toList();
  }
}
