package gflow.job;

/**
 * What was wrong with a GPU, as {@code XID 79 on GPU 2}. {@code programs}: an error that programs
 * make themselves, after which the GPU is as good as before.
 */
public record GpuFault(String text, boolean programs) {}
