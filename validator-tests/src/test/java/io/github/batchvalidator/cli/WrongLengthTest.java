// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No checksum covers the length of a batch. A checksum that fits the bytes of the batch shows that
 * only the length is wrong; a batch whose checksum fits its length is not blamed for what follows.
 */
class WrongLengthTest {
  private static final short RESERVED_ATTRIBUTE = 1 << 10;

  private final SegmentBytes segment = SegmentBytes.of(3, 4);

  @ParameterizedTest
  @ValueSource(ints = {-1, 13, 14, 49, 100, 1 << 20, Integer.MAX_VALUE})
  void theLastBatchIsNotTornIfItsChecksumFits(int length) {
    int last = segment.position(2);
    byte[] bytes = segment.toByteArray();
    ByteBuffer.wrap(bytes).putInt(last + BatchLayout.LENGTH_OFFSET, length);
    assertWrongLength(Run.ofBytes(bytes), last, length, bytes.length);
  }

  /** Bytes after the false end are zeros, as in a file that was preallocated. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17, 40})
  void zerosOfAValueAreNotTheEndOfTheLog(int missing) {
    SegmentBytes zeros =
        SegmentBytes.of(2, 4).add(Batches.of(Codec.NONE, new SimpleRecord(0, null, new byte[100])));
    int last = zeros.position(2);
    byte[] bytes = zeros.toByteArray();
    int length = bytes.length - last - BatchLayout.LOG_OVERHEAD - missing;
    ByteBuffer.wrap(bytes).putInt(last + BatchLayout.LENGTH_OFFSET, length);
    assertWrongLength(Run.ofBytes(bytes), last, length, bytes.length);
  }

  private static void assertWrongLength(Run run, int at, int length, int end) {
    assertEquals(List.of("SEGMENT_SCAN_STOPPED@" + at), run.faults(), run.out());
    JsonNode fault = run.objects("fault").get(0);
    String expected =
        "the length field says "
            + length
            + ", the checksum fits the length "
            + (end - at - BatchLayout.LOG_OVERHEAD)
            + "; the check stopped at byte "
            + at;
    String message = fault.get("message").asText();
    assertTrue(message.startsWith(expected), message);
  }

  @Test
  void aSoundBatchIsNotBlamedForAnyBitOfTheNextHeader() {
    int next = segment.position(1);
    byte[] bytes = segment.toByteArray();
    for (int bit = 0; bit < BatchLayout.HEADER_BYTES * Byte.SIZE; bit++) {
      int at = next + bit / Byte.SIZE;
      byte mask = (byte) (1 << bit % Byte.SIZE);
      bytes[at] ^= mask;
      for (String fault : Run.ofBytes(bytes).faults()) {
        assertTrue(!fault.endsWith("@0"), "bit " + bit + ": " + fault);
      }
      bytes[at] ^= mask;
    }
  }

  /** The headers of the next two batches are unusual, but sound. */
  @Test
  void aDamagedBatchDoesNotSwallowTheNextOnes() {
    ByteBuffer unusual = SegmentBytes.batch(Codec.NONE, 4, 7);
    int attributes = BatchLayout.ATTRIBUTES_OFFSET;
    unusual.putShort(attributes, (short) (unusual.getShort(attributes) | RESERVED_ATTRIBUTE));
    Batches.fixCrc(unusual);
    segment.add(unusual).add(unusual).add(SegmentBytes.batch(Codec.LZ4, 4, 8));
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(3) - 1] ^= 1;
    Run run = Run.ofBytes(bytes);
    assertEquals(List.of("BATCH_CRC_MISMATCH@" + segment.position(2)), run.faults(), run.out());
    assertEquals(6, run.summary().get("batches").asInt(), run.out());
  }
}
