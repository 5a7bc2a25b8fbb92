package gflow.store;

import gflow.store.Store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Whose database it is: jobs run on one machine, so a daemon on another one that sees the same home
 * must not take them over. The same boot under another name is the same machine, renamed.
 */
record HostMark(String host, String bootId) {
  private static final Path KERNEL = Path.of("/proc/sys/kernel");

  static String thisHost() {
    return line(KERNEL.resolve("hostname")).orElse("localhost");
  }

  static HostMark of(String host) {
    return new HostMark(host, line(KERNEL.resolve("random/boot_id")).orElse(""));
  }

  void claim(Path file, Connection connection) throws SQLException, StoreException {
    String owner = Database.meta(connection, "host").orElse(host);
    String ownerBoot = Database.meta(connection, "boot_id").orElse("");
    boolean sameBoot = !bootId.isEmpty() && ownerBoot.equals(bootId);
    if (!owner.equals(host) && !sameBoot) {
      throw new StoreException(
          String.format(
              "%s belongs to gflow on the host %s, this is %s: set GFLOW_HOME to a folder of this"
                  + " host's own (or, if %s was only renamed: sqlite3 %s"
                  + " \"DELETE FROM meta WHERE key = 'host'\")",
              file.getParent(), owner, host, owner, file));
    }
    var writes = new Statements(connection);
    writes.run(Database.PUT_META, "host", host);
    writes.run(Database.PUT_META, "boot_id", bootId);
  }

  private static Optional<String> line(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
