package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.TaskState.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastWordsTest {
  @TempDir Path folder;

  private static Optional<String> words(Cause cause) {
    var now = Instant.parse("2026-11-15T08:00:00.25Z");
    return LastWords.of(cause, "42", "lab1", now, ZoneOffset.UTC);
  }

  @Test
  void slurms_words_for_each_cause_and_none_for_an_end_of_its_own() {
    assertThat(words(new Cause.Cancelled("alice")))
        .contains("gflow: *** JOB 42 ON lab1 CANCELLED AT 2026-11-15T08:00:00 ***");
    assertThat(words(new Cause.TimeLimit()).orElseThrow()).endsWith(" DUE TO TIME LIMIT ***");
    assertThat(words(new Cause.Requeued("bob", false)).orElseThrow())
        .endsWith(" DUE TO JOB REQUEUE ***");
    assertThat(words(new Cause.ProgramEnded())).isEmpty();
  }

  @Test
  void they_come_after_what_is_there_and_make_no_file() throws IOException {
    Path output = Files.writeString(folder.resolve("out"), "step 1\n");
    LastWords.write(output, "the end");
    LastWords.write(folder.resolve("none"), "the end");

    assertThat(output).hasContent("step 1\nthe end");
    assertThat(folder.resolve("none")).doesNotExist();
  }
}
