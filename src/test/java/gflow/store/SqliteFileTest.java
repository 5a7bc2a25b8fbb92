package gflow.store;

import static gflow.store.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.TaskState;
import gflow.job.Where;
import gflow.store.Store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a file can do. */
class SqliteFileTest {
  @TempDir Path temp;
  private Path file;

  @BeforeEach
  void name_the_file() {
    file = temp.resolve("data/gflow.db");
  }

  private void sql(String sql) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=10")) {
      Database.run(connection, sql);
    }
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void only_the_owner_may_read_it() throws Exception {
    try (var store = SqliteStore.open(file)) {
      store.commit(List.of(Samples.putEnvironment()));

      assertThat(mode(file.getParent())).isEqualTo("rwx------");
      try (var files = Files.list(file.getParent())) {
        List<Path> all = files.sorted().toList();
        assertThat(all)
            .extracting(Path::getFileName)
            .extracting(Path::toString)
            .containsExactly("gflow.db", "gflow.db-shm", "gflow.db-wal");
        for (Path one : all) {
          assertThat(mode(one)).isEqualTo("rw-------");
        }
      }
    }
  }

  @Test
  void a_file_that_others_could_read_is_closed_to_them() throws Exception {
    SqliteStore.open(file).close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    SqliteStore.open(file).close();

    assertThat(mode(file)).isEqualTo("rw-------");
  }

  @Test
  void a_database_of_a_newer_gflow_is_refused() throws Exception {
    SqliteStore.open(file).close();
    sql("PRAGMA user_version = 99");

    assertThatThrownBy(() -> SqliteStore.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("newer gflow (schema 99, this one knows 11)");
  }

  @Test
  void the_attempts_of_the_first_schema_count_as_of_an_earlier_boot() throws Exception {
    var job = Samples.job(1);
    try (var store = SqliteStore.open(file)) {
      store.commit(
          List.of(
              Samples.putEnvironment(),
              new Change.Submit(job),
              new Change.AttemptStarted(Samples.attempt(job, 0, 1), Samples.attempt(1, at(3)))));
    }
    sql("ALTER TABLE attempt DROP COLUMN boot");
    sql("ALTER TABLE attempt DROP COLUMN cause");
    sql("ALTER TABLE job DROP COLUMN spared");
    sql("ALTER TABLE job DROP COLUMN resting");
    sql("ALTER TABLE job DROP COLUMN alone");
    sql("DROP TABLE step");
    sql("DROP TABLE loan");
    sql("DROP TABLE gpu_curve");
    sql("ALTER TABLE attempt DROP COLUMN lent");
    sql("ALTER TABLE attempt DROP COLUMN engine");
    sql("ALTER TABLE attempt DROP COLUMN engine_id");
    sql("ALTER TABLE attempt DROP COLUMN port");
    for (var column :
        List.of("gpu_looks", "gpu_use", "gpu_use_peak", "gpu_memory", "gpu_memory_peak")) {
      sql("ALTER TABLE attempt DROP COLUMN " + column);
    }
    sql("ALTER TABLE job DROP COLUMN base");
    sql("PRAGMA user_version = 1");

    try (var store = SqliteStore.open(file)) {
      var state = (TaskState.Starting) store.load().jobs().getFirst().live().get(0);
      assertThat(state.attempt().startedAt()).isEqualTo(at(3));
      assertThat(state.attempt().where()).isEqualTo(new Where.Here(""));
    }
  }

  @Test
  void what_is_no_database_is_refused() throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "This is a letter and not a database.\n".repeat(50));

    assertThatThrownBy(() -> SqliteStore.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file + " is damaged");
    assertThat(Files.readString(file)).startsWith("This is a letter");
  }

  @Test
  void another_host_is_refused() throws Exception {
    SqliteStore.open(Database.at(file), new HostMark("alpha", "boot 1")).close();

    assertThatThrownBy(() -> SqliteStore.open(Database.at(file), new HostMark("beta", "boot 2")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("host alpha")
        .hasMessageContaining("GFLOW_HOME");
    SqliteStore.open(Database.at(file), new HostMark("alpha", "boot 3")).close();
  }

  @Test
  void a_renamed_host_is_the_same_one() throws Exception {
    SqliteStore.open(Database.at(file), new HostMark("alpha", "boot 1")).close();
    SqliteStore.open(Database.at(file), new HostMark("beta", "boot 1")).close();

    assertThatThrownBy(() -> SqliteStore.open(Database.at(file), new HostMark("alpha", "boot 2")))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void a_spec_that_cannot_be_read_is_a_damaged_file() throws Exception {
    try (var store = SqliteStore.open(file)) {
      store.commit(List.of(Samples.putEnvironment(), new Change.Submit(Samples.job(1))));
      sql("UPDATE spec SET json = substr(json, 1, 40)");

      assertThatThrownBy(store::load)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is damaged");
    }
  }

  @Test
  void network_file_systems_are_known_by_their_type() {
    assertThat(List.of("nfs4", "lustre", "gpfs", "CIFS", "fuse.sshfs"))
        .allMatch(Database::isNetwork);
    assertThat(List.of("ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay"))
        .noneMatch(Database::isNetwork);
  }

  @Test
  void a_database_in_wal_mode_can_move_to_a_network_file_system() throws Exception {
    try (var store = SqliteStore.open(file)) {
      store.commit(List.of(Samples.putEnvironment(), new Change.Submit(Samples.job(1))));
    }
    var alone = new Database(file, true);
    try (var store = SqliteStore.open(alone, HostMark.of(HostMark.thisHost()))) {
      assertThat(store.load().jobs()).containsExactly(Samples.job(1));
      assertThatThrownBy(() -> sql("SELECT count(*) FROM job")).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void readers_see_whole_groups_while_the_writer_commits() throws Exception {
    try (var store = SqliteStore.open(file);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      store.commit(List.of(Samples.putEnvironment()));
      Callable<Integer> reading =
          () -> {
            int seen = 0;
            while (seen < 200) {
              JobId last = store.history().lastJob(1000).orElse(new JobId(2));
              // Groups are of two jobs: the last one seen always has an even number.
              assertThat(last.value() % 2).isZero();
              seen = (int) last.value();
            }
            return seen;
          };
      var readers = new ArrayList<java.util.concurrent.Future<Integer>>();
      for (int i = 0; i < 8; i++) {
        readers.add(threads.submit(reading));
      }
      for (int id = 1; id < 200; id += 2) {
        store.commit(
            List.of(new Change.Submit(Samples.job(id)), new Change.Submit(Samples.job(id + 1))));
      }
      for (var reader : readers) {
        assertThat(reader.get()).isEqualTo(200);
      }
    }
  }

  @Test
  void people_can_read_it_with_plain_sql() throws Exception {
    try (var store = SqliteStore.open(file)) {
      store.commit(List.of(Samples.putEnvironment(), new Change.Submit(Samples.job(1))));
      var end = Samples.outcome(gflow.job.JobState.FAILED, at(60));
      store.commit(Samples.run(Samples.job(1), 0, 1, end));
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT name, user, state, gpu_seconds FROM history")) {
      assertThat(row.getString(1)).isEqualTo("train");
      assertThat(row.getString(2)).isEqualTo("anna");
      assertThat(row.getString(3)).isEqualTo("FAILED");
      assertThat(row.getDouble(4)).isEqualTo(5);
    }
  }

  @Test
  void a_database_that_knows_less_than_it_gave_out_is_refused() throws Exception {
    try (var store = SqliteStore.open(file)) {
      store.commit(List.of(Samples.putEnvironment(), new Change.Submit(Samples.job(7))));
      store.upkeep();
    }
    sql("UPDATE meta SET value = '3' WHERE key = 'next_id'");

    assertThatThrownBy(() -> SqliteStore.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("its next number is 3, but 7 were given out")
        .hasMessageEndingWith("rm " + file + ".next");

    Files.delete(Path.of(file + ".next"));
    SqliteStore.open(file).close();
  }

  /** What a queue of short tasks costs the disk: the job, its attempts and their two indexes. */
  @Test
  void the_end_of_a_task_and_the_start_of_the_next_write_five_pages() throws Exception {
    int count = 100;
    long page = 24 + 4096;
    try (var store = SqliteStore.open(file)) {
      Job job = Samples.array(1, count + 1);
      store.commit(List.of(Samples.putEnvironment(), new Change.Submit(job)));
      long before = Files.size(Path.of(file + "-wal"));
      for (int k = 0; k < count; k++) {
        Outcome outcome = Samples.outcome(JobState.COMPLETED, at(100 + k));
        var changes = new ArrayList<>(Samples.run(job, k, 1, outcome));
        job = Samples.ended(job, k, outcome);
        changes.add(new Change.Progress(job));
        store.commit(changes);
      }

      double pages = (Files.size(Path.of(file + "-wal")) - before) / (double) page / count;
      assertThat(pages).isBetween(3.0, 5.0);
    }
  }
}
