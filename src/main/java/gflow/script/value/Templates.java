package gflow.script.value;

import gflow.job.JobSpec;
import gflow.job.JobSpec.Scene;
import gflow.job.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
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

  /** What one task of a sweep is: all that was written with its parameters, with their values. */
  public static JobSpec task(JobSpec spec, int offset) {
    SequencedMap<String, String> parameters = parameters(spec.tasks(), offset);
    if (parameters.isEmpty()) {
      return spec;
    }
    var labels = new TreeMap<>(spec.labels());
    labels.computeIfPresent(JobSpec.COMMENT, (_, text) -> apply(text, parameters));
    return spec.running(apply(spec.name(), parameters), apply(spec.program(), parameters))
        .withScene(scene(spec.scene(), parameters))
        .withLabels(labels);
  }

  /** By the names of the factors; empty without a sweep. */
  public static SequencedMap<String, String> parameters(JobSpec.Tasks tasks, int offset) {
    return tasks.sweep().parameters(tasks.index(offset));
  }

  private static Scene scene(Scene scene, SequencedMap<String, String> parameters) {
    // A slash in a value must not lead into another folder.
    var plain = new LinkedHashMap<String, String>();
    parameters.forEach((name, value) -> plain.put(name, value.replace('/', '_')));
    JobSpec.Output files = scene.output();
    return scene.withOutput(
        new JobSpec.Output(
            files.out().map(pattern -> apply(pattern, plain)),
            files.err().map(pattern -> apply(pattern, plain)),
            files.in().map(pattern -> apply(pattern, plain)),
            files.append()));
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
