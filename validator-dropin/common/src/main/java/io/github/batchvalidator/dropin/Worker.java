// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.scan.BatchIterator;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;

/**
 * What an append works with: contexts of codecs and scratch memory, too dear to make per append.
 *
 * <p>The border of our own code: whatever goes wrong behind it, a Kafka exception comes out, and
 * the worker is broken, because what it left behind is unknown. Confined to one thread at a time.
 */
final class Worker implements AutoCloseable {
  private final BatchValidator validator = new BatchValidator();
  private final Verdict verdict;
  private final BatchIterator batches = new BatchIterator();
  private boolean broken;

  Worker(int recordErrors) {
    verdict = new Verdict(recordErrors);
  }

  Verdict verdict() {
    return verdict;
  }

  BatchIterator batches() {
    return batches;
  }

  /** {@return true if it must not be used again} */
  boolean broken() {
    return broken;
  }

  boolean inspect(ByteBuffer batch, Policy policy, long nowMs) {
    try {
      return validator.inspect(batch, policy, nowMs, verdict);
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  long stamp(ByteBuffer batch, long firstOffset, int partitionLeaderEpoch, long nowMs) {
    try {
      return OffsetStamp.assign(batch, verdict, firstOffset, partitionLeaderEpoch, nowMs);
    } catch (ReadOnlyBufferException e) {
      throw new KafkaException("The records lie in a read-only buffer", e);
    } catch (RuntimeException | Error e) {
      throw failure(e);
    }
  }

  private KafkaException failure(Throwable cause) {
    broken = true;
    if (cause instanceof VirtualMachineError) {
      return new InvalidRecordException("The batch takes more memory than there is: " + cause);
    }
    return new KafkaException("Batch Validator failed, which is a fault of its own", cause);
  }

  @Override
  public void close() {
    validator.close();
  }
}
