package gflow.cli.slurm;

import gflow.api.Answer;
import gflow.api.ApiRequest.Jobs;
import gflow.api.Gflow.JobList;
import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The jobs that the filters of a command of Slurm's mean. */
record SlurmQuery(
    Call call,
    Set<JobState> states,
    List<String> users,
    List<String> names,
    Optional<Instant> since,
    Predicate<JobView> fits) {

  static SlurmQuery of(Call call, Given given, Set<JobState> states, Optional<Instant> since)
      throws BadInput {
    return of(call, given, states, since, ArgumentWords.users(call, given));
  }

  static SlurmQuery of(
      Call call, Given given, Set<JobState> states, Optional<Instant> since, List<String> users)
      throws BadInput {
    return new SlurmQuery(
        call, states, users, ArgumentWords.list(given, "name"), since, fits(given));
  }

  /** What the service does not know. */
  private static Predicate<JobView> fits(Given given) throws BadInput {
    List<String> partitions = ArgumentWords.list(given, "partition");
    List<String> accounts = ArgumentWords.list(given, "account");
    List<String> qualities = ArgumentWords.list(given, "qos");
    return job ->
        among(partitions, JobText.partition(job))
            && among(accounts, job.labels().getOrDefault("account", ""))
            && among(qualities, job.labels().getOrDefault("qos", ""));
  }

  static boolean among(List<String> wanted, String value) {
    return wanted.isEmpty() || wanted.contains(value);
  }

  /** Those of the named ones that fit; where none is named, all. Empty if there is no such job. */
  Optional<List<JobView>> jobs(List<JobRef> named) throws Refused {
    if (states.isEmpty()) {
      return Optional.of(List.of());
    }
    var query =
        new JobQuery(named, states, users, names, Optional.empty(), since, Integer.MAX_VALUE);
    Answer<JobList> answer = call.gflow().ask(new Jobs(query));
    Optional<JobList> list = named.isEmpty() ? Optional.of(Call.get(answer)) : Call.found(answer);
    return list.map(found -> found.jobs().stream().filter(fits).toList());
  }

  /** The same, but one that is not there keeps nobody from the others. */
  List<JobView> jobsThatAreThere(List<JobRef> named) throws Refused {
    var all = new ArrayList<JobView>();
    for (JobRef ref : named) {
      all.addAll(jobs(List.of(ref)).orElse(List.of()));
    }
    return all;
  }
}
