package gflow.cli.job;

import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.List;

/** {@code gjob hold}. */
public final class JobHold implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gjob hold",
          "ID…",
          "Keeps waiting jobs from starting until they are released.",
          List.of(Opt.flag("json", "", "answer in JSON"), Opt.HELP),
          false);

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    return new BulkEdit(call, given.has("json"))
        .make(ArgumentWords.jobs(given), (jobs, key) -> call.gflow().hold(jobs));
  }
}
