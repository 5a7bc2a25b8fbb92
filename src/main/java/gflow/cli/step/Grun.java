package gflow.cli.step;

import gflow.api.Answer;
import gflow.api.ApiRequest.TryOut;
import gflow.api.Gflow.Preview;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ErrorStyle;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Refused;
import gflow.cli.frame.TestOnly;
import gflow.cli.step.Allocating.Speech;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.order.AllocationHolder;
import gflow.script.order.OptionVariables;
import gflow.script.order.Order;
import gflow.script.step.AllocationOptions;
import gflow.script.step.StepEnvironment;
import gflow.script.step.StepOptions;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code grun}, and {@code srun} with Slurm's words: runs a program as a step of a job, of the one
 * that it is called in, of one that is named, or of an allocation that it takes for it.
 */
public final class Grun {
  /** The caller's shell in a job that runs, on its GPUs. */
  public static final Command SHELL =
      Command.of(
          "gjob shell",
          "ID",
          "Runs your shell in a running job, with its GPUs and variables, beside what runs there.",
          List.of(Opt.HELP),
          (call, given) -> new Grun("grun").shell(call, ArgumentWords.job(given).toString()));

  private final Grammar grammar;
  private final boolean slurm;
  private final Speech speech;

  public Grun(String command) {
    grammar = StepOptions.grammar(command);
    slurm = command.equals("srun");
    speech = slurm ? Speech.SRUN : Speech.OURS;
  }

  public String name() {
    return grammar.command();
  }

  public Command command() {
    return new Command(grammar, slurm ? ErrorStyle.SRUN : ErrorStyle.OURS, this::run);
  }

  /** Whether the launcher's shell can do it. What is wrong can be said anywhere. */
  public boolean isOneTask(Invocation invocation) {
    try {
      byte[] environment = invocation.origin().environment();
      // Which of Slurm's words the site ignores only the daemon knows, and says it later.
      Given given = said(grammar.parse(invocation.arguments(), _ -> slurm), environment);
      if (given.has("help") || given.words().isEmpty()) {
        return true;
      }
      Given meant = meant(given, StepEnvironment.value(environment, "GFLOW_MARK").isPresent());
      int tasks = StepOptions.read(meant, environment).request().tasks();
      return tasks == 1
          && !given.has("label")
          && !given.has("multi-prog")
          && !given.has(StepOptions.RETRIES)
          && !given.has(StepOptions.TASK_RETRIES)
          && !StepOptions.isFilled(given);
    } catch (BadInput e) {
      return true;
    }
  }

  /** With what srun takes from variables. */
  private Given said(Given typed, byte[] environment) throws BadInput {
    Given given = AllocationOptions.inOwnJob(typed, environment);
    if (!slurm) {
      return given;
    }
    boolean inJob = StepEnvironment.value(environment, "GFLOW_MARK").isPresent();
    return (inJob || given.has("jobid") ? OptionVariables.STEP : OptionVariables.SRUN)
        .under(grammar, given, name -> StepEnvironment.value(environment, name));
  }

  /** What the step is told: outside a job most options are of the allocation. */
  private static Given meant(Given given, boolean inJob) throws BadInput {
    if (given.has("jobid")) {
      return AllocationOptions.ofOneTask(given);
    }
    return inJob ? given : AllocationOptions.ofTheStep(given);
  }

  private int run(Call call, Given given) throws BadInput, Refused {
    if (given.value("mpi").filter("list"::equals).isPresent()) {
      return StepMpi.list(call);
    }
    byte[] environment = call.environment();
    Given said = said(withShell(call, given), environment);
    Optional<String> job = call.variable("GFLOW_JOB_ID").filter(id -> id.matches("\\d{1,18}"));
    boolean inJob = job.isPresent() && call.variable("GFLOW_MARK").isPresent();
    Given step = meant(said, inJob);
    if (said.has(TestOnly.OPTION)) {
      var _ = StepOptions.read(step, environment);
      return test(call, said);
    }
    if (!slurm) {
      ProgramCheck.templates(call, said, said.words());
    }
    boolean within = inJob || said.has("jobid");
    for (String option : List.of("fence", "no-fence")) {
      if (within && said.has(option)) {
        throw new BadInput("--" + option + " is for a whole job; give it to gbatch");
      }
    }
    if (inJob && !said.has("jobid")) {
      return new GrunStep(call, step, speech, Optional.empty()).run(Long.parseLong(job.get()));
    }
    // A name that is none, and what a step cannot be, must not cost an allocation.
    StepPrograms.of(call, step, StepOptions.read(step, environment).request().tasks());
    if (!slurm && !said.words().isEmpty()) {
      List<String> words = said.words();
      ProgramCheck.behind(call, said, words.subList(1, words.size()), words.getFirst());
    }
    var allocating = new Allocating(call, said, speech);
    return said.has("jobid")
        ? into(call, step, allocating, said.value("jobid").orElseThrow())
        : outside(call, step, allocating, said);
  }

  /** Says when it would start, and takes nothing. */
  private static int test(Call call, Given said) throws BadInput, Refused {
    var order =
        new Order(
            AllocationOptions.ofTheJob(said),
            AllocationHolder.body("none", said.words()),
            call.invocation().origin(),
            new TreeMap<>());
    return switch (call.gflow().ask(new TryOut(List.of(order)))) {
      case Answer.Ok<List<Preview>>(var previews) -> TestOnly.say(call, previews.getFirst());
      case Answer.No<List<Preview>>(var kind, String line) -> {
        ErrorStyle.words(line, "allocation failure: ").forEach(call::problem);
        throw new Refused(line, kind.exitCode());
      }
    };
  }

  private int outside(Call call, Given step, Allocating allocating, Given said)
      throws BadInput, Refused {
    var joined = allocating.take(AllocationOptions.ofTheJob(said), said.words());
    try {
      return run(new JoinedJob(call, joined, true), step);
    } catch (BadInput | Refused e) {
      allocating.withdraw(joined.jobId());
      throw e;
    }
  }

  private int into(Call call, Given step, Allocating allocating, String job)
      throws BadInput, Refused {
    return run(new JoinedJob(call, allocating.join(job), false), step);
  }

  private int run(JoinedJob joined, Given step) throws BadInput, Refused {
    return new GrunStep(joined.inJob(), step, speech, Optional.of(joined)).run(joined.job());
  }

  /** The caller's shell in a job of his that runs, beside what runs there. */
  private int shell(Call call, String job) throws BadInput, Refused {
    var options = new TreeMap<String, List<String>>();
    options.put("overlap", List.of(""));
    var step = AllocationOptions.ofOneTask(new Given(options, Allocating.shell(call)));
    return into(call, step, new Allocating(call, step, Speech.OURS), job);
  }

  private static Given withShell(Call call, Given given) throws BadInput {
    if (!given.has("shell")) {
      return given;
    }
    if (!given.words().isEmpty()) {
      throw new BadInput("--shell runs your shell; '" + given.words().getFirst() + "' is too much");
    }
    var options = new TreeMap<>(given.byName());
    // What is run from it must not wait for it.
    options.put("overlap", List.of(""));
    return new Given(options, Allocating.shell(call));
  }
}
