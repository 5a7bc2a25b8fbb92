package gflow.api;

import gflow.api.ApiReply.Problem;
import gflow.json.BadJson;
import gflow.json.Json;
import gflow.script.value.BadInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request, read within bounds of size, memory and time. Large ones come one at a
 * time.
 */
final class JsonBody implements HttpCall.Body, AutoCloseable {
  private static final int PART = 16 << 10;
  private static final int SMALL = 1 << 20;
  private static final int PATIENCE = 30;

  /** Of a body that comes slowly, the bytes that buy it another second. */
  private static final int RATE = 64 << 10;

  private final InputStream in;
  private final long length;
  private final ClientLimits limits;
  private final Semaphore large;
  private final BodyRoom.Share share;
  private boolean holdsLarge;

  /** {@code length} is what the header says, negative if it does not. */
  JsonBody(
      InputStream in, long length, ClientLimits limits, Semaphore large, BodyRoom.Share share) {
    this.in = in;
    this.length = length;
    this.limits = limits;
    this.large = large;
    this.share = share;
  }

  /** An empty body is an empty object. */
  @Override
  public @Nullable Object read() throws Problem, BadInput {
    String text = text();
    var weight = new Weight();
    try {
      return text.isBlank() ? Map.of() : Json.parse(text, weight);
    } catch (BadJson e) {
      if (weight.tooMuch != null) {
        throw weight.tooMuch;
      }
      throw new BadInput(String.valueOf(e.getMessage()));
    }
  }

  /** Each value is counted before it is made. */
  private final class Weight implements Json.Weight {
    private @Nullable Problem tooMuch;

    @Override
    public void add(long bytes) throws BadJson {
      try {
        share.take(bytes);
      } catch (Problem problem) {
        tooMuch = problem;
        throw new BadJson(problem.line());
      }
    }
  }

  private String text() throws Problem, BadInput {
    try {
      byte[] bytes = bytes();
      String text = new String(bytes, StandardCharsets.UTF_8);
      if (text.indexOf('\uFFFD') >= 0) {
        // It may stand there; only who looks closely can tell.
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new BadInput("the body is no UTF-8");
    } catch (IOException e) {
      throw new Problem(400, "the body did not come whole");
    }
  }

  private byte[] bytes() throws Problem, IOException {
    if (length > limits.body()) {
      throw tooLarge();
    }
    var all = new ByteArrayOutputStream();
    long start = System.nanoTime();
    byte[] part = new byte[PART];
    for (int got = in.read(part); got >= 0; got = in.read(part)) {
      // As bytes, and then as text.
      share.take(2L * got);
      all.write(part, 0, got);
      if (all.size() > limits.body()) {
        throw tooLarge();
      }
      if (all.size() > SMALL && !holdsLarge) {
        takeTurn();
      }
      checkTime(start, all.size());
    }
    return all.toByteArray();
  }

  private void checkTime(long start, int bytes) throws Problem {
    Duration most = limits.idle().plusSeconds(bytes / RATE);
    if (System.nanoTime() - start > most.toNanos() + (holdsLarge ? PATIENCE * 1_000_000_000L : 0)) {
      throw new Problem(408, "the body comes too slowly");
    }
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
    return new Problem(413, "the body is larger than " + (limits.body() >> 20) + " MiB");
  }

  @Override
  public void close() {
    share.close();
    if (holdsLarge) {
      large.release();
    }
  }
}
