package gflow.map.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultWriterTest {
  @TempDir Path folder;

  @Test
  void goes_on_after_the_last_whole_line() throws IOException {
    Path file = new MapFolder(folder).results();
    Files.writeString(file, "{\"index\":0,\"status\":\"ok\"}\n{\"index\":1,\"sta");

    try (var results = new ResultWriter(file)) {
      results.write("{\"index\":2,\"status\":\"failed\"}\n");
    }

    assertThat(Files.readAllLines(file))
        .containsExactly("{\"index\":0,\"status\":\"ok\"}", "{\"index\":2,\"status\":\"failed\"}");
    DoneItems done = new ResultReader(new MapFolder(folder)).done();
    assertThat(done.good().stream()).containsExactly(0);
    assertThat(done.failed().stream()).containsExactly(2);
    assertThat(done.has(1)).isFalse();
  }

  @Test
  void a_file_without_a_whole_line_is_empty() throws IOException {
    Path file = new MapFolder(folder).results();
    Files.writeString(file, "{\"index\":1,\"status\":\"ok\"}");

    new ResultWriter(file).close();
    assertThat(file).isEmptyFile();
  }
}
