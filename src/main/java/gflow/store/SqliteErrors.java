package gflow.store;

import gflow.store.Store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's errors mean for people: one line that says what to do. */
final class SqliteErrors {
  private SqliteErrors() {}

  static StoreException of(Path file, SQLException e) {
    SQLiteErrorCode code =
        e instanceof SQLiteException s ? s.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
    return new StoreException(line(file, code, String.valueOf(e.getMessage())), e);
  }

  interface Work<T> {
    T run() throws SQLException;
  }

  /** Whatever goes wrong in it is said as one line. */
  static <T> T said(Path file, Work<T> work) throws StoreException {
    try {
      return work.run();
    } catch (SQLException e) {
      throw of(file, e);
    } catch (DamagedRow e) {
      throw new StoreException("the database " + file + " is damaged: " + e.getMessage(), e);
    }
  }

  static boolean isFull(SQLException e) {
    return e instanceof SQLiteException s
        && (s.getResultCode().code & 0xff) == SQLiteErrorCode.SQLITE_FULL.code;
  }

  private static String line(Path file, SQLiteErrorCode code, String message) {
    // Extended codes say the primary one in their lowest byte.
    int primary = code.code & 0xff;
    if (primary == SQLiteErrorCode.SQLITE_CONSTRAINT.code) {
      throw new IllegalStateException("a change contradicts the store: " + message);
    }
    if (primary == SQLiteErrorCode.SQLITE_FULL.code) {
      return "the disk is full: " + file + " cannot grow (free some space, or gctl prune)";
    }
    if (primary == SQLiteErrorCode.SQLITE_BUSY.code
        || primary == SQLiteErrorCode.SQLITE_LOCKED.code) {
      return "the database " + file + " is in use by another program: close it there";
    }
    if (primary == SQLiteErrorCode.SQLITE_CORRUPT.code
        || primary == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return "the database " + file + " is damaged: " + message;
    }
    if (primary == SQLiteErrorCode.SQLITE_READONLY.code
        || primary == SQLiteErrorCode.SQLITE_CANTOPEN.code
        || primary == SQLiteErrorCode.SQLITE_PERM.code) {
      return "the database " + file + " cannot be opened for writing: " + message;
    }
    return "the database " + file + " cannot be read or written: " + message;
  }
}
