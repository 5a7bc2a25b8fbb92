package gflow.store;

import gflow.job.JobSpec;
import org.jspecify.annotations.Nullable;

/** Of many specs that differ only in what they run, the rest is put into words once. */
final class SpecTexts {
  private @Nullable JobSpec last;
  private String rest = "";

  String text(JobSpec spec) {
    if (last == null || !alike(last, spec)) {
      rest = SpecWriter.rest(spec);
      last = spec;
    }
    return SpecWriter.text(spec.program(), rest);
  }

  private static boolean alike(JobSpec one, JobSpec other) {
    return one.request().equals(other.request())
        && one.terms().equals(other.terms())
        && one.tasks().equals(other.tasks())
        && one.scene().equals(other.scene())
        && one.labels().equals(other.labels());
  }
}
