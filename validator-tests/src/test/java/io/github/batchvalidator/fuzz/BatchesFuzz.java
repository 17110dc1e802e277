// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.testing.BufferKind;
import java.nio.ByteBuffer;

/** Any bytes to the iterator over batches. */
final class BatchesFuzz {
  private BatchesFuzz() {}

  static void run(byte[] bytes) {
    Trace first = walk(bytes, BufferKind.HEAP, (byte) 0);
    for (BufferKind kind : BufferKind.values()) {
      walk(bytes, kind, (byte) 2).requireSame(first, kind.name());
    }
  }

  private static Trace walk(byte[] bytes, BufferKind kind, byte guard) {
    Untouched untouched = new Untouched(kind, bytes, guard);
    ByteBuffer buffer = untouched.buffer();
    int start = buffer.position();
    Trace trace = new Trace();
    BatchIterator batches = new BatchIterator().wrap(buffer, start, buffer.limit());
    int next = start;
    while (batches.next()) {
      Fuzzing.require(batches.start() == next, "starts at " + batches.start() + ", not " + next);
      Fuzzing.require(0 <= batches.magic() && batches.magic() <= 2, "magic " + batches.magic());
      next += batches.sizeInBytes();
      Fuzzing.require(
          batches.start() < next && next <= buffer.limit(), "size " + batches.sizeInBytes());
      trace.add(batches.sizeInBytes()).add(batches.magic());
    }
    Fuzzing.require(batches.start() == next, "ends at " + batches.start() + ", not " + next);
    Fuzzing.require(
        batches.failure() != null || next == buffer.limit(), "stopped early, at " + next);
    untouched.require();
    return trace.add(batches.failure()).add(batches.operand()).add(batches.left());
  }
}
