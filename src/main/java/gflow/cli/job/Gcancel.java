package gflow.cli.job;

import gflow.api.ApiRequest.Cancel;
import gflow.api.Gflow.Selection;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.StepRef;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import gflow.script.value.StateNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code gcancel}: by ids, or all that fit. */
public final class Gcancel {
  public static final Command COMMAND =
      Command.of(
          "gcancel",
          "ID… | --user U --name N --state S | --all",
          "Cancels jobs. An id is 42, a task 42_7, a step 42.0, a range 5-9, a list 1,3,5-9,"
              + " or @ (your last job).",
          List.of(
              Opt.value("user", "u", "USER[,USER…]", "all jobs of these users"),
              Opt.flag("me", "", "all jobs of mine"),
              Opt.value("name", "n", "NAME[,NAME…]", "all jobs of these names")
                  .alias("job-name", "jobname"),
              Opt.value("state", "ts", "STATE[,STATE…]", "all jobs in these states, as PENDING")
                  .alias("states"),
              Opt.flag("all", "", "all jobs that are not over"),
              Command.JSON,
              Opt.HELP),
          Gcancel::run);

  private Gcancel() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    List<JobRef> jobs =
        JobRefs.all(given.words().stream().filter(w -> !JobRefs.isStep(w)).toList());
    List<StepRef> steps = new ArrayList<>();
    for (String word : given.words().stream().filter(JobRefs::isStep).toList()) {
      steps.add(JobRefs.step(word));
    }
    Selection rest = selection(call, given);
    boolean filtered =
        rest.all()
            || !rest.states().isEmpty()
            || !rest.users().isEmpty()
            || !rest.names().isEmpty();
    if (given.words().isEmpty() == !filtered) {
      throw new BadInput(
          filtered
              ? "give ids, or --user, --name, --state or --all; not both"
              : "say which jobs: ids as 42 or 5-9, --user, --name, --state, or --all");
    }
    var changes = new BulkEdit(call, given.has("json"));
    if (!filtered) {
      changes.cancel(steps);
      return jobs.isEmpty()
          ? changes.end()
          : changes.make(jobs, (some, key) -> new Cancel(Selection.of(some)));
    }
    int code = changes.make(List.of(), (some, key) -> new Cancel(rest));
    // All jobs of an empty queue are cancelled already.
    return rest.all() ? code : changes.endOfFilter();
  }

  private static Selection selection(Call call, Given given) throws BadInput {
    Optional<StateNames.Filter> filter = given.read("state", StateNames::parse);
    return new Selection(
        List.of(),
        filter.map(StateNames.Filter::states).orElse(Set.of()),
        filter.flatMap(StateNames.Filter::onlyHeld),
        ArgumentWords.users(call, given),
        ArgumentWords.list(given, "name"),
        given.has("all"));
  }
}
