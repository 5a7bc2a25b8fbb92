package gflow.job;

/** Whose job it is, by the kernel's word. */
public record Owner(int uid, int gid, String name) {}
