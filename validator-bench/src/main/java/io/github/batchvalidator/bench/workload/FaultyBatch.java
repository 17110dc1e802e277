// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/** Damages a batch, in its records before they are compressed or in the stream. */
final class FaultyBatch {
  private static final long SEED = 4_711L;

  /** A stream keeps so many bytes, so that its header is read and the codec is at work. */
  private static final int KEPT_BYTES = 64;

  /** A varint. */
  private static final byte MINUS_ONE = 1;

  private final Workload workload;
  private final int number;
  private final SimpleRecord[] records;
  private final byte[] plain;

  private FaultyBatch(Workload workload, int number, SimpleRecord[] records) {
    this.workload = workload;
    this.number = number;
    this.records = records;
    plain = ProducedBatch.write(Codec.NONE, records);
  }

  static FaultyBatch of(Workload workload, int i) {
    return new FaultyBatch(workload, i, workload.simpleRecords(i));
  }

  static ProducedBatch bomb(Workload workload, int bytes) {
    return ProducedBatch.of(
        workload.codec(), workload.memory(), new SimpleRecord(0, new byte[bytes]));
  }

  /** A record ends with the count of its headers, which takes one byte if there are none. */
  ProducedBatch countNoHeadersInRecord(int index) {
    SimpleRecord[] head = Arrays.copyOf(records, index + 1);
    byte[] damaged = plain.clone();
    damaged[ProducedBatch.write(Codec.NONE, head).length - 1] = MINUS_ONE;
    return seal(compress(damaged));
  }

  ProducedBatch garbled() {
    byte[] stored = compress(plain);
    byte[] garbage = new byte[stored.length];
    new SplittableRandom(SEED + number).nextBytes(garbage);
    System.arraycopy(stored, 0, garbage, 0, KEPT_BYTES);
    return seal(garbage);
  }

  private byte[] compress(byte[] batch) {
    ByteBufferOutputStream out = new ByteBufferOutputStream(batch.length);
    try (OutputStream stream =
        ProducedBatch.compression(workload.codec()).wrapForOutput(out, BatchLayout.MAGIC_V2)) {
      stream.write(batch, BatchLayout.HEADER_BYTES, batch.length - BatchLayout.HEADER_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ByteBuffer stored = out.buffer().flip();
    byte[] payload = new byte[stored.remaining()];
    stored.get(payload);
    return payload;
  }

  private ProducedBatch seal(byte[] payload) {
    byte[] batch = Arrays.copyOf(plain, BatchLayout.HEADER_BYTES + payload.length);
    System.arraycopy(payload, 0, batch, BatchLayout.HEADER_BYTES, payload.length);
    ByteBuffer header = ByteBuffer.wrap(batch);
    header.putInt(BatchLayout.LENGTH_OFFSET, batch.length - BatchLayout.LOG_OVERHEAD);
    header.putShort(BatchLayout.ATTRIBUTES_OFFSET, (short) workload.codec().id());
    CRC32C crc = new CRC32C();
    crc.update(batch, BatchLayout.ATTRIBUTES_OFFSET, batch.length - BatchLayout.ATTRIBUTES_OFFSET);
    header.putInt(BatchLayout.CRC_OFFSET, (int) crc.getValue());
    int plainBytes = plain.length - BatchLayout.HEADER_BYTES;
    return new ProducedBatch(
        workload.codec(), workload.memory(), records.length, batch, plainBytes);
  }
}
