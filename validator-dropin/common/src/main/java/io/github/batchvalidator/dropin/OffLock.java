// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry point of the agent {@code validator-dropin-agent}. The agent adds calls of this class
 * to {@code UnifiedLog.append}, before the partition lock is taken (docs/decisions/012-agent.md).
 *
 * <p>Never throws: after a failed inspection, the append inspects the batch itself. Safe for all
 * threads, virtual threads too.
 */
public final class OffLock {
  private static final Logger LOG = LoggerFactory.getLogger(OffLock.class);
  private static final AtomicBoolean LOGGED = new AtomicBoolean();

  private OffLock() {}

  /**
   * Inspects the records of an append, after the broker's own checks and before the lock.
   *
   * @param records Kafka's {@code MemoryRecords}, the object that {@code LogValidator} will receive
   * @param buffer a new buffer object around the records
   * @param origin an {@code AppendOrigin}; only records from clients are inspected
   * @param lastAppend the result of this method for the log's last append, or null
   * @return the object that the log must keep for its next append
   */
  public static @Nullable Object enter(
      Object records, ByteBuffer buffer, Object origin, @Nullable Object lastAppend) {
    try {
      return DropIn.offLock()
          .enter(records, buffer, origin, lastAppend, System.currentTimeMillis());
    } catch (Throwable e) { // the append continues and inspects the batch under the lock
      logFirst(e);
      return lastAppend;
    }
  }

  /** Logs the first failure. The counts include all of them. Logging fails if memory runs out. */
  private static void logFirst(Throwable thrown) {
    try {
      if (LOGGED.compareAndSet(false, true)) {
        LOG.warn(
            "An inspection before the partition's lock failed; the append was inspected under it."
                + " Later failures are only counted.",
            thrown);
      }
    } catch (Throwable e) {
      return;
    }
  }

  /** Ends what {@link #enter} began, whether the append succeeded or threw. */
  public static void leave() {
    try {
      DropIn.offLock().leave();
    } catch (Throwable e) { // out of memory or stack: the thread's next inspection clears the state
      return;
    }
  }
}
