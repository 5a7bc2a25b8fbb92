package gflow.cli.slurm;

import gflow.api.ApiRequest.Submit;
import gflow.api.ApiRequest.TryOut;
import gflow.api.Gflow.Receipt;
import gflow.api.JobView;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ErrorStyle;
import gflow.cli.frame.ExitCodes;
import gflow.cli.frame.ReadOrder;
import gflow.cli.frame.Refused;
import gflow.cli.frame.TestOnly;
import gflow.cli.job.BatchWarnings;
import gflow.cli.job.Receipts;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.order.BatchOptions;
import gflow.script.order.OptionVariables;
import gflow.script.order.Order;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;

/** {@code sbatch}: {@code gbatch} with Slurm's defaults, words and exit codes. */
public final class Sbatch {
  private static final List<String> NOT_SLURMS =
      Opt.names("from group dry-run json spread stagger");
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
    options.add(Opt.flag(TestOnly.OPTION, "", "say when it would start, submit nothing"));
    return options;
  }

  public static final Command COMMAND = new Command(GRAMMAR, ErrorStyle.SBATCH, Sbatch::run);

  private Sbatch() {}

  private static int run(Call call, Given typed) throws BadInput, Refused {
    Given said = OptionVariables.SBATCH.under(GRAMMAR, typed, call::variable);
    SlurmWords.defined(call, said);
    List<ReadOrder> read = List.of(new SbatchOrder(call, said).read());
    List<Order> orders = ReadOrder.orders(read);
    Given given = read.getFirst().how(said);
    if (given.has(TestOnly.OPTION)) {
      return TestOnly.say(
          call, ReadOrder.get(call.gflow().ask(new TryOut(orders)), read).getFirst());
    }
    BatchWarnings.say(call, read);
    List<Receipt> receipts =
        ReadOrder.get(call.gflow().ask(new Submit(orders, call.invocation().key())), read);
    Receipts.warn(call, receipts);
    long id = receipts.getFirst().jobId();
    if (given.has("parsable")) {
      call.line(Long.toString(id));
    } else if (!given.has("quiet")) {
      call.line("Submitted batch job " + id);
    }
    return given.has("wait")
        ? Receipts.await(call, receipts).stream().mapToInt(Sbatch::code).max().orElse(0)
        : 0;
  }

  /** The job's own code, or 1 where a signal or somebody else ended it. */
  private static int code(JobView job) {
    if (ExitCodes.code(job) == 0) {
      return 0;
    }
    boolean own = job.signal() == null && job.exitCode() != null && job.exitCode() > 0;
    return own ? job.exitCode() : 1;
  }
}
