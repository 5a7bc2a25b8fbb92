package gflow.cli.job;

import gflow.api.JobView;
import gflow.script.value.BadInput;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The order of rows: {@code -PRIORITY,JOBID}. Without one, rows stay as the service gave them. */
record QueueSorting(List<Comparator<JobView>> keys) {

  static QueueSorting parse(Optional<String> text) throws BadInput {
    var keys = new ArrayList<Comparator<JobView>>();
    if (text.isPresent()) {
      for (String part : text.get().split(",", -1)) {
        boolean down = part.startsWith("-");
        QueueField field =
            QueueField.byName(down || part.startsWith("+") ? part.substring(1) : part);
        keys.add(down ? Collections.reverseOrder(by(field)) : by(field));
      }
    }
    return new QueueSorting(keys);
  }

  List<JobView> apply(List<JobView> jobs) {
    return keys.stream()
        .reduce(Comparator::thenComparing)
        .map(jobs.stream()::sorted)
        .map(java.util.stream.Stream::toList)
        .orElse(jobs);
  }

  /** By number where the text is none; else by the text that is shown. */
  private static Comparator<JobView> by(QueueField field) {
    return switch (field) {
      case JOBID, NUMBER -> Comparator.comparingLong(JobView::jobId);
      case TIME -> Comparator.comparingDouble(j -> j.elapsed() == null ? 0 : j.elapsed());
      case TIMELIMIT ->
          Comparator.comparingLong(j -> j.timeLimit() == null ? Long.MAX_VALUE : j.timeLimit());
      case MEM -> Comparator.comparingLong(j -> j.memory() == null ? 0 : j.memory());
      case NODES -> Comparator.comparingInt(JobView::gpus);
      case PRIORITY -> Comparator.comparingInt(JobView::priority);
      case CPUS -> Comparator.comparingInt(JobView::cpus);
      default -> Comparator.comparing(j -> field.show(j, ZoneOffset.UTC));
    };
  }
}
