package gflow.cli;

import gflow.script.BadInput;
import gflow.script.Given;
import gflow.script.Grammar;

/** One command, {@code gqueue} or {@code gjob show}: how it is called, and what it then does. */
interface Command {
  Grammar grammar();

  default Complaints complaints() {
    return Complaints.OURS;
  }

  /** Returns the exit code. */
  int run(Call call, Given given) throws BadInput, Refused;
}
