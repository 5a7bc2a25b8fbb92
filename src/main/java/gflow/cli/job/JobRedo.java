package gflow.cli.job;

import gflow.api.Answer;
import gflow.api.Gflow.Receipt;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;

/** {@code gjob redo}: the same job again, under a new id. */
public final class JobRedo implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gjob redo",
          "ID… [--failed]",
          "Submits jobs again as they were; --failed of an array only what did not end well.",
          List.of(
              Opt.flag("failed", "", "only the tasks that did not end well"),
              Opt.flag("parsable", "", "print only the id"),
              Opt.flag("json", "", "answer in JSON"),
              Opt.HELP),
          false);

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    var receipts = new ArrayList<Receipt>();
    int code = 0;
    for (JobRef job : ArgumentWords.jobs(given)) {
      var key = call.invocation().key().map(k -> k + "/" + job);
      switch (call.gflow().redo(job, given.has("failed"), key)) {
        case Answer.Ok<List<Receipt>>(var some) -> receipts.addAll(some);
        case Answer.No<List<Receipt>>(var kind, String line) -> {
          // The others were submitted, and that must be told.
          call.problem(line);
          code = Math.max(code, kind.exitCode());
        }
      }
    }
    if (!receipts.isEmpty()) {
      Receipts.say(call, given, receipts);
    }
    return code;
  }
}
