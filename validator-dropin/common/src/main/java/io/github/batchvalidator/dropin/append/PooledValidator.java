// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.engine.GuardedEngines;
import io.github.batchvalidator.internal.scan.BatchIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;

/**
 * A validator with codec contexts and scratch memory, which are too expensive to create per append.
 * Decides by the codecs and the magic how an append is handled.
 *
 * <p>Confined to one thread at a time.
 */
final class PooledValidator implements AutoCloseable {
  private final int slot;
  private final GuardedEngines engines;
  private final AppendContext append;
  private final InPlaceAppend inPlace;
  private final CompressedAppend compressed;
  private final RebuildingAppend rebuilding;

  /**
   * Creates a validator.
   *
   * @param recordErrors the number of failing records that it remembers
   * @param gzip the inflater for gzip
   * @param listener notified of each verdict, with the partition
   * @param slot the slot in the pool
   */
  PooledValidator(int recordErrors, GzipInflater gzip, ValidationListener listener, int slot) {
    this.slot = slot;
    engines = new GuardedEngines(recordErrors, gzip);
    append = new AppendContext(engines, listener);
    inPlace = new InPlaceAppend(append);
    rebuilding = new RebuildingAppend(append);
    compressed = new CompressedAppend(append, rebuilding);
  }

  /** {@return the slot in the pool} */
  int slot() {
    return slot;
  }

  /** {@return the engines that inspect and rebuild} */
  GuardedEngines engines() {
    return engines;
  }

  /**
   * Starts an append.
   *
   * @param parameters the parameters of the append
   * @param buffer the records, from position to limit; the append changes both
   * @param metrics the broker's meters for faults
   * @param early the early inspection of this thread
   */
  void begin(
      AppendParameters parameters,
      ByteBuffer buffer,
      MetricsRecorder metrics,
      EarlyInspection early) {
    append.begin(parameters, buffer, metrics, early);
  }

  /** Does the work of {@code validateMessagesAndAssignOffsets}. */
  void validate() {
    if (append.source() != Codec.NONE || append.target() != Codec.NONE) {
      compressed.run();
    } else if (allHaveTargetMagic()) {
      inPlace.run();
    } else {
      rebuilding.run();
    }
  }

  /** Does the work of {@code assignOffsetsNonCompressed}. */
  void assignNonCompressed() {
    inPlace.run();
  }

  /** Does the work of {@code validateMessagesAndAssignOffsetsCompressed}. */
  void validateCompressed() {
    compressed.run();
  }

  /** Stops at the first batch of another magic. Batches after it are not checked, as in Kafka. */
  private boolean allHaveTargetMagic() {
    BatchIterator batches = append.rewind();
    byte target = append.policy().target().magic();
    while (batches.next()) {
      if (batches.magic() != target) {
        return false;
      }
    }
    append.refuseBadFraming();
    return true;
  }

  /** {@return the outcome of the append, valid until {@link #clear()}} */
  AppendOutcome outcome() {
    return append.outcome();
  }

  /** Drops all references to the append. An idle validator must not retain a request. */
  void clear() {
    append.clear();
  }

  /**
   * {@return true if the pool must close this validator: it failed, or it holds too much memory}
   */
  boolean mustClose() {
    return engines.broken() || engines.holdsTooMuch();
  }

  @Override
  public void close() {
    engines.close();
  }
}
