package gflow.cli.map;

import gflow.api.ApiRequest.Show;
import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.map.items.BadItems;
import gflow.map.plan.MapPlan;
import gflow.map.results.MapFolder;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.ShellWords;
import java.nio.file.Path;
import java.util.List;

/** {@code gmap attach}: watches a map that runs in the queue. */
public final class MapAttach {
  private MapAttach() {}

  /** {@code program}: the launcher. */
  public static Command command(Path program) {
    return Command.of(
        "gmap attach",
        "ID",
        "Watches a map that runs in the queue: what its items printed and print, and how far it"
            + " is. Ctrl-C is for the map, as if it had not been left.",
        List.of(Opt.flag("quiet", "Q", "show no progress"), Opt.HELP),
        (call, given) -> run(call, given, program));
  }

  private static int run(Call call, Given given, Path program) throws BadInput, Refused {
    JobRef ref = ArgumentWords.job(given);
    JobView job = call.ask(new Show(ref)).getFirst();
    MapFolder folder = folder(job);
    try {
      var shown = new MapView.Shown(true, !given.has("quiet"));
      var view = new MapView(call, folder, MapPlan.read(folder), 0, shown);
      int code = new MapJob(call, program).watch(ref, view);
      MapSummary.say(call, folder, false, true);
      return code;
    } catch (BadItems e) {
      throw new Refused(e.line());
    }
  }

  private static MapFolder folder(JobView job) throws BadInput, Refused {
    List<String> words = ShellWords.split(job.command());
    int at = words.indexOf(MapJob.RUN_FOLDER);
    if (at < 0 || at + 1 == words.size()) {
      throw new Refused("job " + job.jobId() + " is no map; gjob log -f follows it");
    }
    return new MapFolder(Path.of(words.get(at + 1)));
  }
}
