package gflow.plan;

import java.time.Instant;
import java.util.List;

/** All that a plan depends on. The book is not copied: it must not change while it is looked at. */
public record PlanningView(
    Instant now, Machine machine, List<Holding> holdings, Book book, UsageLimits limits) {
  public PlanningView {
    holdings = List.copyOf(holdings);
  }
}
