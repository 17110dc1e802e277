// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What level STRICT finds in a batch of magic 2 that Kafka accepts: the rows of docs/rules.md from
 * {@code BATCH_ATTRIBUTES_RESERVED} on. The generator knows the findings about compressed streams,
 * except where it damaged bytes of a stream; the model does not decide those.
 */
final class ModelStrict {
  private final Map<Reason, Long> totals = new EnumMap<>(Reason.class);
  private final ModelBatch batch;
  private final List<PlainRecord> records;

  private ModelStrict(ModelBatch batch, List<PlainRecord> records) {
    this.batch = batch;
    this.records = records;
  }

  /**
   * How a batch came here: to be appended by a client or by others, or stored.
   *
   * @param rebuiltBytes the size of the batch that stock writes instead; 0 if it stores this one
   * @param ofStream the finding about the compressed stream, or null
   */
  record Situation(
      boolean isClient,
      boolean isStored,
      boolean topicHasLogAppendTime,
      int rebuiltBytes,
      @Nullable Reason ofStream) {
    /** A batch whose compressed stream is as a codec writes it. */
    Situation(boolean isClient, boolean isStored, boolean topicHasLogAppendTime, int rebuiltBytes) {
      this(isClient, isStored, topicHasLogAppendTime, rebuiltBytes, null);
    }

    boolean isRebuilt() {
      return rebuiltBytes > 0;
    }
  }

  /** Returns the findings and the numbers of records that have them, 1 for one of the batch. */
  static Map<Reason, Long> findings(
      ModelBatch batch, List<PlainRecord> records, Situation situation) {
    ModelStrict strict = new ModelStrict(batch, records);
    strict.ofHeader(situation);
    for (PlainRecord record : records) {
      strict.ofForm(record).forEach(strict::add);
    }
    strict.ofRecords(situation);
    if (situation.ofStream != null) {
      strict.add(situation.ofStream);
    }
    return strict.totals;
  }

  private void add(Reason reason) {
    totals.merge(reason, 1L, Long::sum);
  }

  private void ofHeader(Situation situation) {
    if (batch.attributes() >> 7 != 0) {
      add(Reason.BATCH_ATTRIBUTES_RESERVED);
    }
    if (!situation.isStored && batch.hasDeleteHorizon()) {
      add(Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED);
    }
    if (!situation.isStored && batch.hasLogAppendTime() && !situation.topicHasLogAppendTime) {
      add(Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED);
    }
    if (!situation.isClient && !situation.isStored && isLastOffsetDeltaWrong()) {
      add(Reason.BATCH_LAST_OFFSET_DELTA_WRONG);
    }
  }

  /** "Not the number of records minus 1; without records, it is negative." */
  private boolean isLastOffsetDeltaWrong() {
    return records.isEmpty()
        ? batch.lastOffsetDelta() < 0
        : batch.lastOffsetDelta() != records.size() - 1;
  }

  private List<Reason> ofForm(PlainRecord record) {
    List<Reason> found = new ArrayList<>();
    if (!record.isShortest()) {
      found.add(Reason.RECORD_NUMBER_NOT_SHORTEST);
    }
    if (record.attributes() != 0) {
      found.add(Reason.RECORD_ATTRIBUTES_RESERVED);
    }
    if (record.hasOddNull()) {
      found.add(Reason.RECORD_NULL_LENGTH_INVALID);
    }
    if (record.headers().stream().anyMatch(header -> !ModelRules.isUtf8(header.key()))) {
      found.add(Reason.RECORD_HEADER_KEY_NOT_UTF8);
    }
    if (batch.codec() != Codec.NONE && record.declaredBytes() != record.takenBytes()) {
      found.add(Reason.RECORD_LENGTH_UNTRUE);
    }
    long time = batch.baseTimestamp() + record.timestampDelta();
    if (batch.hasLogAppendTime()) {
      return found; // the timestamps of the records do not count
    }
    if (((batch.baseTimestamp() ^ time) & (record.timestampDelta() ^ time)) < 0) {
      found.add(Reason.RECORD_TIMESTAMP_OVERFLOW);
    } else if (time < -1) {
      found.add(Reason.RECORD_TIMESTAMP_NEGATIVE);
    }
    return found;
  }

  private void ofRecords(Situation situation) {
    if (situation.isStored) {
      return;
    }
    long max = -1;
    int index = 0;
    for (PlainRecord record : records) {
      if (record.offsetDelta() != index++) {
        add(Reason.RECORD_OFFSET_NOT_SEQUENTIAL);
      }
      max = Math.max(max, batch.baseTimestamp() + record.timestampDelta());
    }
    if (batch.hasLogAppendTime()) {
      max = batch.maxTimestamp();
    }
    if (batch.maxTimestamp() != max && !records.isEmpty()) {
      add(Reason.BATCH_MAX_TIMESTAMP_WRONG);
    }
  }
}
