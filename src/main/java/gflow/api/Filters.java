package gflow.api;

import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.Selection;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.BadInput;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How jobs are named and chosen in paths, queries and bodies. */
final class Filters {
  /** Of a list without a limit of its own; the answer says how many there are. */
  static final int LIMIT = 1000;

  private Filters() {}

  static JobRef ref(String text) throws BadInput {
    if (text.equals("@")) {
      return new JobRef.Last();
    }
    int bar = text.indexOf('_');
    long job = number(bar < 0 ? text : text.substring(0, bar));
    long index = bar < 0 ? 0 : number(text.substring(bar + 1));
    if (job < 1 || index < 0 || index > Integer.MAX_VALUE) {
      throw new BadInput("a job is named as in 42, 42_7 or @, was " + text);
    }
    JobId id = new JobId(job);
    return bar < 0 ? new JobRef.ById(id) : new JobRef.ArrayTask(id, (int) index);
  }

  /** −1 if it is none. */
  private static long number(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 18;
    for (int i = 0; i < text.length(); i++) {
      digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return digits ? Long.parseLong(text) : -1;
  }

  static List<JobRef> refs(List<String> texts) throws BadInput {
    var refs = new ArrayList<JobRef>(texts.size());
    for (String text : texts) {
      refs.add(ref(text));
    }
    return List.copyOf(refs);
  }

  static Set<JobState> states(List<String> texts) throws BadInput {
    var states = EnumSet.noneOf(JobState.class);
    for (String text : texts) {
      if (text.equalsIgnoreCase("all")) {
        states.addAll(EnumSet.allOf(JobState.class));
      } else {
        states.add(state(text));
      }
    }
    return Collections.unmodifiableSet(states);
  }

  private static JobState state(String text) throws BadInput {
    for (JobState state : JobState.values()) {
      if (text.equalsIgnoreCase(state.name()) || text.equalsIgnoreCase(state.code())) {
        return state;
      }
    }
    if (text.equalsIgnoreCase("queued")) {
      return JobState.PENDING;
    }
    throw new BadInput("there is no state " + text + "; there are " + List.of(JobState.values()));
  }

  static Instant time(String name, String text) throws BadInput {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw Fields.wrong(name, "a time as in 2030-01-31T12:00:00Z", text);
    }
  }

  static JobQuery query(Query query) throws BadInput {
    var found =
        new JobQuery(
            refs(query.words("job")),
            states(query.words("state")),
            query.words("user"),
            query.words("name"),
            query.one("project"),
            limit(query.one("limit")));
    query.end("job, state, user, name, project, limit");
    return found;
  }

  /** The same as a body, for lists that are too long for a path. */
  static JobQuery query(@Nullable Object tree) throws BadInput {
    Fields fields = Fields.of(tree, "a query");
    var query =
        new JobQuery(
            refs(fields.words("jobs")),
            states(fields.words("states")),
            fields.words("users"),
            fields.words("names"),
            fields.text("project"),
            fields.whole("limit").orElse(LIMIT));
    fields.end("jobs, states, users, names, project, limit");
    return query;
  }

  private static int limit(Optional<String> text) throws BadInput {
    long limit = text.isEmpty() ? LIMIT : number(text.get());
    if (limit < 0 || limit > Integer.MAX_VALUE) {
      throw Fields.wrong("limit", "a whole number", text.orElseThrow());
    }
    return (int) limit;
  }

  static Selection selection(@Nullable Object tree) throws BadInput {
    Fields fields = Fields.of(tree, "a selection");
    var selection =
        new Selection(
            refs(fields.words("jobs")),
            states(fields.words("states")),
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
