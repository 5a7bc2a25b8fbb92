package gflow.same;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/** What a case left behind, as it was: not yet comparable. */
record Seen(
    Path folder, int code, String out, String err, List<String> jobs, SortedMap<String, String> files) {}
