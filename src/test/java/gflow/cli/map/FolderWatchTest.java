package gflow.cli.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FolderWatchTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;

  private static Duration waited(FolderWatch news, Duration most) {
    long before = System.nanoTime();
    news.await(most);
    return Duration.ofNanos(System.nanoTime() - before);
  }

  @Test
  void a_change_after_one_listens_ends_the_wait_though_it_comes_first() throws Exception {
    Path file = Files.createFile(folder.resolve("results.jsonl"));
    try (var news = new FolderWatch(folder)) {
      for (int i = 0; i < 3; i++) {
        news.listen();
        Files.writeString(file, "line " + i);
        assertThat(waited(news, LONG)).isLessThan(LONG.dividedBy(2));
      }
      news.listen();
      assertThat(waited(news, Duration.ofMillis(200)))
          .as("what was before is no news")
          .isGreaterThanOrEqualTo(Duration.ofMillis(190));
    }
  }

  @Test
  void who_waits_can_be_woken_also_where_the_kernel_tells_nothing() {
    for (Path place : new Path[] {folder, folder.resolve("not there")}) {
      try (var news = new FolderWatch(place)) {
        news.listen();
        Thread.ofVirtual().start(news::wake);
        assertThat(waited(news, LONG)).as(place.toString()).isLessThan(LONG.dividedBy(2));
        news.listen();
        assertThat(waited(news, LONG)).as("for good").isLessThan(LONG.dividedBy(2));
      }
    }
  }
}
