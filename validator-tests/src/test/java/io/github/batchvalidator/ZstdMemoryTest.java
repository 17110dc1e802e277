// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What zstd batches beyond the ordinary cost: streamed ones, and ones with huge windows. */
class ZstdMemoryTest {
  /** More than is decoded in one call. */
  private static final int LARGE = 1 << 20;

  private static final int SMALL = 1000;

  /** Frames with smaller windows are streamed, whatever their size. */
  private static final int LEAST_ONE_CALL_WINDOW_LOG = 17;

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();
  private long contextBytes;

  @BeforeEach
  void createContext() throws IOException {
    assertTrue(inspect(batch(SMALL, LEAST_ONE_CALL_WINDOW_LOG), Policy.CLIENT));
    contextBytes = validator.nativeBytes();
  }

  @AfterEach
  void close() {
    validator.close();
  }

  @Test
  void aBatchTooLargeForOneCallIsStreamed() throws IOException {
    assertTrue(inspect(batch(LARGE, 20), Policy.CLIENT));
    assertTrue(verdict.plainBytes() > LARGE);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 23})
  void theWindowOfAnOrdinaryStreamIsKept(int windowLog) throws IOException {
    assertTrue(inspect(batch(LARGE, windowLog), Policy.CLIENT));
    assertEquals(contextBytes + (1L << windowLog), validator.nativeBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 25, 27})
  void aHugeWindowIsReleasedAfterItsBatch(int windowLog) throws IOException {
    assertTrue(inspect(batch(LARGE, windowLog), Policy.CLIENT));
    assertEquals(contextBytes, validator.nativeBytes());
    assertTrue(inspect(batch(LARGE, 20), Policy.CLIENT), "the next batch has a new context");
  }

  /** Kafka's producer declares windows of 32 to 128 MiB at levels 20 to 22, however small it is. */
  @ParameterizedTest
  @ValueSource(ints = {24, 25, 27})
  void aHugeWindowThatIsNotNeededCostsNothing(int windowLog) throws IOException {
    ByteBuffer batch = batch(SMALL, windowLog);
    long bytes = AllocationMeter.bytesPerCall(() -> inspect(batch, Policy.CLIENT));
    assertTrue(verdict.accepted());
    assertEquals(0, bytes);
    assertEquals(contextBytes, validator.nativeBytes());
  }

  /** Documented: each such batch costs a new context, which is small on the heap. */
  @Test
  void hugeWindowsInARowCostAContextEach() throws IOException, InterruptedException {
    ByteBuffer batch = batch(LARGE, 24);
    long bytes = AllocationMeter.boundedBytesPerCall(() -> inspect(batch, Policy.CLIENT));
    assertTrue(verdict.accepted());
    assertContext(bytes);
  }

  /**
   * Documented: what an earlier stream has left must not hide that a frame tells its size wrong.
   */
  @Test
  void streamedFramesWithAContentSizeCostAContextEach() throws InterruptedException {
    byte[] plain = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), new byte[LARGE]));
    ByteBuffer batch = Batches.ofPayload(Codec.ZSTD, 1, Zstd.compress(plain));
    long bytes = AllocationMeter.boundedBytesPerCall(() -> inspect(batch, Policy.CLIENT));
    assertTrue(verdict.accepted());
    assertContext(bytes);
  }

  /** Of zstd-jni's class, and nothing where its native functions are called without it. */
  private static void assertContext(long bytes) {
    if (ZstdForeignCalls.inUse()) {
      assertEquals(0, bytes);
    } else {
      assertTrue(bytes > 0 && bytes <= 256, bytes + " bytes per batch");
    }
  }

  @Test
  void aWindowAboveTheLimitIsRefused() throws IOException {
    Policy policy =
        Policy.builder(Origin.CLIENT)
            .limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, 1 << 20))
            .build();
    inspect(batch(LARGE, 21), policy);
    assertEquals(Reason.LIMIT_CODEC_MEMORY, verdict.reason());
    assertEquals(1 << 21, verdict.firstOperand());
    assertEquals(1 << 20, verdict.secondOperand());
    assertEquals(contextBytes, validator.nativeBytes());
  }

  private boolean inspect(ByteBuffer batch, Policy policy) {
    return validator.inspect(batch, policy, Batches.nowMs(), verdict);
  }

  private static ByteBuffer batch(int valueBytes, int windowLog) throws IOException {
    byte[] plain = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), new byte[valueBytes]));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(bytes)) {
      out.setLong(windowLog);
      out.write(plain);
    }
    return Batches.ofPayload(Codec.ZSTD, 1, bytes.toByteArray());
  }
}
