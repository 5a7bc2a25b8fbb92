package gflow.map.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultReaderTest {
  @TempDir Path top;

  private String listed(String... lines) throws IOException {
    var folder = new MapFolder(top);
    Files.writeString(folder.results(), String.join("\n", lines) + "\n");
    new ResultReader(folder).listFailed();
    return Files.readString(folder.failed());
  }

  @Test
  void failed_items_are_lines_and_those_that_went_well_are_not_there() throws IOException {
    assertThat(
            listed(
                "{'index':0,'item':'a b','status':'failed'}".replace('\'', '"'),
                "{'index':1,'item':'c','status':'ok'}".replace('\'', '"'),
                "{'index':2,'item':['d','e'],'status':'failed'}".replace('\'', '"')))
        .isEqualTo("a b\nd e\n");
  }

  @Test
  void where_a_failed_item_has_a_line_end_in_it_all_end_in_nul() throws IOException {
    assertThat(
            listed(
                "{'index':0,'item':'a','status':'failed'}".replace('\'', '"'),
                "{'index':1,'item':'b\\nc','status':'failed'}".replace('\'', '"')))
        .isEqualTo("a\0b\nc\0");
  }
}
