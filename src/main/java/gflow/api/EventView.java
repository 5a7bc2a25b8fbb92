package gflow.api;

import org.jspecify.annotations.Nullable;

/**
 * One line of the event stream: a job or task that changed its state, or something else of note.
 */
public record EventView(
    long sequence,
    String time,
    String kind,
    @Nullable Long jobId,
    @Nullable Long arrayJobId,
    @Nullable Integer arrayTaskId,
    @Nullable String state,
    @Nullable String text) {}
