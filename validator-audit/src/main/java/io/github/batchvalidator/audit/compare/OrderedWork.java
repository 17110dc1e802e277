// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Messages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work on numbered items by several threads, whose results are taken in the order of the items.
 *
 * @param <R> the type of the results
 */
final class OrderedWork<R> {
  /** The number of results that may wait for the result of an earlier item. */
  private static final int MAX_AHEAD = 256;

  private final int items;
  private final Consumer<R> results;
  private final Map<Integer, R> waiting = new HashMap<>();
  private int next;
  private int turn;
  private @Nullable Throwable failure;

  /**
   * What one thread uses.
   *
   * @param <R> the type of the results
   */
  interface Worker<R> extends AutoCloseable {
    /** Returns the result for an item. */
    R work(int item);

    @Override
    void close();
  }

  /**
   * Creates work that has not started.
   *
   * @param items the number of items
   * @param results takes the results in their order, by one thread at a time
   */
  OrderedWork(int items, Consumer<R> results) {
    this.items = items;
    this.results = results;
  }

  /** Returns when all items are done. Throws if a thread failed unexpectedly. */
  void run(int threads, Supplier<? extends Worker<R>> workers) throws InterruptedException {
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < Math.min(threads, items); i++) {
      Thread thread = new Thread(() -> work(workers), "compare-" + i);
      thread.start();
      started.add(thread);
    }
    for (Thread thread : started) {
      thread.join();
    }
    Throwable why = failure();
    if (why != null) {
      throw new IllegalStateException("a thread failed: " + Messages.of(why), why);
    }
  }

  private void work(Supplier<? extends Worker<R>> workers) {
    try (Worker<R> worker = workers.get()) {
      for (int item = take(); item >= 0; item = take()) {
        add(item, worker.work(item));
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      failed(e);
    }
  }

  /** Returns the next item, or -1. */
  private synchronized int take() {
    return failure != null || next == items ? -1 : next++;
  }

  /** Passes results on in their order. Waits if the result is too far ahead. */
  private synchronized void add(int item, R result) throws InterruptedException {
    while (item - turn > MAX_AHEAD && failure == null) {
      wait();
    }
    waiting.put(item, result);
    for (R each = waiting.remove(turn); each != null; each = waiting.remove(turn)) {
      results.accept(each);
      turn++;
    }
    notifyAll();
  }

  private synchronized void failed(Throwable why) {
    failure = failure == null ? why : failure;
    notifyAll();
  }

  private synchronized @Nullable Throwable failure() {
    return failure;
  }
}
