package gflow.tasks;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Gives to every task what comes in. One that does not read holds the others back only when it is
 * far behind; one that is gone does not. Threads of the system: to wait for a pipe holds the
 * carrier of a virtual one, and there are few.
 */
final class StdinFeeder {
  private static final int ROOM = 64;
  private static final byte[] END = {};

  private final List<BlockingQueue<byte[]>> queues = new ArrayList<>();

  void add(OutputStream to) {
    var queue = new ArrayBlockingQueue<byte[]>(ROOM);
    queues.add(queue);
    Thread.ofPlatform().daemon().start(() -> write(queue, to));
  }

  void begin() {
    Thread.ofPlatform().daemon().start(this::read);
  }

  private void read() {
    try {
      var bytes = new byte[1 << 14];
      InputStream in = new FileInputStream(FileDescriptor.in);
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        give(Arrays.copyOf(bytes, count));
      }
    } catch (IOException e) {
      // Nothing more comes.
    }
    give(END);
  }

  private void give(byte[] part) {
    try {
      for (BlockingQueue<byte[]> queue : queues) {
        queue.put(part);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(BlockingQueue<byte[]> queue, OutputStream to) {
    boolean open = true;
    try (to) {
      for (byte[] part = queue.take(); part != END; part = queue.take()) {
        open = open && write(to, part);
      }
    } catch (IOException e) {
      // Its reader is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean write(OutputStream to, byte[] part) {
    try {
      to.write(part);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
