package gflow.cli.step;

import gflow.cli.frame.Call;
import gflow.script.grammar.Given;
import gflow.script.step.StepEnvironment;
import gflow.script.step.StepScript.Streams;
import gflow.script.value.FilePatterns;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where the tasks of a step read and write; the names may have the patterns of srun. {@code again}:
 * they have run before, and add to what they wrote.
 */
record StepStreams(Call call, Given given, StepEnvironment.Start start, boolean again) {
  private static final String NOWHERE = "/dev/null";

  Streams of(int task) {
    return new Streams(
        file("input", task),
        file("output", task),
        file(given.has("error") ? "error" : "output", task),
        again || appends());
  }

  /** As the job was told, if the step says nothing; a job that runs again adds to what is there. */
  private boolean appends() {
    return given
        .value("open-mode")
        .or(() -> call.variable("SLURM_OPEN_MODE"))
        .map(mode -> mode.startsWith("a"))
        .orElse(
            call.variable("GFLOW_RESTART_COUNT").filter(count -> !count.equals("0")).isPresent());
  }

  /**
   * Empty for what the step itself has: all tasks have that unless something else is said. A number
   * means that task alone; {@code none} nobody.
   */
  private Optional<String> file(String option, int task) {
    String written = given.value(option).orElse("all");
    if (written.equals("all") || written.equals(Integer.toString(task))) {
      return Optional.empty();
    }
    boolean nobody = written.equals("none") || written.matches("\\d{1,5}");
    return Optional.of(
        nobody ? NOWHERE : call.path(FilePatterns.expand(written, values(task))).toString());
  }

  private FilePatterns.Values values(int task) {
    long array = call.variable("GFLOW_ARRAY_JOB_ID").map(Long::parseLong).orElse(start.job());
    Optional<Integer> index = call.variable("GFLOW_ARRAY_TASK_ID").map(Integer::parseInt);
    return new FilePatterns.Values(
        start.job(),
        array,
        index.isPresent() ? OptionalInt.of(index.get()) : OptionalInt.empty(),
        start.meant().name().or(() -> call.variable("SLURM_JOB_NAME")).orElse(""),
        call.invocation().caller().name(),
        start.host(),
        Optional.of(new FilePatterns.StepTask(start.number(), task)));
  }
}
