package gflow.cli.job;

import gflow.api.Gflow.Receipt;
import gflow.cli.frame.Call;
import gflow.script.grammar.Given;
import java.util.List;

/** Says what was submitted: on stdout the line that scripts read and nothing else. */
final class Receipts {
  private Receipts() {}

  static void say(Call call, Given given, List<Receipt> receipts) {
    if (given.has("json")) {
      call.json("jobs", receipts);
      return;
    }
    var text = new StringBuilder();
    for (Receipt receipt : receipts) {
      text.append(given.has("parsable") ? "" : "Submitted batch job ");
      text.append(receipt.jobId()).append('\n');
    }
    call.output().out(text.toString());
    boolean people = call.invocation().terminal().stderrIsTerminal();
    if (people && receipts.size() == 1 && !given.has("quiet") && !given.has("parsable")) {
      call.output().problem("log: " + receipts.getFirst().logPath());
    }
  }
}
