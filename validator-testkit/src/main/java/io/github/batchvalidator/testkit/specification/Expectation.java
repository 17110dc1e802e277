// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Reason;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The model's expectation for a batch that Kafka accepts: violations of topic rules, findings of
 * level STRICT, and limits.
 */
final class Expectation {
  /** The answer to a question that the documents leave open. */
  enum Certainty {
    NO,
    MAYBE,
    YES
  }

  /** "The first 1 MiB of a batch is exempt." */
  private static final int RATIO_EXEMPT = 1 << 20;

  final ModelSection section;

  /** The violation of the batch as a whole, or null. */
  @Nullable Reason ofBatch;

  /** The first violation of each failing record. */
  final Map<Integer, Reason> ofRecords = new LinkedHashMap<>();

  /** The number of records with each violation, 1 for the batch as a whole. */
  final Map<Reason, Long> topicTotals = new EnumMap<>(Reason.class);

  final Map<Reason, Long> strictTotals = new EnumMap<>(Reason.class);

  /** False if the model does not decide the findings of level STRICT. */
  boolean knowsStrict = true;

  /** The limits that the batch exceeds: it is refused for one of them. */
  final Set<Reason> exceeded = EnumSet.noneOf(Reason.class);

  /** The limits of the section, if the model does not know whether the batch exceeds them. */
  final Set<Reason> undecided = EnumSet.noneOf(Reason.class);

  /** The limit {@code rebuiltBytes}, which applies to batches that nothing else refuses. */
  Certainty rebuilt = Certainty.NO;

  /** True if the compressed stream may be at fault. */
  boolean mayStreamFail;

  private Expectation(ModelSection section) {
    this.section = section;
  }

  /**
   * Returns what the model says.
   *
   * @param isRuled true if the origin is one that topic rules apply to
   */
  static Expectation of(
      ModelSection section,
      ModelBatch batch,
      boolean isRuled,
      ModelStrict.Situation situation,
      boolean isDamagedStream) {
    Expectation expected = new Expectation(section);
    List<PlainRecord> records = batch.isWhole() ? batch.records() : null;
    expected.limits(batch, records);
    if (records != null && !records.isEmpty() && !isDamagedStream) {
      expected.exceeds(Limit.CODEC_MEMORY_BYTES, batch.codecMemory());
    }
    expected.ofRebuilt(situation, records == null ? null : batch.plain());
    if (isDamagedStream) {
      expected.leaveLimitsOpen(); // of the memory of the codec, as the stream declares it
    }
    boolean isModern = batch.isWhole() && batch.magic() == 2;
    expected.mayStreamFail = isDamagedStream || (isModern && batch.plain() == null);
    expected.strict(batch, records, situation, isDamagedStream);
    // "Exempt are control batches, and batches from coordinators and replication."
    if (isRuled && batch.isWhole() && !batch.isControl()) {
      expected.topic(batch, records, situation);
    }
    return expected;
  }

  /** Returns true if the topic refuses the batch. */
  boolean isRefusedByTopic() {
    return section.enforces() && (ofBatch != null || !ofRecords.isEmpty());
  }

  boolean isRefusedByLevel() {
    return section.strict && !strictTotals.isEmpty();
  }

  private void topic(
      ModelBatch batch, @Nullable List<PlainRecord> records, ModelStrict.Situation situation) {
    if (batch.magic() < 2 && section.hasRulesForRecords()) {
      ofBatch(Reason.TOPIC_MAGIC_UNSUPPORTED);
    }
    Codec codec = batch.codec();
    if (codec != null && !section.codecs.contains(codec.name().toLowerCase(Locale.ROOT))) {
      ofBatch(Reason.TOPIC_CODEC_NOT_ALLOWED);
    }
    if (records == null) {
      return;
    }
    boolean isClaimed = !situation.isStored() && batch.hasLogAppendTime();
    boolean hasCreateTimes =
        situation.isStored() ? !batch.hasLogAppendTime() : !situation.topicHasLogAppendTime();
    if (section.rules.milliseconds && isClaimed && hasCreateTimes) {
      // "The maximum timestamp that such a batch declares is stored as that of the batch."
      ModelRules.unit(batch.maxTimestamp()).forEach(this::ofBatch);
      hasCreateTimes = !situation.isRebuilt();
    }
    for (int i = 0; i < records.size(); i++) {
      PlainRecord record = records.get(i);
      Long createTime = hasCreateTimes ? batch.baseTimestamp() + record.timestampDelta() : null;
      List<Reason> found = section.rules.of(record, createTime);
      if (!found.isEmpty() && ofBatch == null) {
        ofRecords.put(i, found.get(0));
      }
      found.forEach(reason -> topicTotals.merge(reason, 1L, Long::sum));
    }
  }

  private void ofBatch(Reason reason) {
    ofBatch = ofBatch == null ? reason : ofBatch;
    topicTotals.merge(reason, 1L, Long::sum);
  }

  private void strict(
      ModelBatch batch,
      @Nullable List<PlainRecord> records,
      ModelStrict.Situation situation,
      boolean isDamagedStream) {
    knowsStrict = !isDamagedStream && records != null && !records.isEmpty();
    if (records != null) {
      strictTotals.putAll(ModelStrict.findings(batch, records, situation));
    }
  }

  /** The rows LIMIT_ of docs/rules.md. */
  private void limits(ModelBatch batch, @Nullable List<PlainRecord> records) {
    if (!batch.isWhole()) {
      return;
    }
    boolean compressed = batch.codec() != Codec.NONE;
    if (batch.magic() < 2) {
      leaveLimitsOpen();
      return;
    }
    exceeds(Limit.RECORDS, batch.count());
    byte[] plain = batch.plain();
    long plainBytes = plain == null ? 0 : plain.length;
    exceeds(Limit.PLAIN_BYTES, batch.count() > 0 ? plainBytes : 0);
    if (plain == null || records == null) {
      leaveLimitsOpen();
      return;
    }
    if (plainBytes > RATIO_EXEMPT && section.limit("ratio") < Integer.MAX_VALUE) {
      exceeds(Limit.RATIO, plainBytes, section.limit("ratio") * batch.payloadBytes());
    }
    for (PlainRecord record : records) {
      if (compressed && section.limit("recordBytes") < Integer.MAX_VALUE) {
        exceeds(Limit.RECORD_BYTES, Math.max(record.declaredBytes(), record.takenBytes()));
        exceeds(Limit.RECORD_BYTES, -record.declaredBytes(), 0); // "or declares fewer than 0"
      }
      exceeds(Limit.HEADERS, record.headers().size());
      exceeds(Limit.HEADER_BYTES, record.headerBytes());
    }
  }

  /** A codec may write fewer or more bytes than that of stock, and the limit is also of parts. */
  private void ofRebuilt(ModelStrict.Situation situation, byte @Nullable [] plain) {
    long most = section.limit("rebuiltBytes");
    long bytes = situation.rebuiltBytes();
    boolean mayExceed = 2 * bytes + (plain == null ? 0 : plain.length) > most;
    rebuilt = bytes / 2 > most ? Certainty.YES : mayExceed ? Certainty.MAYBE : Certainty.NO;
  }

  /**
   * Returns true if a refusal for a limit is not wrong.
   *
   * @param stock the answer of stock, which shows whether the batch is rebuilt
   */
  boolean mayExceed(Reason limit, Append append, Answer stock) {
    if (exceeded.contains(limit)
        || (undecided.contains(limit) && limit != Reason.LIMIT_REBUILT_BYTES)) {
      return true;
    }
    // rebuiltBytes also bounds "each record or message that is held as a whole"
    return (limit == Reason.LIMIT_REBUILT_BYTES || limit == Reason.LIMIT_RECORD_BYTES)
        && (rebuilt != Certainty.NO || undecided.contains(Reason.LIMIT_REBUILT_BYTES))
        && mayBeRebuilt(append, stock);
  }

  /** Returns true if stock did not keep the batch, or if row CONTROL_BATCH_IN_OLD_LOG applies. */
  private static boolean mayBeRebuilt(Append append, Answer stock) {
    Answer.Result stored = stock.result();
    return stored == null || !stored.sameInstance() || StoredBytes.isControlBatchForOldLog(append);
  }

  private void leaveLimitsOpen() {
    for (Limit limit : Limit.values()) {
      if (section.limit(limit.label()) < Integer.MAX_VALUE) {
        undecided.add(reason(limit));
      }
    }
  }

  private void exceeds(Limit limit, long number) {
    exceeds(limit, number, section.limit(limit.label()));
  }

  private void exceeds(Limit limit, long number, long most) {
    if (number > most) {
      exceeded.add(reason(limit));
    }
  }

  private static Reason reason(Limit limit) {
    return limit == Limit.CODEC_MEMORY_BYTES
        ? Reason.LIMIT_CODEC_MEMORY
        : Reason.valueOf("LIMIT_" + limit.name());
  }
}
