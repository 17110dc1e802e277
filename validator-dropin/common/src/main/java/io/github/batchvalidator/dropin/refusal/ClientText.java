// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.refusal;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.FailedRecords;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.verdict.ReasonText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one refusal, for clients and the broker's log. Client code and alerts match
 * Kafka's phrases, so a refusal that Kafka has a phrase for gets this phrase, with the facts of the
 * batch. Any other refusal gets the sentence of its {@link Reason}; header keys and codecs have the
 * names of the policy file.
 *
 * <p>Created per refusal. Confined to one thread.
 */
public final class ClientText {
  /** The message of an {@code InvalidTimestampException}. */
  static final String INVALID_TIMESTAMP =
      "One or more records have been rejected due to invalid timestamp";

  /** The message of the 3.9 line for zstd while the cluster speaks a version before 2.1. */
  public static final String ZSTD_TOO_NEW =
      "Produce requests to inter.broker.protocol.version < 2.1 broker are not allowed to use"
          + " ZStandard compression";

  /** The number of failing records that the message about them shows. */
  private static final int SHOWN_RECORDS = 3;

  private final MutableVerdict verdict;
  private final String partition;
  private final Policy policy;
  private final ByteBuffer batch;
  private final boolean skipping;
  private final StringBuilder text = new StringBuilder();

  /**
   * Creates the texts for a verdict.
   *
   * @param verdict the verdict that refuses
   * @param partition the partition of the append
   * @param policy the policy of the append
   * @param batch a buffer whose position is the start of the batch, if it has magic 2
   * @param skipsFields true if Kafka skips the fields of compressed records, as it does for batches
   *     that stay in place; false if it reads them
   */
  public ClientText(
      MutableVerdict verdict,
      TopicPartition partition,
      Policy policy,
      ByteBuffer batch,
      boolean skipsFields) {
    this.verdict = verdict;
    this.partition = partition.toString(); // once, not for each record
    this.policy = policy;
    this.batch = batch;
    skipping = skipsFields && verdict.codec() != Codec.NONE;
  }

  /** Creates one text, so that tables and classes exist before memory can run out. */
  static void prepare() {
    MutableVerdict refused = new MutableVerdict(0);
    refused.refuse(Reason.RECORD_KEY_MISSING, 0, 0, 0);
    TopicPartition none = new TopicPartition("", 0);
    ClientText prepared =
        new ClientText(refused, none, Policy.CLIENT, ByteBuffer.allocate(0), false);
    prepared.ofBatch();
    prepared.appendSentence(Reason.RECORD_KEY_MISSING, 0, 0);
  }

  /** {@return the text of a refusal for the whole batch} */
  String ofBatch() {
    Reason why = Objects.requireNonNull(verdict.reason());
    Object[] words = words(why);
    text.setLength(0);
    if (words == null) {
      text.append("Batch for ").append(partition).append(" is refused: ");
      appendSentence(why, verdict.firstOperand(), verdict.secondOperand());
      return text.toString();
    }
    for (Object word : words) {
      append(word, verdict.firstOperand(), verdict.secondOperand(), 0);
    }
    return text.toString();
  }

  /** {@return true if Kafka refuses batches for the same reason} */
  boolean isWordedByKafka() {
    return words(Objects.requireNonNull(verdict.reason())) != null;
  }

  /** {@return the text of a refusal for single records, at least one} */
  String ofRecords(List<RecordError> errors) {
    return "One or more records have been rejected due to "
        + verdict.failureTotal()
        + " record errors in total, and only showing the first three errors at most: "
        + errors.subList(0, Math.min(SHOWN_RECORDS, errors.size()));
  }

  /** {@return the remembered failing records; equal neighbors share their text} */
  List<RecordError> recordErrors() {
    FailedRecords failed = verdict.failures();
    List<RecordError> errors = new ArrayList<>(failed.count());
    String last = "";
    for (int i = 0; i < failed.count(); i++) {
      text.setLength(0);
      appendRecord(failed, i);
      if (!last.contentEquals(text)) {
        last = text.toString();
      }
      errors.add(new RecordError(failed.index(i), last));
    }
    return errors;
  }

  private void appendRecord(FailedRecords failed, int i) {
    Object[] words = KafkaPhrases.of(failed.reason(i));
    if (words == null) {
      appendSentence(failed.reason(i), failed.first(i), failed.second(i));
      return;
    }
    for (Object word : words) {
      append(word, failed.first(i), failed.second(i), i);
    }
  }

  private void appendSentence(Reason why, long first, long second) {
    ReasonText.append(why, first, second, policy.topicRules(), text);
  }

  private void append(Object word, long first, long second, int failure) {
    if (!(word instanceof KafkaPhrases.Fact fact)) {
      text.append((String) word);
      return;
    }
    switch (fact) {
      case FIRST -> text.append(first);
      case SECOND -> text.append(second);
      case PARTITION -> text.append(partition);
      case BASE_OFFSET -> text.append(header().baseOffset());
      case LAST_OFFSET -> text.append(header().lastOffset());
      case OFFSET -> text.append(verdict.failures().offset(failure));
      case EARLIEST -> text.append(second - policy.timestampBeforeMaxMs());
      case LATEST -> text.append(second + policy.timestampAfterMaxMs());
      case RECORD -> appendRecordItself(failure);
    }
  }

  private BatchHeader header() {
    return new BatchHeader().read(batch, batch.position());
  }

  /** Omits what Kafka adds for messages: attributes, checksum, timestamp and sizes. */
  private void appendRecordItself(int failure) {
    FailedRecords failed = verdict.failures();
    long offset = failed.offset(failure);
    long first = failed.first(failure);
    if (verdict.magic() != BatchLayout.MAGIC_V2) {
      boolean byMagic = failed.reason(failure) == Reason.RECORD_MAGIC_MISMATCH;
      text.append("LegacyRecordBatch(offset=").append(offset);
      text.append(", Record(magic=").append(byMagic ? first : verdict.magic()).append("))");
      return;
    }
    text.append(skipping ? "PartialDefaultRecord" : "DefaultRecord");
    text.append("(offset=").append(offset).append(", timestamp=").append(first);
    text.append(", key=").append(size(failed.keySize(failure)));
    text.append(" bytes, value=").append(size(failed.valueSize(failure))).append(" bytes)");
  }

  /** {@return the size, which is 0 instead of negative for a record that Kafka reads in full} */
  private int size(int declared) {
    return skipping ? declared : Math.max(declared, 0);
  }

  /** {@return Kafka's template for a refusal, or null if Kafka has none} */
  private Object @Nullable [] words(Reason why) {
    long first = verdict.firstOperand();
    boolean compressed = verdict.codec() != Codec.NONE;
    return switch (why) {
      case CODEC_DATA_CORRUPT, CODEC_DATA_TRUNCATED, CODEC_CHECKSUM_MISMATCH -> ofStream();
      case RECORD_VARINT_TOO_LONG ->
          first > RecordLayout.MAX_VARINT_BYTES
              ? KafkaPhrases.STRUCTURE
              : compressed ? KafkaPhrases.PREMATURE_EOF : null;
      case RECORD_TRUNCATED -> ofCutRecord(compressed);
      case RECORD_LENGTH_INVALID ->
          first >= 0
              ? KafkaPhrases.SIZE_ABOVE_BUFFER
              : boundsRecords() ? KafkaPhrases.SIZE_NEGATIVE : KafkaPhrases.PREMATURE_EOF;
      case RECORD_LENGTH_MISMATCH ->
          compressed && verdict.secondOperand() > first
              ? KafkaPhrases.STRUCTURE
              : KafkaPhrases.SIZE_NOT_READ;
      case RECORD_HEADER_COUNT_INVALID ->
          first < 0 ? KafkaPhrases.HEADERS_NEGATIVE : KafkaPhrases.HEADERS_ABOVE_BUFFER;
      case LIMIT_RECORD_BYTES ->
          first < 0
              ? KafkaPhrases.SIZE_NEGATIVE
              : isRecordLimit(verdict.secondOperand()) ? KafkaPhrases.SIZE_ABOVE_LIMIT : null;
      case BATCH_CODEC_UNSUPPORTED -> verdict.codec() == null ? KafkaPhrases.WRAPPER_CODEC : null;
      default -> KafkaPhrases.of(why);
    };
  }

  /** {@return null for magic 0 and 1, where Kafka shows the text of the codec library} */
  private Object @Nullable [] ofStream() {
    if (verdict.magic() != BatchLayout.MAGIC_V2) {
      return null;
    }
    return verdict.atEnd() ? KafkaPhrases.STREAM_END_UNREADABLE : KafkaPhrases.STREAM_UNREADABLE;
  }

  private Object[] ofCutRecord(boolean compressed) {
    if (compressed && !skipping) {
      return KafkaPhrases.SIZE_ABOVE_STREAM;
    }
    return skipping && verdict.secondOperand() > 0
        ? KafkaPhrases.FIELD_ABOVE_STREAM
        : KafkaPhrases.STRUCTURE;
  }

  private boolean boundsRecords() {
    return policy.limits().recordBytes() != Limits.UNLIMITED;
  }

  /** {@return true for the limit on the declared size of a record, not on its memory} */
  private boolean isRecordLimit(long limit) {
    return limit == policy.limits().recordBytes() || limit == Limits.LARGEST_RECORD_BYTES;
  }
}
