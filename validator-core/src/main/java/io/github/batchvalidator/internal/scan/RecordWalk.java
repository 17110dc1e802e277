// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What the walks over plain bytes have in common: the window that they read, which record is the
 * current one, and the fault that ended them. How a record is read is each one's own, and nothing
 * is called through this type but what is final here.
 *
 * <p>Never allocates. Confined to one thread.
 */
public abstract sealed class RecordWalk permits BatchRecordWalk, LegacyMessageIterator {
  private final ByteWindow nothing = new ByteWindow();

  ByteWindow window = nothing;
  int index;
  long start;

  /** True once the declared records were read and only the end of the stream is looked at. */
  boolean atEnd;

  /** Whether the window is told how large a record is before the record is walked. */
  boolean announcing;

  /** The walk's own fault; the window may have one, too. */
  final Fault own = new Fault();

  RecordWalk() {}

  /** Starts in front of the first record. */
  final void begin(ByteWindow plain) {
    if (window != plain) { // nearly always the same, and a reference costs more to write
      window = plain;
    }
    index = -1;
    start = 0;
    atEnd = false;
    announcing = false;
    own.clear();
  }

  /**
   * Has the window {@linkplain ByteWindow#expect told} the size of each record until the next
   * start. Kafka's full reader takes a record in one go, and what it takes in one go decides about
   * some faults of a stream.
   */
  public final void announceRecords() {
    announcing = true;
  }

  /** Lets go of the window. */
  final void letGo() {
    window = nothing;
  }

  /** Notes the fault that ends the walk; false, so that a step can end with it. */
  final boolean fail(Reason why, long first, long second) {
    return own.set(why, first, second);
  }

  /** {@return the index in the batch of the current record, from 0; -1 before the first one} */
  public final int index() {
    return index;
  }

  /** {@return where the current record starts, in plain bytes from the first one} */
  public final long start() {
    return start;
  }

  /** {@return true if {@link #failure()} was met after the last declared record} */
  public final boolean isAtEnd() {
    return atEnd;
  }

  /** {@return the window that is read; how far it was read tells where a fault is} */
  public final ByteWindow window() {
    return window;
  }

  /** {@return what is wrong with the records or the stream below them, if anything is} */
  public final Fault fault() {
    return own.isSet() ? own : window.fault();
  }

  /** {@return the reason of {@link #fault()}, or null} */
  public final @Nullable Reason failure() {
    return fault().reason();
  }
}
