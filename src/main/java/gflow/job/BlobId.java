package gflow.job;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names the content of a script, an environment or an attached file by its SHA-256. */
public record BlobId(String sha256) {
  public BlobId {
    if (sha256.length() != 64) {
      throw new IllegalArgumentException("not a SHA-256 in hex: " + sha256);
    }
  }

  public static BlobId of(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return new BlobId(HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
