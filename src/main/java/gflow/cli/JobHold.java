package gflow.cli;

import gflow.script.BadInput;
import gflow.script.Given;
import gflow.script.Grammar;
import gflow.script.Opt;
import java.util.List;

/** {@code gjob hold}. */
final class JobHold implements Command {
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
    return new Changes(call, given.has("json"))
        .make(Words.jobs(given), (jobs, key) -> call.gflow().hold(jobs));
  }
}
