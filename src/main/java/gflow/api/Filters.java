package gflow.api;

import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.Selection;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import gflow.script.value.JobRefs;
import gflow.script.value.StateNames;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How jobs are named and chosen in paths, queries and bodies. */
final class Filters {
  /** Of a list without a limit of its own; the answer says how many there are. */
  static final int LIMIT = 1000;

  private Filters() {}

  static Set<JobState> states(List<String> texts) throws BadInput {
    if (texts.isEmpty()) {
      return Set.of();
    }
    StateNames.Filter filter = StateNames.parse(String.join(",", texts));
    if (filter.held() && !filter.waiting()) {
      throw new BadInput("held jobs are PENDING here, as all that wait: name PENDING, or the jobs");
    }
    return filter.states();
  }

  static Instant time(String name, String text) throws BadInput {
    Optional<Instant> time = BeginTimes.iso(text);
    if (time.isEmpty()) {
      throw JsonFields.wrong(name, "a time as in 2030-01-31T12:00:00Z", text);
    }
    return time.get();
  }

  static JobQuery query(Query query) throws BadInput {
    var found =
        new JobQuery(
            JobRefs.all(query.words("job")),
            states(query.words("state")),
            query.words("user"),
            query.words("name"),
            query.one("project"),
            since(query.one("ended_since")),
            limit(query.one("limit")));
    query.end("job, state, user, name, project, ended_since, limit");
    return found;
  }

  /** The same as a body, for lists that are too long for a path. */
  static JobQuery query(@Nullable Object tree) throws BadInput {
    JsonFields fields = JsonFields.of(tree, "a query");
    var query =
        new JobQuery(
            JobRefs.all(fields.words("jobs")),
            states(fields.words("states")),
            fields.words("users"),
            fields.words("names"),
            fields.text("project"),
            since(fields.text("ended_since")),
            fields.whole("limit").orElse(LIMIT));
    fields.end("jobs, states, users, names, project, ended_since, limit");
    return query;
  }

  private static Optional<Instant> since(Optional<String> text) throws BadInput {
    return text.isPresent() ? Optional.of(time("ended_since", text.get())) : Optional.empty();
  }

  private static int limit(Optional<String> text) throws BadInput {
    try {
      int limit = text.isEmpty() ? LIMIT : Integer.parseInt(text.get());
      if (limit >= 0) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw JsonFields.wrong("limit", "a whole number", text.orElseThrow());
  }

  static Selection selection(@Nullable Object tree) throws BadInput {
    JsonFields fields = JsonFields.of(tree, "a selection");
    List<JobRef> jobs = JobRefs.all(fields.words("jobs"));
    List<String> words = fields.words("states");
    Optional<StateNames.Filter> filter =
        words.isEmpty() ? Optional.empty() : Optional.of(StateNames.parse(String.join(",", words)));
    var selection =
        new Selection(
            jobs,
            filter.map(StateNames.Filter::states).orElse(Set.of()),
            filter.flatMap(StateNames.Filter::onlyHeld),
            fields.words("users"),
            fields.words("names"),
            fields.flag("all"));
    fields.end("jobs, states, users, names, all");
    boolean others = !selection.states().isEmpty() || !selection.users().isEmpty();
    if (selection.jobs().isEmpty() && !others && selection.names().isEmpty() && !selection.all()) {
      throw new BadInput("say which jobs: jobs, states, users, names, or \"all\":true");
    }
    return selection;
  }
}
