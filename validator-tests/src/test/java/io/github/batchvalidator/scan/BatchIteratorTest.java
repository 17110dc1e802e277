// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** What the iterator does between batches; that it cuts as Kafka does is tested beside Kafka's. */
class BatchIteratorTest {
  private final BatchIterator batches = new BatchIterator();

  /** The first word counts, even where the buffer has become a sound one since. */
  @Test
  void aFaultStaysUntilTheNextStart() {
    ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(new byte[3]));
    int size = batch.remaining();
    batch.put(BatchLayout.MAGIC_OFFSET, (byte) 3);
    batches.wrap(batch, 0, size);
    assertFalse(batches.next());
    batch.put(BatchLayout.MAGIC_OFFSET, (byte) 2);
    assertFalse(batches.next());
    assertEquals(Reason.FRAMING_MAGIC_UNKNOWN, batches.failure());
    assertEquals(3, batches.failureFirst());
    assertEquals(0, batches.start());
    assertEquals(0, batches.sizeInBytes());
    batches.wrap(batch, 0, size);
    assertTrue(batches.next());
    assertEquals(size, batches.sizeInBytes());
    assertFalse(batches.next());
    assertNull(batches.failure());
  }
}
