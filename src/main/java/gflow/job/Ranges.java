package gflow.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A set of whole numbers from 0 up, kept as sorted ranges that neither touch nor overlap: a million
 * waiting tasks are one range. Also the ids of CPUs.
 */
public record Ranges(List<Range> parts) {
  public static final Ranges EMPTY = new Ranges(List.of());
  private static final Ranges FIRST = of(0, 0);

  /** All numbers from first to last, both included. */
  public record Range(int first, int last) {
    public Range {
      if (first < 0 || last < first) {
        throw new IllegalArgumentException("not a range: " + first + "-" + last);
      }
    }

    int size() {
      return last - first + 1;
    }
  }

  public Ranges {
    parts = List.copyOf(parts);
    for (int i = 1; i < parts.size(); i++) {
      if (parts.get(i).first() <= parts.get(i - 1).last() + 1) {
        throw new IllegalArgumentException("ranges must be sorted and apart: " + parts);
      }
    }
  }

  public static Ranges of(int first, int last) {
    return new Ranges(List.of(new Range(first, last)));
  }

  /** The first {@code count} numbers, from 0. Nearly all jobs have one task, and share its set. */
  public static Ranges firstN(int count) {
    return switch (count) {
      case 0 -> EMPTY;
      case 1 -> FIRST;
      default -> of(0, count - 1);
    };
  }

  public static Ranges ofAll(Iterable<Integer> numbers) {
    var sorted = new java.util.TreeSet<Integer>();
    numbers.forEach(sorted::add);
    var parts = new ArrayList<Range>();
    for (int n : sorted) {
      int end = parts.size() - 1;
      if (end >= 0 && parts.get(end).last() == n - 1) {
        parts.set(end, new Range(parts.get(end).first(), n));
      } else {
        parts.add(new Range(n, n));
      }
    }
    return new Ranges(parts);
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  public int size() {
    int size = 0;
    for (Range part : parts) {
      size += part.size();
    }
    return size;
  }

  public int first() {
    return parts.getFirst().first();
  }

  public int last() {
    return parts.getLast().last();
  }

  public boolean contains(int number) {
    return meets(number, number);
  }

  /** Whether some number is in both. */
  public boolean meets(Ranges other) {
    if (parts.size() > other.parts.size()) {
      return other.meets(this);
    }
    for (Range part : parts) {
      if (other.meets(part.first(), part.last())) {
        return true;
      }
    }
    return false;
  }

  private boolean meets(int first, int last) {
    int low = 0;
    int high = parts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parts.get(middle).last() < first) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < parts.size() && parts.get(low).first() <= last;
  }

  /** The k-th number in ascending order, counted from 0. */
  public int get(int k) {
    int left = k;
    for (Range part : parts) {
      if (left < part.size()) {
        return part.first() + left;
      }
      left -= part.size();
    }
    throw new IndexOutOfBoundsException("no number " + k + " in " + this);
  }

  /** The place of a number, so that {@code get(indexOf(n)) == n}; −1 if it is not in the set. */
  public int indexOf(int number) {
    int before = 0;
    for (Range part : parts) {
      if (number < part.first()) {
        return -1;
      }
      if (number <= part.last()) {
        return before + number - part.first();
      }
      before += part.size();
    }
    return -1;
  }

  public Ranges with(int number) {
    return union(of(number, number));
  }

  public Ranges without(int number) {
    return minus(of(number, number));
  }

  public Ranges union(Ranges other) {
    var all = new ArrayList<Range>(parts);
    all.addAll(other.parts);
    return merged(all);
  }

  /** Of parts in any order, which may touch and overlap. */
  public static Ranges merged(List<Range> all) {
    var merged = new ArrayList<Range>();
    for (Range part : all.stream().sorted(Comparator.comparingInt(Range::first)).toList()) {
      int end = merged.size() - 1;
      if (end >= 0 && part.first() <= merged.get(end).last() + 1) {
        Range joined = merged.get(end);
        merged.set(end, new Range(joined.first(), Math.max(joined.last(), part.last())));
      } else {
        merged.add(part);
      }
    }
    return new Ranges(merged);
  }

  public Ranges minus(Ranges other) {
    if (isEmpty() || other.isEmpty()) {
      return this;
    }
    var left = new ArrayList<Range>();
    int next = 0;
    for (Range part : parts) {
      int from = part.first();
      while (next < other.parts.size() && other.parts.get(next).last() < from) {
        next++;
      }
      // The last cut may reach into the next part, so it is looked at again there.
      for (int i = next; i < other.parts.size() && from <= part.last(); i++) {
        Range cut = other.parts.get(i);
        if (cut.first() > part.last()) {
          break;
        }
        if (cut.first() > from) {
          left.add(new Range(from, cut.first() - 1));
        }
        from = cut.last() + 1;
        next = i;
      }
      if (from <= part.last()) {
        left.add(new Range(from, part.last()));
      }
    }
    return new Ranges(left);
  }

  public Ranges intersect(Ranges other) {
    if (isEmpty() || equals(other)) {
      return this;
    }
    Ranges rest = minus(other);
    return rest.isEmpty() ? this : minus(rest);
  }

  public IntStream stream() {
    return parts.stream().flatMapToInt(p -> IntStream.rangeClosed(p.first(), p.last()));
  }

  /** As Slurm writes it: {@code 0,5,9-12}. */
  @Override
  public String toString() {
    var text = new StringBuilder();
    for (Range part : parts) {
      text.append(text.isEmpty() ? "" : ",").append(part.first());
      if (part.last() > part.first()) {
        text.append('-').append(part.last());
      }
    }
    return text.toString();
  }
}
