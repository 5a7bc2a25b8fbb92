package gflow.api;

import gflow.json.BadJson;
import gflow.json.RecordJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs as the service shows them, for tests of what is made of one. */
public final class SampleViews {
  private SampleViews() {}

  /** A job by the names of its JSON; what is not said is usual. */
  public static JobView job(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> fields = usual();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    try {
      return RecordJson.fromTree(JobView.class, fields);
    } catch (BadJson e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Map<String, @Nullable Object> usual() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("name", "train");
    fields.put("user", "alice");
    fields.put("gpus", 1L);
    fields.put("gpu_ids", List.of());
    fields.put("cpus", 0L);
    fields.put("cpu_ids", List.of());
    fields.put("ntasks", 1L);
    fields.put("priority", 10L);
    fields.put("submit_time", "2026-11-15T09:00:00+01:00");
    fields.put("attempt", 1L);
    fields.put("retries", 0L);
    fields.put("command", "python train.py");
    fields.put("work_dir", "/home/alice");
    fields.put("held", false);
    fields.put("requeue", false);
    fields.put("labels", new LinkedHashMap<>());
    return fields;
  }
}
