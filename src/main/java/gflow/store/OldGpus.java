package gflow.store;

import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.json.RecordJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parts of GPUs and memory on them were two kinds of requests, and parts thousandths. */
final class OldGpus {
  private OldGpus() {}

  /** A spec as it is written now. */
  static @Nullable Object renewed(@Nullable Object spec) {
    if (!(spec instanceof Map<?, ?> fields && fields.get("request") instanceof Map<?, ?> request)) {
      return spec;
    }
    var all = new LinkedHashMap<Object, @Nullable Object>(fields);
    var changed = new LinkedHashMap<Object, @Nullable Object>(request);
    changed.computeIfPresent("gpus", (_, gpus) -> gpus(gpus));
    all.put("request", changed);
    return all;
  }

  private static Object gpus(Object gpus) {
    return switch (gpus) {
      case Map<?, ?> old when old.get("thousandths") instanceof Number part ->
          RecordJson.tree(GpuRequest.part(GpuPart.of(part.longValue(), 1000)));
      case Map<?, ?> old when old.get("bytes") instanceof Number bytes ->
          RecordJson.tree(GpuRequest.memory(bytes.longValue()));
      default -> gpus;
    };
  }
}
