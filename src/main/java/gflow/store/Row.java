package gflow.store;

import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.job.TaskNumbers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row of what a query found, its columns by name; the same object is the next row then. */
record Row(ResultSet columns) {
  /** Makes something of a row. */
  interface Reader<T> {
    T read(Row row) throws SQLException;
  }

  static <T> List<T> all(
      Connection connection, String sql, Reader<T> reader, @Nullable Object... values)
      throws SQLException {
    var all = new ArrayList<T>();
    each(
        connection,
        sql,
        row -> {
          all.add(reader.read(row));
          return true;
        },
        values);
    return all;
  }

  static <T> Optional<T> first(
      Connection connection, String sql, Reader<T> reader, @Nullable Object... values)
      throws SQLException {
    return all(connection, sql + " LIMIT 1", reader, values).stream().findFirst();
  }

  /** Until one says that it is enough. */
  static void each(
      Connection connection, String sql, Reader<Boolean> more, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      Statements.bind(query, values);
      try (ResultSet found = query.executeQuery()) {
        var row = new Row(found);
        boolean open = true;
        while (open && found.next()) {
          open = more.read(row);
        }
      }
    }
  }

  boolean has(String column) throws SQLException {
    return columns.getObject(column) != null;
  }

  long number(String column) throws SQLException {
    return columns.getLong(column);
  }

  int whole(String column) throws SQLException {
    return columns.getInt(column);
  }

  double real(String column) throws SQLException {
    return columns.getDouble(column);
  }

  String text(String column) throws SQLException {
    return columns.getString(column);
  }

  Instant time(String column) throws SQLException {
    return ColumnTexts.instant(columns.getLong(column));
  }

  Ranges ranges(String column) throws SQLException {
    return ColumnTexts.ranges(columns.getString(column));
  }

  JobId job(String column) throws SQLException {
    return new JobId(columns.getLong(column));
  }

  /** Of one with the numbers of job and task, and how the job counts. */
  TaskId task() throws SQLException {
    var numbers = new TaskNumbers(job("job_id"), whole("base"), 1);
    return numbers.task(numbers.offset(job("task_number")));
  }
}
