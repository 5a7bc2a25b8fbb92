package gflow.cli.step;

import gflow.api.ApiRequest.Step;
import gflow.api.StepAnswer;
import gflow.api.StepOrder;
import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.cli.frame.ShellText;
import gflow.cli.step.Allocating.Speech;
import gflow.script.env.JoinedEnvironment;
import gflow.script.grammar.Given;
import gflow.script.step.ParsedStep;
import gflow.script.step.StepEnvironment;
import gflow.script.step.StepOptions;
import gflow.script.step.StepScript;
import gflow.script.value.BadInput;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * One step, from asking for it to its end. One task is run by the launcher's own shell; for many
 * this process must be one of the caller's.
 */
final class GrunStep {
  private static final Duration QUIET = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Call call;
  private final Given given;
  private final Speech speech;
  private final Optional<JoinedJob> joined;
  private final PatientAsking asking;

  /** {@code call} has the job's environment; {@code joined} if the caller is no part of the job. */
  GrunStep(Call call, Given given, Speech speech, Optional<JoinedJob> joined) {
    this.call = call;
    this.given = given;
    this.speech = speech;
    this.joined = joined;
    this.asking = new PatientAsking(call, speech);
  }

  int run(long job) throws BadInput, Refused {
    ParsedStep meant = StepOptions.read(given, asked());
    StepRetries retries = StepRetries.of(given);
    StepPrograms programs = StepPrograms.of(call, given, meant.request().tasks());
    StepMpi.Kin kin = StepMpi.of(call, given).judge(programs);
    var granted = awaitStep(order(job, meant));
    if (slurm() && given.has("verbose")) {
      sayNumbers(granted, meant.request().tasks());
    }
    var start =
        new StepEnvironment.Start(
            granted.jobId(),
            granted.number(),
            meant,
            granted.cpus(),
            granted.cpuIds(),
            granted.gpuIds(),
            granted.gpuUuids(),
            granted.seenGpus(),
            granted.byUuid(),
            granted.host(),
            granted.mark(),
            call.invocation().origin().umask());
    var streams = new StepStreams(call, given, start, false);
    if (meant.request().tasks() == 1
        && !given.has("label")
        && !StepOptions.isFilled(given)
        && !given.has(StepOptions.TASK_RETRIES)
        && retries.retries() == 0
        && handOver(start, streams, granted, programs, kin)) {
      return 0;
    }
    int code =
        retries.run(
            call,
            Path.of(reason(start, granted).file()),
            again ->
                new StepTasks(
                        call,
                        given,
                        start,
                        new StepStreams(call, given, start, again),
                        entered(programs))
                    .run(granted.record(), reason(start, granted), kin));
    return joined.isPresent() ? joined.get().ended(code, speech, reason(start, granted)) : code;
  }

  /** Programs take the number of the job from these lines. */
  private void sayNumbers(StepAnswer.Granted granted, int tasks) {
    long job = granted.jobId();
    String which = tasks == 1 ? "0" : "[0-" + (tasks - 1) + "]";
    call.problem(
        "jobid %d: nodes(1):`%s', cpu counts: %d(x1)"
            .formatted(job, granted.host(), granted.cpus()));
    call.problem(
        "launching StepId=%d.%d on host %s, %d tasks: %s"
            .formatted(job, granted.number(), granted.host(), tasks, which));
  }

  /** Where options are looked for that were not given; for a guest, not in the job's variables. */
  private byte[] asked() {
    byte[] environment = call.environment();
    return joined.isPresent() ? JoinedEnvironment.callers(environment) : environment;
  }

  private boolean slurm() {
    return speech == Speech.SRUN;
  }

  private StepOrder order(long job, ParsedStep meant) throws Refused {
    var asker = new Allocating.Asker(call);
    String program = meant.words().getFirst();
    String name = meant.name().orElse(program.substring(program.lastIndexOf('/') + 1));
    return new StepOrder(
        job,
        asker.pid(),
        asker.startTime(),
        name,
        meant.request(),
        meant.timeLimit(),
        joined.isPresent());
  }

  // ---- until it may run ----

  private StepAnswer.Granted awaitStep(StepOrder order) throws Refused {
    Optional<Duration> immediate = Allocating.immediate(given);
    StepAnswer answer = immediate.isPresent() ? askFor(order, immediate.get()) : ask(order, QUIET);
    boolean said = false;
    while (!(answer instanceof StepAnswer.Granted)) {
      if (answer instanceof StepAnswer.Waits waits) {
        if (immediate.isPresent()) {
          throw unable(order, "Requested nodes are busy");
        }
        said = said || say(order, waits);
      }
      if (!call.output().flush()) {
        throw new Refused("the caller is gone");
      }
      answer = ask(order, PATIENCE);
    }
    if (said) {
      call.problem("Step created for job " + order.jobId());
    }
    return (StepAnswer.Granted) answer;
  }

  /** Nobody is asked to wait for long at once. */
  private StepAnswer askFor(StepOrder order, Duration patience) throws Refused {
    Duration left = patience;
    StepAnswer answer = ask(order, shorter(left));
    while (answer instanceof StepAnswer.Waits && left.compareTo(PATIENCE) > 0) {
      left = left.minus(PATIENCE);
      answer = ask(order, shorter(left));
    }
    return answer;
  }

  private static Duration shorter(Duration left) {
    return left.compareTo(PATIENCE) < 0 ? left : PATIENCE;
  }

  private StepAnswer ask(StepOrder order, Duration patience) throws Refused {
    StepAnswer answer = asking.ask(new Step(order, patience));
    if (answer instanceof StepAnswer.Never(String why, String detail)) {
      if (!detail.isEmpty()) {
        call.problem(speech.error(detail));
      }
      throw unable(order, why);
    }
    return answer;
  }

  private Refused unable(StepOrder order, String why) {
    return new Refused(speech.error("Unable to create step for job " + order.jobId() + ": " + why));
  }

  /** Slurm's line, and then why, and what would help. */
  private boolean say(StepOrder order, StepAnswer.Waits waits) {
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

  // ---- one task ----

  private boolean handOver(
      StepEnvironment.Start start,
      StepStreams streams,
      StepAnswer.Granted granted,
      StepPrograms programs,
      StepMpi.Kin kin)
      throws Refused {
    List<String> words = programs.words(0);
    var variables = joined.map(JoinedJob::variables).orElseGet(LinkedHashMap::new);
    variables.putAll(StepEnvironment.variables(start, 0));
    var dropped = new ArrayList<>(joined.map(JoinedJob::dropped).orElse(List.of()));
    dropped.addAll(StepEnvironment.dropped(start));
    dropped.addAll(kin.of(0).hidden());
    variables.keySet().removeAll(kin.of(0).hidden());
    var run =
        new StepScript.Run(
            words.getFirst(),
            words.size() - 1,
            joined.map(JoinedJob::launchers).orElse(call.environment()),
            variables,
            dropped,
            streams.of(0),
            programs.folder(),
            joined.map(JoinedJob::env).orElse(granted.env()),
            Optional.of(granted.record()),
            Optional.of(reason(start, granted)),
            slurm() ? Optional.of("srun: error: " + start.host() + ": task 0") : Optional.empty(),
            joined.map(j -> j.outside(speech, false)));
    return call.output()
        .handOver(() -> ShellText.write(Path.of(granted.script()), StepScript.text(run)));
  }

  /** Behind the fence of a job that the caller is no part of. */
  private StepPrograms entered(StepPrograms programs) {
    String folder = programs.folder().orElse(call.folder());
    return joined.map(job -> programs.after(job.entering(folder))).orElse(programs);
  }

  private StepScript.Reason reason(StepEnvironment.Start start, StepAnswer.Granted granted) {
    String who = slurm() ? "slurmstepd: error: " : "grun: ";
    return new StepScript.Reason(
        granted.record() + ".why",
        who + "*** STEP " + start.job() + "." + start.number() + " ON " + start.host() + " ");
  }
}
