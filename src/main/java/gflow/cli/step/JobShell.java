package gflow.cli.step;

import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.List;

/** {@code gjob shell}: the caller's shell in a job that runs, on its GPUs. */
public final class JobShell implements Command {
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
    return new Grun("grun").shell(call, ArgumentWords.job(given).toString());
  }
}
