package gflow.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.ChangesView;
import gflow.api.FakeGflow;
import gflow.api.Gflow;
import gflow.cli.LabMorning;
import gflow.cli.Transcript;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

  private static ChangesView changes(long number, String kind) {
    var delta =
        new ChangesView.Delta(number, "t", kind, 42L, List.of(), List.of(), null, List.of());
    return new ChangesView("e", number, List.of(delta));
  }

  /** Job 42 changes, changes are lost, it ends while it is watched, and then the daemon goes. */
  private Answer<?> ending(int question) {
    return switch (question) {
      case 1 -> Answer.ok(changes(1, "job"));
      case 2 -> new Answer.No<>(Answer.Kind.GONE, "not kept");
      case 3 -> {
        lab.ends42();
        yield Answer.ok(changes(3, "job"));
      }
      default -> new Answer.No<>(Answer.Kind.NO_DAEMON, "gone");
    };
  }

  private Transcript.Result run(String line) {
    Gflow real = lab.fresh();
    var questions = new AtomicInteger();
    var gflow =
        new FakeGflow(
            request ->
                request instanceof ApiRequest.Changes
                    ? ending(questions.incrementAndGet())
                    : real.ask(request));
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
    var gflow = new FakeGflow(lab.fresh()::ask);
    var result = new Transcript(folder, () -> gflow).run("gqueue --watch", gflow, 1);

    assertThat(result.exitCode).isZero();
  }

  @Test
  void that_gpus_were_looked_at_is_no_news_of_the_queue() {
    assertThat(WatchScreen.isNews(changes(1, "machine"))).isFalse();
    assertThat(WatchScreen.isNews(changes(1, "ended"))).isTrue();
    assertThat(WatchScreen.isNews(new ChangesView("e", 1, List.of()))).isFalse();
  }
}
