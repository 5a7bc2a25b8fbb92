package gflow.cli.step;

import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.step.StepEnvironment;
import gflow.script.step.StepOptions;
import gflow.script.step.StepPlan;
import gflow.script.step.StepScript;
import gflow.script.value.BadInput;
import gflow.script.value.Templates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The tasks of a step that no shell can run: many of them, or with labels. */
record StepTasks(
    Call call,
    Given given,
    StepEnvironment.Start start,
    StepStreams streams,
    StepPrograms programs) {

  StepPlan.Ended run(String record, StepScript.Reason reason, StepMpi.Kin kin)
      throws BadInput, Refused {
    try {
      call.output().flush();
      return call.output()
          .run(plan(record, reason, kin))
          .orElseThrow(() -> new Refused("many tasks need a process of the caller's"));
    } catch (IOException e) {
      throw new Refused("a task could not be started: " + e.getMessage());
    }
  }

  private StepPlan plan(String record, StepScript.Reason reason, StepMpi.Kin kin) throws BadInput {
    byte[] environment = call.environment();
    var tasks = new ArrayList<StepPlan.Task>();
    for (int task = 0; task < start.meant().request().tasks(); task++) {
      byte[] block = StepEnvironment.block(environment, start, task, kin.of(task));
      tasks.add(new StepPlan.Task(words(task, block), block, streams.of(task), ownCpus(task)));
    }
    return new StepPlan(
        start.job() + "." + start.number(),
        start.host(),
        programs.folder().orElse(call.folder()),
        tasks,
        new StepPlan.Manner(
            call.name().equals("srun"),
            joining(tasks.size()),
            killsOnBadExit(),
            kin.step(),
            start.meant().stagger(),
            again()),
        record,
        reason);
  }

  /** The words of srun are those of Slurm, which replaces nothing. */
  private List<String> words(int task, byte[] block) {
    List<String> words = programs.words(task);
    if (!StepOptions.isFilled(given)) {
      return words;
    }
    var fields = StepEnvironment.fields(start, task, block);
    return words.stream().map(word -> Templates.apply(word, fields)).toList();
  }

  /** Tasks that are spread and asked for CPUs keep apart; others share those of the step. */
  private List<Integer> ownCpus(int task) {
    int each = start.meant().cpusPerTask().orElse(0);
    boolean apart = StepOptions.isSpread(given) && !start.meant().request().overlap();
    return apart && (long) (task + 1) * each <= start.cpuIds().size()
        ? start.cpuIds().subList(task * each, (task + 1) * each)
        : List.of();
  }

  private StepPlan.Again again() throws BadInput {
    return new StepPlan.Again(
        given.number(StepOptions.TASK_RETRIES, 0, StepRetries.MOST, 0),
        start.meant().name().map(name -> " of " + name).orElse(""),
        given.value(StepOptions.TALLY));
  }

  private StepPlan.Joining joining(int tasks) {
    if (given.has("label")) {
      return StepPlan.Joining.LABELS;
    }
    return given.has("unbuffered") || tasks == 1 ? StepPlan.Joining.RAW : StepPlan.Joining.LINES;
  }

  private boolean killsOnBadExit() {
    return given.has("kill-on-bad-exit") && !given.value("kill-on-bad-exit").orElse("").equals("0");
  }
}
