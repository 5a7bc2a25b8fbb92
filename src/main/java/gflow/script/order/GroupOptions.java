package gflow.script.order;

import static java.util.stream.Collectors.joining;

import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.script.grammar.Given;
import gflow.script.group.GroupFile;
import gflow.script.group.Role;
import gflow.script.value.BadInput;
import gflow.script.value.Toml;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A group file as what a job is told: its top has the options of a script's lines, by their long
 * names, and what its roles need is asked for where nobody has said it.
 */
public final class GroupOptions {
  private static final List<String> GPUS =
      List.of("gpus", "gres", "gpus-per-node", "gpus-per-task", "gpu-ids", "exclusive");
  private static final List<String> CPUS =
      List.of("cpus-per-task", "cpus-per-gpu", "ntasks", "ntasks-per-node", "exclusive");

  private final String name;
  private final GroupFile file;
  private final Given given;

  /** Reads it once. */
  static GroupOptions read(String name, byte[] text) throws BadInput {
    return new GroupOptions(name, GroupFile.parse(name, new String(text, StandardCharsets.UTF_8)));
  }

  private GroupOptions(String name, GroupFile file) throws BadInput {
    this.name = name;
    this.file = file;
    var all = new Given.Collector();
    for (Toml.Entry entry : file.top()) {
      try {
        if (!Boolean.FALSE.equals(entry.value())) {
          Directives.collect(words(entry), entry.line(), all);
        }
      } catch (BadInput bad) {
        throw bad.placed() ? bad : bad.at(name + " line " + entry.line());
      }
    }
    given = all.given(name);
  }

  private static List<String> words(Toml.Entry entry) throws BadInput {
    String option = "--" + entry.key().replace('_', '-');
    if (option.equals("--" + BatchOptions.SPREAD)) {
      throw new BadInput("spread is for a role: write it below the name of one");
    }
    return switch (entry.value()) {
      case Boolean _ -> List.of(option);
      case List<?> list ->
          option.equals("--param")
              ? list.stream().map(one -> option + "=" + one).toList()
              : List.of(option + "=" + list.stream().map(String::valueOf).collect(joining(",")));
      case Double number -> List.of(option + "=" + BigDecimal.valueOf(number).toPlainString());
      default -> List.of(option + "=" + entry.value());
    };
  }

  /** What it says, under what the command line says, and what follows from its roles. */
  Given under(Given above) throws BadInput {
    if (above.has(BatchOptions.SPREAD)) {
      throw new BadInput("--spread is for a role of " + name + ": write spread = true there");
    }
    Given said = Directives.merge(above, given);
    var options = new TreeMap<>(said.byName());
    int gpus = apart().mapToInt(role -> role.tasks().gpus().orElse(0)).sum();
    if (gpus > 0 && GPUS.stream().noneMatch(said::has)) {
      options.put(RequestedOptions.GPUS, List.of(Integer.toString(gpus)));
    }
    int cpus = apart().mapToInt(role -> role.tasks().wholeCpus()).sum();
    if (cpus > 0 && CPUS.stream().noneMatch(said::has)) {
      boolean bound = apart().anyMatch(role -> role.tasks().cpus().isPresent());
      // Without CPUs of its own a role shares those of the machine; it is counted all the same.
      String option = bound ? RequestedOptions.CPUS_PER_TASK : RequestedOptions.NTASKS;
      options.put(option, List.of(Integer.toString(cpus)));
    }
    return new Given(options, said.words(), said.lines());
  }

  private Stream<Role> apart() {
    return file.roles().stream().filter(role -> role.tasks().apart());
  }

  /** Roles that the job has no room for would wait for each other. */
  void check(Request request) throws BadInput {
    int there = request.gpus().count();
    int cpus = Math.max(Math.max(1, request.cpus()), request.ntasks());
    for (Role role : file.roles()) {
      Role.Tasks tasks = role.tasks();
      int own = tasks.gpus().orElse(there);
      if (tasks.spread() && own == 0) {
        throw bad(role, "is spread over the GPUs of the job, which has none; write gpus = N");
      }
      if (tasks.gpus().isPresent()) {
        there -= own;
      }
      cpus -= tasks.apart() ? tasks.wholeCpus() : 0;
      if (there < 0) {
        throw bad(role, "needs " + -there + " more GPUs than the job has; raise gpus at the top");
      }
      if (cpus < 0) {
        throw bad(role, "needs " + -cpus + " more CPUs than the job has; raise cpus-per-task");
      }
    }
  }

  private BadInput bad(Role role, String what) {
    return new BadInput("role " + role.name() + " " + what).at(name + " line " + role.line());
  }

  List<Integer> ports() {
    return file.roles().stream().flatMap(role -> GroupFile.ports(role).stream()).toList();
  }

  /** How many of its tasks share the GPUs, each on one. */
  String spreadTasks() {
    return Integer.toString(
        file.roles().stream()
            .map(Role::tasks)
            .filter(Role.Tasks::spread)
            .mapToInt(Role.Tasks::count)
            .sum());
  }
}
