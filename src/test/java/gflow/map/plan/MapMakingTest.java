package gflow.map.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.map.items.BadItems;
import gflow.map.results.FileReplacement;
import gflow.map.results.MapFolder;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapMakingTest {
  @TempDir Path top;

  private MapPlan make(String... words) throws Exception {
    var stdin = new ByteArrayInputStream(new byte[0]);
    var making = new MapMaking(Orders.of(words), top, () -> stdin);
    return making.make(Optional.of(folder())).plan();
  }

  private MapFolder folder() {
    return new MapFolder(top.resolve("r"));
  }

  @Test
  void a_map_that_is_gone_on_with_keeps_what_is_not_said_again() throws Exception {
    String line =
        "--results r --timeout 9s --retries 3 --check true --max-failures 5% --gpus 2-4 --per-gpu 2"
            + " -j 3 --out-template o/{} --tag --no-append echo ::: a b";
    MapPlan before = make(line.split(" ", -1));

    assertThat(make("--resume", "--results", "r")).isEqualTo(before);
    MapPlan after = make("--resume", "--results", "r", "--retries", "1", "--gpus", "8");
    assertThat(after.care().retries()).isEqualTo(1);
    assertThat(after.care().timeout()).isEqualTo(before.care().timeout());
    assertThat(after.slots().cards()).isEqualTo("8");
    assertThat(after.slots().perGpu()).isEqualTo(2);
  }

  @Test
  void one_whose_maker_died_when_all_was_written_can_be_gone_on_with() throws Exception {
    MapPlan before = make("--results", "r", "echo", ":::", "a");
    Files.move(folder().plan(), FileReplacement.fresh(folder().plan()));
    assertThatThrownBy(() -> make("--resume", "--results", "r"))
        .isInstanceOf(BadItems.class)
        .hasMessageContaining("there is no map");
    make("--results", "r", "echo", ":::", "a");
    Files.move(folder().plan(), FileReplacement.fresh(folder().plan()));
    Files.createFile(folder().path().resolve("replacing"));

    assertThat(make("--resume", "--results", "r")).isEqualTo(before);
  }
}
