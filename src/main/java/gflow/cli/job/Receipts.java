package gflow.cli.job;

import gflow.api.ApiRequest.Wait;
import gflow.api.Gflow.Receipt;
import gflow.api.JobView;
import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import java.util.ArrayList;
import java.util.List;

/** Says what was submitted: on stdout the line that scripts read and nothing else. */
public final class Receipts {
  private Receipts() {}

  /** The jobs when all of them are over; what was said before is not held back so long. */
  public static List<JobView> await(Call call, List<Receipt> receipts) throws Refused {
    call.output().flush();
    var ended = new ArrayList<JobView>();
    for (Receipt receipt : receipts) {
      var job = new JobRef.ById(new JobId(receipt.jobId()));
      ended.addAll(call.ask(new Wait(job)));
    }
    return ended;
  }

  public static void warn(Call call, List<Receipt> receipts) {
    receipts.stream()
        .flatMap(receipt -> receipt.warning().stream())
        .distinct()
        .forEach(call::problem);
  }

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
