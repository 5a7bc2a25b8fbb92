package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RawTextTest {
  @Test
  void text_stays_text() {
    assertThat(RawText.of("müll 𝄞 \uFFFD".getBytes(UTF_8))).isEqualTo("müll 𝄞 \uFFFD");
    assertThat(RawText.bytes("müll 𝄞 \uFFFD")).isEqualTo("müll 𝄞 \uFFFD".getBytes(UTF_8));
  }

  @Test
  void a_byte_that_is_no_letter_is_what_python_makes_of_it() {
    assertThat(RawText.of(new byte[] {'a', (byte) 0xE9, 'b'})).isEqualTo("a\uDCE9b");
  }

  @Test
  void nothing_is_lost_whatever_the_bytes() {
    var random = new Random(7);
    for (int round = 0; round < 2000; round++) {
      var bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      assertThat(RawText.bytes(RawText.of(bytes))).isEqualTo(bytes);
    }
  }
}
