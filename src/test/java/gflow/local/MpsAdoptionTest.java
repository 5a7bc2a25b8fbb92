package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.JobSpec;
import gflow.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a later daemon makes of servers that an earlier one started. */
class MpsAdoptionTest extends MpsTrial {
  private void later(JobSpec spec, int... jobs) {
    if (open) {
      engine.close();
    }
    engine = engine();
    open = true;
    for (int job : jobs) {
      engine.adopt(id(job), spec, given(spec, 0));
    }
    engine.awaitAdopted();
  }

  @Test
  void who_ended_while_no_daemon_lived_is_not_the_last_user_before_all_are_known()
      throws Exception {
    launch(7, half(WAITS), 0);
    next(7);
    launch(8, half("sleep 0.3"), 0);
    next(8);
    List<Long> living = mps.living();
    engine.close();
    until(() -> !Files.exists(folder.resolve("jobs/8.1/record")) || ended(folder));
    told.clear();
    engine = engine();
    engine.adopt(id(8), half("true"), given(half("true"), 0));
    next(8);
    assertThat(told.poll(500, TimeUnit.MILLISECONDS)).isNull();
    engine.adopt(id(7), half(WAITS), given(half(WAITS), 0));
    engine.awaitAdopted();

    assertThat(mps.living()).containsExactlyInAnyOrderElementsOf(living);
    end();
    until(() -> told.stream().filter(t -> isOver(t.event())).map(Told::id).distinct().count() == 2);
  }

  private static boolean ended(Path folder) {
    try {
      return Files.readString(folder.resolve("jobs/8.1/record")).contains("exit ");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void the_next_daemon_finds_the_server_and_ends_it_with_its_last_user() throws Exception {
    JobSpec spec = half(WAITS);
    launch(7, spec, 0);
    next(7);
    launch(8, half("sleep 0.05"), 0);
    until(() -> told.size() >= 2);
    told.clear();
    List<Long> living = mps.living();
    later(spec, 7, 8);

    assertThat(mps.living()).containsExactlyInAnyOrderElementsOf(living);
    end();
    until(() -> told.stream().filter(t -> isOver(t.event())).map(Told::id).distinct().count() == 2);
    assertThat(mps.living()).isEmpty();
    assertThat(mps.starts()).isEqualTo(1);
  }

  @Test
  void a_server_whose_record_was_never_written_is_found_by_its_mark() throws Exception {
    launch(7, half(WAITS), 0);
    next(7);
    List<Long> living = mps.living();
    Files.delete(servers().getFirst().resolve("pid"));
    later(half(WAITS), 7);

    assertThat(mps.living()).containsExactlyInAnyOrderElementsOf(living);
    end();
    until(() -> mps.living().isEmpty());
  }

  @Test
  void a_server_that_nobody_uses_is_ended_by_the_next_daemon() throws Exception {
    launch(7, half(WAITS), 0);
    next(7);
    later(half(WAITS));

    assertThat(mps.living()).isEmpty();
    assertThat(servers()).isEmpty();
    end();
  }

  @Test
  void a_server_that_died_while_no_daemon_lived_is_started_again() throws Exception {
    launch(7, half(WAITS), 0);
    next(7);
    engine.close();
    open = false;
    mps.living().forEach(pid -> Signals.send(pid, Signals.KILL));
    until(() -> mps.living().isEmpty());
    later(half(WAITS), 7);

    assertThat(mps.servers()).hasSize(1);
    end();
    until(() -> mps.living().isEmpty());
  }
}
