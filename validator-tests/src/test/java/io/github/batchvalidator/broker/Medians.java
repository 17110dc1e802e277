// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The median of a figure over several runs. */
public final class Medians {
  private Medians() {}

  public static <T> double of(List<T> runs, ToDoubleFunction<T> figure) {
    double[] values = runs.stream().mapToDouble(figure).sorted().toArray();
    return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
  }
}
