package gflow.script.order;

import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.ShellWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options inside a script: {@code #SBATCH …}, {@code #GFLOW …}, {@code # GFLOW …} before the
 * first line that is neither comment nor blank. Later ones win over earlier ones, and the command
 * line wins over all. A script is read once, however many want to know what stands in it.
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
          List.of("fence", "no-fence"),
          List.of("mps", "no-mps"),
          List.of("conda-env", "conda-prefix"));

  private final String scriptName;
  private final byte[] text;
  private final List<Unknown> unknown = new ArrayList<>();
  private @Nullable Given given;

  /** An option of a line for Slurm that only one site may know. */
  private record Unknown(int line, String word) {}

  Directives(String scriptName, byte[] text) {
    this.scriptName = scriptName;
    this.text = text;
  }

  /** The options that the script gives; read by who asks first. */
  Given given() throws BadInput {
    if (given == null) {
      given = read();
    }
    return given;
  }

  private Given read() throws BadInput {
    var all = new Given.Collector();
    int number = 0;
    for (String line : head()) {
      number++;
      Matcher matcher = DIRECTIVE.matcher(line);
      if (matcher.matches() && matcher.group(1) != null) {
        try {
          List<String> words = ShellWords.split(matcher.group(1));
          collect(SLURMS.matcher(line).matches() ? known(words, number) : words, number, all);
        } catch (BadInput bad) {
          throw new BadInput(scriptName + " line " + number + ": " + bad.line());
        }
      }
    }
    return all.given(scriptName);
  }

  private List<String> known(List<String> words, int line) {
    var known = new ArrayList<String>();
    boolean skips = false;
    for (String word : words) {
      String name = word.replaceFirst("^--", "").replaceFirst("=.*", "");
      if (word.startsWith("--") && !name.isEmpty() && !BatchOptions.GRAMMAR.knows(name)) {
        unknown.add(new Unknown(line, word));
        skips = true;
      } else if (!skips || word.startsWith("-")) {
        // Other words behind it are its value.
        known.add(word);
        skips = false;
      }
    }
    return known;
  }

  /** Refuses what is no option here, unless it is one of those that the site has no use for. */
  void check(Site site) throws BadInput {
    given();
    for (Unknown one : unknown) {
      if (!site.ignores(one.word())) {
        try {
          var _ = BatchOptions.GRAMMAR.read(List.of(one.word()));
        } catch (BadInput bad) {
          throw new BadInput(scriptName + " line " + one.line() + ": " + bad.line());
        }
      }
    }
  }

  /** What stands before the first command. */
  private List<String> head() {
    return lines().takeWhile(line -> !isCommand(line)).toList();
  }

  private Stream<String> lines() {
    return new String(text, StandardCharsets.UTF_8).lines();
  }

  private static boolean isCommand(String line) {
    return !line.isBlank() && !line.stripLeading().startsWith("#");
  }

  /** What a body says, under what the command line said. */
  public static Given merge(SortedMap<String, List<String>> commandLine, Order.Body body)
      throws BadInput {
    Given above = BatchOptions.GRAMMAR.check(commandLine);
    return switch (body) {
      case Order.Body.Script script -> merge(above, script.directives().given());
      case Order.Body.Group group -> group.options().under(above);
      case Order.Body.Command _, Order.Body.Wrap _ -> above;
    };
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

  static void collect(List<String> words, int line, Given.Collector all) throws BadInput {
    Given said = BatchOptions.GRAMMAR.read(words);
    if (!said.words().isEmpty()) {
      throw new BadInput("'" + said.words().getFirst() + "' is no option; write --name=value");
    }
    for (Opt option : BatchOptions.GRAMMAR.options()) {
      List<String> values = said.values(option.name());
      if (!values.isEmpty()
          && BatchOptions.ofTheCall(option.name())
          && !BatchOptions.CALL_IN_SCRIPT.contains(option.name())) {
        throw new BadInput("--" + option.name() + " belongs on the command line, not in a script");
      }
      if (option.name().equals(BatchOptions.SPREAD) && !values.isEmpty()) {
        // Who writes it into a script means the programs that the script runs.
        all.addAll(BatchOptions.some(List.of("gpu-bind")).getFirst(), List.of("spread"), line);
      } else {
        all.addAll(option, values, line);
      }
    }
  }

  /** Whether a script has a line for Slurm where Slurm looks for it. */
  boolean speakSlurm() {
    return head().stream().anyMatch(line -> SLURMS.matcher(line).matches());
  }

  /**
   * The lines that look like directives and come too late to be read: users lose hours there. Text
   * that the script writes somewhere else ({@code cat <<EOF}) is not looked at.
   */
  public List<Integer> late() {
    var late = new ArrayList<Integer>();
    boolean command = false;
    String end = "";
    int number = 0;
    for (String line : (Iterable<String>) lines()::iterator) {
      number++;
      if (!end.isEmpty()) {
        end = line.strip().equals(end) ? "" : end;
        continue;
      }
      Matcher here = HERE_DOCUMENT.matcher(line);
      if (isCommand(line)) {
        command = true;
        end = here.find() ? here.group(1) : "";
      } else if (command && LATE.matcher(line).matches()) {
        late.add(number);
      }
    }
    return late;
  }
}
