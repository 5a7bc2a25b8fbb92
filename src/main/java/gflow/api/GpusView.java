package gflow.api;

import java.util.List;

/**
 * The GPUs that a running job has now; {@code callBack} of those that are {@code wanted} shall come
 * back as soon as nothing of the job runs on them.
 */
public record GpusView(long jobId, int mostGpus, List<OneGpu> cards, int callBack) {
  public GpusView {
    cards = List.copyOf(cards);
  }

  /** {@code lent}: on loan, and not the job's own until its end. */
  public record OneGpu(int index, String uuid, boolean lent, boolean wanted) {}
}
