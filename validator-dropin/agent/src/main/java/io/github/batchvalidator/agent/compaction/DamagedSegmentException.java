// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import org.apache.kafka.common.errors.CorruptRecordException;

/**
 * An exception that makes Kafka mark the partition as uncleanable, because compaction would hide or
 * drop damaged records.
 *
 * <p>Kafka's cleaner throws the same type for some broken frames, and handles it like any other
 * exception. An {@code IOException} would take the whole log directory offline, and other
 * exceptions of Kafka would let it try again.
 */
public final class DamagedSegmentException extends CorruptRecordException {
  private static final long serialVersionUID = 1;

  DamagedSegmentException(String message) {
    super(message);
  }
}
