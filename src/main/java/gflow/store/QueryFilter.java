package gflow.store;

import gflow.json.Json;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions of a query with their values; one that says nothing is left out. */
final class QueryFilter {
  private final List<String> conditions = new ArrayList<>();
  private final List<@Nullable Object> values = new ArrayList<>();

  /** Values that the select itself has marks for; they come before all conditions. */
  QueryFilter given(List<?> bound) {
    values.addAll(0, bound);
    return this;
  }

  QueryFilter where(String condition, Object... bound) {
    conditions.add(condition);
    values.addAll(List.of(bound));
    return this;
  }

  QueryFilter with(String condition, Optional<?> value) {
    return value.isPresent() ? where(condition, value.get()) : this;
  }

  QueryFilter in(String column, Collection<?> allowed) {
    if (allowed.isEmpty()) {
      return this;
    }
    // As one value: SQLite takes 32,766 of them, and callers name as many as they like.
    String list = Json.text(List.copyOf(allowed));
    return where(column + " IN (SELECT value FROM json_each(?))", list);
  }

  /** The select, then the conditions, then the rest. */
  void each(Connection connection, String select, String rest, Row.Reader<Boolean> more)
      throws SQLException {
    String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    Row.each(connection, select + where + rest, more, values.toArray());
  }
}
