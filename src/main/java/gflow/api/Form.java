package gflow.api;

import gflow.json.BadJson;
import gflow.json.RecordJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer as JSON and back. */
interface Form<A> {
  @Nullable Object write(A answer);

  A read(@Nullable Object tree) throws BadJson;

  /** A record as it is. */
  record One<A>(Class<A> type) implements Form<A> {
    @Override
    public @Nullable Object write(A answer) {
      return RecordJson.tree(answer);
    }

    @Override
    public A read(@Nullable Object tree) throws BadJson {
      return RecordJson.fromTree(type, tree);
    }
  }

  /** A list in a field of that name. */
  record Many<T>(String name, Class<T> type) implements Form<List<T>> {
    @Override
    public @Nullable Object write(List<T> answer) {
      return RecordJson.tree(Map.of(name, answer));
    }

    @Override
    public List<T> read(@Nullable Object tree) throws BadJson {
      if (!(tree instanceof Map<?, ?> map) || !(map.get(name) instanceof List<?> parts)) {
        throw new BadJson("expected a list " + name);
      }
      var all = new ArrayList<T>(parts.size());
      for (Object part : parts) {
        all.add(RecordJson.fromTree(type, part));
      }
      return List.copyOf(all);
    }
  }
}
