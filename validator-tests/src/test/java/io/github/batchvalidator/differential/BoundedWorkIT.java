// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Applies random limits to random batches: sound ones, damaged ones, and small ones that decompress
 * to very much. Work stays within the limits and allocation within the codec memory. A verdict that
 * names no limit is the verdict without limits.
 */
final class BoundedWorkIT {
  /** The bytes that a validator may allocate when it meets a codec or a size for the first time. */
  private static final long ONCE_BYTES = 2 << 20;

  /**
   * One stored byte of LZ4 makes at most 255 plain bytes, one of Snappy fewer. The buffers of gzip
   * and zstd do not grow with the ratio.
   */
  private static final long LARGEST_BLOCK_RATIO = 255;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final BatchValidator limited = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final BatchValidator unlimited = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();
  private final MutableVerdict whole = new MutableVerdict();

  @AfterProperty
  void close() {
    limited.close();
    lowMemory.close();
    unlimited.close();
  }

  @Property(tries = 1_000)
  void workAndMemoryAreBounded(@ForAll long seed, @ForAll Codec codec, @ForAll Level level) {
    Random random = new Random(seed);
    byte[] bytes =
        random.nextInt(3) > 0
            ? new RandomBatches(seed).next(codec, 1 + random.nextInt(200_000))
            : bomb(codec, random);
    Limits limits = limits(random);
    BufferKind kind = random.nextBoolean() ? BufferKind.HEAP : BufferKind.DIRECT;
    ByteBuffer batch = kind.holding(bytes, (byte) 3);
    unlimited.inspect(batch, policy(Limits.UNBOUNDED_AS_KAFKA, level), Batches.nowMs(), whole);
    for (BatchValidator validator : new BatchValidator[] {limited, lowMemory}) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      validator.inspect(batch, policy(limits, level), Batches.nowMs(), verdict);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      long blocks = Math.min(limits.codecMemoryBytes(), LARGEST_BLOCK_RATIO * bytes.length);
      assertTrue(allocated <= ONCE_BYTES + blocks, () -> allocated + " bytes for " + limits);
      checkWork(bytes.length, limits);
      checkVerdict(validator == limited, limits);
    }
  }

  private static Policy policy(Limits limits, Level level) {
    return Policy.builder(Origin.COORDINATOR).level(level).limits(limits).build();
  }

  /** Each limit is set as often as not, to something that some batches are beyond. */
  private static Limits limits(Random random) {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA;
    if (random.nextBoolean()) {
      limits = limits.with(Limit.PLAIN_BYTES, random.nextInt(1 << (4 + random.nextInt(20))));
    }
    if (random.nextBoolean()) {
      limits = limits.with(Limit.RATIO, 1 + random.nextInt(random.nextBoolean() ? 10 : 1000));
    }
    if (random.nextBoolean()) {
      limits = limits.with(Limit.RECORDS, 1 + random.nextInt(1 << random.nextInt(20)));
    }
    if (random.nextBoolean()) {
      limits = limits.with(Limit.RECORD_BYTES, 1 + random.nextInt(1 << (3 + random.nextInt(20))));
    }
    if (random.nextBoolean()) {
      limits = limits.with(Limit.HEADERS, random.nextInt(1 << random.nextInt(12)));
    }
    if (random.nextBoolean()) {
      limits = limits.with(Limit.HEADER_BYTES, random.nextInt(1 << (1 + random.nextInt(20))));
    }
    return limits.with(Limit.CODEC_MEMORY_BYTES, 1 << (16 + random.nextInt(12)));
  }

  /** Few bytes that become many: one large value, many small records, or many headers. */
  private static byte[] bomb(Codec codec, Random random) {
    int most = codec == Codec.NONE ? 1 << 16 : 1 << (10 + random.nextInt(13));
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    int count = 0;
    switch (random.nextInt(3)) {
      case 0 -> {
        plain.writeBytes(new RecordBytes().value(varint(most, 1), new byte[most]).toBytes());
        count = 1;
      }
      case 1 -> {
        while (plain.size() < most) {
          plain.writeBytes(new RecordBytes().offsetDelta(varint(count++, 1)).toBytes());
        }
      }
      default -> {
        int headers = 1 + most / 4;
        RecordBytes record = new RecordBytes().headerCount(varint(headers, 1));
        for (int i = 0; i < headers; i++) {
          record.header(new byte[] {'h'}, new byte[1]);
        }
        plain.writeBytes(record.toBytes());
        count = 1;
      }
    }
    int declared = random.nextInt(4) == 0 ? Integer.MAX_VALUE : count;
    return Batches.copy(Batches.ofPlain(codec, declared, plain.toByteArray())).array();
  }

  /** Not a byte more is read than is allowed, and the rest stops there. */
  private void checkWork(int batchBytes, Limits limits) {
    int payload = batchBytes - BatchLayout.HEADER_BYTES;
    long allowed = Math.min(limits.plainBytes(), limits.ratioBytes(payload));
    Reason why = verdict.reason();
    boolean beyond = why == Reason.LIMIT_PLAIN_BYTES || why == Reason.LIMIT_RATIO;
    assertTrue(verdict.plainBytes() <= allowed, this::told);
    if (why == Reason.LIMIT_HEADER_BYTES) {
      assertTrue(verdict.firstOperand() <= limits.headerBytes() + 5L, this::told);
    }
    if (beyond || why == Reason.LIMIT_HEADER_BYTES || why == Reason.LIMIT_HEADERS) {
      assertTrue(verdict.firstOperand() > verdict.secondOperand(), this::told);
    }
    boolean allRead = why == null || why.level() == Level.STRICT;
    assertTrue(!allRead || verdict.recordCount() <= limits.records(), this::told);
  }

  private String told() {
    return verdict + " after " + verdict.plainBytes();
  }

  private void checkVerdict(boolean sameWindows, Limits limits) {
    Reason why = verdict.reason();
    if (why != null && why.name().startsWith("LIMIT_")) {
      return;
    }
    // Of several faults another one may come first where windows differ.
    assertEquals(whole.accepted(), verdict.accepted(), () -> told() + " not " + whole);
    if (sameWindows) {
      assertEquals(whole.reason(), why, () -> limits + " " + told());
      assertEquals(whole.recordIndex(), verdict.recordIndex());
      assertEquals(whole.recordCount(), verdict.recordCount());
      assertEquals(whole.plainBytes(), verdict.plainBytes());
      assertEquals(whole.failureTotal(), verdict.failureTotal());
      assertEquals(whole.maxTimestamp(), verdict.maxTimestamp());
    }
  }
}
