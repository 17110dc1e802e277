// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.engine.RecordReader;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * Writes batches for a reader of another language: size, bytes, how many records level STRICT sees
 * in an accepted one (-1 if no origin is allowed to send it), and of each record the offset, the
 * timestamp, size and CRC-32 of key and value, and the number of headers.
 */
final class JudgedBatches implements Consumer<byte[]>, AutoCloseable {
  private static final int REFUSED = -1;

  private final DataOutputStream out;
  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();
  private final BatchHeader header = new BatchHeader();
  private final RecordReader records = new RecordReader();
  private final CRC32 crc = new CRC32();
  private int written;

  JudgedBatches(DataOutputStream out) {
    this.out = out;
  }

  @Override
  public void accept(byte[] batch) {
    try {
      out.writeInt(batch.length);
      out.write(batch);
      if (isAccepted(batch, Origin.CLIENT) || isAccepted(batch, Origin.STORED)) {
        writeRecords(batch);
      } else {
        out.writeInt(REFUSED);
      }
      written++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how many batches there were. */
  int written() {
    return written;
  }

  private boolean isAccepted(byte[] batch, Origin origin) {
    Policy policy = Policy.builder(origin).level(Level.STRICT).build();
    return validator.inspect(ByteBuffer.wrap(batch), policy, Batches.nowMs(), verdict);
  }

  private void writeRecords(byte[] bytes) throws IOException {
    ByteBuffer batch = ByteBuffer.wrap(bytes);
    header.read(batch, 0);
    out.writeInt(header.recordCount());
    Codec codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    int read = 0;
    if (records.open(batch, header, codec)) {
      for (; records.next(); read++) {
        writeRecord();
      }
    }
    records.release();
    if (read != header.recordCount()) {
      throw new IllegalStateException(read + " records: " + Batches.base64(bytes));
    }
  }

  private void writeRecord() throws IOException {
    out.writeLong(header.baseOffset() + records.offsetDelta());
    out.writeLong(
        header.isLogAppendTime()
            ? header.maxTimestamp()
            : header.baseTimestamp() + records.timestampDelta());
    writePart(records.keyPosition(), records.keySize());
    writePart(records.valuePosition(), records.valueSize());
    out.writeInt(records.headerCount());
  }

  private void writePart(int from, int size) throws IOException {
    crc.reset();
    crc.update(records.array(), from, Math.max(0, size));
    out.writeInt(size);
    out.writeInt((int) crc.getValue());
  }

  @Override
  public void close() throws IOException {
    out.close();
    validator.close();
    records.close();
  }
}
