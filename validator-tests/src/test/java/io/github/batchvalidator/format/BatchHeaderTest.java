// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

class BatchHeaderTest {
  /** An array may have bytes after the buffer's limit, of an earlier batch for example. */
  @Test
  void noByteBeyondTheLimitIsRead() {
    ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(7, new byte[3], new byte[5]));
    int size = batch.remaining();
    for (ByteBuffer each : List.of(batch, Batches.direct(batch), batch.asReadOnlyBuffer())) {
      BatchHeader header = new BatchHeader().read(each, each.position());
      assertEquals(size, header.sizeInBytes());
      assertEquals(7, header.maxTimestamp());
      assertEquals(1, header.recordCount());
      ByteBuffer cut = each.duplicate().limit(each.position() + BatchLayout.HEADER_BYTES - 1);
      assertThrows(
          IndexOutOfBoundsException.class, () -> new BatchHeader().read(cut, cut.position()));
    }
  }
}
