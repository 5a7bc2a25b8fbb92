package gflow.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.FakeGflow;
import gflow.api.Gflow.LogPlace;
import gflow.cli.Transcript;
import gflow.job.JobId;
import gflow.job.JobRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLogTest {
  @TempDir Path folder;

  /** Each question for the log is the next step of a story; after the last the job is over. */
  private final class Story {
    private final Deque<Step> steps = new ArrayDeque<>();
    private final FakeGflow gflow = new FakeGflow(this::answer);

    Story(Step... all) {
      steps.addAll(List.of(all));
    }

    private Answer<LogPlace> answer(ApiRequest<?> request) {
      assertThat(request).isEqualTo(new ApiRequest.Log(new JobRef.ById(new JobId(42))));
      boolean over = steps.isEmpty();
      if (!over) {
        try {
          steps.removeFirst().happen();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return Answer.ok(
          new LogPlace(file().toString(), Optional.of(file() + ".err"), over, Optional.empty()));
    }
  }

  private interface Step {
    void happen() throws IOException;
  }

  private Path file() {
    return folder.resolve("42.log");
  }

  private Step writes(byte[] bytes) {
    return () -> Files.write(file(), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private Step writes(String text) {
    return writes(text.getBytes(UTF_8));
  }

  private Transcript.Result run(String line, Story story) {
    var transcript = new Transcript(folder, () -> story.gflow);
    return transcript.run(line, story.gflow, Integer.MAX_VALUE);
  }

  @Test
  void a_log_is_printed_as_it_is() {
    assertThat(run("gjob log 42", new Story(writes("a\nb\n"))).out).hasToString("a\nb\n");
  }

  @Test
  void the_last_lines_are_counted_with_and_without_a_last_newline() {
    String many = "x\n".repeat(100_000);
    assertThat(run("gjob log -n 2 42", new Story(writes("a\nb\nc\n"))).out).hasToString("b\nc\n");
    assertThat(run("gjob log -n 2 42", new Story(writes("d"))).out).hasToString("c\nd");
    assertThat(run("gjob log -n 9 42", new Story()).out).hasToString("a\nb\nc\nd");
    assertThat(run("gjob log -n 0 42", new Story()).out).isEmpty();
    assertThat(run("gjob log -n 70000 42", new Story(writes("\n" + many))).out)
        .hasToString("x\n".repeat(70_000));
  }

  @Test
  void following_waits_for_the_first_word_and_ends_with_the_job() {
    var story = new Story(() -> {}, () -> {}, writes("one\n"), writes("two\n"));

    assertThat(run("gjob log -f 42", story).out).hasToString("one\ntwo\n");
  }

  @Test
  void what_was_written_just_before_the_end_is_not_missed() {
    var story = new Story(writes("one\n"), () -> {}, writes("last\n"));

    assertThat(run("gjob log -f 42", story).out).hasToString("one\nlast\n");
  }

  @Test
  void a_log_that_is_cut_is_read_from_its_beginning() {
    Step cut = () -> Files.writeString(file(), "new\n");
    var story = new Story(writes("a long first line\n"), () -> {}, cut);

    assertThat(run("gjob log -f 42", story).out).hasToString("a long first line\nnew\n");
  }

  @Test
  void a_log_that_is_replaced_is_read_from_its_beginning() {
    Step replace =
        () -> {
          Path next = Files.writeString(folder.resolve("next"), "new\n");
          Files.move(next, file(), StandardCopyOption.REPLACE_EXISTING);
        };
    var story = new Story(writes("old\n"), () -> {}, replace);

    assertThat(run("gjob log -f 42", story).out).hasToString("old\nnew\n");
  }

  @Test
  void a_letter_in_two_halves_is_one_letter_and_a_broken_one_a_mark() {
    byte[] letter = "ü".getBytes(UTF_8);
    var story = new Story(() -> {}, writes(new byte[] {letter[0]}), writes(new byte[] {letter[1]}));
    assertThat(run("gjob log -f 42", story).out).hasToString("ü");

    var broken = new Story(writes(new byte[] {(byte) 0xff, 'a', letter[0]}));
    assertThat(run("gjob log 42 -n 1", broken).out).hasToString("ü\ufffda\ufffd");
  }

  @Test
  void stderr_has_its_own_file_where_it_was_asked_for() throws IOException {
    Files.writeString(folder.resolve("42.log.err"), "oh\n");

    assertThat(run("gjob log --err 42", new Story()).out).hasToString("oh\n");
    assertThat(run("gjob log --path 42", new Story()).out).hasToString(file() + "\n");
  }

  @Test
  void a_job_that_wrote_nothing_says_so_only_while_it_may_still_write() {
    var early = run("gjob log 42", new Story(() -> {}));
    assertThat(early.exitCode).isEqualTo(1);
    assertThat(early.err)
        .hasToString("gjob log: job 42 has written nothing yet (gjob log -f waits for it)\n");

    var late = run("gjob log 42", new Story());
    assertThat(late.exitCode).isZero();
    assertThat(late.err).isEmpty();
  }

  @Test
  void following_ends_when_the_caller_is_gone() {
    var story = new Story(writes("a"), writes("b"), writes("c"), writes("d"), writes("e"));
    var transcript = new Transcript(folder, () -> story.gflow);

    assertThat(transcript.run("gjob log -f 42", story.gflow, 2).out.toString())
        .isNotEqualTo("abcde");
  }
}
