package gflow.cli;

import gflow.script.BadInput;
import gflow.script.Given;
import gflow.script.Grammar;
import gflow.script.Opt;
import java.util.List;

/** {@code gjob shell}: the caller's shell in a job that runs, on its GPUs. */
final class JobShell implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gjob shell",
          "ID",
          "Runs your shell in a running job, with its GPUs and variables, beside what runs there.",
          List.of(Opt.HELP),
          false);

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    return new Grun("grun").shell(call, Words.job(given).toString());
  }
}
