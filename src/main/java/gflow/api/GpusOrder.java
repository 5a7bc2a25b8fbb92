package gflow.api;

import java.util.List;

/**
 * What the program inside an elastic job says of its GPUs: those that it knows to have, by index,
 * how many it knows to be called back, and those that it gives back now ({@code back}: indices or
 * UUIDs), on which nothing of the job runs any more.
 */
public record GpusOrder(List<Integer> have, int callBack, List<String> back) {
  public GpusOrder {
    have = List.copyOf(have);
    back = List.copyOf(back);
  }
}
