// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.util.concurrent.locks.LockSupport;

/** The time of a scrub, and its way to wait. Tests have a clock that does not wait. */
public interface ScrubClock {
  /** The clock of this machine. */
  ScrubClock SYSTEM =
      new ScrubClock() {
        @Override
        public long millis() {
          return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) {
          LockSupport.parkNanos(nanos);
        }
      };

  /** Returns the time of day in milliseconds since 1970. It may be set back. */
  long millis();

  /** Returns a time in nanoseconds that is never set back. */
  long nanos();

  /** Waits. May return early. */
  void sleep(long nanos);
}
