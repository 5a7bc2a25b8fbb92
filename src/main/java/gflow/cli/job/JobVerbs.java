package gflow.cli.job;

import gflow.api.Answer;
import gflow.api.ApiRequest.Hold;
import gflow.api.ApiRequest.Redo;
import gflow.api.ApiRequest.Release;
import gflow.api.ApiRequest.Signal;
import gflow.api.ApiRequest.Update;
import gflow.api.ApiRequest.Wait;
import gflow.api.Gflow.Receipt;
import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ExitCodes;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.order.BatchOptions;
import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import gflow.script.value.JobRefs;
import gflow.script.value.SignalSyntax;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@code gjob hold} and its like: what can be done to jobs that are there. */
public final class JobVerbs {
  private static final List<String> CHANGEABLE =
      Opt.names(
          "time priority gpus gpu-type cpus-per-task mem name comment project begin dependency"
              + " depends-on max-concurrent retries retry-on");

  private JobVerbs() {}

  public static List<Command> all() {
    return List.of(
        verb(
            "hold",
            "ID…",
            "Keeps waiting jobs from starting until they are released.",
            List.of(Command.JSON),
            (call, given) ->
                edit(call, given, ArgumentWords.jobs(given), (jobs, key) -> new Hold(jobs))),
        verb(
            "release",
            "ID… [--at TIME]",
            "Lets held jobs start, at once or not before a time.",
            List.of(
                Opt.value("at", "", "TIME", "not before: 16:00, tomorrow, now+1hour")
                    .alias("begin"),
                Command.JSON),
            JobVerbs::release),
        verb(
            "signal",
            "ID… SIGNAL",
            "Sends a signal to the programs of jobs that run, as USR1 or 10.",
            List.of(Opt.flag("script", "", "to the script alone"), Command.JSON),
            JobVerbs::signal),
        verb(
            "update",
            "ID… OPTIONS",
            "Changes options of waiting jobs; --time also of running ones, as in --time +2h.",
            changeable(),
            JobVerbs::update),
        verb(
            "redo",
            "ID… [--failed]",
            "Submits jobs again as they were; --failed of an array only what did not end well.",
            List.of(
                Opt.flag("failed", "", "only the tasks that did not end well"),
                Opt.flag("parsable", "", "print only the id"),
                Command.JSON),
            JobVerbs::redo),
        verb(
            "wait",
            "ID…",
            "Waits until the jobs are over. The exit code is theirs, the highest of several:"
                + " 128+signal, 124 for a time limit, 130 if cancelled.",
            List.of(Opt.flag("json", "", "then show them in JSON")),
            JobVerbs::await));
  }

  private static Command verb(
      String name, String usage, String about, List<Opt> options, Command.Body body) {
    var all = new ArrayList<>(options);
    all.add(Opt.HELP);
    return Command.of("gjob " + name, usage, about, all, body);
  }

  private static int edit(Call call, Given given, List<JobRef> jobs, BulkEdit.Request request)
      throws Refused {
    return new BulkEdit(call, given.has("json")).make(jobs, request);
  }

  private static int release(Call call, Given given) throws BadInput, Refused {
    List<JobRef> named = ArgumentWords.jobs(given);
    Optional<Instant> at =
        given.read("at", text -> BeginTimes.parse(text, call.now(), call.zone()));
    return edit(call, given, named, (jobs, key) -> new Release(jobs, at));
  }

  /** A signal to what a job runs, which ends nothing by itself. */
  private static int signal(Call call, Given given) throws BadInput, Refused {
    List<String> words = given.words();
    if (words.size() < 2) {
      throw new BadInput("it needs a job and a signal, as in gjob signal 42 USR1");
    }
    int signal = SignalSyntax.number(words.getLast());
    Recipients to = given.has("script") ? Recipients.SCRIPT : Recipients.PROGRAMS;
    List<JobRef> named = JobRefs.all(words.subList(0, words.size() - 1));
    return edit(call, given, named, (jobs, key) -> new Signal(jobs, signal, to));
  }

  private static List<Opt> changeable() {
    var options = new ArrayList<Opt>();
    for (String name : CHANGEABLE) {
      BatchOptions.GRAMMAR.options().stream()
          .filter(option -> option.name().equals(name))
          .forEach(options::add);
    }
    options.add(Command.JSON);
    return options;
  }

  private static int update(Call call, Given given) throws BadInput, Refused {
    List<JobRef> named = ArgumentWords.jobs(given);
    SortedMap<String, String> changes = new TreeMap<>();
    CHANGEABLE.forEach(name -> given.value(name).ifPresent(value -> changes.put(name, value)));
    if (changes.isEmpty()) {
      throw new BadInput("say what to change: --" + String.join(" --", CHANGEABLE));
    }
    return edit(call, given, named, (jobs, key) -> new Update(jobs, changes, key));
  }

  /** The same job again, under a new id. */
  private static int redo(Call call, Given given) throws BadInput {
    var receipts = new ArrayList<Receipt>();
    int code = 0;
    for (JobRef job : ArgumentWords.jobs(given)) {
      var key = call.invocation().key().map(k -> k + "/" + job);
      switch (call.gflow().ask(new Redo(job, given.has("failed"), key))) {
        case Answer.Ok<List<Receipt>>(var some) -> receipts.addAll(some);
        case Answer.No<List<Receipt>>(var kind, String line) -> {
          // The others were submitted, and that must be told.
          call.problem(line);
          code = Math.max(code, kind.exitCode());
        }
      }
    }
    if (!receipts.isEmpty()) {
      Receipts.say(call, given, receipts);
    }
    return code;
  }

  private static int await(Call call, Given given) throws BadInput, Refused {
    var ended = new ArrayList<JobView>();
    for (JobRef job : ArgumentWords.jobs(given)) {
      ended.addAll(call.ask(new Wait(job)));
    }
    if (given.has("json")) {
      call.json("jobs", ended);
    }
    return ExitCodes.code(ended);
  }
}
