package gflow.cli;

import gflow.api.FakeGflow;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of commands that are typed at the lab server, in a folder with the files that they name.
 */
public abstract class AtTheLab {
  @TempDir protected Path folder;
  protected final LabMorning lab = new LabMorning();
  protected final FakeGflow gflow = lab.fresh();
  private Transcript transcript;

  @BeforeEach
  protected void begin() throws IOException {
    Folder.fill(folder);
    transcript = new Transcript(folder, () -> gflow);
  }

  @AfterEach
  protected void end() {
    lab.close();
  }

  /** One command after the other. */
  protected Transcript.Result run(String line) {
    return transcript.run(line, gflow);
  }
}
