package gflow.store;

import gflow.job.AttemptId;
import gflow.job.GpuCurve;
import gflow.job.GpuUse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What attempts did with their GPUs: means and peaks in the columns of their rows, and how it went
 * over time in a row of its own, packed, because few ever look at it.
 */
final class GpuUseRows {
  private static final int FORM = 1;
  private static final String OF_ATTEMPT = " WHERE task_number = ? AND attempt = ?";
  private static final String LIVE =
      """
      SELECT a.*, j.base, c.curve FROM attempt a JOIN job j ON j.id = a.job_id
      JOIN gpu_curve c ON c.task_number = a.task_number AND c.attempt = a.attempt
      WHERE a.ended_at IS NULL ORDER BY a.task_number, a.attempt\
      """;

  private GpuUseRows() {}

  static void seen(Statements writes, Change.GpusSeen seen) throws SQLException {
    AttemptId id = seen.id();
    writes.one(
        "attempt " + id,
        "INSERT INTO gpu_curve (task_number, attempt, curve) SELECT task_number, attempt, ?3"
            + " FROM attempt WHERE task_number = ?1 AND attempt = ?2 AND ended_at IS NULL"
            + " ON CONFLICT DO UPDATE SET curve = ?3",
        id.task().number(),
        id.number(),
        packed(seen.curve()));
    write(writes, id, seen.use());
  }

  static void undone(Statements writes, AttemptId id) throws SQLException {
    writes.run("DELETE FROM gpu_curve" + OF_ATTEMPT, id.task().number(), id.number());
  }

  /** Of the attempts without an end, in their order. */
  static List<Change.GpusSeen> live(Connection connection) throws SQLException {
    return Row.all(
        connection,
        LIVE,
        row ->
            new Change.GpusSeen(
                new AttemptId(row.task(), row.whole("attempt")),
                read(row).orElseThrow(() -> new DamagedRow("a curve without figures")),
                curve(row)));
  }

  private static byte[] packed(GpuCurve curve) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeByte(FORM);
      out.writeInt(curve.seconds());
      out.writeInt(curve.gpus().size());
      for (var gpu : curve.gpus().entrySet()) {
        out.writeInt(gpu.getKey());
        out.writeInt(gpu.getValue().size());
        for (GpuCurve.Stretch one : gpu.getValue()) {
          out.writeInt(one.number());
          out.writeInt(one.looks());
          out.writeInt(one.percents());
          out.writeLong(one.memory());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static GpuCurve curve(Row row) throws SQLException {
    var bytes = new ByteArrayInputStream(row.columns().getBytes("curve"));
    try (var in = new DataInputStream(new InflaterInputStream(bytes))) {
      int form = in.readByte();
      if (form != FORM) {
        throw new DamagedRow("unknown form of a curve: " + form);
      }
      int seconds = in.readInt();
      var gpus = new TreeMap<Integer, List<GpuCurve.Stretch>>();
      for (int left = in.readInt(); left > 0; left--) {
        gpus.put(in.readInt(), stretches(in));
      }
      return new GpuCurve(seconds, gpus);
    } catch (IOException e) {
      throw new DamagedRow("a curve that cannot be read: " + e.getMessage());
    }
  }

  private static List<GpuCurve.Stretch> stretches(DataInputStream in) throws IOException {
    var all = new ArrayList<GpuCurve.Stretch>();
    for (int left = in.readInt(); left > 0; left--) {
      all.add(new GpuCurve.Stretch(in.readInt(), in.readInt(), in.readInt(), in.readLong()));
    }
    return List.copyOf(all);
  }

  static void write(Statements writes, AttemptId id, GpuUse use) throws SQLException {
    writes.one(
        "attempt " + id,
        "UPDATE attempt SET gpu_looks = ?, gpu_use = ?, gpu_use_peak = ?, gpu_memory = ?,"
            + " gpu_memory_peak = ?"
            + OF_ATTEMPT,
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
