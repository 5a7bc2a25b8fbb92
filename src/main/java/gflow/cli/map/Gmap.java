package gflow.cli.map;

import gflow.api.Gflow.Receipt;
import gflow.cli.frame.Attachments;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Plural;
import gflow.cli.frame.Refused;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.map.items.BadItems;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Item;
import gflow.map.items.RunPlace;
import gflow.map.plan.ItemSpool;
import gflow.map.plan.MapMaking;
import gflow.map.plan.MapOptions;
import gflow.map.plan.MapOrder;
import gflow.map.plan.MapOrders;
import gflow.map.plan.ShownWords;
import gflow.map.results.MapFolder;
import gflow.map.results.ResultReader;
import gflow.script.grammar.Given;
import gflow.script.order.Defaults;
import gflow.script.order.Order;
import gflow.script.order.Orders;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code gmap}: runs a program over many items. */
public record Gmap(Path program) {
  private static final int SHOWN = 5;

  /** {@code program}: the launcher. */
  public static Command command(Path program) {
    return new Command(MapOptions.GRAMMAR, new Gmap(program)::run);
  }

  private int run(Call call, Given given) throws BadInput, Refused {
    if (given.value("run-folder").isPresent()) {
      return runFolder(call, given.value("run-folder").get());
    }
    MapOrder order = MapOrders.read(given, call.invocation().input().isTerminal());
    checkCommand(call, given, order);
    checkJob(call, order);
    if (order.flags().dryRun()) {
      return preview(call, order);
    }
    return MapHere.isAllocation(call) ? here(call, order) : inQueue(call, order);
  }

  /** What the job of a map runs: everything stands in the folder. */
  private int runFolder(Call call, String folder) throws Refused {
    return new MapHere(call, program).run(new MapFolder(call.path(folder)), Optional.empty());
  }

  private int here(Call call, MapOrder order) throws Refused {
    MapMaking.Made made = make(call, order);
    MapFolder folder = made.folder();
    long before = length(folder);
    var view = new MapView(call, folder, made.plan(), before, shown(order));
    int code = new MapHere(call, program).run(folder, Optional.of(view));
    MapSummary.say(call, folder, order.flags().json(), true);
    return code;
  }

  private int inQueue(Call call, MapOrder order) throws Refused {
    MapMaking.Made made = make(call, order);
    MapFolder folder = made.folder();
    long before = length(folder);
    var job = new MapJob(call, program);
    Receipt receipt;
    try {
      receipt = job.submit(folder, order, made.plan());
    } catch (Refused e) {
      if (!order.results().resume()) {
        MapMaking.remove(folder);
      }
      throw e;
    }
    if (order.flags().detach()) {
      detached(call, receipt, folder, order.flags().json());
      return 0;
    }
    call.problem("job " + receipt.jobId() + ", results in " + folder.path());
    var view = new MapView(call, folder, made.plan(), before, shown(order));
    int code = job.watch(new JobRef.ById(new JobId(receipt.jobId())), view);
    MapSummary.say(call, folder, order.flags().json(), true);
    return code;
  }

  /** With {@code --json} stdout is for that alone; what items print stands in the results. */
  private static MapView.Shown shown(MapOrder order) {
    return new MapView.Shown(!order.flags().json(), !order.flags().quiet());
  }

  private static void detached(Call call, Receipt receipt, MapFolder folder, boolean json) {
    if (json) {
      var answer = new LinkedHashMap<String, @Nullable Object>();
      answer.put("job_id", receipt.jobId());
      answer.put("results", folder.path().toString());
      call.json(answer);
    } else {
      call.line("Submitted batch job " + receipt.jobId());
    }
  }

  private static Optional<MapFolder> named(Call call, MapOrder order) {
    return order
        .results()
        .folder()
        .map(name -> new MapFolder(call.path(name).toAbsolutePath().normalize()));
  }

  private static long length(MapFolder folder) throws Refused {
    try {
      return new ResultReader(folder).length();
    } catch (IOException e) {
      throw new Refused("cannot look at " + folder.results() + ": " + e.getMessage());
    }
  }

  private static MapMaking.Made make(Call call, MapOrder order) throws Refused {
    try {
      var making = new MapMaking(order, call.path(""), call.invocation().input()::open);
      MapMaking.Made made = making.make(named(call, order));
      made.notes().forEach(call::problem);
      return made;
    } catch (BadItems e) {
      throw new Refused(e.line());
    }
  }

  /** A shell that was given the pattern without quotes has made words of it. */
  private static void checkCommand(Call call, Given given, MapOrder order) throws BadInput {
    if (given.values("items").isEmpty() || order.command().isEmpty()) {
      return;
    }
    String program = order.command().getFirst();
    Path file = call.path(program);
    if (program.contains("/") && Files.isRegularFile(file) && !Files.isExecutable(file)) {
      throw new BadInput(
          program + " is no program; put the pattern in quotes: --items 'data/*' COMMAND");
    }
  }

  /** What is wrong with the options of the job is said before an item is read. */
  private static void checkJob(Call call, MapOrder order) throws BadInput, Refused {
    var options = new TreeMap<>(order.job());
    boolean gpus = !order.way().slots().cards().equals("0");
    if (gpus && !options.containsKey("gpu-ids")) {
      options.put("gpus", List.of("1"));
    }
    var body = new Order.Body.Command(List.of("gmap"));
    var job = new Order(options, body, call.invocation().origin(), new TreeMap<>());
    Orders.draft(new Attachments(call).add(job).order(), call.now(), call.zone(), Defaults.NONE);
  }

  private static int preview(Call call, MapOrder order) throws BadInput, Refused {
    ItemSpool.Seen seen;
    try {
      Path folder = call.path("");
      seen = new ItemSpool(order, folder, call.invocation().input()::open).look(SHOWN);
    } catch (BadItems e) {
      throw new Refused(e.line());
    }
    seen.notes().forEach(call::problem);
    List<List<String>> commands = commands(order, seen);
    String folder =
        named(call, order)
            .orElseGet(() -> MapMaking.firstFree(call.path("").toAbsolutePath()))
            .path()
            .toString();
    if (order.flags().json()) {
      var answer = new LinkedHashMap<String, @Nullable Object>();
      answer.put("items", seen.count());
      answer.put("results", folder);
      answer.put("commands", commands);
      call.json(answer);
      return 0;
    }
    commands.forEach(words -> call.line(ShownWords.of(words)));
    call.line(Plural.of(seen.count(), "item") + "; results would go to " + folder);
    return 0;
  }

  private static List<List<String>> commands(MapOrder order, ItemSpool.Seen seen) {
    if (order.command().isEmpty()) {
      return List.of();
    }
    CommandTemplate template = order.draft().template(seen.first().getFirst());
    int slots = order.way().slots().most().orElse(SHOWN);
    var commands = new ArrayList<List<String>>();
    for (Item item : seen.first()) {
      // Which GPU it gets is known when it runs.
      commands.add(template.words(item, new RunPlace(item.index() % slots, "{gpu}", 1)));
    }
    return order.way().worker().isPresent() ? commands.subList(0, 1) : commands;
  }
}
