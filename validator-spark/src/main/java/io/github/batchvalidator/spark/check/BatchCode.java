// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.rule.Codec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A compact encoding of the headers of batches. Numbers are differences from the batch before, in
 * as many bytes as they need.
 */
final class BatchCode {
  private static final int CODEC_SHIFT = 2;
  private static final int CODEC_MASK = 7;
  private static final int TRANSACTIONAL = 1 << 5;
  private static final int CONTROL = 1 << 6;
  private static final int MAGIC_MASK = 3;

  private static final int VALUE_BITS = 7;
  private static final int VALUE_MASK = (1 << VALUE_BITS) - 1;
  private static final int CONTINUED = 1 << VALUE_BITS;

  // The batch before.
  private long position;
  private long offset;
  private long timestamp;
  private long leaderEpoch;
  private long producer;
  private long producerEpoch;
  private long sequence;

  private BatchCode() {}

  static byte[] encode(List<StoredBatch> batches) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BatchCode code = new BatchCode();
    batches.forEach(batch -> code.write(out, batch));
    return out.toByteArray();
  }

  static List<StoredBatch> decode(byte[] bytes) {
    List<StoredBatch> batches = new ArrayList<>();
    BatchCode code = new BatchCode();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      batches.add(code.read(in));
    }
    return batches;
  }

  private void write(ByteArrayOutputStream out, StoredBatch batch) {
    Control control = batch.control();
    int transactional = batch.transactional() ? TRANSACTIONAL : 0;
    int hasControl = control == null ? 0 : CONTROL;
    out.write(batch.magic() | (batch.codec().id() << CODEC_SHIFT) | transactional | hasControl);
    write(out, batch.position() - position);
    write(out, batch.bytes());
    write(out, batch.baseOffset() - offset);
    write(out, batch.lastOffset() - batch.baseOffset());
    write(out, batch.lastOffset() - batch.baseOffset() + 1 - batch.recordCount());
    write(out, batch.baseTimestamp() - timestamp);
    write(out, batch.maxTimestamp() - batch.baseTimestamp());
    write(out, batch.leaderEpoch() - leaderEpoch);
    write(out, batch.producerId() - producer);
    write(out, batch.producerEpoch() - producerEpoch);
    write(out, batch.baseSequence() - sequence);
    if (control != null) {
      write(out, control.type());
      write(out, control.coordinatorEpoch());
    }
    follow(batch);
  }

  private StoredBatch read(ByteBuffer in) {
    int flags = in.get();
    long start = position + number(in);
    int bytes = (int) number(in);
    long base = offset + number(in);
    long last = base + number(in);
    int records = (int) (last - base + 1 - number(in));
    long baseTimestamp = timestamp + number(in);
    long maxTimestamp = baseTimestamp + number(in);
    StoredBatch batch =
        new StoredBatch(
            start,
            bytes,
            (byte) (flags & MAGIC_MASK),
            Objects.requireNonNull(Codec.byId((flags >> CODEC_SHIFT) & CODEC_MASK)),
            base,
            last,
            records,
            baseTimestamp,
            maxTimestamp,
            (int) (leaderEpoch + number(in)),
            producer + number(in),
            (short) (producerEpoch + number(in)),
            (int) (sequence + number(in)),
            (flags & TRANSACTIONAL) != 0,
            control(in, flags));
    follow(batch);
    return batch;
  }

  private static @Nullable Control control(ByteBuffer in, int flags) {
    return (flags & CONTROL) == 0 ? null : new Control((int) number(in), (int) number(in));
  }

  private void follow(StoredBatch batch) {
    position = batch.position() + batch.bytes();
    offset = batch.lastOffset() + 1;
    timestamp = batch.maxTimestamp();
    leaderEpoch = batch.leaderEpoch();
    producer = batch.producerId();
    producerEpoch = batch.producerEpoch();
    sequence = batch.baseSequence() < 0 ? batch.baseSequence() : batch.nextSequence();
  }

  /** Writes a number, small ones of either sign in few bytes. */
  private static void write(ByteArrayOutputStream out, long number) {
    long rest = (number << 1) ^ (number >> (Long.SIZE - 1));
    while ((rest & ~VALUE_MASK) != 0) {
      out.write((int) (rest & VALUE_MASK) | CONTINUED);
      rest >>>= VALUE_BITS;
    }
    out.write((int) rest);
  }

  private static long number(ByteBuffer in) {
    long number = 0;
    int shift = 0;
    int next = in.get();
    while ((next & CONTINUED) != 0) {
      number |= (long) (next & VALUE_MASK) << shift;
      shift += VALUE_BITS;
      next = in.get();
    }
    number |= (long) next << shift;
    return (number >>> 1) ^ -(number & 1);
  }
}
