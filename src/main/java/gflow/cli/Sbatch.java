package gflow.cli;

import gflow.api.Gflow.Preview;
import gflow.api.Gflow.Receipt;
import gflow.api.JobView;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.script.BadInput;
import gflow.script.BatchOptions;
import gflow.script.Given;
import gflow.script.Grammar;
import gflow.script.Opt;
import gflow.script.OptionVariables;
import gflow.script.Order;
import java.util.ArrayList;
import java.util.List;

/** {@code sbatch}: {@code gbatch} with Slurm's defaults, words and exit codes. */
final class Sbatch implements Command {
  private static final List<String> NOT_SLURMS = List.of("from", "dry-run", "json");
  private static final Grammar GRAMMAR =
      new Grammar(
          "sbatch",
          "[options] SCRIPT [ARGS…]",
          "Submits a batch script as Slurm's command of that name does. The output goes to"
              + " slurm-%j.out in this folder.",
          options(),
          true);

  private static List<Opt> options() {
    var options = new ArrayList<Opt>();
    BatchOptions.GRAMMAR.options().stream()
        .filter(option -> !NOT_SLURMS.contains(option.name()))
        .forEach(options::add);
    options.add(Opt.flag(SbatchOrder.TEST_ONLY, "", "say when it would start, submit nothing"));
    return options;
  }

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public Complaints complaints() {
    return SlurmComplaints.SBATCH;
  }

  @Override
  public int run(Call call, Given typed) throws BadInput, Refused {
    Given said = OptionVariables.SBATCH.under(GRAMMAR, typed, call::variable);
    SlurmWords.defined(call, said);
    Order order = new SbatchOrder(call, said).read();
    Given given = BatchOrders.how(said, order);
    List<Order> orders = List.of(order);
    if (given.has(SbatchOrder.TEST_ONLY)) {
      return test(call, Placed.get(call.gflow().tryOut(orders), orders).getFirst());
    }
    BatchWarnings.say(call, orders);
    Receipt receipt =
        Placed.get(call.gflow().submit(orders, call.invocation().key()), orders).getFirst();
    if (given.has("parsable")) {
      call.line(Long.toString(receipt.jobId()));
    } else if (!given.has("quiet")) {
      call.line("Submitted batch job " + receipt.jobId());
    }
    return given.has("wait") ? await(call, receipt) : 0;
  }

  private static int await(Call call, Receipt receipt) throws Refused {
    call.output().flush();
    var job = new JobRef.ById(new JobId(receipt.jobId()));
    return Call.get(call.gflow().await(job)).stream().mapToInt(Sbatch::code).max().orElse(0);
  }

  /** The job's own code, or 1 where a signal or somebody else ended it. */
  private static int code(JobView job) {
    if (Ends.code(job) == 0) {
      return 0;
    }
    boolean own = job.signal() == null && job.exitCode() != null && job.exitCode() > 0;
    return own ? job.exitCode() : 1;
  }

  static int test(Call call, Preview preview) throws Refused {
    String host = Call.get(call.gflow().status()).host();
    String start = preview.waits().isEmpty() ? SlurmJob.time(call.now(), call.zone()) : "Unknown";
    call.problem(
        "Job %d to start at %s using %d processors on nodes %s in partition %s"
            .formatted(
                preview.jobId(), start, Math.max(1, preview.cpus()), host, JobText.PARTITION));
    if (!preview.waits().isEmpty()) {
      call.problem("it would wait " + preview.waits());
    }
    return 0;
  }
}
