package gflow.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions of a query with their values; one that says nothing is left out. */
final class Filter {
  private final List<String> conditions = new ArrayList<>();
  private final List<@Nullable Object> values = new ArrayList<>();

  Filter where(String condition, Object... bound) {
    conditions.add(condition);
    values.addAll(List.of(bound));
    return this;
  }

  Filter with(String condition, Optional<?> value) {
    return value.isPresent() ? where(condition, value.get()) : this;
  }

  Filter in(String column, Collection<?> allowed) {
    if (allowed.isEmpty()) {
      return this;
    }
    String marks = String.join(", ", allowed.stream().map(v -> "?").toList());
    return where(column + " IN (" + marks + ")", allowed.toArray());
  }

  /** The select, then the conditions, then the rest. */
  PreparedStatement prepare(Connection connection, String select, String rest) throws SQLException {
    String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    PreparedStatement query = connection.prepareStatement(select + where + rest);
    try {
      Command.bind(query, values.toArray());
      return query;
    } catch (SQLException e) {
      query.close();
      throw e;
    }
  }
}
