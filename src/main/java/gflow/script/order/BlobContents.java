package gflow.script.order;

import gflow.job.BlobId;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Gathers contents under their SHA-256, each once. */
final class BlobContents {
  private final SequencedMap<BlobId, byte[]> contents = new LinkedHashMap<>();

  BlobId add(byte[] content) {
    BlobId id = BlobId.of(content);
    put(id, content);
    return id;
  }

  void put(BlobId id, byte[] content) {
    contents.putIfAbsent(id, content);
  }

  SequencedMap<BlobId, byte[]> contents() {
    return contents;
  }
}
