package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import gflow.e2e.Lab.Said;
import gflow.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * JDK 25 runs old code from a cache that is older than its jar, and prints on stdout where it
 * cannot use one. So a cache that does not fit is not used, and nobody hears of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AotIT {
  private static final Path PACKED =
      Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath();
  private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");

  private Lab lab;
  private Path copy;

  @BeforeAll
  void start() {
    lab = new Lab();
    lab.up();
    copy = lab.work().resolve("copy");
  }

  @AfterAll
  void end() {
    lab.close();
  }

  /** A copy of its own, in which the cache is newer than all else: as packed, so it is used. */
  @BeforeEach
  void copyTheProgram() throws IOException {
    String parts = PACKED + "/bin " + PACKED + "/lib " + PACKED + "/aot";
    lab.ok(
        "bash",
        "-c",
        "rm -rf copy && mkdir copy && cp -a "
            + parts
            + " copy/ && ln -s "
            + PACKED
            + "/jre copy/jre");
  }

  private Path cache() {
    return copy.resolve("aot/cli.aot");
  }

  private Path jar() {
    return copy.resolve("lib/gflow.jar");
  }

  private static void date(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  /** Through the JVM, with the launcher's commands on stderr. */
  private Said traced() {
    return lab.run("env", "GFLOW_CLIENT=jvm", "sh", "-x", copy + "/bin/gqueue", "--json");
  }

  private Said plain() {
    return lab.run("env", "GFLOW_CLIENT=jvm", copy + "/bin/gqueue", "--json");
  }

  private void works(boolean withCache) {
    assertThat(traced().err().contains("-XX:AOTCache=")).isEqualTo(withCache);
    Said said = plain();
    assertThat(said.code()).as(said.toString()).isZero();
    assertThat(said.err()).isEmpty();
    assertThatCode(() -> Json.parse(said.out())).as(said.out()).doesNotThrowAnyException();
  }

  @Test
  void a_cache_that_fits_is_used() {
    works(true);
  }

  @Test
  void a_cache_older_than_its_jar_is_not_used() throws IOException {
    date(jar(), Files.getLastModifiedTime(cache()).toInstant().plusSeconds(1));
    works(false);
  }

  @Test
  void a_cache_as_old_as_its_jar_is_not_used() throws IOException {
    date(jar(), MADE);
    date(cache(), MADE);
    works(false);
  }

  @Test
  void a_cache_older_than_a_library_is_not_used() throws IOException {
    Files.writeString(copy.resolve("lib/another.jar"), "");
    date(copy.resolve("lib/another.jar"), Instant.now().plusSeconds(60));
    works(false);
  }

  @Test
  void a_missing_cache_is_not_missed() throws IOException {
    Files.delete(cache());
    works(false);
  }

  @Test
  void half_a_cache_from_before_is_not_used() throws IOException {
    truncate();
    date(cache(), Files.getLastModifiedTime(jar()).toInstant().minusSeconds(1));
    works(false);
  }

  @Test
  void half_a_cache_that_looks_new_does_no_harm() throws IOException {
    truncate();
    works(true);
  }

  @Test
  void a_run_time_of_ones_own_gets_no_cache() throws IOException {
    Files.delete(copy.resolve("jre"));
    lab.set("GFLOW_JAVA", PACKED.resolve("jre").toString());
    works(false);
  }

  private void truncate() throws IOException {
    byte[] all = Files.readAllBytes(cache());
    Files.write(cache(), java.util.Arrays.copyOf(all, all.length / 2));
  }
}
