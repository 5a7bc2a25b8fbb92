package gflow.script;

import gflow.job.BlobId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Gathers contents under their SHA-256, each once. */
final class Blobs {
  private final SequencedMap<BlobId, byte[]> contents = new LinkedHashMap<>();

  BlobId add(byte[] content) {
    BlobId id = id(content);
    put(id, content);
    return id;
  }

  void put(BlobId id, byte[] content) {
    contents.putIfAbsent(id, content);
  }

  SequencedMap<BlobId, byte[]> contents() {
    return contents;
  }

  static BlobId id(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return new BlobId(HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
