package gflow.cli.job;

import gflow.api.JobView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jobs of a list, each under the first job of the list that it depends on. */
final class DependencyTree {
  private static final Pattern PARENT = Pattern.compile(":(\\d+)");

  private final List<JobView> roots = new ArrayList<>();
  private final Map<JobView, List<JobView>> children = new LinkedHashMap<>();

  DependencyTree(List<JobView> jobs) {
    var byId = new TreeMap<Long, JobView>();
    for (JobView job : jobs) {
      byId.putIfAbsent(job.jobId(), job);
      // The first row of an array stands for it.
      byId.putIfAbsent(job.arrayJobId() == null ? job.jobId() : job.arrayJobId(), job);
    }
    for (JobView job : jobs) {
      Optional<JobView> parent = parent(job, byId);
      if (parent.isPresent()) {
        children.computeIfAbsent(parent.get(), p -> new ArrayList<>()).add(job);
      } else {
        roots.add(job);
      }
    }
  }

  /** A job waits only for older ones, so a higher number is no parent and there is no circle. */
  private static Optional<JobView> parent(JobView job, Map<Long, JobView> byId) {
    if (job.dependency() == null) {
      return Optional.empty();
    }
    Matcher matcher = PARENT.matcher(job.dependency());
    while (matcher.find()) {
      JobView parent = byId.get(Long.valueOf(matcher.group(1)));
      if (parent != null && parent.jobId() < job.jobId()) {
        return Optional.of(parent);
      }
    }
    return Optional.empty();
  }

  /** Calls back for each job with the branch that leads to it. */
  void walk(BiConsumer<JobView, String> row) {
    for (JobView root : roots) {
      row.accept(root, "");
      below(root, "", row);
    }
  }

  private void below(JobView parent, String indent, BiConsumer<JobView, String> row) {
    List<JobView> under = children.getOrDefault(parent, List.of());
    for (int i = 0; i < under.size(); i++) {
      boolean lastOne = i == under.size() - 1;
      row.accept(under.get(i), indent + (lastOne ? "└─ " : "├─ "));
      below(under.get(i), indent + (lastOne ? "   " : "│  "), row);
    }
  }
}
