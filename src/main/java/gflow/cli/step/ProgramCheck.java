package gflow.cli.step;

import gflow.cli.frame.Call;
import gflow.cli.frame.ReadOrder;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.order.BatchOptions;
import gflow.script.order.Order.Body;
import gflow.script.step.StepOptions;
import gflow.script.value.NearestWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A program that there is not is said before the job waits for hours; it may be made meanwhile
 * where the job waits for others, and then it is only a warning.
 */
public final class ProgramCheck {
  /** With one of these another program may be found by that name, or none is meant. */
  private static final List<String> ELSEWHERE =
      List.of("conda-env", "export", "param", "param-file");

  private static final List<String> LATER = List.of("dependency", "depends-on", "begin", "hold");

  private static final Pattern TEMPLATE = Pattern.compile("\\{(?:task|gpu|ntasks|job|port)}");
  private static final List<String> OTHERS = List.of("gmap", "parallel");

  private ProgramCheck() {}

  public static void check(Call call, ReadOrder read) throws Refused {
    Given given = read.all();
    switch (read.order().body()) {
      case Body.Wrap _, Body.Group _ -> {}
      case Body.Script script -> {
        templates(call, given, script.arguments());
        behind(call, given, script.arguments(), "the script");
      }
      case Body.Command(List<String> words) -> {
        program(call, given, words);
        templates(call, given, words);
        behind(call, given, words.subList(1, words.size()), words.getFirst());
      }
    }
  }

  private static void program(Call call, Given given, List<String> words) throws Refused {
    String program = words.getFirst();
    // A folder that is not there yet may bring its programs with it.
    boolean later = given.value("chdir").filter(d -> !Files.isDirectory(call.path(d))).isPresent();
    boolean unknowable = later || ELSEWHERE.stream().anyMatch(given::has);
    if (unknowable || StepPrograms.find(call, given, program).isPresent()) {
      return;
    }
    String line = missing(call, program, words.size() == 1);
    if (LATER.stream().noneMatch(given::has)) {
      throw new Refused(line);
    }
    call.problem(line + " (the job is submitted: it may be there when the job starts)");
  }

  /** One line that says what is wrong with the name, and what may have been meant. */
  static String missing(Call call, String program, boolean alone) {
    String line = "there is no program " + (program.contains(" ") ? "'" + program + "'" : program);
    if (alone && program.strip().contains(" ")) {
      return line + "; write gbatch " + program.strip() + ", or --wrap '" + program.strip() + "'";
    }
    if (program.contains("/")) {
      boolean there = Files.isRegularFile(call.path(program));
      return there ? program + " may not be executed; run: chmod +x " + program : line;
    }
    return line + " on PATH" + near(call, program);
  }

  /** Of the very many programs only those that begin alike: others are too seldom meant. */
  static String near(Call call, String program) {
    var names = new TreeSet<String>();
    for (String folder : call.searchPath()) {
      String[] files = call.path(folder).toFile().list();
      names.addAll(files == null ? List.of() : List.of(files));
    }
    names.removeIf(name -> !name.regionMatches(0, program, 0, 1));
    return NearestWord.to(program, names).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /** Only --spread fills them in. Other programs that do have their own braces. */
  static void templates(Call call, Given given, List<String> words) {
    boolean others =
        words.isEmpty()
            || OTHERS.contains(words.getFirst())
            || words.contains("--spread")
            || ELSEWHERE.stream().anyMatch(given::has);
    if (others || StepOptions.isSpread(given) || !call.name().startsWith("g")) {
      return;
    }
    words.stream()
        .flatMap(word -> TEMPLATE.matcher(word).results())
        .findFirst()
        .ifPresent(
            found ->
                call.problem(
                    found.group() + " is filled in only with --spread; add it, if that is meant"));
  }

  /** What stands behind the program is the program's; some of it may have been meant for us. */
  static void behind(Call call, Given given, List<String> arguments, String program) {
    Optional<String> ours =
        arguments.stream()
            .filter(word -> word.startsWith("--"))
            .map(word -> word.substring(2).split("=", 2)[0])
            .filter(name -> BatchOptions.isResource(name) && !given.has(name))
            .findFirst();
    ours.ifPresent(
        name ->
            call.problem(
                "--%s behind %s is an argument of it; write it before, if it is for %s"
                    .formatted(name, Path.of(program).getFileName(), call.name())));
  }
}
