// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.utils.Time;

/** The parameters of one append, as Kafka's {@code LogValidator} receives them. */
abstract class AppendParameters {
  private final TopicPartition partition;
  private final Time time;
  private final Policy policy;
  private final Codec source;
  private final Codec target;
  private final int partitionLeaderEpoch;

  AppendParameters(
      TopicPartition partition,
      Time time,
      Policy policy,
      int sourceId,
      int targetId,
      int partitionLeaderEpoch) {
    this.partition = partition;
    this.time = time;
    this.policy = policy;
    source = codec(sourceId);
    target = codec(targetId);
    this.partitionLeaderEpoch = partitionLeaderEpoch;
  }

  /** {@return Kafka's object for the records, as the caller passed it} */
  protected abstract Object records();

  /** {@return a new buffer object around the records, from position to limit} */
  protected abstract ByteBuffer buffer();

  /** {@return the codec and level that the topic stores} */
  protected abstract Compression targetCompression();

  /** Runs the line's own checks before records are read that are or will be compressed. */
  protected void beforeCompressed() {}

  /** {@return the value of the caller's offset counter: the offset of the next record} */
  protected abstract long nextOffset();

  /**
   * Sets the caller's offset counter.
   *
   * @param offset the offset of the next record
   */
  protected abstract void nextOffset(long offset);

  final TopicPartition partition() {
    return partition;
  }

  final Time time() {
    return time;
  }

  final Policy policy() {
    return policy;
  }

  final Codec source() {
    return source;
  }

  final Codec target() {
    return target;
  }

  final int partitionLeaderEpoch() {
    return partitionLeaderEpoch;
  }

  private static Codec codec(int id) {
    Codec codec = Codec.byId(id);
    if (codec == null) {
      throw new InvalidRecordException("Unknown codec id " + id);
    }
    return codec;
  }
}
