package gflow.api;

import gflow.api.Reply.Problem;
import gflow.json.BadJson;
import gflow.json.Json;
import gflow.script.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request, read within bounds. Large ones come one at a time, so that the memory
 * that bodies take is bounded too.
 */
final class JsonBody implements Call.Body, AutoCloseable {
  private static final int SMALL = 1 << 20;
  private static final int PATIENCE = 30;

  private final InputStream in;
  private final long length;
  private final int limit;
  private final Semaphore large;
  private boolean holdsLarge;

  /** {@code length} is what the header says, negative if it does not. */
  JsonBody(InputStream in, long length, int limit, Semaphore large) {
    this.in = in;
    this.length = length;
    this.limit = limit;
    this.large = large;
  }

  /** An empty body is an empty object. */
  @Override
  public @Nullable Object read() throws Problem, BadInput {
    String text = text();
    try {
      return text.isBlank() ? Map.of() : Json.parse(text);
    } catch (BadJson e) {
      throw new BadInput(String.valueOf(e.getMessage()));
    }
  }

  private String text() throws Problem, BadInput {
    try {
      byte[] bytes = bytes();
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BadInput("the body is no UTF-8");
    } catch (IOException e) {
      throw new Problem(400, "the body did not come whole");
    }
  }

  private byte[] bytes() throws Problem, IOException {
    if (length > limit) {
      throw tooLarge();
    }
    byte[] start = in.readNBytes(SMALL);
    if (start.length < SMALL) {
      return start;
    }
    takeTurn();
    byte[] rest = in.readNBytes(limit - SMALL + 1);
    if (rest.length > limit - SMALL) {
      throw tooLarge();
    }
    byte[] all = java.util.Arrays.copyOf(start, start.length + rest.length);
    System.arraycopy(rest, 0, all, start.length, rest.length);
    return all;
  }

  private void takeTurn() throws Problem {
    try {
      holdsLarge = large.tryAcquire(PATIENCE, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!holdsLarge) {
      throw new Problem(503, "gflowd is busy with another large body; try again");
    }
  }

  private Problem tooLarge() {
    return new Problem(413, "the body is larger than " + (limit >> 20) + " MiB");
  }

  @Override
  public void close() {
    if (holdsLarge) {
      large.release();
    }
  }
}
