// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.refusal.Meters;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import java.util.Objects;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;

/** The parameters of one append, as Kafka's {@code LogValidator} receives them. Immutable. */
abstract class AppendParameters implements Meters {
  private final TopicPartition partition;
  private final Time time;
  private final Policy policy;
  private final int partitionLeaderEpoch;

  /** Ids rather than codecs, because bytes keep this object small: there is one per append. */
  private final byte sourceId;

  private final byte targetId;

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
    this.sourceId = known(sourceId);
    this.targetId = known(targetId);
    this.partitionLeaderEpoch = partitionLeaderEpoch;
  }

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
    return Objects.requireNonNull(Codec.byId(sourceId));
  }

  final Codec target() {
    return Objects.requireNonNull(Codec.byId(targetId));
  }

  final int partitionLeaderEpoch() {
    return partitionLeaderEpoch;
  }

  private static byte known(int id) {
    if (Codec.byId(id) == null) {
      throw new InvalidRecordException("Unknown codec id " + id);
    }
    return (byte) id;
  }
}
