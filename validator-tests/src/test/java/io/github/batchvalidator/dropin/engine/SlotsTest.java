// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A slot belongs to one thread at a time, none is lost, and waiting threads get one soon. */
@Timeout(120)
class SlotsTest {
  private static final int HOMES = 2;
  private static final int SIZE = 3;
  private static final long HELD_NANOS = 2_000_000;

  private final Slots slots = new Slots(HOMES, SIZE);
  private final AtomicIntegerArray owners = new AtomicIntegerArray(SIZE);
  private final AtomicInteger shared = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();

  /** Many more threads than slots, some of which are slow. */
  @Test
  void neverSharesOrLosesASlot() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      Thread thread = new Thread(() -> takeAndFree(4_000));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertAllFree(32 * 4_000);
  }

  @Test
  void neverSharesOrLosesASlotAmongVirtualThreads() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "needs virtual threads");
    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      threads.add((Thread) start.invoke(null, (Runnable) () -> takeAndFree(20)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertAllFree(3_000 * 20);
  }

  private void takeAndFree(int rounds) {
    for (int round = 0; round < rounds; round++) {
      int slot = slots.take();
      shared.addAndGet(owners.getAndIncrement(slot) == 0 ? 0 : 1);
      if (round % 64 == 0) {
        LockSupport.parkNanos(1_000);
      }
      owners.decrementAndGet(slot);
      slots.free(slot);
      done.incrementAndGet();
    }
  }

  private void assertAllFree(int rounds) {
    assertEquals(rounds, done.get());
    assertEquals(0, shared.get(), "slots with two owners");
    for (int slot = 0; slot < SIZE; slot++) {
      assertTrue(slots.isFree(slot), "slot " + slot + " was lost");
    }
  }

  /** Each of the others takes its slot again before a waiting thread wakes up. */
  @Test
  void aWaitingThreadGetsASlotAmongBusyOnes() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> busy = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      Thread thread =
          new Thread(
              () -> {
                int slot = slots.take();
                while (!stop.get()) {
                  spin();
                  slots.free(slot);
                  slot = slots.take();
                }
                slots.free(slot);
              });
      thread.start();
      busy.add(thread);
    }
    for (int i = 0; i < 200; i++) {
      slots.free(CompletableFuture.supplyAsync(slots::take).get());
    }
    stop.set(true);
    for (Thread thread : busy) {
      thread.join();
    }
    assertAllFree(0);
  }

  private static void spin() {
    long end = System.nanoTime() + HELD_NANOS;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anInterruptIsKeptAndDoesNotEndTheWait() throws Exception {
    int[] all = {slots.take(), slots.take(), slots.take()};
    AtomicInteger got = new AtomicInteger(-1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiting =
        new Thread(
            () -> {
              got.set(slots.take());
              interrupted.set(Thread.interrupted());
            });
    waiting.start();
    waiting.interrupt();
    waiting.join(50);
    assertTrue(waiting.isAlive());
    slots.free(all[1]);
    waiting.join();
    assertEquals(all[1], got.get());
    assertTrue(interrupted.get());
  }
}
