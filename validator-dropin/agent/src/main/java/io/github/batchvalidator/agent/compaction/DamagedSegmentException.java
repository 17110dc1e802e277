// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

/**
 * An exception that makes Kafka mark the partition as uncleanable, because compaction would hide or
 * drop damaged records.
 *
 * <p>Kafka has no handler of its own for this type. An {@code IOException} would take the whole log
 * directory offline, and other exceptions of Kafka would let it try again.
 */
public final class DamagedSegmentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DamagedSegmentException(String message) {
    super(message);
  }
}
