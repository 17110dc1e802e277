// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import java.nio.ByteBuffer;

/** Any plain bytes to the iterator of magic 0 and 1, under any header of the message around. */
final class MessagesFuzz {

  /** The head of a message around others, up to its timestamp and a little more. */
  static final int OUTER_BYTES = 34;

  private static final int RESTING_BYTES = 1 << 16;

  private final Limits limits;
  private final LegacyHeader outer = new LegacyHeader();
  private final byte[] plain;
  private final ByteWindow window = new ByteWindow();
  private final LegacyMessageIterator messages = new LegacyMessageIterator();

  private MessagesFuzz(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    byte magic = (byte) input.choice(2);
    limits =
        Limits.UNBOUNDED_AS_KAFKA
            .with(
                Limit.RECORD_BYTES, input.of(Limits.UNLIMITED, Limits.LARGEST_RECORD_BYTES, 100, 1))
            .with(Limit.REBUILT_BYTES, input.of(1 << 20, 100, 1));
    byte[] header = input.take(OUTER_BYTES);
    header[BatchLayout.MAGIC_OFFSET] = magic;
    ByteBuffer sized = ByteBuffer.wrap(header);
    sized.putInt(BatchLayout.LENGTH_OFFSET, OUTER_BYTES - BatchLayout.LOG_OVERHEAD);
    outer.read(sized, 0);
    plain = input.rest();
  }

  static void run(byte[] bytes) {
    MessagesFuzz fuzz = new MessagesFuzz(bytes);
    for (boolean whole : new boolean[] {false, true}) {
      Trace first = fuzz.readAll(Portions.LARGE, whole);
      for (Portions portions : Portions.values()) {
        Trace again = fuzz.readAll(portions, whole);
        if (!whole || fuzz.limits.rebuiltBytes() > fuzz.plain.length) { // a copy is bounded by it
          again.requireSame(first, portions + ", whole " + whole);
        }
      }
    }
  }

  private Trace readAll(Portions portions, boolean whole) {
    Trace trace = new Trace();
    portions.open(plain, limits, window);
    messages.open(window, outer, limits, whole);
    while (messages.next()) {
      add(trace, whole);
    }
    trace.add(messages.finish()).add(messages.failure());
    trace.add(messages.fault().first()).add(messages.fault().second()).add(messages.index());
    trace.add(messages.bytesRead()).add(messages.droppedBytes());
    Fuzzing.require(window.plainPosition() <= plain.length, "read " + window.plainPosition());
    Fuzzing.require(
        messages.heapBytes() <= RESTING_BYTES + 4L * plain.length, "holds " + messages.heapBytes());
    messages.clear();
    return trace;
  }

  private void add(Trace trace, boolean whole) {
    trace.add(messages.index()).add(messages.start()).add(messages.offset()).add(messages.size());
    trace.add(messages.magic()).add(messages.attributes()).add(messages.codecId());
    trace.add(messages.crc()).add(messages.computedCrc()).add(messages.timestamp());
    if (!messages.hasKeySize()) {
      return;
    }
    trace.add(messages.keySize());
    if (messages.fieldsEnd() <= messages.size()) {
      trace.add(messages.valueSize());
      if (whole) {
        int end = messages.valuePosition() + Math.max(messages.valueSize(), 0);
        Fuzzing.require(
            0 <= messages.keyPosition() && end <= messages.array().length, "places of the fields");
      }
    }
  }
}
