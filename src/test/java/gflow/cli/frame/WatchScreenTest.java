package gflow.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.EventView;
import gflow.api.FakeGflow;
import gflow.cli.LabMorning;
import gflow.cli.Transcript;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchScreenTest {
  @TempDir Path folder;

  private final LabMorning lab = new LabMorning();

  @AfterEach
  void close() {
    lab.close();
  }

  /** Job 42 ends while it is watched, then the daemon goes. */
  private void ending(Predicate<EventView> receiver) {
    assertThat(receiver.test(event("log"))).isTrue();
    lab.ends42();
    assertThat(receiver.test(event("state"))).isTrue();
  }

  private static EventView event(String kind) {
    return new EventView(1, "2026-11-15T12:00:00Z", kind, 42L, null, null, null, null);
  }

  private Transcript.Result run(String line) {
    var gflow = new FakeGflow(lab.fresh()::ask, this::ending);
    return new Transcript(folder, () -> gflow).run(line, gflow, Integer.MAX_VALUE);
  }

  @Test
  void each_change_is_one_table_and_no_change_is_none() {
    var result = run("gqueue --watch -j 42 -f JOBID,ST");

    assertThat(result.out).hasToString("JOBID    ST\n42       R\n\nJOBID    ST\n42       CD\n");
    assertThat(result.err).hasToString("gqueue: the daemon is gone\n");
    assertThat(result.exitCode).isEqualTo(3);
  }

  @Test
  void on_a_terminal_the_new_picture_covers_the_old_one() {
    String clear = "\u001b[H\u001b[J";
    assertThat(run("TTY=80 NO_COLOR=1 gqueue --watch -j 42 -h -f JOBID,ST").out)
        .hasToString(clear + "42    R\n" + clear + "42    CD\n");
  }

  @Test
  void watching_ends_when_the_caller_is_gone() {
    var gflow = new FakeGflow(lab.fresh()::ask, receiver -> {});
    var result = new Transcript(folder, () -> gflow).run("gqueue --watch", gflow, 1);

    assertThat(result.exitCode).isZero();
  }
}
