package gflow.cli.job;

import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.Listing;
import gflow.cli.frame.Refused;
import gflow.cli.frame.WatchScreen;
import gflow.cli.step.StepListing;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.List;

/** {@code gqueue}: the jobs that wait and run, and with {@code -j} or {@code -s} the others too. */
public final class Gqueue {
  public static final Command COMMAND =
      Command.of(
          "gqueue",
          "[options]",
          "Lists the jobs that wait or run. NODES is the number of GPUs asked for,"
              + " NODELIST(REASON) the GPUs a job has or why it waits.",
          List.of(
              Opt.value("states", "st", "STATE[,STATE…]", "only in these states, as R,PD or all")
                  .alias("state"),
              Opt.value("jobs", "j", "ID[,ID…]", "only these, also if they are over").alias("job"),
              Opt.value("user", "u", "USER[,USER…]", "only jobs of these users").alias("users"),
              Opt.flag("me", "", "only mine"),
              Opt.value("name", "n", "NAME[,NAME…]", "only jobs of these names").alias("names"),
              Opt.value("project", "PA", "NAME", "only jobs of this project").alias("account"),
              Opt.flag("all", "a", "also those that are over"),
              Opt.value("limit", "", "N", "at most so many"),
              Opt.value("fields", "f", "FIELD[,FIELD…]", "these columns: " + QueueColumns.names()),
              Opt.value("format", "o", "FORMAT", "squeue's format, as \"%.8i %j %T\""),
              Opt.value("sort", "S", "FIELD[,FIELD…]", "order of the rows; -FIELD from the top"),
              Opt.flag("noheader", "h", "no header").alias("no-header"),
              Opt.flag("steps", "", "the steps of these jobs, with -j also those that are over"),
              Opt.flag("tree", "", "each job under the one that it waits for"),
              Opt.value("iterate", "i", "SECONDS", "again and again"),
              Opt.flag("watch", "w", "again whenever something changes"),
              Command.JSON,
              Opt.flag("help", "", "show this and end")),
          Gqueue::run);

  private Gqueue() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    ArgumentWords.none(given);
    var listing = new QueueTable(call, given);
    if (given.has("steps")) {
      new StepListing(call, given).print(listing.rows());
      return 0;
    }
    if (given.has("watch")) {
      return new WatchScreen(call, () -> LineParts.whole(listing.text())).run();
    }
    Listing.print(call, given, listing::text);
    listing.left().ifPresent(call.output()::problem);
    return 0;
  }
}
