// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.refusal;

/** The broker's meters for refused batches and records. */
public interface Meters {
  /**
   * Marks one of the meters.
   *
   * @param metric the meter, not {@link Metric#NONE}
   */
  void mark(Metric metric);
}
