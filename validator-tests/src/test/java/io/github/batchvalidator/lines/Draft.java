// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.BufferKind;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * From what a family of appends is made: honest records and settings, and the seed of what is then
 * done to both.
 */
record Draft(
    List<SimpleRecord> records,
    int magic,
    Codec codec,
    Settings settings,
    BufferKind placement,
    long seed) {

  @Override
  public String toString() {
    return records.size()
        + " records, magic "
        + magic
        + ", "
        + codec
        + ", "
        + placement
        + ", seed "
        + seed
        + ", "
        + settings.toLine();
  }
}
