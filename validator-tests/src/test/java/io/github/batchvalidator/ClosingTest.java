// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread closes what another thread is using: the batch in progress gets its verdict, and every
 * later call throws. With memory that is freed too early, the JVM may crash.
 *
 * <p>That is certain only where libzstd is called without zstd-jni's classes, which check for it:
 * run this test with {@code -Pcodecs-newest -Dtest.jdk=JDK_HOME} and JDK 22 or later.
 */
class ClosingTest {
  private static final int ROUNDS = 60;
  private static final int LARGEST_PAUSE_NANOS = 300_000;

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final SplittableRandom random = new SplittableRandom(1);

  @AfterEach
  void close() {
    thread.shutdownNow();
  }

  private static ByteBuffer batch(Codec codec) {
    SimpleRecord[] records = new SimpleRecord[100];
    for (int i = 0; i < records.length; i++) {
      byte[] value = new byte[3000];
      new java.util.Random(i).nextBytes(value);
      records[i] = new SimpleRecord(Batches.nowMs(), value);
    }
    return Batches.of(codec, records);
  }

  @ParameterizedTest
  @EnumSource
  void theInspectionInProgressEndsWithItsVerdict(Codec codec) throws Exception {
    ByteBuffer batch = batch(codec);
    for (int round = 0; round < ROUNDS; round++) {
      BatchValidator validator =
          round % 3 == 2
              ? BatchValidator.lowMemory()
              : new BatchValidator(round % 3 == 1 ? GzipInflater.JDK : GzipInflater.AUTO);
      Verdict verdict = BatchValidator.newVerdict();
      ByteBuffer seen = round % 2 == 0 ? batch : Batches.direct(batch);
      BooleanSupplier inspect =
          () -> validator.inspect(seen, Policy.CLIENT, Batches.nowMs(), verdict);
      closeInUse(inspect, validator, verdict);
      assertThrows(IllegalStateException.class, inspect::getAsBoolean);
      assertEquals(0, validator.nativeBytes());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRebuildInProgressEndsWithItsVerdict(Codec codec) throws Exception {
    ByteBuffer batch = batch(codec);
    Policy storing = Batches.storing(Policy.CLIENT, codec == Codec.ZSTD ? Codec.GZIP : Codec.ZSTD);
    for (int round = 0; round < ROUNDS; round++) {
      BatchRebuilder rebuilder = new BatchRebuilder();
      Verdict verdict = BatchValidator.newVerdict();
      BooleanSupplier rebuild = () -> rebuilder.rebuild(batch, storing, Batches.nowMs(), verdict);
      closeInUse(rebuild, rebuilder, verdict);
      assertThrows(IllegalStateException.class, rebuild::getAsBoolean);
      assertEquals(0, rebuilder.nativeBytes());
    }
  }

  private void closeInUse(BooleanSupplier call, AutoCloseable used, Verdict verdict)
      throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Future<Integer> accepted =
        thread.submit(
            () -> {
              int calls = 0;
              try {
                for (; ; calls++) {
                  assertTrue(call.getAsBoolean(), verdict::toString);
                  started.countDown();
                }
              } catch (IllegalStateException e) {
                return calls;
              } finally {
                started.countDown();
              }
            });
    started.await();
    LockSupport.parkNanos(random.nextInt(LARGEST_PAUSE_NANOS));
    used.close();
    assertTrue(accepted.get() > 0);
  }
}
