package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExitTest {
  @Test
  void a_shell_says_128_and_the_signal() {
    assertThat(Exit.ofShell(0)).isEqualTo(Exit.OK);
    assertThat(Exit.ofShell(128)).isEqualTo(Exit.code(128));
    assertThat(Exit.ofShell(129)).isEqualTo(Exit.signal(1));
    assertThat(Exit.ofShell(137)).isEqualTo(Exit.signal(9));
    assertThat(Exit.ofShell(192)).isEqualTo(Exit.signal(64));
    assertThat(Exit.ofShell(193)).isEqualTo(Exit.code(193));
    assertThat(Exit.ofShell(255)).isEqualTo(Exit.code(255));
  }

  @Test
  void the_status_is_what_the_shell_would_say() {
    for (int status = 0; status < 256; status++) {
      assertThat(Exit.ofShell(status).status()).isEqualTo(status);
    }
  }

  @Test
  void only_zero_without_a_signal_is_ok() {
    assertThat(Exit.OK.ok()).isTrue();
    assertThat(Exit.code(1).ok()).isFalse();
    assertThat(Exit.signal(15).ok()).isFalse();
  }
}
