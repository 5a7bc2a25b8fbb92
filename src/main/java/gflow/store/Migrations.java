package gflow.store;

import gflow.store.Store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Brings a database to the schema of this program, one numbered script after the other. */
final class Migrations {
  /** The n-th makes version n; a script that was released is never changed. */
  private static final List<String> SCRIPTS =
      List.of(
          "V001__jobs.sql",
          "V002__attempts.sql",
          "V003__steps.sql",
          "V004__loans.sql",
          "V005__numbers.sql",
          "V006__step_usage.sql",
          "V007__where.sql",
          "V008__causes.sql",
          "V009__gpu_use.sql",
          "V010__port.sql",
          "V011__gpu_curve.sql");

  private Migrations() {}

  static void run(Path file, Connection connection) throws SQLException, StoreException {
    int found = version(connection);
    if (found > SCRIPTS.size()) {
      throw new StoreException(
          String.format(
              "%s was written by a newer gflow (schema %d, this one knows %d):"
                  + " use that gflow, or another GFLOW_HOME",
              file, found, SCRIPTS.size()));
    }
    for (int version = found + 1; version <= SCRIPTS.size(); version++) {
      step(connection, SCRIPTS.get(version - 1), version);
    }
  }

  private static void step(Connection connection, String script, int version) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("BEGIN IMMEDIATE");
      try {
        statement.executeUpdate(text(script));
        statement.executeUpdate("PRAGMA user_version = " + version);
        statement.executeUpdate("COMMIT");
      } catch (SQLException e) {
        statement.executeUpdate("ROLLBACK");
        throw e;
      }
    }
  }

  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }

  private static String text(String script) {
    try (InputStream in = Migrations.class.getResourceAsStream(script)) {
      if (in == null) {
        throw new IllegalStateException("not in the jar: " + script);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
