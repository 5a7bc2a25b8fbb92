package gflow.api;

import java.util.List;

/**
 * The cards that a running job has now; {@code callBack} of those that are {@code wanted} shall
 * come back as soon as nothing of the job runs on them.
 */
public record GpusView(long jobId, int mostGpus, List<CardView> cards, int callBack) {
  public GpusView {
    cards = List.copyOf(cards);
  }

  /** {@code lent}: on loan, and not the job's own until its end. */
  public record CardView(int index, String uuid, boolean lent, boolean wanted) {}
}
