// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.KafkaReads;
import io.github.batchvalidator.differential.Damage;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.hostile.HostileInputs;
import io.github.batchvalidator.lines.HostileAppends;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A batch that no honest client sends, and what a broker has to answer.
 *
 * @param name for failures
 * @param bytes never changed
 * @param kept the answer where the topic keeps the producer's codec
 * @param rebuilt the answer where the topic has another codec
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HostileBatch(String name, byte[] bytes, Errors kept, Errors rebuilt) {
  /** The codec of topics that do not keep that of the producer. */
  static final Codec TOPIC_CODEC = Codec.ZSTD;

  private static final int RECORDS = 3;
  private static final String FIRST_WITH_LIMIT = "4.4";

  /** Returns one with a damaged record, for each kind of damage and codec, for a line. */
  public static List<HostileBatch> damaged(String line) {
    List<HostileBatch> all = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      for (Damage damage : Damage.values()) {
        all.add(of(line, damage + " " + codec, damaged(codec, damage)));
      }
    }
    return all;
  }

  /** Returns a batch that is in order. */
  public static byte[] valid() {
    return ofRecords(Codec.LZ4, (record, i) -> record);
  }

  /** Returns a batch of three records whose second one is damaged. */
  static byte[] damaged(Codec codec, Damage damage) {
    return ofRecords(codec, (record, i) -> i == 1 ? damage.apply(record, i) : record);
  }

  private static byte[] ofRecords(
      Codec codec, BiFunction<RecordBytes, Integer, RecordBytes> change) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < RECORDS; i++) {
      RecordBytes record = new RecordBytes().offsetDelta(RecordBytes.varint(i, 1));
      plain.writeBytes(change.apply(record, i).toBytes());
    }
    return Batches.ofPlain(codec, RECORDS, plain.toByteArray()).array();
  }

  /** Returns those that ask for more memory or time than they are worth, for a line. */
  public static List<HostileBatch> greedy(String line) {
    List<HostileBatch> all = new ArrayList<>();
    for (byte[] batch : HostileAppends.batches()) {
      all.add(of(line, "greedy " + all.size(), batch));
    }
    return all;
  }

  /** Returns those of the table in results/hostile.md that an ordinary client can send. */
  static List<HostileBatch> forged(String line) {
    List<HostileBatch> all = new ArrayList<>(forgedLikeStock(line));
    HostileInputs.unlikeStock().forEach((name, bytes) -> all.add(of(line, name, bytes)));
    return all;
  }

  /** Returns those of them of which we say the same as a stock validator. */
  static List<HostileBatch> forgedLikeStock(String line) {
    List<HostileBatch> all = new ArrayList<>();
    HostileInputs.likeStock().forEach((name, bytes) -> all.add(of(line, name, bytes)));
    return all;
  }

  private static HostileBatch of(String line, String name, byte[] bytes) {
    Policy policy = Policy.builder(Origin.CLIENT).limits(limits(line)).build();
    MutableVerdict verdict = new MutableVerdict();
    try (BatchValidator validator = KafkaReads.validator();
        BatchRebuilder rebuilder = new BatchRebuilder()) {
      validator.inspect(ByteBuffer.wrap(bytes), policy, Batches.nowMs(), verdict);
      Errors kept = error(verdict.reason());
      Codec codec = Codec.byId(bytes[BatchLayout.ATTRIBUTES_OFFSET + 1] & BatchLayout.CODEC_MASK);
      if (codec == TOPIC_CODEC) {
        return new HostileBatch(name, bytes, kept, kept);
      }
      rebuilder.rebuild(
          ByteBuffer.wrap(bytes), Batches.storing(policy, TOPIC_CODEC), Batches.nowMs(), verdict);
      return new HostileBatch(name, bytes, kept, error(verdict.reason()));
    }
  }

  /** From 4.4 on a broker limits records, its default being the most there can be. */
  private static Limits limits(String line) {
    return line.equals(FIRST_WITH_LIMIT)
        ? Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORD_BYTES, Limits.LARGEST_RECORD_BYTES)
        : Limits.UNBOUNDED_AS_KAFKA;
  }

  private static Errors error(@Nullable Reason reason) {
    if (reason == null) {
      return Errors.NONE;
    }
    return switch (reason.answer()) {
      case INVALID_RECORD -> Errors.INVALID_RECORD;
      case CORRUPT_MESSAGE -> Errors.CORRUPT_MESSAGE;
      case INVALID_TIMESTAMP -> Errors.INVALID_TIMESTAMP;
      case MESSAGE_TOO_LARGE -> Errors.MESSAGE_TOO_LARGE;
      case UNSUPPORTED_FORMAT -> Errors.UNSUPPORTED_FOR_MESSAGE_FORMAT;
      case DECODE_FAILURE -> Errors.UNKNOWN_SERVER_ERROR;
      case TRY_AGAIN -> Errors.REQUEST_TIMED_OUT;
    };
  }
}
