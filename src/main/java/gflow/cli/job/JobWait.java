package gflow.cli.job;

import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ExitCodes;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;

/** {@code gjob wait}: returns when the jobs are over, with the highest of their exit codes. */
public final class JobWait implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gjob wait",
          "ID…",
          "Waits until the jobs are over. The exit code is theirs, the highest of several:"
              + " 128+signal, 124 for a time limit, 130 if cancelled.",
          List.of(Opt.flag("json", "", "then show them in JSON"), Opt.HELP),
          false);

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    var ended = new ArrayList<JobView>();
    for (JobRef job : ArgumentWords.jobs(given)) {
      ended.addAll(Call.get(call.gflow().await(job)));
    }
    if (given.has("json")) {
      call.json("jobs", ended);
    }
    return ExitCodes.code(ended);
  }
}
