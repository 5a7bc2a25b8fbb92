package gflow.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The picture in ARCHITECTURE shows the house as it is; -Dgolden.write=true draws it anew. */
class RoomsPictureTest {
  private static final Path FILE = Path.of("docs/rooms.svg");

  @Test
  void the_picture_of_the_rooms_is_true() throws IOException {
    String drawn = new RoomsPicture().draw();
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(FILE, drawn);
    }
    assertThat(drawn).isEqualTo(Files.readString(FILE));
  }

  @Test
  void the_way_of_a_job_leads_through_classes_that_are_there() {
    assertThat(RoomsPicture.WAY)
        .allSatisfy(
            stop ->
                assertThat(RoomsPicture.files(stop.room()))
                    .anyMatch(file -> file.endsWith(stop.type() + ".java")));
  }
}
