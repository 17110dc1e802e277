// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** The state between batches. The differential tests compare the batches with Kafka's. */
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
    assertEquals(3, batches.operand());
    assertEquals(0, batches.start());
    assertEquals(0, batches.sizeInBytes());
    assertSame(batches, batches.wrap(batch, 0, size));
    assertTrue(batches.next());
    assertEquals(size, batches.sizeInBytes());
    assertFalse(batches.next());
    assertNull(batches.failure());
  }

  /** A host may change its buffer; what was framed stays as large as it was. */
  @Test
  void aBatchThatIsAloneKeepsItsSize() {
    ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(new byte[3]));
    int size = batch.remaining();
    batches.wrap(batch, 0, size).frame();
    batch
        .putInt(BatchLayout.LENGTH_OFFSET, Integer.MAX_VALUE)
        .put(BatchLayout.MAGIC_OFFSET, (byte) 9);
    for (int i = 0; i < 2; i++) {
      assertTrue(batches.isAlone() && batches.next());
      assertEquals(size, batches.sizeInBytes());
      assertEquals(BatchLayout.MAGIC_V2, batches.magic());
      assertFalse(batches.next());
      assertNull(batches.failure());
      batches.rewind();
    }
    batches.clear();
    assertFalse(batches.isAlone() || batches.next() || batches.rewind().next());
    assertEquals(0, batches.buffer().capacity());
  }

  /** Nothing is read beyond the end, also if the length of an earlier batch has changed. */
  @Test
  void aLongerBatchLeavesNoBatchBehindIt() {
    ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(new byte[3]));
    int size = batch.remaining();
    ByteBuffer two = ByteBuffer.allocate(2 * size).put(batch.duplicate()).put(batch).flip();
    for (int left = 0; left < BatchLayout.LOG_OVERHEAD; left++) {
      two.putInt(BatchLayout.LENGTH_OFFSET, size - BatchLayout.LOG_OVERHEAD);
      batches.wrap(two, 0, 2 * size).frame();
      two.putInt(BatchLayout.LENGTH_OFFSET, 2 * size - left - BatchLayout.LOG_OVERHEAD);
      assertTrue(batches.next());
      assertFalse(batches.next(), left + " bytes are left");
    }
  }

  /** A prefix whose fields are sound, or not, of which only so many bytes are there. */
  private void assertFault(int bytes, int length, int magic, Reason expected, long first) {
    ByteBuffer log = ByteBuffer.allocate(bytes + 3);
    byte[] prefix =
        ByteBuffer.allocate(BatchLayout.PREFIX_BYTES)
            .putInt(BatchLayout.LENGTH_OFFSET, length)
            .put(BatchLayout.MAGIC_OFFSET, (byte) magic)
            .array();
    log.position(3);
    log.put(prefix, 0, Math.min(bytes, prefix.length));
    batches.wrap(log, 3, 3 + bytes);
    assertFalse(batches.next());
    assertEquals(3, batches.start());
    assertEquals(expected, batches.failure(), () -> bytes + " bytes, length " + length);
    assertEquals(first, batches.operand());
    assertEquals(bytes, batches.left());
  }

  /** Kafka reads the length as soon as its bytes are there, and then the magic. */
  @Test
  void aPrefixIsReadAsFarAsItIsThere() {
    for (int bytes = 1; bytes <= BatchLayout.PREFIX_BYTES; bytes++) {
      boolean hasLength = bytes >= BatchLayout.LOG_OVERHEAD;
      boolean hasMagic = bytes >= BatchLayout.PREFIX_BYTES;
      int prefix = BatchLayout.PREFIX_BYTES;
      int tooSmall = BatchLayout.MIN_LENGTH - 1;
      assertFault(
          bytes,
          tooSmall,
          2,
          hasLength ? Reason.FRAMING_LENGTH_TOO_SMALL : Reason.FRAMING_INCOMPLETE,
          hasLength ? tooSmall : prefix);
      assertFault(
          bytes,
          BatchLayout.MAX_LENGTH + 1,
          2,
          hasMagic ? Reason.FRAMING_LENGTH_OVERFLOW : Reason.FRAMING_INCOMPLETE,
          hasMagic ? BatchLayout.MAX_LENGTH + 1L : prefix);
      assertFault(
          bytes,
          BatchLayout.MAX_LENGTH,
          2,
          Reason.FRAMING_INCOMPLETE,
          hasMagic ? Integer.MAX_VALUE : prefix);
      assertFault(
          bytes,
          BatchLayout.MIN_LENGTH,
          -1,
          hasMagic ? Reason.FRAMING_MAGIC_UNKNOWN : Reason.FRAMING_INCOMPLETE,
          hasMagic ? -1 : prefix);
    }
  }

  @Test
  void aMagicIsKnownOrNot() {
    for (int magic = -1; magic <= 3; magic++) {
      ByteBuffer batch =
          ByteBuffer.allocate(BatchLayout.LOG_OVERHEAD + BatchLayout.MIN_LENGTH)
              .putInt(BatchLayout.LENGTH_OFFSET, BatchLayout.MIN_LENGTH)
              .put(BatchLayout.MAGIC_OFFSET, (byte) magic);
      batches.wrap(batch, 0, batch.limit());
      assertEquals(magic >= 0 && magic <= 2, batches.next());
      assertEquals(magic, batches.magic());
    }
  }
}
