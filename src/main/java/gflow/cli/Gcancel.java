package gflow.cli;

import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.Selection;
import gflow.api.JobView;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.StepRef;
import gflow.script.Arrays;
import gflow.script.BadInput;
import gflow.script.Given;
import gflow.script.Grammar;
import gflow.script.JobRefs;
import gflow.script.Opt;
import gflow.script.StateNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code gcancel}: by ids, or all that fit. */
final class Gcancel implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
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
              Opt.flag("json", "", "answer in JSON"),
              Opt.HELP),
          false);

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
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
    var changes = new Changes(call, given.has("json"));
    if (!filtered) {
      changes.cancel(steps);
      return jobs.isEmpty()
          ? changes.end()
          : changes.make(jobs, (some, key) -> call.gflow().cancel(named(some)));
    }
    Optional<StateNames.Filter> filter = filter(given);
    if (filter.isPresent() && filter.get().held() != filter.get().waiting()) {
      List<JobRef> found = found(call, rest, filter.get());
      return found.isEmpty()
          ? 0
          : changes.make(found, (some, key) -> call.gflow().cancel(named(some)));
    }
    return changes.make(List.of(), (some, key) -> call.gflow().cancel(rest));
  }

  private static Selection named(List<JobRef> jobs) {
    return new Selection(jobs, Set.of(), List.of(), List.of(), false);
  }

  private static Selection selection(Call call, Given given) throws BadInput {
    List<String> users = new ArrayList<>();
    if (given.value("user").isPresent()) {
      users.addAll(Words.list("user", given.value("user").get()));
    }
    if (given.has("me")) {
      users.add(call.invocation().caller().name());
    }
    List<String> names =
        given.value("name").isPresent() ? Words.list("name", given.value("name").get()) : List.of();
    var states = filter(given).map(StateNames.Filter::states).orElse(Set.of());
    return new Selection(List.of(), states, users, names, given.has("all"));
  }

  private static Optional<StateNames.Filter> filter(Given given) throws BadInput {
    return given.value("state").isPresent()
        ? Optional.of(StateNames.parse(given.value("state").get()))
        : Optional.empty();
  }

  /** The service knows no difference between held and waiting, so those meant are looked up. */
  private static List<JobRef> found(Call call, Selection rest, StateNames.Filter filter)
      throws Refused, BadInput {
    var query =
        new JobQuery(
            List.of(),
            rest.states(),
            rest.users(),
            rest.names(),
            Optional.empty(),
            Integer.MAX_VALUE);
    var refs = new ArrayList<JobRef>();
    for (JobView job : Call.get(call.gflow().jobs(query)).jobs()) {
      if (JobText.state(job).filter(state -> filter.fits(state, job.held())).isPresent()) {
        refs.addAll(refs(job));
      }
    }
    return refs;
  }

  /** The names of all that a row stands for. */
  static List<JobRef> refs(JobView job) throws BadInput {
    if (job.arrayJobId() == null || job.arrayTasks() == null) {
      return List.of(new JobRef.ById(new JobId(job.jobId())));
    }
    var array = new JobId(job.arrayJobId());
    return Arrays.parse(job.arrayTasks()).indices().stream()
        .<JobRef>mapToObj(index -> new JobRef.ArrayTask(array, index))
        .toList();
  }
}
