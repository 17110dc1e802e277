// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  Certainty limits = Certainty.NO;

  /** The limit {@code rebuiltBytes}, which applies to batches that nothing else refuses. */
  Certainty rebuilt = Certainty.NO;

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
      expected.exceeds(batch.codecMemory(), section.limit("codecMemoryBytes"));
    }
    expected.ofRebuilt(situation, records == null ? null : batch.plain());
    if (isDamagedStream && expected.limits == Certainty.NO && expected.hasLimits()) {
      expected.limits = Certainty.MAYBE; // of the memory of the codec, as the stream declares it
    }
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
      limits = hasLimits() ? Certainty.MAYBE : Certainty.NO;
      return;
    }
    exceeds(batch.count(), section.limit("records"));
    byte[] plain = batch.plain();
    long plainBytes = plain == null ? 0 : plain.length;
    exceeds(batch.count() > 0 ? plainBytes : 0, section.limit("plainBytes"));
    if (plain == null || records == null) {
      limits = limits == Certainty.NO && hasLimits() ? Certainty.MAYBE : limits;
      return;
    }
    if (plainBytes > RATIO_EXEMPT && section.limit("ratio") < Integer.MAX_VALUE) {
      exceeds(plainBytes, section.limit("ratio") * batch.payloadBytes());
    }
    for (PlainRecord record : records) {
      long most = section.limit("recordBytes");
      if (compressed && most < Integer.MAX_VALUE) {
        exceeds(Math.max(record.declaredBytes(), record.takenBytes()), most);
        exceeds(-record.declaredBytes(), 0); // "or declares fewer than 0"
      }
      exceeds(record.headers().size(), section.limit("headers"));
      exceeds(record.headerBytes(), section.limit("headerBytes"));
    }
  }

  /** A codec may write fewer or more bytes than that of stock, and the limit is also of parts. */
  private void ofRebuilt(ModelStrict.Situation situation, byte @Nullable [] plain) {
    long most = section.limit("rebuiltBytes");
    long bytes = situation.rebuiltBytes();
    boolean mayExceed = 2 * bytes + (plain == null ? 0 : plain.length) > most;
    rebuilt = bytes / 2 > most ? Certainty.YES : mayExceed ? Certainty.MAYBE : Certainty.NO;
  }

  /** Returns true if a refusal for a limit is not wrong. */
  boolean mayExceedLimits() {
    return limits != Certainty.NO || rebuilt != Certainty.NO;
  }

  private boolean hasLimits() {
    List<String> all = new ArrayList<>(List.of("plainBytes", "records", "recordBytes"));
    all.addAll(List.of("headers", "codecMemoryBytes", "rebuiltBytes"));
    all.add("headerBytes");
    return all.stream().anyMatch(key -> section.limit(key) < Integer.MAX_VALUE);
  }

  private void exceeds(long number, long limit) {
    if (number > limit) {
      limits = Certainty.YES;
    }
  }
}
