package gflow.cli.step;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Which libraries a program names, and where it looks for them: of a 64-bit ELF file for Linux. */
record Elf(Bytes bytes, long size) {
  private static final int HEADER = 64;
  private static final int SEGMENT = 56;
  private static final int LOAD = 1;
  private static final int DYNAMIC = 2;
  private static final int NEEDED = 1;
  private static final int STRINGS = 5;
  private static final int RPATH = 15;
  private static final int RUNPATH = 29;
  private static final int MOST_SEGMENTS = 256;
  private static final int MOST_DYNAMIC = 1 << 16;
  private static final int MOST_NAME = 4096;

  /** A file, or what a test has instead. */
  interface Bytes {
    int read(ByteBuffer into, long at) throws IOException;
  }

  /** The libraries, and the folders as they are written. */
  record Linked(List<String> needed, List<String> folders) {
    private static final Linked NONE = new Linked(List.of(), List.of());
  }

  /** Nothing also for what is no such file, or a broken one. */
  static Linked linked(Bytes bytes, long size) throws IOException {
    return new Elf(bytes, size).linked();
  }

  private Linked linked() throws IOException {
    ByteBuffer header = at(0, HEADER);
    if (header.limit() < HEADER || header.getInt(0) != 0x464c457f || header.getShort(4) != 0x0102) {
      return Linked.NONE;
    }
    int count = Short.toUnsignedInt(header.getShort(56));
    boolean usual = Short.toUnsignedInt(header.getShort(54)) == SEGMENT && count <= MOST_SEGMENTS;
    ByteBuffer segments = usual ? at(header.getLong(32), count * SEGMENT) : at(0, 0);
    for (int at = 0; at + SEGMENT <= segments.limit(); at += SEGMENT) {
      if (segments.getInt(at) == DYNAMIC) {
        long length = Math.clamp(segments.getLong(at + 32), 0, MOST_DYNAMIC);
        return linked(segments, at(segments.getLong(at + 8), (int) length));
      }
    }
    return Linked.NONE;
  }

  private Linked linked(ByteBuffer segments, ByteBuffer dynamic) throws IOException {
    long strings = fileOffset(segments, entries(dynamic, STRINGS));
    var folders = new ArrayList<String>();
    for (int tag : List.of(RPATH, RUNPATH)) {
      for (String list : texts(strings, entries(dynamic, tag))) {
        folders.addAll(List.of(list.split(":", -1)));
      }
    }
    return new Linked(texts(strings, entries(dynamic, NEEDED)), folders);
  }

  private List<String> texts(long strings, List<Long> offsets) throws IOException {
    var texts = new ArrayList<String>();
    for (long offset : offsets) {
      texts.add(text(strings + offset));
    }
    return texts;
  }

  private static List<Long> entries(ByteBuffer dynamic, long tag) {
    var values = new ArrayList<Long>();
    for (int at = 0; at + 16 <= dynamic.limit(); at += 16) {
      if (dynamic.getLong(at) == tag) {
        values.add(dynamic.getLong(at + 8));
      }
    }
    return values;
  }

  /** The table is named by its address in memory; the segments say where in the file that is. */
  private static long fileOffset(ByteBuffer segments, List<Long> address) {
    for (int at = 0; at + SEGMENT <= segments.limit() && !address.isEmpty(); at += SEGMENT) {
      long begin = segments.getLong(at + 16);
      long inside = address.getFirst() - begin;
      if (segments.getInt(at) == LOAD && inside >= 0 && inside < segments.getLong(at + 32)) {
        return segments.getLong(at + 8) + inside;
      }
    }
    return Long.MAX_VALUE / 2;
  }

  private String text(long offset) throws IOException {
    ByteBuffer found = at(offset, MOST_NAME);
    var text = new StringBuilder(ISO_8859_1.decode(found));
    int end = text.indexOf("\0");
    return end < 0 ? "" : text.substring(0, end);
  }

  /** What is there of that many bytes. */
  private ByteBuffer at(long offset, int length) throws IOException {
    if (offset < 0 || offset >= size) {
      return ByteBuffer.allocate(0);
    }
    var buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    long at = offset;
    for (int got = 1; got > 0 && buffer.hasRemaining(); at += Math.max(0, got)) {
      got = bytes.read(buffer, at);
    }
    return buffer.flip();
  }
}
