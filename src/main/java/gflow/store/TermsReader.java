package gflow.store;

import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec.Terms;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads the terms of a spec, with the jobs that it waits for. */
final class TermsReader {
  private TermsReader() {}

  static Terms terms(@Nullable Object tree) {
    var in = new StoredFields(tree);
    var terms =
        new Terms(
            in.whole("priority"),
            in.text("time_limit").map(Duration::parse),
            in.text("begin").map(Instant::parse),
            in.flag("hold"),
            in.take("dependencies").map(TermsReader::dependencies).orElse(Dependencies.NONE),
            in.whole("retries"),
            in.flag("requeue"));
    in.end();
    return terms;
  }

  private static Dependencies dependencies(@Nullable Object tree) {
    var in = new StoredFields(tree);
    var dependencies =
        new Dependencies(
            in.flag("any"), in.list("list", TermsReader::dependency), in.flag("cancel_if_never"));
    in.end();
    return dependencies;
  }

  private static Dependency dependency(@Nullable Object tree) {
    var in = new StoredFields(tree);
    var dependency =
        new Dependency(
            Dependencies.Kind.valueOf(in.string("kind")),
            in.text("parent").map(TermsReader::ref),
            in.text("delay").map(Duration::parse).orElse(Duration.ZERO));
    in.end();
    return dependency;
  }

  private static JobRef ref(String text) {
    if (text.equals("@")) {
      return new JobRef.Last();
    }
    int bar = text.indexOf('_');
    if (text.startsWith("@_")) {
      return new JobRef.LastTask(Integer.parseInt(text.substring(2)));
    }
    var id = new JobId(Long.parseLong(bar < 0 ? text : text.substring(0, bar)));
    return bar < 0
        ? new JobRef.ById(id)
        : new JobRef.ArrayTask(id, Integer.parseInt(text.substring(bar + 1)));
  }
}
