package gflow.cli.job;

import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.order.BatchOptions;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@code gjob update}: other options for a job that waits, another time limit for any. */
public final class JobUpdate implements Command {
  private static final List<String> CHANGEABLE =
      List.of(
          "time",
          "priority",
          "gpus",
          "gpu-type",
          "cpus-per-task",
          "mem",
          "name",
          "comment",
          "project",
          "begin",
          "dependency",
          "depends-on",
          "max-concurrent",
          "retries");
  private static final Grammar GRAMMAR =
      new Grammar(
          "gjob update",
          "ID… OPTIONS",
          "Changes options of waiting jobs; --time also of running ones, as in --time +2h.",
          options(),
          false);

  private static List<Opt> options() {
    var options = new ArrayList<Opt>();
    for (String name : CHANGEABLE) {
      BatchOptions.GRAMMAR.options().stream()
          .filter(option -> option.name().equals(name))
          .forEach(options::add);
    }
    options.add(Opt.flag("json", "", "answer in JSON"));
    options.add(Opt.HELP);
    return options;
  }

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    var jobs = ArgumentWords.jobs(given);
    SortedMap<String, String> changes = new TreeMap<>();
    CHANGEABLE.forEach(name -> given.value(name).ifPresent(value -> changes.put(name, value)));
    if (changes.isEmpty()) {
      throw new BadInput("say what to change: --" + String.join(" --", CHANGEABLE));
    }
    return new BulkEdit(call, given.has("json"))
        .make(jobs, (some, key) -> call.gflow().update(some, changes, key));
  }
}
