// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.DirectMemory;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeldMemory;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

/** The pool creates few validators, lends each to one thread at a time, and keeps them. */
class ValidatorPoolTest {
  private static final int HOMES = 2;
  private static final int SIZE = 5;
  private static final int ERRORS = 10;
  private static final ValidationListener IGNORED = (verdict, where) -> {};

  private final ValidatorPool pool =
      new ValidatorPool(ERRORS, GzipInflater.JDK, IGNORED, HOMES, SIZE);

  @Test
  void returnsTheSameValidatorToTheSameThread() {
    AppendContext first = pool.acquire();
    pool.release(first);
    assertEquals(1, pool.idle());
    assertSame(first, pool.acquire());
  }

  /** A reference to a batch retains the whole request. */
  @Test
  void anIdleValidatorKeepsNoBatch() {
    AppendContext validator = pool.acquire();
    ByteBuffer batch = Batches.of(Codec.GZIP, new SimpleRecord(Batches.nowMs(), new byte[100]));
    assertTrue(validator.engines().check(batch, Policy.CLIENT, Batches.nowMs()));
    for (Codec target : List.of(Codec.LZ4, Codec.GZIP)) {
      validator.begin(
          new TestAppend(batch, Policy.CLIENT, Codec.GZIP, target),
          batch,
          batch,
          7,
          EarlyInspection.NONE);
      CompressedAppend.run(validator, Batches.compression(target));
    }
    assertTrue(new HeldMemory(validator).holds(batch));
    pool.release(validator);
    assertFalse(new HeldMemory(validator).holds(batch));
  }

  @Test
  void lendsAValidatorToOneThreadAtATime() {
    AppendContext first = pool.acquire();
    assertNotSame(first, pool.acquire());
  }

  @Test
  void createsOneValidatorPerConcurrentAppend() {
    List<AppendContext> validators = Stream.generate(pool::acquire).limit(SIZE).toList();
    validators.forEach(pool::release);
    assertEquals(SIZE, pool.idle());
    validators.forEach(validator -> assertFalse(isClosed(validator)));
  }

  @Test
  @Timeout(60)
  void aThreadThatFindsNoValidatorWaitsForOne() throws Exception {
    List<AppendContext> validators = Stream.generate(pool::acquire).limit(SIZE).toList();
    CompletableFuture<AppendContext> waiting = CompletableFuture.supplyAsync(pool::acquire);
    assertThrows(TimeoutException.class, () -> waiting.get(50, TimeUnit.MILLISECONDS));
    pool.release(validators.get(3));
    assertSame(validators.get(3), waiting.get());
  }

  @Test
  void hasTwoSlotsPerProcessorAndSixteenAtLeast() {
    int size = Math.max(16, 2 * Runtime.getRuntime().availableProcessors());
    assertEquals(size, new ValidatorPool(ERRORS, GzipInflater.JDK, IGNORED).size());
  }

  /** Buffers of closed validators would otherwise wait for a rare collection. */
  @Test
  void theNextValidatorReusesTheDirectBuffersOfAClosedOne() throws InterruptedException {
    DirectMemory.collect();
    directBytesAfterAClosedValidator(); // other tests may have left buffers of some sizes
    long before = directBytesAfterAClosedValidator();
    for (int i = 0; i < 20; i++) {
      assertEquals(before, directBytesAfterAClosedValidator());
    }
  }

  private long directBytesAfterAClosedValidator() {
    AppendContext validator = pool.acquire();
    ByteBuffer batch = Batches.of(Codec.ZSTD, new SimpleRecord(Batches.nowMs(), new byte[100]));
    Policy storing = Batches.storing(Policy.CLIENT, Codec.ZSTD);
    assertTrue(
        validator.engines().inspect(batch, Policy.CLIENT, Codec.LZ4, false, Batches.nowMs()));
    assertTrue(
        validator
            .engines()
            .rebuild(Batches.framed(batch), storing, Codec.ZSTD, 0, Batches.nowMs()));
    assertThrows(KafkaException.class, () -> inspectNothing(validator));
    pool.release(validator);
    assertEquals(0, pool.idle());
    return DirectMemory.bytes();
  }

  @Test
  void closesABrokenValidator() {
    AppendContext validator = pool.acquire();
    assertThrows(KafkaException.class, () -> inspectNothing(validator));
    pool.release(validator);
    assertEquals(0, pool.idle());
    assertTrue(isClosed(validator), "what failed must not be used again");
  }

  /** A record of 32 MB to rebuild: much memory for few bytes. */
  @Test
  void closesAValidatorThatHoldsMuch() {
    AppendContext validator = pool.acquire();
    ByteBuffer batch = Batches.of(Codec.GZIP, new SimpleRecord(new byte[32 << 20]));
    Policy storing = Batches.storing(Policy.CLIENT, Codec.ZSTD);
    assertTrue(
        validator
            .engines()
            .rebuild(Batches.framed(batch), storing, Codec.GZIP, 0, Batches.nowMs()));
    pool.release(validator);
    assertEquals(0, pool.idle());
    assertTrue(isClosed(validator));
  }

  /** A block of 32 MB, inspected early, or passed as uncompressed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closesAValidatorThatDecodedMuch(boolean early) throws IOException {
    byte[] block = Snappy.compress(Batches.plainRecords(new SimpleRecord(new byte[32 << 20])));
    ByteBuffer batch = Batches.ofPayload(Codec.SNAPPY, 1, block);
    AppendContext validator = pool.acquire();
    assertTrue(
        early
            ? validator
                .engines()
                .inspectEarly(batch, Policy.CLIENT, Batches.nowMs(), new MutableVerdict())
            : validator.engines().check(batch, Policy.CLIENT, Batches.nowMs()));
    pool.release(validator);
    assertEquals(0, pool.idle());
    assertTrue(isClosed(validator));
  }

  /** A million records without a key: remembered failures take memory too. */
  @Test
  void closesAValidatorThatRemembersMuch() {
    int records = 1 << 20;
    ValidatorPool forgetful = new ValidatorPool(ERRORS, GzipInflater.JDK, IGNORED, HOMES, SIZE);
    ValidatorPool thorough = new ValidatorPool(records, GzipInflater.JDK, IGNORED, HOMES, SIZE);
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, records, plainRecords(records));
    for (ValidatorPool each : List.of(forgetful, thorough)) {
      AppendContext validator = each.acquire();
      Policy policy = Policy.CLIENT.toBuilder().compactedTopic(true).build();
      assertFalse(validator.engines().inspect(batch, policy, Codec.LZ4, false, Batches.nowMs()));
      assertEquals(records, validator.engines().verdict().failureTotal());
      each.release(validator);
    }
    assertEquals(1, forgetful.idle());
    assertEquals(0, thorough.idle());
  }

  private static byte[] plainRecords(int records) {
    byte[] one = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), null, new byte[1]));
    ByteBuffer all = ByteBuffer.allocate(records * one.length);
    for (int i = 0; i < records; i++) {
      all.put(one);
    }
    return all.array();
  }

  @Test
  void staysBoundedWithManyShortThreads() throws InterruptedException {
    Set<AppendContext> seen = Collections.newSetFromMap(new ConcurrentHashMap<>());
    for (int i = 0; i < 200; i++) {
      Thread thread =
          new Thread(
              () -> {
                AppendContext validator = pool.acquire();
                seen.add(validator);
                pool.release(validator);
              });
      thread.start();
      thread.join();
    }
    assertEquals(HOMES, seen.size(), "threads that meet no other share the homes");
    assertEquals(HOMES, pool.idle());
  }

  /** A thread that finds its home taken tries the other homes before it creates a validator. */
  @Test
  void fillsTheHomesFirst() throws InterruptedException {
    for (int i = 0; i < 2 * HOMES; i++) {
      Thread thread =
          new Thread(
              () -> Stream.generate(pool::acquire).limit(HOMES).toList().forEach(pool::release));
      thread.start();
      thread.join();
    }
    assertEquals(HOMES, pool.idle());
  }

  @Test
  @Timeout(60)
  void neverSharesAValidator() throws InterruptedException {
    Set<AppendContext> inUse = Collections.newSetFromMap(new ConcurrentHashMap<>());
    List<String> shared = Collections.synchronizedList(new ArrayList<>());
    int threads = 8;
    CountDownLatch start = new CountDownLatch(threads);
    CountDownLatch done = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      new Thread(
              () -> {
                try {
                  start.countDown();
                  start.await();
                  for (int round = 0; round < 5_000; round++) {
                    AppendContext validator = pool.acquire();
                    if (!inUse.add(validator)) {
                      shared.add("round " + round);
                    }
                    inUse.remove(validator);
                    pool.release(validator);
                  }
                } catch (InterruptedException | RuntimeException e) {
                  shared.add(e.toString());
                } finally {
                  done.countDown();
                }
              })
          .start();
    }
    done.await();
    assertEquals(List.of(), shared);
    assertTrue(pool.idle() <= SIZE, "idle: " + pool.idle());
  }

  private static boolean isClosed(AppendContext validator) {
    try {
      validator
          .engines()
          .inspect(Batches.ofPlain(Codec.NONE, 0, new byte[0]), Policy.CLIENT, Codec.LZ4, false, 0);
      return false;
    } catch (KafkaException e) {
      return e.getCause() instanceof IllegalStateException;
    }
  }

  @SuppressWarnings("NullAway") // makes our own code fail
  private static void inspectNothing(AppendContext validator) {
    validator.engines().inspect(null, Policy.CLIENT, Codec.LZ4, false, 0);
  }
}
