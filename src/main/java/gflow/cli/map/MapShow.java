package gflow.cli.map;

import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.map.results.MapFolder;
import gflow.map.results.ResultLine;
import gflow.map.results.ResultReader;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;

/** {@code gmap show}: the results of a map, a line for each item. */
public final class MapShow {
  public static final Command COMMAND =
      Command.of(
          "gmap show",
          "DIR [--failed]",
          "Shows what a map came to so far, and a line for each item that is done.",
          List.of(
              Opt.flag("failed", "", "only the items that failed"),
              Opt.flag("json", "", "their lines as they are, in JSON"),
              Opt.HELP),
          MapShow::run);

  private MapShow() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    MapFolder folder = folder(call, given);
    boolean json = given.has("json");
    if (!json) {
      call.line(row("INDEX", "STATUS", "GPU", "SECONDS", "TRIES", "ITEM"));
    }
    forEach(
        folder,
        line -> {
          if (!given.has("failed") || line.failed()) {
            call.line(json ? line.json() : row(line));
          }
        });
    if (!json) {
      call.output().flush();
      MapSummary.say(call, folder, false, false);
    }
    return 0;
  }

  static void forEach(MapFolder folder, ResultReader.Reader reader) throws Refused {
    try {
      new ResultReader(folder).forEach(reader);
    } catch (IOException e) {
      throw new Refused("cannot read " + folder.results() + ": " + e.getMessage());
    }
  }

  /** The one folder that was named, and that is one of a map. */
  static MapFolder folder(Call call, Given given) throws BadInput, Refused {
    if (given.words().size() != 1) {
      throw new BadInput("say which folder: the results of one map, as gmap-1");
    }
    var folder = new MapFolder(call.path(given.words().getFirst()).normalize());
    if (!Files.exists(folder.plan())) {
      throw new Refused("there is no map in " + folder.path());
    }
    if (!Files.exists(folder.results())) {
      throw new Refused("nothing of " + folder.path() + " is done yet");
    }
    return folder;
  }

  private static String row(ResultLine line) {
    String cause = line.text("cause");
    return row(
        Long.toString(line.index()),
        line.text("status"),
        line.text("gpu"),
        String.format(Locale.ROOT, "%.3f", seconds(line)),
        line.text("attempts"),
        Table.Cell.plain(line.item()).text() + (cause.isEmpty() ? "" : "  (" + cause + ")"));
  }

  private static double seconds(ResultLine line) {
    return line.all().get("seconds") instanceof Double seconds ? seconds : 0;
  }

  /** Of fixed widths: there may be a million lines, and the first must not wait for the last. */
  private static String row(String... cells) {
    return "%-8s %-7s %-4s %10s %5s  %s".formatted((Object[]) cells);
  }
}
