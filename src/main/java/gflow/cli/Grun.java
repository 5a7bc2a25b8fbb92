package gflow.cli;

import gflow.api.Answer;
import gflow.api.StepAnswer;
import gflow.api.StepOrder;
import gflow.job.StepRequest;
import gflow.script.BadInput;
import gflow.script.Given;
import gflow.script.Grammar;
import gflow.script.StepEnvironment;
import gflow.script.StepOptions;
import gflow.script.StepScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code grun}, and {@code srun} with Slurm's words: runs a step inside a job. One task is run by
 * the launcher's own shell; for many this process must be one of the caller's.
 */
final class Grun implements Command {
  private static final Duration QUIET = Duration.ofSeconds(1);
  private static final Duration AGAIN = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Grammar grammar;
  private final boolean slurm;

  Grun(String command) {
    grammar = StepOptions.grammar(command);
    slurm = command.equals("srun");
  }

  @Override
  public Grammar grammar() {
    return grammar;
  }

  @Override
  public Complaints complaints() {
    return slurm ? SlurmComplaints.SRUN : Complaints.OURS;
  }

  /** Whether the launcher's shell can do it. What is wrong can be said anywhere. */
  boolean isOneTask(Invocation invocation) {
    try {
      Given given = grammar.parse(invocation.arguments());
      if (given.has("help")) {
        return true;
      }
      int tasks = StepOptions.read(given, invocation.origin().environment()).request().tasks();
      return tasks == 1 && !given.has("label") && !given.has("multi-prog");
    } catch (BadInput e) {
      return true;
    }
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    if (given.value("mpi").filter("list"::equals).isPresent()) {
      return StepMpi.list(call);
    }
    byte[] environment = call.invocation().origin().environment();
    Optional<String> job = call.variable("GFLOW_JOB_ID").filter(id -> id.matches("\\d{1,18}"));
    if (job.isEmpty() || call.variable("GFLOW_MARK").isEmpty()) {
      throw new Refused(error("not inside a job; gbatch submits one, and its script may say this"));
    }
    StepOptions.Meant meant = StepOptions.read(given, environment);
    StepPrograms programs = StepPrograms.of(call, given, meant.request().tasks());
    boolean pmi = StepMpi.of(call, given).mayRun(programs, meant.request().tasks());
    var granted = awaitStep(call, given, order(call, job.get(), meant));
    var start =
        new StepEnvironment.Start(
            granted.jobId(),
            granted.number(),
            meant,
            granted.cpus(),
            granted.gpuIds(),
            granted.gpuUuids(),
            granted.host(),
            granted.mark(),
            call.invocation().origin().umask());
    var streams = new StepStreams(call, given, start);
    if (meant.request().tasks() == 1
        && !given.has("label")
        && handOver(call, start, streams, granted, programs)) {
      return 0;
    }
    var tasks = new StepTasks(call, given, start, streams, programs);
    return tasks.run(granted.record(), reason(start, granted), pmi);
  }

  private StepOrder order(Call call, String job, StepOptions.Meant meant) throws Refused {
    String[] key = call.invocation().key().orElse("").split("-", -1);
    if (key.length < 2) {
      throw new Refused("who asks is not known");
    }
    StepRequest request = meant.request();
    String program = meant.words().getFirst();
    String name = meant.name().orElse(program.substring(program.lastIndexOf('/') + 1));
    return new StepOrder(
        Long.parseLong(job),
        Long.parseLong(key[key.length - 2]),
        Long.parseLong(key[key.length - 1]),
        name,
        request,
        meant.timeLimit());
  }

  // ---- until it may run ----

  private StepAnswer.Granted awaitStep(Call call, Given given, StepOrder order) throws Refused {
    boolean immediate = given.has("immediate");
    StepAnswer answer = immediate ? askFor(call, order, seconds(given)) : ask(call, order, QUIET);
    boolean said = false;
    while (!(answer instanceof StepAnswer.Granted)) {
      if (answer instanceof StepAnswer.Waits waits) {
        if (immediate) {
          throw unable(order, "Requested nodes are busy");
        }
        said = said || say(call, given, order, waits);
      }
      if (!call.output().flush()) {
        throw new Refused("the caller is gone");
      }
      answer = ask(call, order, PATIENCE);
    }
    if (said) {
      call.problem("Step created for job " + order.jobId());
    }
    return (StepAnswer.Granted) answer;
  }

  /** Nobody is asked to wait for long at once. */
  private StepAnswer askFor(Call call, StepOrder order, Duration patience) throws Refused {
    Duration left = patience;
    StepAnswer answer = ask(call, order, shorter(left));
    while (answer instanceof StepAnswer.Waits && left.compareTo(PATIENCE) > 0) {
      left = left.minus(PATIENCE);
      answer = ask(call, order, shorter(left));
    }
    return answer;
  }

  private static Duration shorter(Duration left) {
    return left.compareTo(PATIENCE) < 0 ? left : PATIENCE;
  }

  private StepAnswer ask(Call call, StepOrder order, Duration patience) throws Refused {
    StepAnswer answer = reach(call, order, patience);
    if (answer instanceof StepAnswer.Never(String why, String detail)) {
      if (!detail.isEmpty()) {
        call.problem(error(detail));
      }
      throw unable(order, why);
    }
    return answer;
  }

  /** Inside a job nothing fails because the daemon is down: it comes back, and we go on. */
  private StepAnswer reach(Call call, StepOrder order, Duration patience) throws Refused {
    boolean said = false;
    while (true) {
      switch (call.gflow().step(order, patience)) {
        case Answer.Ok<StepAnswer>(StepAnswer answer) -> {
          return answer;
        }
        case Answer.No<StepAnswer>(Answer.Kind kind, String line) -> {
          if (kind != Answer.Kind.NO_DAEMON || !Pauses.sleep(AGAIN)) {
            throw new Refused(error(line), kind.exitCode());
          }
          if (!said) {
            call.problem("gflowd is down; waiting for it to come back");
            said = true;
          }
        }
      }
    }
  }

  private Refused unable(StepOrder order, String why) {
    return new Refused(error("Unable to create step for job " + order.jobId() + ": " + why));
  }

  private static Duration seconds(Given given) throws Refused {
    String text = given.value("immediate").orElse("");
    if (!text.matches("\\d{0,6}")) {
      throw new Refused("--immediate '" + text + "' is no number of seconds");
    }
    return Duration.ofSeconds(text.isEmpty() ? 1 : Long.parseLong(text));
  }

  /** Slurm's line, and then why, and what would help. */
  private static boolean say(Call call, Given given, StepOrder order, StepAnswer.Waits waits) {
    if (given.has("quiet")) {
      return false;
    }
    call.problem(
        "Job %d step creation temporarily disabled, retrying (Requested nodes are busy)"
            .formatted(order.jobId()));
    String hint =
        waits.instead().isEmpty()
            ? ""
            : "; with " + String.join(" ", waits.instead()) + " it would run at once";
    call.problem("this step " + waits.why() + hint);
    return true;
  }

  private String error(String line) {
    return slurm ? "error: " + line : line;
  }

  // ---- one task ----

  private boolean handOver(
      Call call,
      StepEnvironment.Start start,
      StepStreams streams,
      StepAnswer.Granted granted,
      StepPrograms programs)
      throws Refused {
    List<String> words = programs.words(0);
    var run =
        new StepScript.Run(
            words.getFirst(),
            words.size() - 1,
            call.invocation().origin().environment(),
            StepEnvironment.variables(start, 0),
            StepEnvironment.dropped(start),
            streams.of(0),
            programs.folder(),
            granted.env(),
            granted.record(),
            reason(start, granted),
            slurm ? Optional.of("srun: error: " + start.host() + ": task 0") : Optional.empty());
    return call.output().handOver(() -> write(Path.of(granted.script()), StepScript.text(run)));
  }

  private StepScript.Reason reason(StepEnvironment.Start start, StepAnswer.Granted granted) {
    String who = slurm ? "slurmstepd: error: " : "grun: ";
    return new StepScript.Reason(
        granted.record() + ".why",
        who + "*** STEP " + start.job() + "." + start.number() + " ON " + start.host() + " ");
  }

  private static String write(Path file, byte[] text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, text);
    return file.toString();
  }
}
