package gflow.cli.step;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Collections.nCopies;

import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.cli.frame.UserFiles;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.ShellWords;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What each task of a step runs, by its path: looked for on PATH and then in the folder, as srun
 * does. Asked for before the step starts, so that a name that is none costs nothing.
 */
public record StepPrograms(List<List<String>> each, Optional<String> folder) {
  private static final int NOT_FOUND = 2;

  List<String> words(int task) {
    return each.get(task);
  }

  static StepPrograms of(Call call, Given given, int tasks) throws BadInput, Refused {
    Optional<String> folder = folder(call, given);
    Path from = Path.of(folder.orElse(call.folder()));
    if (!given.has("multi-prog")) {
      return new StepPrograms(nCopies(tasks, found(call, from, given.words())), folder);
    }
    var each = new ArrayList<List<String>>();
    for (List<String> words : lines(call, given.words().getFirst(), tasks)) {
      each.add(found(call, from, words));
    }
    return new StepPrograms(List.copyOf(each), folder);
  }

  /** The path of one program, from where the options say that it shall run. */
  public static Optional<String> find(Call call, Given given, String program) throws Refused {
    Optional<String> folder = folder(call, given);
    return find(call, Path.of(folder.orElse(call.folder())), program);
  }

  private static Optional<String> folder(Call call, Given given) throws Refused {
    Optional<String> folder = given.value("chdir").map(written -> call.path(written).toString());
    if (folder.isPresent() && !Files.isDirectory(Path.of(folder.get()))) {
      throw new Refused("--chdir: there is no folder " + folder.get());
    }
    return folder;
  }

  private static List<String> found(Call call, Path folder, List<String> words) throws Refused {
    String program = words.getFirst();
    var all = new ArrayList<>(words);
    all.set(0, find(call, folder, program).orElseThrow(() -> missing(call, program)));
    return all;
  }

  private static Refused missing(Call call, String program) {
    if (!call.name().equals("srun")) {
      String near = program.contains("/") ? "" : ProgramCheck.near(call, program);
      return new Refused("there is no program " + program + " on PATH or here" + near, NOT_FOUND);
    }
    call.output()
        .problem("slurmstepd: error: execve(): " + program + ": No such file or directory");
    String host = call.variable("SLURMD_NODENAME").orElse("localhost");
    return new Refused("error: " + host + ": task 0: Exited with exit code 2", NOT_FOUND);
  }

  private static Optional<String> find(Call call, Path folder, String program) {
    if (program.contains("/")) {
      return runnable(folder.resolve(program));
    }
    return onPath(call, folder, program).or(() -> runnable(folder.resolve(program)));
  }

  public static Optional<String> onPath(Call call, Path folder, String program) {
    return call.searchPath().stream()
        .map(part -> folder.resolve(part.isEmpty() ? "." : part, program))
        .flatMap(path -> runnable(path).stream())
        .findFirst();
  }

  static Optional<String> runnable(Path path) {
    try {
      return Files.isRegularFile(path) && Files.isExecutable(path)
          ? Optional.of(path.toString())
          : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  // ---- --multi-prog ----

  /** Each line: tasks, as {@code 0-3,7} or {@code *}, and their program; %t and %o are numbers. */
  private static List<List<String>> lines(Call call, String file, int tasks)
      throws BadInput, Refused {
    var programs = new TreeMap<Integer, List<String>>();
    String text = new String(UserFiles.bytes(call.path(file), file), UTF_8);
    for (String line : text.lines().toList()) {
      List<String> words = ShellWords.split(line);
      if (words.size() > 1) {
        put(programs, words, tasks);
      }
    }
    for (int task = 0; task < tasks; task++) {
      if (!programs.containsKey(task)) {
        throw new BadInput(file + " has no program for task " + task);
      }
    }
    return List.copyOf(programs.headMap(tasks).values());
  }

  private static void put(TreeMap<Integer, List<String>> programs, List<String> words, int tasks)
      throws BadInput {
    List<Integer> numbers = numbers(words.getFirst(), tasks);
    for (int offset = 0; offset < numbers.size(); offset++) {
      String task = numbers.get(offset).toString();
      String place = Integer.toString(offset);
      programs.putIfAbsent(
          numbers.get(offset),
          words.stream().skip(1).map(w -> w.replace("%t", task).replace("%o", place)).toList());
    }
  }

  private static List<Integer> numbers(String list, int tasks) throws BadInput {
    if (list.equals("*")) {
      return IntStream.range(0, tasks).boxed().toList();
    }
    var numbers = new ArrayList<Integer>();
    for (String part : list.split(",", -1)) {
      if (!part.matches("\\d{1,5}(-\\d{1,5})?")) {
        throw new BadInput("'" + list + "' is no list of tasks; write 0-3,7 or *");
      }
      String[] ends = part.split("-", -1);
      IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
          .forEach(numbers::add);
    }
    return numbers;
  }

  /** The same after these words. */
  StepPrograms after(List<String> first) {
    return new StepPrograms(
        each.stream().map(words -> Stream.concat(first.stream(), words.stream()).toList()).toList(),
        folder);
  }
}
