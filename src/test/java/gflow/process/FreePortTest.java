package gflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {
  @Test
  void a_port_that_somebody_listens_on_is_not_given() throws Exception {
    int port = FreePort.of(7);
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(FreePort.of(7)).isNotEqualTo(port);
    }
    assertThat(FreePort.of(7)).isEqualTo(port);
  }

  @Test
  void numbers_that_differ_give_ports_that_differ() {
    assertThat(FreePort.of(8)).isNotEqualTo(FreePort.of(7));
    assertThat(FreePort.of(Long.MAX_VALUE - 50)).isBetween(20_000, 32_000);
  }
}
