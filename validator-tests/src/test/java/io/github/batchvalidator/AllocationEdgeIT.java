// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.AllocationCase.Input;
import io.github.batchvalidator.AllocationCase.Memory;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.Lz4Frames;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.xerial.snappy.Snappy;

/**
 * Allocation beyond the regular batch: faults of the header and of the stream, many batches in
 * turn, small windows, giant blocks.
 */
@Tag("unvaried")
class AllocationEdgeIT {
  /**
   * The bytes that a refusal may allocate if a codec's library throws: one exception with its stack
   * trace. For zstd two, because the stream decides after the single call has refused. Once per
   * batch, not per record.
   */
  private static final long LIBRARY_EXCEPTION_BYTES = 4 * 1024;

  /** The number of ordinary batches after which the memory for a giant block is dropped. */
  private static final int PATIENCE = 128;

  /** The id of the block size 4 MiB. */
  private static final int LARGEST_LZ4_BLOCK_ID = 7;

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  @AfterAll
  static void writeFigures() {
    AllocationFigures.write();
  }

  static List<CodecFault> codecFaults() {
    return CodecFault.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("codecFaults")
  void aDamagedStreamCostsNothingOrOneException(CodecFault fault) throws InterruptedException {
    ByteBuffer batch = fault.batch();
    Runnable call = () -> inspect(batch, Policy.CLIENT);

    long bytes =
        fault.byLibrary()
            ? AllocationMeter.boundedBytesPerCall(call)
            : AllocationMeter.bytesPerCall(call);

    assertEquals(fault.reason(), verdict.reason());
    AllocationFigures.add(
        fault.codec(),
        fault.byLibrary() ? "refused by the library" : "refused by our own checks",
        bytes);
    long allowed = fault.byLibrary() ? LIBRARY_EXCEPTION_BYTES : 0;
    assertAtMost(allowed, bytes);
    assertEquals(fault.byLibrary(), bytes > 0, bytes + " bytes");
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void aRefusedHeaderCostsNothing(Reason reason) {
    HeaderFault fault = HeaderFault.of(reason);
    if (fault == null) {
      assertTrue(
          !reason.name().startsWith("FRAMING_") && !reason.name().startsWith("BATCH_"),
          "HeaderFault needs a batch for this reason");
      return;
    }
    ByteBuffer batch = fault.batch();
    assertEquals(0, AllocationMeter.bytesPerCall(() -> inspect(batch, fault.policy())));
    assertEquals(reason, verdict.reason());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void anExceededLimitCostsNothing(Codec codec) {
    ByteBuffer batch = regular(codec, Memory.HEAP).batch();
    Policy policy =
        Policy.builder(Origin.CLIENT)
            .limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, 10))
            .build();
    assertEquals(0, AllocationMeter.bytesPerCall(() -> inspect(batch, policy)));
    assertEquals(Reason.LIMIT_PLAIN_BYTES, verdict.reason());
  }

  /** Plain ones, and those in blocks that lz4 has stored, are read where they lie. */
  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"NONE", "LZ4"})
  void largeRecordsOffTheHeapCostNothing(Codec codec) {
    SimpleRecord[] records = new SimpleRecord[40];
    Random random = new Random(7);
    for (int i = 0; i < records.length; i++) {
      byte[] value = new byte[i % 5 == 0 ? 100 : 10_000];
      random.nextBytes(value);
      records[i] = new SimpleRecord(Batches.nowMs(), value);
    }
    ByteBuffer batch = Batches.direct(Batches.of(codec, records));
    for (Level level : Level.values()) {
      Policy policy = Policy.builder(Origin.CLIENT).level(level).build();
      assertEquals(0, AllocationMeter.bytesPerCall(() -> inspect(batch, policy)));
      assertTrue(verdict.accepted(), verdict::toString);
    }
  }

  @Test
  void batchesOfEveryKindInTurnCostNothing() {
    List<AllocationCase> cases =
        AllocationCase.all().stream().filter(given -> given.records() <= 100).toList();
    ByteBuffer[] batches = new ByteBuffer[cases.size()];
    Policy[] policies = new Policy[cases.size()];
    for (int i = 0; i < batches.length; i++) {
      batches[i] = cases.get(i).batch();
      policies[i] = cases.get(i).policy();
    }
    Runnable all =
        () -> {
          for (int i = 0; i < batches.length; i++) {
            inspect(batches[i], policies[i]);
          }
        };
    assertEquals(0, AllocationMeter.bytesPerCall(AllocationMeter.FEW_CALLS, all));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void smallWindowsCostNothing(Codec codec) {
    ByteBuffer heap = regular(codec, Memory.HEAP).batch();
    ByteBuffer direct = Batches.direct(heap);
    try (BatchValidator small = BatchValidator.lowMemory()) {
      long bytes =
          AllocationMeter.bytesPerCall(
              () -> {
                small.inspect(heap, Policy.CLIENT, Batches.nowMs(), verdict);
                small.inspect(direct, Policy.CLIENT, Batches.nowMs(), verdict);
              });
      assertTrue(verdict.accepted());
      assertEquals(0, bytes);
    }
  }

  @Test
  void giantBlocksInARowCostNothing() throws IOException {
    ByteBuffer giant = giantBlock();
    assertEquals(0, AllocationMeter.bytesPerCall(() -> inspect(giant, Policy.CLIENT)));
    assertTrue(verdict.accepted());
  }

  @Test
  void aGiantBlockNowAndThenCostsNothing() throws IOException {
    assertEquals(
        0, AllocationMeter.bytesPerCall(AllocationMeter.FEW_CALLS, giantAfter(PATIENCE - 2)));
  }

  /** Documented: the memory is released in between. Holds the plain and the stored bytes. */
  @Test
  void aRareGiantBlockCostsItsMemoryEachTime() throws Exception {
    long bytes = AllocationMeter.boundedBytesPerCall(giantAfter(PATIENCE));
    int held = (1 << 20) + giantBlock().capacity() - BatchLayout.HEADER_BYTES;
    assertTrue(bytes >= held && bytes <= held + 64, bytes + " bytes");
  }

  private Runnable giantAfter(int ordinary) throws IOException {
    ByteBuffer giant = giantBlock();
    ByteBuffer small = regular(Codec.SNAPPY, Memory.HEAP).batch();
    return () -> {
      inspect(giant, Policy.CLIENT);
      for (int i = 0; i < ordinary; i++) {
        inspect(small, Policy.CLIENT);
      }
    };
  }

  /** A raw Snappy block of a MiB, as some clients write them. */
  private static ByteBuffer giantBlock() throws IOException {
    byte[] plain =
        Batches.plainRecords(new SimpleRecord(Batches.nowMs(), new byte[(1 << 20) - 13]));
    return Batches.ofPayload(Codec.SNAPPY, 1, Snappy.compress(plain));
  }

  /** As Kafka's producer writes it: stored it takes a little more than its 32 KiB. */
  @Test
  void snappyThatDoesNotShrinkIsNoGiantBlock() throws Exception {
    byte[] noise = new byte[100_000];
    new Random(7).nextBytes(noise);
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), noise);
    ByteBuffer large = Batches.direct(Batches.of(Codec.SNAPPY, record));
    ByteBuffer small = regular(Codec.SNAPPY, Memory.DIRECT).batch();
    Runnable call =
        () -> {
          inspect(large, Policy.CLIENT);
          assertTrue(verdict.accepted());
          for (int i = 0; i < PATIENCE; i++) {
            inspect(small, Policy.CLIENT);
          }
        };
    assertEquals(0, AllocationMeter.boundedBytesPerCall(call));
  }

  /** How much a compressed block holds is not known before, only how much it may. */
  @Test
  void lz4BlocksThatGrowByteByByteTakeFewArrays() throws Exception {
    int most = 16 << 20;
    byte[] value = new byte[1 << 20];
    byte[] plain = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), value));
    List<byte[]> blocks = new ArrayList<>();
    for (int at = 0, size = 250; at < plain.length; at += size++) {
      int end = Math.min(plain.length, at + size);
      blocks.add(literals(Arrays.copyOfRange(plain, at, end)));
    }
    blocks.add(new byte[Integer.BYTES]);
    byte[] frame = Lz4Frames.frame(0, LARGEST_LZ4_BLOCK_ID, blocks.toArray(new byte[0][]));
    ByteBuffer batch = Batches.ofPayload(Codec.LZ4, 1, frame);
    Runnable call =
        () -> {
          try (BatchValidator fresh = new BatchValidator()) {
            assertTrue(fresh.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict));
          }
        };
    assertAtMost(most, AllocationMeter.bytesPerCall(3, most, call));
  }

  /** On and off the heap, where blocks are copied as they are stored, too. */
  @Test
  void snappyBlocksThatGrowByteByByteTakeFewArrays() throws Exception {
    int most = 1 << 20;
    byte[] value = new byte[8 << 20];
    new Random(7).nextBytes(value);
    byte[] plain = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), value));
    List<byte[]> chunks = new ArrayList<>();
    for (int at = 0, size = 33_000; at < plain.length; at += size++) {
      int end = Math.min(plain.length, at + size);
      chunks.add(SnappyStreams.chunk(SnappyStreams.block(Arrays.copyOfRange(plain, at, end))));
    }
    byte[] stream = SnappyStreams.stream(chunks.toArray(new byte[0][]));
    ByteBuffer batch = Batches.ofPayload(Codec.SNAPPY, 1, stream);
    ByteBuffer direct = Batches.direct(batch);
    Runnable call =
        () -> {
          try (BatchValidator fresh = new BatchValidator()) {
            assertTrue(fresh.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict));
            assertTrue(fresh.inspect(direct, Policy.CLIENT, Batches.nowMs(), verdict));
          }
        };
    assertAtMost(most, AllocationMeter.bytesPerCall(3, most, call));
  }

  /** A block of one sequence without a match, of more than 15 bytes. */
  private static byte[] literals(byte[] plain) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0xF0);
    int more = plain.length - 15;
    for (; more >= 255; more -= 255) {
      block.write(255);
    }
    block.write(more);
    block.writeBytes(plain);
    return Lz4Frames.block(block.toByteArray());
  }

  private static AllocationCase regular(Codec codec, Memory memory) {
    return new AllocationCase(codec, memory, 100, Input.ACCEPTED, TimestampType.CREATE_TIME);
  }

  private void inspect(ByteBuffer batch, Policy policy) {
    validator.inspect(batch, policy, Batches.nowMs(), verdict);
  }

  private static void assertAtMost(long allowed, long bytes) {
    assertTrue(bytes <= allowed, () -> bytes + " bytes per call, allowed are " + allowed);
  }
}
