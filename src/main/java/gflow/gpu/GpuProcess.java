package gflow.gpu;

import java.util.OptionalLong;

/**
 * A process that computes on a GPU. User and command are {@link #UNSEEN} where the process cannot
 * be looked at from here: it is in another pid namespace, hidden, or dead with its memory not
 * freed.
 */
public record GpuProcess(long pid, String user, String command, OptionalLong memory) {
  public static final String UNSEEN = "?";

  public boolean seen() {
    return !user.equals(UNSEEN) || !command.equals(UNSEEN);
  }
}
