package gflow.cli.slurm;

import gflow.cli.frame.Column;
import gflow.script.value.BadInput;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** squeue's {@code -S}: letters of its columns, {@code t,-p}; numbers go by number. */
final class SqueueSorting {
  private SqueueSorting() {}

  static List<SlurmJob> apply(List<SlurmJob> jobs, Optional<String> letters) throws BadInput {
    if (letters.isEmpty()) {
      return jobs;
    }
    Comparator<SlurmJob> order = (_, _) -> 0;
    for (String word : letters.get().split(",", -1)) {
      boolean down = word.startsWith("-");
      String letter = down || word.startsWith("+") ? word.substring(1) : word;
      order = order.thenComparing(down ? Collections.reverseOrder(by(letter)) : by(letter));
    }
    return jobs.stream().sorted(order).toList();
  }

  private static Comparator<SlurmJob> by(String letter) throws BadInput {
    if (letter.length() != 1 || SqueueColumns.ALL.byLetter(letter.charAt(0)).isEmpty()) {
      throw new BadInput(
          "Invalid sort specification: "
              + letter
              + "; write letters of "
              + SqueueColumns.ALL.letters());
    }
    return switch (letter.charAt(0)) {
      case 'i', 'A', 'F' -> Comparator.comparingLong(job -> job.view().jobId());
      case 'Q', 'p' -> Comparator.comparingInt(job -> job.view().priority());
      case 'M' -> Comparator.comparingDouble(SqueueSorting::elapsed);
      case 'l' -> Comparator.comparingLong(SqueueSorting::limit);
      case 'C', 'c' -> Comparator.comparingInt(SlurmJob::cpus);
      default -> text(SqueueColumns.ALL.byLetter(letter.charAt(0)).orElseThrow());
    };
  }

  private static Comparator<SlurmJob> text(Column<SlurmJob> column) {
    return Comparator.comparing(column.shown());
  }

  private static double elapsed(SlurmJob job) {
    return job.view().elapsed() == null ? 0 : job.view().elapsed();
  }

  private static long limit(SlurmJob job) {
    return job.view().timeLimit() == null ? Long.MAX_VALUE : job.view().timeLimit();
  }
}
