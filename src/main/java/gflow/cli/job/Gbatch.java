package gflow.cli.job;

import gflow.api.ApiRequest.Submit;
import gflow.api.ApiRequest.TryOut;
import gflow.api.Gflow.Preview;
import gflow.api.Gflow.Receipt;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ExitCodes;
import gflow.cli.frame.ReadOrder;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.script.grammar.Given;
import gflow.script.order.BatchOptions;
import gflow.script.order.Order;
import gflow.script.value.BadInput;
import java.util.List;

/** {@code gbatch}: submits jobs; on stdout stands {@code Submitted batch job N} and no more. */
public final class Gbatch {
  public static final Command COMMAND = new Command(BatchOptions.GRAMMAR, Gbatch::run);

  private Gbatch() {}

  private static int run(Call call, Given said) throws BadInput, Refused {
    List<ReadOrder> read = new BatchOrders(call, said).read();
    List<Order> orders = ReadOrder.orders(read);
    Given given = read.size() == 1 ? read.getFirst().how(said) : said;
    BatchWarnings.say(call, read);
    if (given.has("dry-run")) {
      preview(call, given, ReadOrder.get(call.gflow().ask(new TryOut(orders)), read));
      return 0;
    }
    List<Receipt> receipts =
        ReadOrder.get(call.gflow().ask(new Submit(orders, call.invocation().key())), read);
    Receipts.warn(call, receipts);
    Receipts.say(call, given, receipts);
    return given.has("wait") ? ExitCodes.code(Receipts.await(call, receipts)) : 0;
  }

  private static void preview(Call call, Given given, List<Preview> previews) {
    if (given.has("json")) {
      call.json("jobs", previews);
      return;
    }
    for (Preview preview : previews) {
      var table =
          new Table()
              .texts("Would submit", preview.name())
              .texts("  command", preview.command())
              .texts("  resources", preview.resources());
      if (preview.tasks() > 1) {
        table.texts("  tasks", Integer.toString(preview.tasks()));
        preview.first().forEach(command -> table.texts("    ", command));
        if (preview.first().size() < preview.tasks()) {
          table.texts("    ", "…");
        }
      }
      table.texts("  starts", preview.waits().isEmpty() ? "at once" : "waits " + preview.waits());
      call.output().out(table.text(false));
    }
  }
}
