package gflow.api;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** Who may come in: only the user that the daemon runs as, by the kernel's word. */
record Peers(UserPrincipal self) {
  boolean mayEnter(SocketChannel channel) throws IOException {
    return mayEnter(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user());
  }

  /** Principals of the JDK are equal if the numbers are, whatever the names. */
  boolean mayEnter(UserPrincipal peer) {
    return peer.equals(self);
  }

  String refusal() {
    return "this gflowd belongs to " + self.getName() + " and serves nobody else";
  }
}
