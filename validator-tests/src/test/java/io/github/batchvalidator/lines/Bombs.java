// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/** One honest record with a value of nothing but zeros, compressed as it is written. */
public final class Bombs {
  private static final int PIECE = 1 << 16;

  private Bombs() {}

  /** Returns a payload of one such record. */
  public static byte[] compressed(Codec codec, int valueBytes) {
    ByteBufferOutputStream out = new ByteBufferOutputStream(PIECE);
    try (OutputStream stream =
        Batches.compression(codec).wrapForOutput(out, RecordBatch.MAGIC_VALUE_V2)) {
      byte[] head = head(valueBytes);
      // The body: the fields before the value, the value, and the count of headers.
      stream.write(varint(head.length + valueBytes + 1L, 1));
      stream.write(head);
      byte[] zeros = new byte[PIECE];
      for (int left = valueBytes; left > 0; left -= PIECE) {
        stream.write(zeros, 0, Math.min(left, PIECE));
      }
      stream.write(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Batches.copy(out.buffer().flip()).array();
  }

  private static byte[] head(int valueBytes) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(new byte[] {0, 0, 0});
    head.writeBytes(varint(-1, 1));
    head.writeBytes(varint(valueBytes, 1));
    return head.toByteArray();
  }
}
