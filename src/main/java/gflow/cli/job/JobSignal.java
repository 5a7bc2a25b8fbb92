package gflow.cli.job;

import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import gflow.script.value.SignalSyntax;
import java.util.ArrayList;
import java.util.List;

/** {@code gjob signal}: a signal to what a job runs, which ends nothing by itself. */
public final class JobSignal implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gjob signal",
          "ID… SIGNAL",
          "Sends a signal to the programs of jobs that run, as USR1 or 10.",
          List.of(
              Opt.flag("script", "", "to the script alone"),
              Opt.flag("json", "", "answer in JSON"),
              Opt.HELP),
          false);

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    List<String> words = given.words();
    if (words.size() < 2) {
      throw new BadInput("it needs a job and a signal, as in gjob signal 42 USR1");
    }
    int signal = SignalSyntax.number(words.getLast());
    var jobs = new ArrayList<JobRef>();
    for (String word : words.subList(0, words.size() - 1)) {
      jobs.addAll(JobRefs.list(word));
    }
    Recipients to = given.has("script") ? Recipients.SCRIPT : Recipients.PROGRAMS;
    return new BulkEdit(call, given.has("json"))
        .make(jobs, (some, key) -> call.gflow().signal(some, signal, to));
  }
}
