// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeldMemory;
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

/** The pool makes few workers, gives each to one thread at a time, and keeps them. */
class WorkerPoolTest {
  private static final int HOMES = 2;
  private static final int SIZE = 5;
  private static final int ERRORS = 10;

  private final WorkerPool pool = new WorkerPool(ERRORS, GzipInflater.JDK, HOMES, SIZE);

  @Test
  void givesTheSameThreadItsWorkerAgain() {
    Worker first = pool.acquire();
    pool.release(first);
    assertEquals(1, pool.idle());
    assertSame(first, pool.acquire());
  }

  /** What holds a batch holds the request that it came with. */
  @Test
  void anIdleWorkerKeepsNoBatch() {
    Worker worker = pool.acquire();
    ByteBuffer batch = Batches.of(Codec.GZIP, new SimpleRecord(Batches.nowMs(), new byte[100]));
    worker.batches().wrap(batch, 0, batch.limit());
    assertTrue(worker.inspect(batch, Policy.CLIENT, Codec.LZ4, Batches.nowMs()));
    assertTrue(worker.check(batch, Policy.CLIENT, Batches.nowMs()));
    Policy storing = Batches.storing(Policy.CLIENT, Codec.LZ4);
    assertTrue(worker.rebuild(batch, storing, Codec.GZIP, 0, Batches.nowMs()));
    assertTrue(new HeldMemory(worker).holds(batch));
    pool.release(worker);
    assertFalse(new HeldMemory(worker).holds(batch));
  }

  @Test
  void givesAWorkerToOneAtATime() {
    Worker first = pool.acquire();
    assertNotSame(first, pool.acquire());
  }

  @Test
  void makesAsManyWorkersAsThereAreConcurrentAppends() {
    List<Worker> workers = Stream.generate(pool::acquire).limit(SIZE).toList();
    workers.forEach(pool::release);
    assertEquals(SIZE, pool.idle());
    workers.forEach(worker -> assertFalse(isClosed(worker)));
  }

  @Test
  @Timeout(60)
  void aThreadThatFindsNoWorkerWaitsForOne() throws Exception {
    List<Worker> workers = Stream.generate(pool::acquire).limit(SIZE).toList();
    CompletableFuture<Worker> waiting = CompletableFuture.supplyAsync(pool::acquire);
    assertThrows(TimeoutException.class, () -> waiting.get(50, TimeUnit.MILLISECONDS));
    pool.release(workers.get(3));
    assertSame(workers.get(3), waiting.get());
  }

  @Test
  void hasTwoSlotsPerProcessorAndSixteenAtLeast() {
    int size = Math.max(16, 2 * Runtime.getRuntime().availableProcessors());
    assertEquals(size, new WorkerPool(ERRORS, GzipInflater.JDK).size());
  }

  /** Closed workers would else wait for a collection that seldom comes. */
  @Test
  void theNextWorkerGetsTheDirectBuffersOfAClosedOne() {
    directBytesAfterAClosedWorker(); // other tests may have left buffers of some sizes
    long before = directBytesAfterAClosedWorker();
    for (int i = 0; i < 20; i++) {
      assertEquals(before, directBytesAfterAClosedWorker());
    }
  }

  private long directBytesAfterAClosedWorker() {
    Worker worker = pool.acquire();
    ByteBuffer batch = Batches.of(Codec.ZSTD, new SimpleRecord(Batches.nowMs(), new byte[100]));
    Policy storing = Batches.storing(Policy.CLIENT, Codec.ZSTD);
    assertTrue(worker.inspect(batch, Policy.CLIENT, Codec.LZ4, Batches.nowMs()));
    assertTrue(worker.rebuild(batch, storing, Codec.ZSTD, 0, Batches.nowMs()));
    assertThrows(KafkaException.class, () -> inspectNothing(worker));
    pool.release(worker);
    assertEquals(0, pool.idle());
    return DirectMemory.bytes();
  }

  @Test
  void keepsNoBrokenWorker() {
    Worker worker = pool.acquire();
    assertThrows(KafkaException.class, () -> inspectNothing(worker));
    pool.release(worker);
    assertEquals(0, pool.idle());
    assertTrue(isClosed(worker), "what failed must not be used again");
  }

  /** A record that declares and has 32 MB, to be rebuilt: much memory for few bytes. */
  @Test
  void keepsNoWorkerThatHoldsMuch() {
    Worker worker = pool.acquire();
    ByteBuffer batch = Batches.of(Codec.GZIP, new SimpleRecord(new byte[32 << 20]));
    Policy storing = Batches.storing(Policy.CLIENT, Codec.ZSTD);
    assertTrue(worker.rebuild(batch, storing, Codec.GZIP, 0, Batches.nowMs()));
    pool.release(worker);
    assertEquals(0, pool.idle());
    assertTrue(isClosed(worker));
  }

  /** A block of 32 MB, looked at ahead of its append, or where it is called uncompressed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsNoWorkerThatDecodedMuch(boolean ahead) throws IOException {
    byte[] block = Snappy.compress(Batches.plainRecords(new SimpleRecord(new byte[32 << 20])));
    ByteBuffer batch = Batches.ofPayload(Codec.SNAPPY, 1, block);
    Worker worker = pool.acquire();
    assertTrue(
        ahead
            ? worker.inspectAhead(batch, Policy.CLIENT, Batches.nowMs(), new MutableVerdict())
            : worker.check(batch, Policy.CLIENT, Batches.nowMs()));
    pool.release(worker);
    assertEquals(0, pool.idle());
    assertTrue(isClosed(worker));
  }

  /** Each of a million records has no key: what is remembered of them is memory, too. */
  @Test
  void keepsNoWorkerThatRemembersMuch() {
    int records = 1 << 20;
    WorkerPool forgetful = new WorkerPool(ERRORS, GzipInflater.JDK, HOMES, SIZE);
    WorkerPool thorough = new WorkerPool(records, GzipInflater.JDK, HOMES, SIZE);
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, records, plainRecords(records));
    for (WorkerPool each : List.of(forgetful, thorough)) {
      Worker worker = each.acquire();
      Policy policy = Policy.CLIENT.toBuilder().compactedTopic(true).build();
      assertFalse(worker.inspect(batch, policy, Codec.LZ4, Batches.nowMs()));
      assertEquals(records, worker.verdict().failureTotal());
      each.release(worker);
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
    Set<Worker> seen = Collections.newSetFromMap(new ConcurrentHashMap<>());
    for (int i = 0; i < 200; i++) {
      Thread thread =
          new Thread(
              () -> {
                Worker worker = pool.acquire();
                seen.add(worker);
                pool.release(worker);
              });
      thread.start();
      thread.join();
    }
    assertEquals(HOMES, seen.size(), "threads that meet no other share the homes");
    assertEquals(HOMES, pool.idle());
  }

  /** Whatever its home, a thread that finds it taken does not warm up another worker. */
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
  void neverSharesAWorker() throws InterruptedException {
    Set<Worker> inUse = Collections.newSetFromMap(new ConcurrentHashMap<>());
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
                    Worker worker = pool.acquire();
                    if (!inUse.add(worker)) {
                      shared.add("round " + round);
                    }
                    inUse.remove(worker);
                    pool.release(worker);
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

  private static boolean isClosed(Worker worker) {
    try {
      worker.inspect(Batches.ofPlain(Codec.NONE, 0, new byte[0]), Policy.CLIENT, Codec.LZ4, 0);
      return false;
    } catch (KafkaException e) {
      return e.getCause() instanceof IllegalStateException;
    }
  }

  @SuppressWarnings("NullAway") // makes our own code fail
  private static void inspectNothing(Worker worker) {
    worker.inspect(null, Policy.CLIENT, Codec.LZ4, 0);
  }
}
