package gflow.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A statement that is prepared once and run many times. */
final class PreparedCommand {
  private final Connection connection;
  private final String sql;
  private PreparedStatement statement;
  private boolean failed;

  PreparedCommand(Connection connection, String sql) throws SQLException {
    this.connection = connection;
    this.sql = sql;
    statement = connection.prepareStatement(sql);
  }

  /** Returns how many rows were changed. */
  int run(@Nullable Object... values) throws SQLException {
    if (failed) {
      // The driver lets go of a statement that failed, as on a full disk, without saying so.
      statement.close();
      statement = connection.prepareStatement(sql);
    }
    failed = true;
    bind(statement, values);
    int rows = statement.executeUpdate();
    failed = false;
    return rows;
  }

  /** For a change of a row that must be there. */
  void runOne(String what, @Nullable Object... values) throws SQLException {
    if (run(values) != 1) {
      throw new IllegalStateException("not in the store: " + what);
    }
  }

  /** Times become microseconds, flags 0 or 1. */
  static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      switch (values[i]) {
        case null -> statement.setObject(i + 1, null);
        case String text -> statement.setString(i + 1, text);
        case Integer number -> statement.setInt(i + 1, number);
        case Long number -> statement.setLong(i + 1, number);
        case Double number -> statement.setDouble(i + 1, number);
        case Boolean flag -> statement.setInt(i + 1, flag ? 1 : 0);
        case Instant time -> statement.setLong(i + 1, ColumnTexts.micros(time));
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        default -> throw new IllegalArgumentException("no column holds a " + values[i]);
      }
    }
  }
}
