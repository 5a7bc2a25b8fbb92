package gflow.cli.step;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ElfTest {
  private static List<String> needed(byte[] file) throws IOException {
    return Elf.linked(
            (into, at) -> {
              int count = Math.clamp(file.length - at, 0, into.remaining());
              into.put(file, (int) at, count);
              return count;
            },
            file.length)
        .needed();
  }

  /** Of this machine's own: java names the library that it is made of. */
  private static byte[] java() throws IOException {
    Path program = Path.of(System.getProperty("java.home"), "bin/java");
    try (var file = FileChannel.open(program)) {
      var bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return bytes.array();
    }
  }

  @Test
  void a_program_names_its_libraries() throws IOException {
    assertThat(needed(java())).contains("libjli.so");
  }

  @Test
  void what_is_no_such_program_names_none() throws IOException {
    assertThat(needed(new byte[0])).isEmpty();
    assertThat(needed("#!/bin/sh\necho libmpi.so.40\n".getBytes(UTF_8))).isEmpty();
    assertThat(needed(Arrays.copyOf(java(), 64))).isEmpty();
  }

  @Test
  void a_broken_one_does_no_harm() throws IOException {
    byte[] whole = java();
    var random = new Random(1);
    for (int i = 0; i < 3000; i++) {
      byte[] broken = whole.clone();
      for (int n = 0; n < 8; n++) {
        broken[random.nextInt(4, 1024)] = (byte) random.nextInt();
      }
      assertThat(needed(broken)).hasSizeLessThan(1 << 12);
    }
  }
}
