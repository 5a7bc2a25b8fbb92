package gflow.store;

import gflow.job.AttemptId;
import gflow.job.GpuUse;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What attempts did with their GPUs, in the columns of their rows. */
final class GpuUseRows {
  private GpuUseRows() {}

  static void write(Statements writes, AttemptId id, GpuUse use) throws SQLException {
    writes.one(
        "attempt " + id,
        "UPDATE attempt SET gpu_looks = ?, gpu_use = ?, gpu_use_peak = ?, gpu_memory = ?,"
            + " gpu_memory_peak = ? WHERE task_number = ? AND attempt = ?",
        use.looks(),
        boxed(use.meanUse()),
        boxed(use.peakUse()),
        use.meanMemory(),
        use.peakMemory(),
        id.task().number(),
        id.number());
  }

  private static @Nullable Integer boxed(OptionalInt value) {
    return value.isPresent() ? (Integer) value.getAsInt() : null;
  }

  static Optional<GpuUse> read(Row row) throws SQLException {
    return row.has("gpu_looks")
        ? Optional.of(
            new GpuUse(
                row.whole("gpu_looks"),
                optional(row, "gpu_use"),
                optional(row, "gpu_use_peak"),
                row.number("gpu_memory"),
                row.number("gpu_memory_peak")))
        : Optional.empty();
  }

  private static OptionalInt optional(Row row, String column) throws SQLException {
    return row.has(column) ? OptionalInt.of(row.whole(column)) : OptionalInt.empty();
  }
}
