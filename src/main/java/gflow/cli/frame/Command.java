package gflow.cli.frame;

import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.value.BadInput;

/** One command, {@code gqueue} or {@code gjob show}: how it is called, and what it then does. */
public interface Command {
  Grammar grammar();

  default ErrorStyle complaints() {
    return ErrorStyle.OURS;
  }

  /** Returns the exit code. */
  int run(Call call, Given given) throws BadInput, Refused;
}
