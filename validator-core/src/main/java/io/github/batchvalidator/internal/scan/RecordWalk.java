// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the walks over plain bytes: the window, the current record's index and the
 * fault that ended the walk. Each subclass reads records in its own way. Only final methods are
 * called through this type.
 *
 * <p>Never allocates. Confined to one thread.
 */
public abstract class RecordWalk {
  private final ByteWindow nothing = new ByteWindow();

  ByteWindow window = nothing;
  int index;
  long start;

  /** True once the declared records were read and the end of the stream is checked. */
  boolean atEnd;

  /** True if the window learns the size of each record before the record is read. */
  boolean announcing;

  /** The fault of the walk; the window may have one, too. */
  final Fault own = new Fault();

  RecordWalk() {}

  /** Starts before the first record. */
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
   * Announces the size of each record to the {@linkplain ByteWindow#expect window} until the next
   * start. Kafka's full reader reads each record in one call, and the size of that call affects
   * which faults of a stream Kafka detects.
   */
  public final void announceRecords() {
    announcing = true;
  }

  final void releaseWindow() {
    window = nothing;
  }

  /** Notes the fault that ends the walk. Returns false, so that a step can end with it. */
  final boolean fail(Reason why, long first, long second) {
    return own.set(why, first, second);
  }

  /** {@return the index of the current record in the batch, from 0; -1 before the first record} */
  public final int index() {
    return index;
  }

  /** {@return the start of the current record, in plain bytes from the first record} */
  public final long start() {
    return start;
  }

  /** {@return true if {@link #failure()} occurred after the last declared record} */
  public final boolean isAtEnd() {
    return atEnd;
  }

  /** {@return the window that is read; its positions locate a fault} */
  public final ByteWindow window() {
    return window;
  }

  /** {@return the fault of the records or of the stream below them, if there is one} */
  public final Fault fault() {
    return own.isSet() ? own : window.fault();
  }

  /** {@return the reason of {@link #fault()}, or null} */
  public final @Nullable Reason failure() {
    return fault().reason();
  }
}
