package gflow.cli.step;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.api.JoinAnswer;
import gflow.cli.frame.Call;
import gflow.cli.step.Allocating.Speech;
import gflow.script.env.JoinedEnvironment;
import gflow.script.step.StepScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A caller in a job that it is no part of; one that {@code holds} it is what the job is there for,
 * and tells it in the end how that was.
 */
public record JoinedJob(Call outer, JoinAnswer.Joined answer, boolean holds) {
  /** What the launcher opened before anybody was asked. */
  private static final Path HOLD = Path.of("/proc/self/fd/8");

  private static final int TIME_LIMIT = 124;
  private static final int CANCELLED = 130;

  public long job() {
    return answer.jobId();
  }

  /** That of the caller, which the launcher's shell has. */
  public byte[] launchers() {
    return outer.environment();
  }

  /** The same call as if it had come from within the job. */
  public Call inJob() {
    var within = outer.invocation().with(environment());
    return new Call(outer.name(), within, outer.gflow(), outer.output());
  }

  private byte[] environment() {
    byte[] job = answer.environment().getBytes(ISO_8859_1);
    return JoinedEnvironment.of(launchers(), job, answer.slurmsNames());
  }

  /** What the launcher's shell must set. */
  public SequencedMap<String, String> variables() {
    return new LinkedHashMap<>(JoinedEnvironment.change(launchers(), environment()).set());
  }

  /** And what it must forget. */
  public List<String> dropped() {
    return JoinedEnvironment.change(launchers(), environment()).unset();
  }

  /** The words for the launcher's shell that run a program in the job, where it stands now. */
  public String env() {
    List<String> fence = answer.fence();
    return fence.isEmpty()
        ? answer.env()
        : String.join(" ", fence) + " " + answer.env() + " -C \"$PWD\"";
  }

  /** The same for who starts the program itself; who enters a fence comes to its root folder. */
  public List<String> entering(String folder) {
    if (answer.fence().isEmpty()) {
      return List.of();
    }
    var words = new ArrayList<>(answer.fence());
    words.addAll(List.of("/usr/bin/env", "-C", folder));
    return words;
  }

  public StepScript.Outside outside(Speech speech, boolean quiet) {
    return new StepScript.Outside(
        answer.reason(),
        List.of(revoked(speech)),
        speech == Speech.SALLOC && holds && !quiet
            ? List.of(outer.name() + ": Relinquishing job allocation " + job())
            : List.of(),
        switch (speech) {
          case OURS -> StepScript.Codes.OURS;
          case SRUN -> StepScript.Codes.SRUN;
          case SALLOC -> StepScript.Codes.SALLOC;
        },
        holds);
  }

  private String revoked(Speech speech) {
    return outer.name()
        + (speech == Speech.SALLOC
            ? ": Job allocation " + job() + " has been revoked."
            : ": Force Terminated JobId=" + job());
  }

  /** The end of what this process itself has run; returns the code to end with. */
  int ended(int code, Speech speech, StepScript.Reason reason) {
    String why = read(Path.of(answer.reason()));
    if (!why.isEmpty()) {
      outer.output().problem(revoked(speech));
      outer.output().problem(reason.before() + why + " ***");
    }
    tell(code);
    if (why.isEmpty() || speech != Speech.OURS) {
      return code;
    }
    return why.endsWith("LIMIT") ? TIME_LIMIT : CANCELLED;
  }

  /** Tells the job how it ended; one that is gone already knows better. */
  public void tell(int code) {
    if (holds) {
      try {
        Files.writeString(HOLD, code + "\n");
      } catch (IOException e) {
        // Its end without a code is seen too.
      }
    }
  }

  public static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
