package gflow.store;

import gflow.job.BlobId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** The store in one SQLite file: one writer, one transaction per group, readers beside it. */
public final class SqliteStore implements Store {
  /** For tests of a full disk: the most pages that the file may have. */
  private static final String MAX_PAGES = "gflow.store.maxPages";

  private final Database database;
  private final Connection connection;
  private final ChangeWriter writer;
  private final Pruning pruning;
  private final Readers readers;
  private final History history;
  private final HighestId highest;
  private final DiskReserve reserve;

  /** Free but where the writer's connection is lent to readers. */
  private final ReentrantLock turn = new ReentrantLock();

  private SqliteStore(Database database, Connection connection)
      throws SQLException, StoreException {
    this.database = database;
    this.connection = connection;
    var writes = new Statements(connection);
    writer = new ChangeWriter(connection, writes);
    highest = HighestId.check(database.file(), writer.nextId());
    reserve = new DiskReserve(database.file());
    pruning = new Pruning(connection, writes, writer);
    readers = new Readers(database, connection, turn);
    history = new SqliteHistory(readers);
  }

  public static SqliteStore open(Path file) throws StoreException {
    return open(file, HostMark.thisHost());
  }

  /** Refuses a database of another host, of a newer gflow, or one that somebody else holds. */
  public static SqliteStore open(Path file, String host) throws StoreException {
    return open(Database.at(file), HostMark.of(host));
  }

  static SqliteStore open(Database database, HostMark mark) throws StoreException {
    try {
      Connection connection = database.writer();
      try {
        Migrations.run(database.file(), connection);
        mark.claim(database.file(), connection);
        var store = new SqliteStore(database, connection);
        Optional.ofNullable(Integer.getInteger(MAX_PAGES)).ifPresent(store::limitPages);
        return store;
      } catch (SQLException | StoreException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw SqliteErrors.of(database.file(), e);
    }
  }

  /** As if the disk ended there. SQLite takes no number below what the file already has. */
  void limitPages(int pages) {
    try {
      Database.run(connection, "PRAGMA max_page_count = " + pages);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void commit(List<Change> changes) throws StoreException {
    write(
        () -> {
          try {
            writer.commit(changes);
          } catch (SQLException e) {
            if (!SqliteErrors.isFull(e) || !frees(changes) || !reserve.spend()) {
              throw e;
            }
            writer.commit(changes);
          }
          return changes.size();
        });
  }

  /** What asks for no more of the disk than to say that something is over. */
  private static boolean frees(List<Change> changes) {
    return changes.stream()
        .noneMatch(c -> c instanceof Change.Submit || c instanceof Change.AttemptStarted);
  }

  @Override
  public void upkeep() {
    highest.write(writer.nextId());
    reserve.keep();
  }

  @Override
  public Pruned prune(Instant endedBefore) throws StoreException {
    return write(() -> pruning.run(endedBefore));
  }

  @Override
  public SortedMap<String, String> settings() throws StoreException {
    return write(this::allSettings);
  }

  @Override
  public Loaded load() throws StoreException {
    return write(
        () ->
            new Loaded(
                new JobRows(connection).unfinished(),
                allSettings(),
                writer.nextId(),
                StepRows.live(connection),
                LoanRows.live(connection),
                GpuUseRows.live(connection)));
  }

  private <T> T write(SqliteErrors.Work<T> work) throws StoreException {
    turn.lock();
    try {
      return SqliteErrors.said(database.file(), work);
    } finally {
      turn.unlock();
    }
  }

  private SortedMap<String, String> allSettings() throws SQLException {
    var settings = new TreeMap<String, String>();
    Row.all(
            connection,
            "SELECT key, value FROM setting",
            row -> Map.entry(row.text("key"), row.text("value")))
        .forEach(one -> settings.put(one.getKey(), one.getValue()));
    return settings;
  }

  @Override
  public History history() {
    return history;
  }

  @Override
  public Optional<byte[]> blob(BlobId id) throws StoreException {
    String sql = "SELECT content FROM blob WHERE hash = ?";
    return readers.first(sql, row -> row.columns().getBytes("content"), id.sha256());
  }

  @Override
  public Optional<String> answered(String key) throws StoreException {
    String sql = "SELECT answer FROM answered WHERE key = ?";
    return readers.first(sql, row -> row.text("answer"), key);
  }

  /** Everything was durable before; an error here harms nothing and has no reader. */
  @Override
  public void close() {
    highest.write(writer.nextId());
    turn.lock();
    try (connection;
        readers) {
      // Closes the readers first, so that the last connection folds the WAL into the file.
    } catch (SQLException e) {
      System.getLogger("gflow.store").log(System.Logger.Level.WARNING, "closing the store", e);
    } finally {
      turn.unlock();
    }
  }
}
