package gflow.script.env;

import java.util.List;

/** What a program behind a fence calls the GPUs of its job: the first that is there is 0. */
public final class SeenGpus {
  private SeenGpus() {}

  /** {@code some} of the numbers that the machine has for all GPUs of the job. */
  public static List<Integer> of(List<Integer> some, List<Integer> all) {
    List<Integer> sorted = all.stream().sorted().toList();
    return some.stream().map(sorted::indexOf).toList();
  }
}
