package gflow.api;

import gflow.api.Gflow.Control;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an operator's change has done, in words. */
public final class ControlText {
  private ControlText() {}

  /** But for one of the history, see {@link #pruned}. */
  public static String of(Control control) {
    return switch (control) {
      case Control.SetGpus(Optional<List<Integer>> allowed) ->
          "new jobs get " + allowed.map(only -> "only " + gpus(only)).orElse("all GPUs");
      case Control.Drain(List<Integer> gpus, String why) ->
          gpus(gpus) + are(gpus) + "drained: what runs there goes on, nothing new starts";
      case Control.Undrain(List<Integer> gpus) -> gpus(gpus) + are(gpus) + "in use again";
      case Control.Pause _ -> "paused: what runs goes on, nothing starts until gctl resume";
      case Control.Resume() -> "jobs start again";
      case Control.SetLimit(String subject, int limit) ->
          subject(subject) + (limit == 0 ? ": no limit" : ": at most " + tasks(limit));
      case Control.Ignore(boolean byUser, String name, boolean add) ->
          (byUser ? "user " : "command ")
              + name
              + (add ? " is ignored on GPUs" : " counts on GPUs again");
      case Control.Prune _ -> throw new IllegalArgumentException("it says how much it was");
    };
  }

  public static String pruned(int jobs) {
    return jobs == 1 ? "1 ended job forgotten" : jobs + " ended jobs forgotten";
  }

  private static String gpus(List<Integer> indices) {
    String list = indices.stream().map(String::valueOf).collect(Collectors.joining(","));
    return (indices.size() == 1 ? "GPU " : "GPUs ") + list;
  }

  private static String are(List<Integer> indices) {
    return indices.size() == 1 ? " is " : " are ";
  }

  private static String subject(String subject) {
    return subject.contains(":") ? subject.replaceFirst(":", " ") : "job " + subject;
  }

  private static String tasks(int limit) {
    return limit == 1 ? "1 task at a time" : limit + " tasks at a time";
  }
}
