// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static io.github.batchvalidator.agent.compaction.CompactedPartition.batch;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.delete;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.put;

import io.github.batchvalidator.agent.compaction.StoredFault.Outcome;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Faults of frames, headers and records of magic 2, drawn from a seed. */
final class StoredFaults {
  private static final byte[] NOTHING = {};

  private final List<StoredFault> faults = new ArrayList<>();

  private StoredFaults() {}

  /** Returns the classes of faults of all kinds. */
  static List<StoredFault> all() {
    StoredFaults all = new StoredFaults();
    all.frames();
    all.headers();
    all.lengths();
    all.records();
    all.offsets();
    all.faults.addAll(StoredStreams.all());
    all.faults.addAll(StoredMessages.all());
    return all.faults;
  }

  private void add(
      Reason reason, String what, Outcome outcome, Function<SplittableRandom, ByteBuffer> draw) {
    faults.add(new StoredFault(reason, what, outcome, random -> draw.apply(random).array()));
  }

  private static ByteBuffer sound(SplittableRandom random) {
    return batch(0, Codec.NONE, put("k", "old"), put("l", "value " + random.nextInt()));
  }

  private static ByteBuffer with(SplittableRandom random, HeaderField field, long value) {
    return Batches.fixCrc(field.set(sound(random), value));
  }

  private void frames() {
    add(
        Reason.FRAMING_INCOMPLETE,
        "torn",
        Outcome.FAILS,
        random -> cut(sound(random), 1 + random.nextInt(60)));
    add(
        Reason.FRAMING_INCOMPLETE,
        "false length",
        Outcome.FAILS,
        random -> HeaderField.LENGTH.set(sound(random), 1000 + random.nextInt(1 << 20)));
    add(
        Reason.FRAMING_LENGTH_TOO_SMALL,
        "",
        Outcome.FAILS,
        random -> HeaderField.LENGTH.set(sound(random), random.nextInt(14)));
    add(
        Reason.FRAMING_LENGTH_OVERFLOW,
        "",
        Outcome.FAILS,
        random -> HeaderField.LENGTH.set(sound(random), Integer.MAX_VALUE - random.nextInt(8)));
    add(
        Reason.FRAMING_MAGIC_UNKNOWN,
        "",
        Outcome.FAILS,
        random -> HeaderField.MAGIC.set(sound(random), 3 + random.nextInt(100)));
    add(
        Reason.BATCH_HEADER_INCOMPLETE,
        "",
        Outcome.FAILS,
        random -> {
          int size = 26 + random.nextInt(BatchLayout.HEADER_BYTES - 26);
          ByteBuffer whole = sound(random);
          ByteBuffer batch = cut(whole, whole.capacity() - size);
          return HeaderField.LENGTH.set(batch, size - BatchLayout.LOG_OVERHEAD);
        });
  }

  private static ByteBuffer cut(ByteBuffer batch, int bytes) {
    int size = batch.capacity() - bytes;
    return ByteBuffer.allocate(size).put(0, batch, 0, size);
  }

  private void headers() {
    add(
        Reason.BATCH_CRC_MISMATCH,
        "",
        Outcome.HIDES,
        random -> {
          ByteBuffer batch = sound(random);
          int at = batch.capacity() - 2 - random.nextInt(4); // in the last value
          return batch.put(at, (byte) (batch.get(at) ^ 1 << random.nextInt(7)));
        });
    add(
        Reason.BATCH_OFFSET_RANGE_INVALID,
        "",
        Outcome.FAILS,
        random -> with(random, HeaderField.LAST_OFFSET_DELTA, -1 - random.nextInt(100)));
    add(
        Reason.BATCH_CODEC_UNKNOWN,
        "",
        Outcome.FAILS,
        random -> with(random, HeaderField.ATTRIBUTES, 5 + random.nextInt(3)));
    add(
        Reason.PAYLOAD_COUNT_NEGATIVE,
        "",
        Outcome.FAILS,
        random -> with(random, HeaderField.RECORD_COUNT, -1 - random.nextInt(100)));
    add(
        Reason.BATCH_ATTRIBUTES_RESERVED,
        "",
        Outcome.KEEPS,
        random -> with(random, HeaderField.ATTRIBUTES, 1 << (7 + random.nextInt(9))));
    add(
        Reason.BATCH_MAX_TIMESTAMP_MISMATCH,
        "",
        Outcome.KEEPS,
        random ->
            with(random, HeaderField.MAX_TIMESTAMP, Batches.nowMs() + 1 + random.nextInt(1000)));
    add(
        Reason.PAYLOAD_NOT_EMPTY,
        "",
        Outcome.KEEPS,
        random -> {
          ByteBuffer batch = Batches.ofPayload(Codec.NONE, 0, new byte[1 + random.nextInt(9)]);
          return Batches.fixCrc(HeaderField.LAST_OFFSET_DELTA.set(batch, random.nextInt(9)));
        });
  }

  /** The number of records and the sizes that they declare. */
  private void lengths() {
    each(
        Reason.PAYLOAD_RECORDS_MISSING,
        (codec, random) -> of(codec, 3 + random.nextInt(9), first(), second()));
    each(Reason.PAYLOAD_BYTES_LEFT, (codec, random) -> of(codec, 1, first(), second()));
    each(
        Reason.RECORD_TRUNCATED,
        (codec, random) ->
            of(codec, 2, first(), second().value(number(200 + random.nextInt(99)), new byte[9])));
    each(
        Reason.RECORD_VARINT_TOO_LONG,
        (codec, random) -> of(codec, 2, first(), second().offsetDelta(endless(random))));
    add(
        Reason.RECORD_LENGTH_INVALID,
        "",
        Outcome.FAILS,
        random -> of(Codec.NONE, 2, first(), second().length(number(50 + random.nextInt(999)))));
    each(
        Reason.RECORD_HEADER_COUNT_INVALID,
        (codec, random) ->
            of(codec, 2, first(), second().headerCount(number(-1L - random.nextInt(99)))));
    each(
        Reason.RECORD_HEADER_KEY_INVALID,
        (codec, random) ->
            of(
                codec,
                2,
                first(),
                second()
                    .headerCount(number(1))
                    .headerPart(number(-1L - random.nextInt(99)), NOTHING)
                    .headerPart(number(-1), NOTHING)));
    add(
        Reason.RECORD_LENGTH_MISMATCH,
        "",
        Outcome.FAILS,
        random -> of(Codec.NONE, 2, first(), second().lengthError(-1 - random.nextInt(3))));
    for (Codec codec : StoredStreams.CODECS) {
      add(
          Reason.RECORD_LENGTH_UNTRUE,
          codec.name(),
          Outcome.FAILS,
          random -> of(codec, 2, first(), second().lengthError(1 + random.nextInt(9))));
    }
  }

  /** A batch of a codec, drawn from a seed. */
  private interface Draw {
    ByteBuffer batch(Codec codec, SplittableRandom random);
  }

  private void each(Reason reason, Draw draw) {
    for (Codec codec : Codec.values()) {
      add(reason, codec.name(), Outcome.FAILS, random -> draw.batch(codec, random));
    }
  }

  private static byte[] endless(SplittableRandom random) {
    byte[] bytes = new byte[10];
    Arrays.fill(bytes, (byte) (0x80 | random.nextInt(0x80)));
    return bytes;
  }

  private static byte[] number(long value) {
    return RecordBytes.varint(value, 1);
  }

  private static RecordBytes first() {
    return new RecordBytes();
  }

  private static RecordBytes second() {
    return new RecordBytes().offsetDelta(number(1)).key(number(1), new byte[] {'l'});
  }

  private static ByteBuffer of(Codec codec, int count, RecordBytes... records) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (RecordBytes each : records) {
      plain.writeBytes(each.toBytes());
    }
    return Batches.ofPlain(codec, count, plain.toByteArray());
  }

  /** Faults of records that every reader reads in the same way. */
  private void records() {
    kept(
        Reason.RECORD_NUMBER_NOT_SHORTEST,
        random -> second().value(RecordBytes.varint(1, 2 + random.nextInt(4)), new byte[1]));
    kept(Reason.RECORD_ATTRIBUTES_RESERVED, random -> second().attributes(1 + random.nextInt(255)));
    kept(
        Reason.RECORD_NULL_LENGTH_INVALID,
        random -> second().value(number(-2L - random.nextInt(99)), NOTHING));
    kept(
        Reason.RECORD_HEADER_KEY_NOT_UTF8,
        random ->
            second()
                .headerCount(number(1))
                .header(new byte[] {(byte) (0xF8 + random.nextInt(8))}, new byte[1]));
    timestamps(
        Reason.RECORD_TIMESTAMP_NEGATIVE,
        random -> -2L - random.nextInt(1000),
        UnaryOperator.identity());
    timestamps(
        Reason.RECORD_TIMESTAMP_OVERFLOW,
        random -> Long.MAX_VALUE,
        record -> record.timestampDelta(number(1)));
  }

  private void kept(Reason reason, Function<SplittableRandom, RecordBytes> record) {
    for (Codec codec : Codec.values()) {
      add(
          reason,
          codec.name(),
          Outcome.KEEPS,
          random -> of(codec, 2, first(), record.apply(random)));
    }
  }

  private void timestamps(
      Reason reason, Function<SplittableRandom, Long> base, UnaryOperator<RecordBytes> change) {
    for (Codec codec : Codec.values()) {
      add(
          reason,
          codec.name(),
          Outcome.DEPENDS,
          random -> {
            ByteBuffer batch = of(codec, 2, first(), change.apply(second()));
            long time = base.apply(random);
            HeaderField.BASE_TIMESTAMP.set(batch, time);
            return Batches.fixCrc(HeaderField.MAX_TIMESTAMP.set(batch, Math.max(-1, time)));
          });
    }
  }

  /** A tombstone whose time is over, and an older record of its key with a larger offset. */
  private void offsets() {
    for (Codec codec : Codec.values()) {
      add(
          Reason.RECORD_OFFSET_OUT_OF_ORDER,
          "descending, " + codec,
          Outcome.CHANGES,
          random -> {
            int delta = 2 + random.nextInt(9);
            return expired(
                of(
                    codec,
                    3,
                    first(),
                    second().offsetDelta(number(delta)),
                    second().value(number(-1), NOTHING)),
                codec,
                delta);
          });
      add(
          Reason.RECORD_OFFSET_OUT_OF_ORDER,
          "beyond the batch, " + codec,
          Outcome.CHANGES,
          random -> {
            ByteBuffer beyond =
                of(codec, 2, first(), second().offsetDelta(number(5L + random.nextInt(9))));
            ByteBuffer next = expired(batch(2, codec, delete("l")), codec, 0);
            ByteBuffer both = ByteBuffer.allocate(beyond.capacity() + next.capacity());
            return both.put(beyond).put(next.rewind());
          });
    }
  }

  /** Makes the base timestamp the time at which tombstones are removed, which is now. */
  private static ByteBuffer expired(ByteBuffer batch, Codec codec, int lastDelta) {
    HeaderField.ATTRIBUTES.set(batch, codec.id() | BatchLayout.DELETE_HORIZON_MASK);
    return Batches.fixCrc(HeaderField.LAST_OFFSET_DELTA.set(batch, lastDelta));
  }
}
