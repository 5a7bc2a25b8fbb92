package gflow.store;

import gflow.job.JobSpec.Terms;
import gflow.job.RetryOn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether a job was requeued was a flag, before there were words for all ends. */
final class OldTerms {
  private OldTerms() {}

  /** A spec as it is written now. */
  static @Nullable Object renewed(@Nullable Object spec) {
    if (!(spec instanceof Map<?, ?> fields
        && fields.get("terms") instanceof Map<?, ?> terms
        && terms.get("requeue") instanceof Boolean requeue)) {
      return spec;
    }
    var changed = new LinkedHashMap<Object, @Nullable Object>(terms);
    changed.remove("requeue");
    changed.put("retry_on", retryOn(requeue).stream().map(RetryOn::name).toList());
    var all = new LinkedHashMap<Object, @Nullable Object>(fields);
    all.put("terms", changed);
    return all;
  }

  static List<RetryOn> retryOn(boolean requeue) {
    return requeue ? RetryOn.requeued(Terms.USUAL) : Terms.USUAL;
  }
}
