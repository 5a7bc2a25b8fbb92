package gflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {
  @Test
  void a_port_that_somebody_listens_on_is_not_free() throws Exception {
    int port;
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
      assertThat(FreePort.isFree(port)).isFalse();
    }
    assertThat(FreePort.isFree(port)).isTrue();
    assertThat(FreePort.kernels()).hasSize(2).isSorted();
  }
}
