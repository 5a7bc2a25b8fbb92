package gflow.store;

import gflow.job.GpuId;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Ranges;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a connection runs again and again: each statement is prepared once, and known by its text.
 */
final class Statements {
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Statements(Connection connection) {
    this.connection = connection;
  }

  /** Returns how many rows were changed. */
  int run(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepared.remove(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
    }
    try {
      bind(statement, values);
      int rows = statement.executeUpdate();
      prepared.put(sql, statement);
      return rows;
    } catch (SQLException | RuntimeException e) {
      // The driver lets go of a statement that failed, as on a full disk, without saying so.
      statement.close();
      throw e;
    }
  }

  /** For a change of a row that must be there. */
  void one(String what, String sql, @Nullable Object... values) throws SQLException {
    if (run(sql, values) != 1) {
      throw new IllegalStateException("not in the store: " + what);
    }
  }

  /** Times become microseconds, flags 0 or 1, sets of tasks and words their text. */
  static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, column(values[i]));
    }
  }

  private static @Nullable Object column(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Integer number -> number;
      case Long number -> number;
      case Double number -> number;
      case byte[] bytes -> bytes;
      case Boolean flag -> flag ? 1 : 0;
      case Instant time -> ColumnTexts.micros(time);
      case JobId id -> id.value();
      case GpuId gpu -> gpu.uuid();
      case Ranges ranges -> ranges.toString();
      case JobState state -> state.name();
      case Optional<?> some -> column(some.orElse(null));
      default -> throw new IllegalArgumentException("no column holds a " + value);
    };
  }
}
