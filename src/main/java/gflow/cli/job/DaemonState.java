package gflow.cli.job;

import gflow.api.ApiRequest.Status;
import gflow.api.DaemonStatus;
import gflow.api.ProblemView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.Sizes;
import java.util.List;

/** {@code gflowd status}: the daemon itself. Without one, the service answers with exit code 3. */
public final class DaemonState {
  public static final Command COMMAND =
      Command.of(
          "gflowd status",
          "[--json]",
          "Shows the daemon: since when, where, with what, and what went wrong.",
          List.of(Command.JSON, Opt.HELP),
          DaemonState::run);

  private DaemonState() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    ArgumentWords.none(given);
    DaemonStatus status = call.ask(new Status());
    return call.answer(given, status, () -> text(status, call));
  }

  private static String text(DaemonStatus status, Call call) {
    String since = JobText.time(status.startTime(), call.zone());
    String source = status.gpuSource();
    String gpus =
        status.simulated() && !source.equals("simulated") ? "simulated, " + source : source;
    var table =
        new Table()
            .texts("Daemon", "gflowd " + status.version() + ", pid " + status.pid())
            .texts("Host", status.host())
            .texts("Since", since)
            .texts("Home", status.home())
            .texts("Socket", status.socket())
            .texts("GPUs", status.gpus() + " (" + gpus + ")")
            .texts("CPUs", Integer.toString(status.cpus()))
            .texts("Memory", Sizes.rounded(status.memory()))
            .texts("Processes", status.processes())
            .texts("Fenced", status.fence())
            .texts("MPS", status.mps())
            .texts("Jobs", status.running() + " running, " + status.pending() + " pending");
    if (status.problemDetails().isEmpty()) {
      table.texts("Problems", "none");
    }
    for (ProblemView problem : status.problemDetails()) {
      table.texts("Problem", problem.text());
      String at = "since " + JobText.time(problem.since(), call.zone());
      table.texts("", problem.remedy().isEmpty() ? at : at + "; " + problem.remedy());
    }
    return table.text(false);
  }
}
