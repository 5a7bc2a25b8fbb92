package gflow.store;

import gflow.job.BlobId;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Attachment;
import gflow.job.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** By how much a group of changes raises or lowers the count of jobs that use each blob. */
final class BlobCounts {
  private final Map<String, Integer> uses = new TreeMap<>();

  static List<BlobId> of(JobSpec spec) {
    var blobs = new ArrayList<BlobId>(3);
    blobs.add(spec.scene().environment());
    if (spec.program() instanceof Program.Script(BlobId text, var arguments)) {
      blobs.add(text);
    }
    spec.scene().config().map(Attachment::content).ifPresent(blobs::add);
    return blobs;
  }

  void named(JobSpec spec) {
    of(spec).forEach(blob -> uses.merge(blob.sha256(), 1, Integer::sum));
  }

  void dropped(JobSpec spec) {
    of(spec).forEach(blob -> uses.merge(blob.sha256(), -1, Integer::sum));
  }

  /** Hash and change, in the order of the hashes. */
  Map<String, Integer> changes() {
    return uses;
  }
}
