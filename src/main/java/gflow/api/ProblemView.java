package gflow.api;

/**
 * Something that is wrong with the machine or the daemon. {@code about} tells it from others of its
 * kind; {@code remedy} is what to do, or empty if that is to wait.
 */
public record ProblemView(String kind, String about, String text, String remedy, String since) {}
