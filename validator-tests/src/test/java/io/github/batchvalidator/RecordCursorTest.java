// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cursor over the streams that Kafka's own codecs make. */
class RecordCursorTest {
  private static final int LARGE = 10_000;

  private final RecordCursor cursor = new RecordCursor();
  private final ByteBuffer batch =
      Batches.of(
          Codec.NONE,
          new SimpleRecord(Batches.nowMs(), new byte[3], new byte[LARGE]),
          new SimpleRecord(
              Batches.nowMs() + 4,
              (byte[]) null,
              (byte[]) null,
              new Header[] {new RecordHeader("h", new byte[5])}));

  private byte[] records() {
    byte[] plain = new byte[batch.remaining() - BatchLayout.HEADER_BYTES];
    batch.get(BatchLayout.HEADER_BYTES, plain);
    return plain;
  }

  @ParameterizedTest
  @EnumSource
  void readsTheRecordsOfAnyCodec(Codec codec) throws IOException {
    ByteBuffer stored = ByteBuffer.wrap(Batches.compress(codec, records()));
    try (InputStream plain =
        Batches.compression(codec)
            .wrapForInput(stored, RecordBatch.MAGIC_VALUE_V2, BufferSupplier.NO_CACHING)) {
      cursor.open(plain, 2, Limits.UNBOUNDED_AS_KAFKA);
      assertTrue(cursor.next());
      assertEquals(0, cursor.index());
      assertEquals(0, cursor.start());
      assertEquals(0, cursor.offsetDelta());
      assertEquals(3, cursor.keySize());
      assertEquals(LARGE, cursor.valueSize());
      assertEquals(0, cursor.headerCount());
      assertTrue(cursor.next());
      assertEquals(1, cursor.offsetDelta());
      assertEquals(4, cursor.timestampDelta());
      assertTrue(cursor.keySize() < 0);
      assertTrue(cursor.valueSize() < 0);
      assertEquals(1, cursor.headerCount());
      assertFalse(cursor.next());
      assertTrue(cursor.finish());
      assertNull(cursor.failure());
    }
  }

  @Test
  void aCursorThatWasNeverOpenedIsOnAnEmptyBatch() {
    assertEquals(-1, cursor.index());
    assertFalse(cursor.next());
    assertTrue(cursor.finish());
    assertNull(cursor.failure());
    assertNull(cursor.cause());
    assertEquals(0, cursor.start() + cursor.offsetDelta() + cursor.timestampDelta());
    assertEquals(0, cursor.keySize() + cursor.valueSize() + cursor.headerCount());
  }

  @Test
  void missingRecordsAreAFault() {
    cursor.open(new ByteArrayInputStream(records()), 3, Limits.UNBOUNDED_AS_KAFKA);
    assertTrue(cursor.next());
    assertTrue(cursor.next());
    assertFalse(cursor.next());
    assertFalse(cursor.finish());
    assertEquals(Reason.PAYLOAD_RECORDS_MISSING, cursor.failure());
  }

  @Test
  void anExceptionOfTheStreamIsTheCause() {
    IOException broken = new IOException("broken");
    InputStream stream =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw broken;
          }

          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            throw broken;
          }
        };
    cursor.open(stream, 1, Limits.UNBOUNDED_AS_KAFKA);
    assertFalse(cursor.next() && cursor.finish());
    assertEquals(Reason.CODEC_DATA_CORRUPT, cursor.failure());
    assertSame(broken, cursor.cause());
  }

  @Test
  void theLimitOfPlainBytesHolds() {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, LARGE);
    cursor.open(new ByteArrayInputStream(records()), 2, limits);
    while (cursor.next()) {
      assertTrue(cursor.index() < 2);
    }
    assertFalse(cursor.finish());
    assertEquals(Reason.LIMIT_PLAIN_BYTES, cursor.failure());
  }
}
