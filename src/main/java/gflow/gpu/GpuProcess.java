package gflow.gpu;

import java.util.OptionalLong;

/**
 * A process that computes on a GPU. User and command are {@link #UNSEEN} where the process cannot
 * be looked at from here: it is in another pid namespace, hidden, or dead with its memory not
 * freed. {@code mps}: as the client of an MPS server.
 */
public record GpuProcess(long pid, String user, String command, OptionalLong memory, boolean mps) {
  public static final String UNSEEN = "?";

  private static final String SERVER = "nvidia-cuda-mps-server";

  public GpuProcess(long pid, String user, String command, OptionalLong memory) {
    this(pid, user, command, memory, false);
  }

  public boolean isMpsServer() {
    return command.equals(SERVER);
  }

  public boolean seen() {
    return !user.equals(UNSEEN) || !command.equals(UNSEEN);
  }
}
