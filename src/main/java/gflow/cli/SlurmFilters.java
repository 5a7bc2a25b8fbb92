package gflow.cli;

import gflow.api.JobView;
import gflow.script.BadInput;
import gflow.script.Given;
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

  static List<String> list(Given given, String option) throws BadInput {
    Optional<String> text = given.value(option);
    return text.isPresent() ? Words.list(option, text.get()) : List.of();
  }
}
