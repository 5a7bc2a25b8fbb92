package gflow.cli;

import gflow.WaitingHouse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands one after the other at a whole daemon that starts nothing: what it answers is printed,
 * not what a fake one would.
 */
class RealAnswersTest {
  @TempDir Path folder;

  @Test
  void the_real_service_answers_what_it_answered_before() throws Exception {
    Folder.fill(folder);
    Path home = Files.createDirectory(folder.resolve("gflow-home"));
    try (var house = new WaitingHouse(home)) {
      new Transcript(folder, house::service).check("real-answers.txt");
    }
  }
}
