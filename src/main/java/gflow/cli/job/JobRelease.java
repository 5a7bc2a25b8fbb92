package gflow.cli.job;

import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code gjob release}. */
public final class JobRelease implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gjob release",
          "ID… [--at TIME]",
          "Lets held jobs start, at once or not before a time.",
          List.of(
              Opt.value("at", "", "TIME", "not before: 16:00, tomorrow, now+1hour").alias("begin"),
              Opt.flag("json", "", "answer in JSON"),
              Opt.HELP),
          false);

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    var jobs = ArgumentWords.jobs(given);
    Optional<Instant> begin = Optional.empty();
    if (given.value("at").isPresent()) {
      begin = Optional.of(BeginTimes.parse(given.value("at").get(), call.now(), call.zone()));
    }
    Optional<Instant> at = begin;
    return new BulkEdit(call, given.has("json"))
        .make(jobs, (some, key) -> call.gflow().release(some, at));
  }
}
