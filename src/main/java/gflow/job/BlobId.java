package gflow.job;

/** Names the content of a script, an environment or an attached file by its SHA-256. */
public record BlobId(String sha256) {
  public BlobId {
    if (sha256.length() != 64) {
      throw new IllegalArgumentException("not a SHA-256 in hex: " + sha256);
    }
  }
}
