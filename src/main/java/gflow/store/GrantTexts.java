package gflow.store;

import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.json.Json;
import gflow.json.RecordJson;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The GPUs of an attempt, a step or a loan as JSON; equal ones become one object. */
final class GrantTexts {
  /** What was zero was not always written; parts were thousandths. */
  private record Written(
      String uuid,
      OptionalInt index,
      OptionalInt thousandths,
      OptionalLong part,
      OptionalLong memory) {
    static Written of(GpuGrant grant) {
      return new Written(
          grant.gpu().uuid(),
          OptionalInt.of(grant.index()),
          OptionalInt.empty(),
          OptionalLong.of(grant.part().units()),
          OptionalLong.of(grant.memory()));
    }

    GpuGrant grant() {
      GpuPart held =
          part.isPresent()
              ? new GpuPart(part.getAsLong())
              : GpuPart.of(thousandths.orElse(0), 1000);
      return new GpuGrant(new GpuId(uuid), index.orElse(0), held, memory.orElse(0));
    }
  }

  private final Interned<String, List<GpuGrant>> known = new Interned<>(GrantTexts::read);

  static String text(List<GpuGrant> grants) {
    return Json.text(RecordJson.tree(grants.stream().map(Written::of).toList()));
  }

  List<GpuGrant> grants(String text) {
    return known.of(text);
  }

  private static List<GpuGrant> read(String text) {
    if (!(SpecTexts.parsed(text) instanceof List<?> all)) {
      throw new DamagedRow("the GPUs are " + text);
    }
    return all.stream().map(one -> SpecTexts.read(Written.class, one).grant()).toList();
  }
}
