// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the agent of {@code validator-dropin-agent} enters: code that it adds to {@code
 * UnifiedLog.append} calls this class before the partition's lock is taken, so that {@code
 * LogValidator}, which is called under the lock, only has to stamp (docs/decisions/012-agent.md).
 *
 * <p>Nothing gets out of it: an append whose inspection failed is an append without one. Safe for
 * all threads, virtual ones too.
 */
public final class OffLock {
  private static final Logger LOG = LoggerFactory.getLogger(OffLock.class);
  private static final AtomicBoolean TOLD = new AtomicBoolean();
  private static final OffLockCounts COUNTS = new OffLockCounts();
  private static final ThreadLocal<@Nullable Ahead> AHEAD = new ThreadLocal<>();

  private static volatile boolean hooked;

  private OffLock() {}

  /**
   * Inspects what is about to be appended, behind the caller's own checks and before the lock.
   *
   * @param records Kafka's {@code MemoryRecords}, the object that {@code LogValidator} will get
   * @param buffer its bytes; the buffer object is ours alone
   * @param origin an {@code AppendOrigin}; only what clients send is inspected
   * @param known what this method returned at the log's last append, or null
   * @return what the log is to keep for its next append
   */
  public static @Nullable Object enter(
      Object records, ByteBuffer buffer, Object origin, @Nullable Object known) {
    return enter(records, buffer, origin, known, System.currentTimeMillis());
  }

  static @Nullable Object enter(
      Object records, ByteBuffer buffer, Object origin, @Nullable Object known, long nowMs) {
    try {
      if (!hooked) {
        hooked = true;
      }
      if (origin != AppendOrigin.CLIENT || !DropIn.inspectsOffLock()) {
        return known;
      }
      KnownLog log = known instanceof KnownLog last ? last : new KnownLog();
      ahead().inspect(DropIn.workers(), log, records, buffer, nowMs);
      return log;
    } catch (Throwable e) { // the append goes on, and is inspected where Kafka does it
      tell(e);
      return known;
    }
  }

  /** The first is told, all are counted. To tell may fail as well, where memory has run out. */
  private static void tell(Throwable thrown) {
    try {
      if (TOLD.compareAndSet(false, true)) {
        LOG.warn(
            "An inspection before the partition's lock failed; the append was inspected under it."
                + " Later ones are counted only.",
            thrown);
      }
    } catch (Throwable e) {
      return;
    }
  }

  /** Ends what {@link #enter} began, whether the append succeeded or threw. */
  public static void leave() {
    try {
      Ahead ahead = AHEAD.get();
      if (ahead != null) {
        ahead.clear();
      }
    } catch (Throwable e) { // out of memory or stack: the thread's next inspection clears
      return;
    }
  }

  private static Ahead ahead() {
    Ahead ahead = AHEAD.get();
    if (ahead == null) {
      ahead = new Ahead(COUNTS);
      AHEAD.set(ahead);
    }
    return ahead;
  }

  /** {@return the inspection of the append that this thread is in, or null if there is none} */
  static @Nullable Ahead current() {
    Ahead ahead = hooked ? AHEAD.get() : null;
    return ahead != null && ahead.isOpen() ? ahead : null;
  }

  /** {@return true if the agent's code has called} */
  static boolean isHooked() {
    return hooked;
  }

  static OffLockCounts counts() {
    return COUNTS;
  }
}
