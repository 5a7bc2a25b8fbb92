package gflow.store;

import gflow.store.Store.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.sqlite.SQLiteConfig;

/**
 * The file, and how to open it. {@code alone}: on a network file system WAL's shared memory does
 * not work, so there one connection holds the file for itself and the readers share it.
 */
record Database(Path file, boolean alone) {
  static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final int BUSY_MILLIS = 5_000;
  private static final Set<String> NETWORK =
      Set.of(
          ("nfs nfs3 nfs4 lustre gpfs cifs smb2 smb3 smbfs beegfs ceph afs 9p "
                  + "panfs pvfs2 orangefs glusterfs ocfs2 gfs2 fuse.sshfs "
                  + "fuse.glusterfs fuse.ceph-fuse fuse.beegfs fuse.rclone fuse.s3fs "
                  + "fuse.juicefs fuse.cephfs")
              .split(" "));

  /** Makes the folder (0700) and the file (0600), as far as they are not there. */
  static Database at(Path path) throws StoreException {
    Path file = path.toAbsolutePath();
    Path folder = file.resolveSibling("");
    if (file.toString().contains("?")) {
      throw new StoreException("the path of the database must not hold a '?': " + file);
    }
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      create(file);
      return new Database(file, isNetwork(Files.getFileStore(folder).type()));
    } catch (IOException e) {
      throw new StoreException("cannot make the database " + file + ": " + e.getMessage(), e);
    }
  }

  static boolean isNetwork(String type) {
    return NETWORK.contains(type.toLowerCase(Locale.ROOT));
  }

  /** SQLite gives its -wal and -shm the mode of the file itself; environments hold secrets. */
  private static void create(Path file) throws IOException {
    try {
      Files.createFile(file, PRIVATE);
    } catch (FileAlreadyExistsException e) {
      if (!Files.getPosixFilePermissions(file).equals(PRIVATE.value())) {
        Files.setPosixFilePermissions(file, PRIVATE.value());
      }
    }
  }

  Connection writer() throws SQLException {
    Connection connection = connect(new SQLiteConfig());
    try {
      // The locking mode first: a file that was in WAL mode elsewhere is then read without
      // shared memory.
      run(connection, "PRAGMA locking_mode = " + (alone ? "EXCLUSIVE" : "NORMAL"));
      run(connection, "PRAGMA journal_mode = " + (alone ? "TRUNCATE" : "WAL"));
      run(connection, "PRAGMA synchronous = FULL");
      run(connection, "PRAGMA journal_size_limit = 16777216");
      run(connection, "PRAGMA cache_size = -16384");
      // The writer says BEGIN and COMMIT itself. In its automatic mode the driver would try a BEGIN
      // of its own after every statement.
      connection.setAutoCommit(false);
      run(connection, "ROLLBACK");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  Connection reader() throws SQLException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    return connect(config);
  }

  private Connection connect(SQLiteConfig config) throws SQLException {
    config.setBusyTimeout(BUSY_MILLIS);
    // Else the driver asks for them after every insert, with a statement that it prepares anew.
    config.setGetGeneratedKeys(false);
    return config.createConnection("jdbc:sqlite:" + file);
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static final String PUT_META =
      "INSERT INTO meta (key, value) VALUES (?1, ?2)"
          + " ON CONFLICT DO UPDATE SET value = ?2 WHERE value <> ?2";

  static Optional<String> meta(Connection connection, String key) throws SQLException {
    return Row.first(
        connection, "SELECT value FROM meta WHERE key = ?", row -> row.text("value"), key);
  }
}
