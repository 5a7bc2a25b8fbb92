package gflow.script.order;

import gflow.job.BlobId;
import gflow.job.JobSpec;
import java.util.SequencedMap;

/** A spec made from an order, with the content of the blobs that it names. */
public record Draft(JobSpec spec, SequencedMap<BlobId, byte[]> blobs) {}
