package gflow.cli;

import gflow.api.DaemonStatus;
import gflow.api.JobView;
import gflow.api.MachineView;
import gflow.api.MachineView.GpuUser;
import gflow.api.MachineView.GpuView;
import gflow.api.MachineView.PartitionView;
import gflow.api.ProblemView;
import gflow.api.StatsView;
import gflow.json.BadJson;
import gflow.json.RecordJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the fake service tells about: one lab server on one morning. */
public final class Lab {
  static final long GIB = 1L << 30;

  private Lab() {}

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

  private static Map<String, @Nullable Object> attempt(
      long number, String state, @Nullable Long exitCode, String start, List<Long> gpus) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("attempt", number);
    fields.put("state", state);
    fields.put("exit_code", exitCode);
    fields.put("start_time", start);
    fields.put("end_time", exitCode == null ? null : "2026-11-15T09:57:57+01:00");
    fields.put("gpu_ids", gpus);
    return fields;
  }

  static List<JobView> jobs() {
    return List.of(
        job(
            "job_id",
            1L,
            "name",
            "prep",
            "state",
            "COMPLETED",
            "exit_code",
            0L,
            "gpus",
            0L,
            "start_time",
            "2026-11-15T09:00:01+01:00",
            "end_time",
            "2026-11-15T09:01:06+01:00",
            "elapsed",
            65.2,
            "cpu_time",
            61.0,
            "peak_memory",
            300L << 20,
            "gpu_seconds",
            0.0),
        job(
            "job_id",
            42L,
            "name",
            "brave-river-1234",
            "state",
            "RUNNING",
            "gpus",
            2L,
            "gpu_ids",
            List.of(1L, 2L),
            "cpus",
            4L,
            "cpu_ids",
            List.of(0L, 1L, 2L, 3L),
            "memory",
            8 * GIB,
            "time_limit",
            14_400L,
            "start_time",
            "2026-11-15T09:57:57+01:00",
            "elapsed",
            3723.9,
            "project",
            "vision",
            "requeue",
            true,
            "log_path",
            "/logs/42.log",
            "retries",
            2L,
            "attempt",
            2L,
            "comment",
            "second try",
            "attempts",
            List.of(
                attempt(1L, "FAILED", 3L, "2026-11-15T09:00:01+01:00", List.of(0L, 3L)),
                attempt(2L, "RUNNING", null, "2026-11-15T09:57:57+01:00", List.of(1L, 2L)))),
        job(
            "job_id",
            43L,
            "name",
            "big",
            "state",
            "PENDING",
            "gpus",
            4L,
            "reason",
            "Resources: Need 4 GPUs, only 1 available",
            "user",
            "bob",
            "priority",
            100L),
        job("job_id", 44L, "state", "PENDING", "held", true, "reason", "JobHeldUser"),
        job(
            "job_id",
            45L,
            "name",
            "eval",
            "state",
            "PENDING",
            "gpus",
            0L,
            "reason",
            "Dependency: 43",
            "dependency",
            "afterok:43"),
        job(
            "job_id",
            46L,
            "name",
            "report",
            "state",
            "PENDING",
            "gpus",
            0L,
            "reason",
            "Dependency: 45",
            "dependency",
            "afterany:45:42"),
        job("job_id", 50L, "state", "CANCELLED", "elapsed", 90_061.0),
        job("job_id", 51L, "state", "TIMEOUT", "elapsed", 60.0, "time_limit", 60L),
        job("job_id", 52L, "state", "FAILED", "signal", 11L),
        task(3, "FAILED", "exit_code", 3L, "elapsed", 2.0),
        task(7, "RUNNING", "gpu_ids", List.of(0L), "elapsed", 5.0),
        job(
            "job_id",
            63L,
            "array_job_id",
            63L,
            "array_tasks",
            "0,5,9-12",
            "name",
            "sweep",
            "state",
            "PENDING",
            "reason",
            "Resources"),
        job(
            "job_id",
            200L,
            "array_job_id",
            200L,
            "name",
            "odd",
            "state",
            "PENDING",
            "array_tasks",
            "1,3,5,7,9,11,13,15,17,19,21,23,25,27",
            "reason",
            "Priority"));
  }

  private static JobView task(int index, String state, Object... more) {
    JobView task =
        job(
            "job_id",
            63L + index,
            "array_job_id",
            63L,
            "array_task_id",
            (long) index,
            "name",
            "sweep",
            "state",
            state);
    @SuppressWarnings("unchecked")
    var fields = (Map<String, @Nullable Object>) RecordJson.tree(task);
    for (int i = 0; i < more.length; i += 2) {
      fields.put(String.valueOf(more[i]), more[i + 1]);
    }
    try {
      return RecordJson.fromTree(JobView.class, fields);
    } catch (BadJson e) {
      throw new IllegalArgumentException(e);
    }
  }

  static MachineView machine() {
    return new MachineView(
        "lab1",
        true,
        "simulated",
        List.of(
            gpu(
                0,
                5 * GIB,
                97,
                "allocated",
                null,
                new GpuUser(70L, "sweep", 1.0, "alice", null, null, null)),
            gpu(
                1,
                0,
                0,
                "shared",
                null,
                new GpuUser(42L, "brave-river-1234", 0.5, "alice", null, null, null),
                new GpuUser(47L, "eval", 0.25, "bob", null, null, null)),
            gpu(
                2,
                3 * GIB + GIB / 5,
                12,
                "outsider",
                "python of carol, pid 4711, 3.2G",
                new GpuUser(null, null, null, "carol", 4711L, "python", 3 * GIB + GIB / 5)),
            gpu(3, 0, 0, "drained", "fan is broken"),
            gpu(4, 0, 0, "free", null)),
        16,
        12,
        64 * GIB,
        56 * GIB,
        List.of(
            new PartitionView("local", null, null, true),
            new PartitionView("short", 3600L, 600L, false)));
  }

  private static GpuView gpu(
      int index, long used, int util, String state, @Nullable String why, GpuUser... users) {
    String uuid = "GPU-sim-" + index;
    return new GpuView(
        index,
        uuid,
        "Simulated 24G",
        true,
        24 * GIB,
        used,
        util,
        41,
        70.5,
        state,
        why,
        List.of(users));
  }

  static StatsView stats() {
    return new StatsView(
        List.of(new StatsView.StateCount("COMPLETED", 118), new StatsView.StateCount("FAILED", 2)),
        45_000,
        7200,
        12.4,
        375,
        List.of(
            new StatsView.UserSum("alice", 100, 36_000, 3600),
            new StatsView.UserSum("bob", 20, 9000, 3600)));
  }

  static DaemonStatus status() {
    return new DaemonStatus(
        4242,
        "0.1.0",
        "lab1",
        "2026-11-15T08:00:00+01:00",
        "/home/alice/.local/share/gflow",
        "/run/user/1000/gflow/socket",
        "simulated",
        4,
        true,
        16,
        64 * GIB,
        "cgroup v2",
        2,
        5,
        List.of("logs: only 1.5G left on /home (make room)"),
        List.of(
            new ProblemView(
                "disk",
                "",
                "logs: only 1.5G left on /home",
                "make room",
                "2026-11-15T09:00:00+01:00")));
  }
}
