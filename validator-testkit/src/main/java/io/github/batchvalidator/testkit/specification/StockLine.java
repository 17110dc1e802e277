// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.KafkaLine;

/** The stock classes of a line, as far as judges ask them. */
interface StockLine {
  KafkaLine line();

  /** Returns true if the line's reader finds the same batches and records in both. */
  boolean same(byte[] one, byte[] other);
}
