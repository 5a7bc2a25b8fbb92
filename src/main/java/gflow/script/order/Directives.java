package gflow.script.order;

import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.DisplayNames;
import gflow.script.value.ShellWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options inside a script: {@code #SBATCH …}, {@code #GFLOW …}, {@code # GFLOW …} before the
 * first line that is neither comment nor blank. Later ones win over earlier ones, and the command
 * line wins over all.
 */
public final class Directives {
  private static final Pattern DIRECTIVE = Pattern.compile("#(?:SBATCH| ?GFLOW)(?:\\s+(.*))?");

  private static final Pattern SLURMS = Pattern.compile("#SBATCH(?:\\s.*)?");
  private static final Pattern LATE = Pattern.compile("#(?:SBATCH| ?GFLOW)\\s+-.*");
  private static final Pattern HERE_DOCUMENT = Pattern.compile("<<-?\\s*[\"'\\\\]?(\\w+)");

  /**
   * Options that answer the same question: who answers it on the command line answers all of it.
   */
  private static final List<List<String>> QUESTIONS =
      List.of(
          List.of("gpus", "gres", "gpus-per-node", "gpus-per-socket", "gpu-memory", "shared"),
          List.of("mem", "mem-per-cpu", "mem-per-gpu"),
          List.of("cpus-per-task", "cpus-per-gpu"),
          List.of("array", "param", "param-file"),
          List.of("depends-on", "dependency"),
          List.of("requeue", "no-requeue"),
          List.of("conda-env", "conda-prefix"));

  /** A line of directives with its number and words. */
  record Line(int number, List<String> words) {}

  private Directives() {}

  /** The options that a script's text gives. */
  public static Given read(String scriptName, String text) throws BadInput {
    var all = new Given.Collector();
    for (Line line : lines(scriptName, text)) {
      try {
        collect(line, all);
      } catch (BadInput bad) {
        throw inLine(scriptName, line.number(), bad);
      }
    }
    return all.given(scriptName);
  }

  /** What a body says, under what the command line said. */
  public static Given merge(SortedMap<String, List<String>> commandLine, Order.Body body)
      throws BadInput {
    Given above = BatchOptions.GRAMMAR.check(commandLine);
    return body instanceof Order.Body.Script script
        ? merge(
            above,
            read(
                DisplayNames.base(script.name()),
                new String(script.text(), StandardCharsets.UTF_8)))
        : above;
  }

  static Given merge(Given above, Given below) {
    var merged = new TreeMap<>(below.byName());
    for (List<String> question : QUESTIONS) {
      if (question.stream().anyMatch(name -> above.byName().containsKey(name))) {
        merged.keySet().removeAll(question);
      }
    }
    merged.putAll(above.byName());
    var lines = new TreeMap<>(below.lines().byName());
    lines.keySet().removeAll(above.byName().keySet());
    lines.keySet().retainAll(merged.keySet());
    return new Given(merged, above.words(), new Given.Lines(below.lines().script(), lines));
  }

  private static void collect(Line line, Given.Collector all) throws BadInput {
    Given given = BatchOptions.GRAMMAR.read(line.words());
    if (!given.words().isEmpty()) {
      throw new BadInput("'" + given.words().getFirst() + "' is no option; write --name=value");
    }
    for (Opt option : BatchOptions.GRAMMAR.options()) {
      List<String> values = given.values(option.name());
      if (!values.isEmpty()
          && BatchOptions.ofTheCall(option.name())
          && !BatchOptions.CALL_IN_SCRIPT.contains(option.name())) {
        throw new BadInput("--" + option.name() + " belongs on the command line, not in a script");
      }
      all.addAll(option, values, line.number());
    }
  }

  static List<Line> lines(String scriptName, String text) throws BadInput {
    var found = new ArrayList<Line>();
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
        break;
      }
      Matcher matcher = DIRECTIVE.matcher(line);
      if (matcher.matches() && matcher.group(1) != null) {
        try {
          found.add(new Line(number, ShellWords.split(matcher.group(1))));
        } catch (BadInput bad) {
          throw inLine(scriptName, number, bad);
        }
      }
    }
    return found;
  }

  /** Whether a script has a line for Slurm where Slurm looks for it. */
  static boolean speakSlurm(String text) {
    return text.lines()
        .takeWhile(line -> line.isBlank() || line.stripLeading().startsWith("#"))
        .anyMatch(line -> SLURMS.matcher(line).matches());
  }

  /**
   * The lines that look like directives and come too late to be read: users lose hours there. Text
   * that the script writes somewhere else ({@code cat <<EOF}) is not looked at.
   */
  public static List<Integer> late(String text) {
    var late = new ArrayList<Integer>();
    boolean command = false;
    String end = "";
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      if (!end.isEmpty()) {
        end = line.strip().equals(end) ? "" : end;
        continue;
      }
      Matcher here = HERE_DOCUMENT.matcher(line);
      if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
        command = true;
        end = here.find() ? here.group(1) : "";
      } else if (command && LATE.matcher(line).matches()) {
        late.add(number);
      }
    }
    return late;
  }

  private static BadInput inLine(String scriptName, int number, BadInput bad) {
    return new BadInput(scriptName + " line " + number + ": " + bad.line());
  }
}
