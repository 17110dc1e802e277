// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lease on native memory: one batch holds it, and memory is freed between batches only.
 *
 * <p>{@link #take} and {@link #give} are called once per batch. They cost one compare-and-set and
 * one ordered write. {@link #close} may be called by any thread.
 */
public final class Lease {
  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int CLOSED = 2;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;

  private static final VarHandle STATE = state();

  @SuppressWarnings("unused") // by its handle
  private volatile int state;

  /** Set first by {@link #close}, so that a thread with batch after batch lets it through. */
  private volatile boolean closing;

  public Lease() {}

  private static VarHandle state() {
    try {
      return MethodHandles.lookup().findVarHandle(Lease.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Takes the lease for a batch.
   *
   * @return false if it is closed or about to be, or taken by another thread
   */
  public boolean take() {
    return !closing && STATE.compareAndSet(this, FREE, TAKEN);
  }

  /** Ends a batch. Only for the thread that holds the lease. */
  public void give() {
    STATE.setRelease(this, FREE);
  }

  /**
   * Closes the lease for good. Waits for the batch that holds it, if there is one.
   *
   * @return true if this call has closed it, so that the caller frees the memory
   */
  public boolean close() {
    closing = true;
    for (int i = 0; !STATE.compareAndSet(this, FREE, CLOSED); i++) {
      if (state == CLOSED) {
        return false;
      }
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
    return true;
  }
}
