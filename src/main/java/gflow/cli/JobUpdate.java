package gflow.cli;

import gflow.script.BadInput;
import gflow.script.BatchOptions;
import gflow.script.Given;
import gflow.script.Grammar;
import gflow.script.Opt;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@code gjob update}: other options for a job that waits, another time limit for any. */
final class JobUpdate implements Command {
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
    var jobs = Words.jobs(given);
    SortedMap<String, String> changes = new TreeMap<>();
    CHANGEABLE.forEach(name -> given.value(name).ifPresent(value -> changes.put(name, value)));
    if (changes.isEmpty()) {
      throw new BadInput("say what to change: --" + String.join(" --", CHANGEABLE));
    }
    return new Changes(call, given.has("json"))
        .make(jobs, (some, key) -> call.gflow().update(some, changes, key));
  }
}
