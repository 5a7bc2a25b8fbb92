package gflow.cli.slurm;

import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Filters of Slurm's commands that the service does not know. */
final class SlurmFilters {
  private SlurmFilters() {}

  static Predicate<JobView> of(Given given) throws BadInput {
    List<String> partitions = list(given, "partition");
    List<String> accounts = list(given, "account");
    List<String> qualities = list(given, "qos");
    return job ->
        fits(partitions, JobText.partition(job))
            && fits(accounts, job.labels().getOrDefault("account", ""))
            && fits(qualities, job.labels().getOrDefault("qos", ""));
  }

  private static boolean fits(List<String> wanted, String value) {
    return wanted.isEmpty() || wanted.contains(value);
  }

  /** Of {@code --user} and {@code --me}; who asks may write his number for his name. */
  static List<String> users(Call call, Given given) throws BadInput {
    var caller = call.invocation().caller();
    var users = new ArrayList<>(list(given, "user"));
    users.replaceAll(user -> user.equals("" + caller.uid()) ? caller.name() : user);
    if (given.has("me")) {
      users.add(caller.name());
    }
    return users;
  }

  static List<String> list(Given given, String option) throws BadInput {
    Optional<String> text = given.value(option);
    return text.isPresent() ? ArgumentWords.list(option, text.get()) : List.of();
  }
}
