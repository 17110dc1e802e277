// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.internal.scan.RecordWalk;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;

/** Any plain bytes to the two iterators of magic 2. */
final class RecordsFuzz {
  private static final int RESTING_BYTES = 1 << 16;

  private final int count;
  private final Limits limits;
  private final boolean stored;
  private final byte[] plain;
  private final ByteWindow window = new ByteWindow();
  private final SkipKeyValueIterator skipping = new SkipKeyValueIterator();
  private final RecordIterator reading = new RecordIterator();

  private RecordsFuzz(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    stored = input.flag();
    limits =
        Limits.UNBOUNDED_AS_KAFKA
            .with(
                Limit.RECORD_BYTES, input.of(Limits.UNLIMITED, Limits.LARGEST_RECORD_BYTES, 100, 1))
            .with(Limit.REBUILT_BYTES, input.of(1 << 20, 100, 1))
            .with(Limit.HEADERS, input.of(Limits.UNLIMITED, 100, 1))
            .with(Limit.HEADER_BYTES, input.of(Limits.UNLIMITED, 100, 1));
    count = input.number();
    plain = input.rest();
  }

  static void skip(byte[] bytes) {
    RecordsFuzz fuzz = new RecordsFuzz(bytes);
    Trace first = fuzz.skipAll(Portions.LARGE, false);
    for (Portions portions : Portions.values()) {
      fuzz.skipAll(portions, false).requireSame(first, portions.name());
      fuzz.skipAll(portions, true).requireSame(first, "strictly, " + portions);
    }
  }

  static void read(byte[] bytes) {
    RecordsFuzz fuzz = new RecordsFuzz(bytes);
    Trace first = fuzz.readAll(Portions.LARGE);
    boolean readable = fuzz.reading.failure() == null;
    for (Portions portions : Portions.values()) {
      Trace again = fuzz.readAll(portions);
      if (fuzz.isRoomy()) {
        again.requireSame(first, portions.name());
      }
    }
    if (readable) {
      fuzz.readAsSkipped();
    }
  }

  /**
   * Only a record that lies across a border is copied, and so bounded by what a rebuild may take.
   */
  private boolean isRoomy() {
    return limits.rebuiltBytes() > plain.length + RecordLayout.MAX_VARINT_BYTES;
  }

  private Trace skipAll(Portions portions, boolean strictly) {
    Trace trace = new Trace();
    portions.open(plain, limits, window);
    if (stored) {
      skipping.openStored(window, count, plain.length, limits);
    } else {
      skipping.open(window, count, limits);
    }
    while (strictly ? skipping.nextStrict(null) : skipping.next()) {
      addSkipped(trace);
    }
    trace.add(skipping.declaredBytes()).add(skipping.finish());
    end(trace, skipping);
    return trace;
  }

  private void addSkipped(Trace trace) {
    trace.add(skipping.index()).add(skipping.start()).add(skipping.bodySize());
    trace.add(skipping.attributes()).add(skipping.timestampDelta()).add(skipping.offsetDelta());
    trace.add(skipping.keySize()).add(skipping.valueSize()).add(skipping.headerCount());
  }

  private void end(Trace trace, RecordWalk walk) {
    trace
        .add(walk.failure())
        .add(walk.fault().first())
        .add(walk.fault().second())
        .add(walk.index());
    Fuzzing.require(window.plainPosition() <= plain.length, "read " + window.plainPosition());
    Fuzzing.require(walk.index() < Math.max(count, 1), "record " + walk.index());
  }

  private Trace readAll(Portions portions) {
    Trace trace = new Trace();
    portions.open(plain, limits, window);
    openReading();
    while (reading.next()) {
      addRead(trace);
      addPlaces(trace);
    }
    trace.add(reading.declaredBytes()).add(reading.finish());
    end(trace, reading);
    Fuzzing.require(
        reading.heapBytes() <= RESTING_BYTES + 4L * plain.length, "holds " + reading.heapBytes());
    reading.release();
    return trace;
  }

  private void openReading() {
    if (stored) {
      reading.openStored(window, count, plain.length, limits);
    } else {
      reading.open(window, count, limits);
    }
  }

  private void addRead(Trace trace) {
    trace.add(reading.index()).add(reading.start()).add(reading.bodySize());
    trace.add(reading.attributes()).add(reading.timestampDelta()).add(reading.offsetDelta());
    trace.add(reading.keySize()).add(reading.valueSize()).add(reading.headerCount());
  }

  private void addPlaces(Trace trace) {
    int end = reading.end();
    // The position of a length field is only known if the field is canonical.
    int from = reading.isCanonical() ? reading.position() : end - reading.bodySize();
    Fuzzing.require(0 <= from && from <= end && end <= reading.array().length, "record's place");
    int keyEnd = reading.keyPosition() + Math.max(reading.keySize(), 0);
    int valueEnd = reading.valuePosition() + Math.max(reading.valueSize(), 0);
    Fuzzing.require(
        from < reading.keyPosition()
            && keyEnd <= reading.valuePosition()
            && valueEnd <= reading.headersPosition()
            && reading.headersPosition() <= end,
        "places of the fields");
    trace.add(reading.isCanonical()).add(reading.hasCanonicalHeaders());
    for (int at = from; at < end; at++) {
      trace.add(reading.array()[at]);
    }
  }

  /** Records that can be read as a whole can also be skipped: lengths and fields are the same. */
  private void readAsSkipped() {
    Trace read = new Trace();
    Portions.LARGE.open(plain, limits, window);
    openReading();
    while (reading.next()) {
      addRead(read);
    }
    Trace skipped = new Trace();
    Portions.LARGE.open(plain, limits, window);
    if (stored) {
      skipping.openStored(window, count, plain.length, limits);
    } else {
      skipping.open(window, count, limits);
    }
    while (skipping.next()) {
      addSkipped(skipped);
    }
    skipped.requireSame(read, "skipped and read");
  }
}
