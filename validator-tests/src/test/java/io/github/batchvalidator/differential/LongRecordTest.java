// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The fields of a record may take more bytes than any number of it can say. */
class LongRecordTest {
  private static final int BLOCK_BYTES = 128 * 1024;

  @Test
  void withoutALimitItIsAcceptedAsByKafka() {
    byte[] batch = batch(Integer.MAX_VALUE);
    KafkaOracle.Place place = new KafkaOracle.Place(0, 0, Batches.nowMs());
    assertTrue(new KafkaOracle().ask(batch, Policy.CLIENT, place).accepted());
    MutableVerdict verdict = new MutableVerdict();
    try (BatchValidator validator = new BatchValidator()) {
      ByteBuffer buffer = ByteBuffer.wrap(batch);
      Policy unbounded = Policy.CLIENT.toBuilder().limits(Limits.UNBOUNDED_AS_KAFKA).build();
      assertTrue(validator.inspect(buffer, unbounded, Batches.nowMs(), verdict));
      Limits limits =
          Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORD_BYTES, Limits.LARGEST_RECORD_BYTES);
      Policy limited = Policy.CLIENT.toBuilder().limits(limits).build();
      validator.inspect(buffer, limited, Batches.nowMs(), verdict);
      assertEquals(Reason.LIMIT_RECORD_BYTES, verdict.reason());
    }
  }

  /** Returns a batch of one record that declares 100 bytes and has a key of so many. */
  private static byte[] batch(int keyBytes) {
    byte[] head = Bytes.concat(varint(100, 1), new byte[3], varint(keyBytes, 1));
    byte[] value = Bytes.concat(varint(100, 1), new byte[100], varint(0, 1));
    byte[] zeros = ZstdFrames.blockHeader(false, ZstdFrames.RLE, BLOCK_BYTES);
    byte[] frame =
        ZstdFrames.frame(
            0,
            ZstdFrames.window(20),
            ZstdFrames.raw(false, head),
            Bytes.repeat(keyBytes / BLOCK_BYTES, Bytes.concat(zeros, new byte[1])),
            ZstdFrames.raw(false, new byte[keyBytes % BLOCK_BYTES]),
            ZstdFrames.raw(true, value));
    return Batches.ofPayload(Codec.ZSTD, 1, frame).array();
  }
}
