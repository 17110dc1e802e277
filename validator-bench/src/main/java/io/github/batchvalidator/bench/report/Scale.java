// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * From values to pixels, linear or by the logarithm.
 *
 * @param from the value at {@code first}
 * @param to the value at {@code last}
 */
record Scale(double from, double to, double first, double last, boolean isLogarithmic) {
  /** Values that differ by more are told apart only by their logarithms. */
  private static final double WIDE_X = 8;

  private static final double WIDE_Y = 50;

  /** A scale that begins at the least value. */
  static Scale along(double[] values, double first, double last) {
    double least = Arrays.stream(values).min().orElse(0);
    double most = Arrays.stream(values).max().orElse(1);
    return new Scale(
        least, most == least ? least + 1 : most, first, last, least > 0 && most / least >= WIDE_X);
  }

  /** A scale that begins at 0, or at a power of ten if the values are far apart. */
  static Scale up(double[] values, double first, double last) {
    double least = Arrays.stream(values).min().orElse(0);
    double most = Arrays.stream(values).max().orElse(1);
    if (least > 0 && most / least >= WIDE_Y) {
      return new Scale(
          Math.pow(10, Math.floor(Math.log10(least))),
          Math.pow(10, Math.ceil(Math.log10(most))),
          first,
          last,
          true);
    }
    return new Scale(0, most > 0 ? most * 1.05 : 1, first, last, false);
  }

  /** Returns what is to be said behind the name of the axis. */
  String note() {
    return isLogarithmic ? " (logarithmic)" : "";
  }

  double at(double value) {
    double part =
        isLogarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return first + part * (last - first);
  }

  /** Returns round values within, about as many as asked for. */
  List<Double> ticks(int count) {
    List<Double> ticks = new ArrayList<>();
    if (isLogarithmic) {
      double step = Math.max(1, Math.ceil(Math.log10(to / from) / count));
      for (double tick = from; tick <= to * 1.001; tick *= Math.pow(10, step)) {
        ticks.add(tick);
      }
      return ticks;
    }
    double step = round((to - from) / count);
    for (int i = 0; i * step <= to; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** Returns 1, 2 or 5 times a power of ten, not less than the value. */
  private static double round(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    double digit = value / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }
}
