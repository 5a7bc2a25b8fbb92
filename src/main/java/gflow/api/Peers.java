package gflow.api;

import gflow.job.Owner;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** Who is at the other end of the socket, by the kernel's word. */
record Peers(UserPrincipal self, Owner owner) {
  /** The JDK knows the number of a user and does not tell it. */
  private static final int UNKNOWN = -1;

  Owner of(SocketChannel channel) throws IOException {
    return of(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user());
  }

  /** Principals of the JDK are equal if the numbers are, whatever the names. */
  Owner of(UserPrincipal peer) {
    return peer.equals(self) ? owner : new Owner(UNKNOWN, UNKNOWN, peer.getName());
  }
}
