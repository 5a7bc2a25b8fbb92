package gflow.cli.chart;

import gflow.cli.frame.JobText;
import gflow.script.value.Sizes;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** From 0, so that heights can be compared, up to {@code to}; ticks at round numbers. */
public record Axis(String name, double to, List<Tick> ticks) {
  private static final int ALONG = 5;
  private static final int UP = 3;
  private static final double[] DECIMAL = {1, 2, 5, 10};
  private static final long[] TIMES = {
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200
  };
  private static final long DAY = 86_400;

  /** A place on the axis. */
  public record Tick(double at, String label) {}

  /** What the numbers are. */
  public enum Scale {
    NUMBER {
      @Override
      double step(double least) {
        double ten = Math.pow(10, Math.floor(Math.log10(least)));
        for (double digit : DECIMAL) {
          if (digit * ten >= least) {
            return digit * ten;
          }
        }
        return 10 * ten;
      }

      @Override
      String label(double value) {
        return new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
      }
    },
    PERCENT {
      @Override
      double step(double least) {
        return NUMBER.step(least);
      }

      @Override
      String label(double value) {
        return NUMBER.label(value) + "%";
      }
    },
    BYTES {
      @Override
      double step(double least) {
        return Long.highestOneBit((long) Math.max(1, 2 * least - 1));
      }

      @Override
      String label(double value) {
        return Sizes.rounded((long) value);
      }
    },
    /** Seconds. */
    TIME {
      @Override
      double step(double least) {
        for (long time : TIMES) {
          if (time >= least) {
            return time;
          }
        }
        return DAY * NUMBER.step(least / DAY);
      }

      @Override
      String label(double value) {
        return JobText.span((long) value);
      }
    };

    /** The round number that is at least that. */
    abstract double step(double least);

    abstract String label(double value);
  }

  public Axis {
    ticks = List.copyOf(ticks);
  }

  /** From left to right, as far as that. */
  public static Axis to(String name, double most, Scale scale) {
    return of(name, most, scale.step(most / ALONG), scale);
  }

  /** From below, as far as the tick over that. */
  public static Axis over(String name, double most, Scale scale) {
    double step = scale.step(most / UP);
    return of(name, Math.ceil(most / step) * step, step, scale);
  }

  private static Axis of(String name, double to, double step, Scale scale) {
    var ticks = new ArrayList<Tick>();
    for (int i = 0; i * step <= to; i++) {
      ticks.add(new Tick(i * step, scale.label(i * step)));
    }
    return new Axis(name, to, ticks);
  }

  /** Which of so many places in a row that is, from 0 on. */
  int place(double value, int places) {
    return (int) Math.round(Math.clamp(value / to, 0, 1) * (places - 1));
  }
}
