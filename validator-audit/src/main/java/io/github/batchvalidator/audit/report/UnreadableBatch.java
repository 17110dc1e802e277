// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Reason;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The reasons with which a consumer may stop at a stored batch. With all others it reads the
 * records, so a group that skips the batch loses them.
 */
final class UnreadableBatch {
  /** Kafka's reader compares offsets and timestamps with nothing. */
  private static final Set<Reason> READ =
      Set.of(
          Reason.BATCH_OFFSET_RANGE_INVALID,
          Reason.RECORD_OFFSET_OUT_OF_ORDER,
          Reason.BATCH_MAX_TIMESTAMP_MISMATCH);

  /** No consumer reads the first one. For the others it depends on the codec and the library. */
  private static final Set<Reason> UNREAD_OF_STRICT =
      Set.of(
          Reason.RECORD_LENGTH_UNTRUE,
          Reason.RECORD_FIELDS_UNTRUE,
          Reason.PAYLOAD_STREAM_MISSING,
          Reason.CODEC_STREAM_AMBIGUOUS);

  private static final Set<String> NAMES =
      Arrays.stream(Reason.values())
          .filter(UnreadableBatch::stops)
          .map(Reason::name)
          .collect(Collectors.toUnmodifiableSet());

  private UnreadableBatch() {}

  /** Returns true if a consumer may stop at a batch with a fault of this reason. */
  static boolean isReason(String reason) {
    // A consumer with read_committed reads the key of each marker.
    return NAMES.contains(reason)
        || reason.equals(PartitionReason.TRANSACTION_MARKER_UNREADABLE.name());
  }

  private static boolean stops(Reason reason) {
    if (reason.level() == Level.STRICT) {
      return UNREAD_OF_STRICT.contains(reason);
    }
    boolean isOfKafka = !reason.isTopicRule() && !reason.isLimit();
    return isOfKafka && reason.appliesTo(Origin.STORED) && !READ.contains(reason);
  }
}
