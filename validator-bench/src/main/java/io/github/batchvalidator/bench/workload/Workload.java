// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import io.github.batchvalidator.rule.Codec;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * The properties of a benchmark's batches.
 *
 * @param codec how they are compressed, at the codec's default level
 * @param records in each batch
 * @param valueBytes of each record, at least 100
 * @param payload what the values are
 * @param shape what a record has beside its value
 * @param memory where the batches lie
 */
public record Workload(
    Codec codec,
    int records,
    int valueBytes,
    PayloadKind payload,
    RecordShape shape,
    Memory memory) {
  private static final long SEED = 20_251_121L;
  private static final long FIRST_TIME_MS = 1_700_000_000_000L;

  /** Records less than this are apart, in milliseconds. */
  private static final int TIME_STEP_MS = 3;

  /** Returns a workload of plain JSON events on the heap. */
  public static Workload json(Codec codec, int records, int valueBytes) {
    return new Workload(
        codec, records, valueBytes, PayloadKind.JSON, RecordShape.PLAIN, Memory.HEAP);
  }

  /** Returns the codec that a benchmark's parameter names in small letters. */
  public static Codec codec(String name) {
    return Codec.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Returns this workload with other values. */
  public Workload of(PayloadKind other) {
    return new Workload(codec, records, valueBytes, other, shape, memory);
  }

  /** Returns this workload with other records. */
  public Workload shaped(RecordShape other) {
    return new Workload(codec, records, valueBytes, payload, other, memory);
  }

  /** Returns this workload in other memory. */
  public Workload in(Memory other) {
    return new Workload(codec, records, valueBytes, payload, shape, other);
  }

  /** Returns batches of different content. */
  public ProducedBatch[] batches(int count) {
    return each(count, i -> ProducedBatch.of(codec, memory, simpleRecords(i)));
  }

  /** Returns the records of {@link #batches} in messages of magic 1. */
  public ProducedBatch[] messages(int count) {
    return each(count, i -> ProducedBatch.messages(codec, memory, simpleRecords(i)));
  }

  private static ProducedBatch[] each(int count, IntFunction<ProducedBatch> batch) {
    return IntStream.range(0, count).mapToObj(batch).toArray(ProducedBatch[]::new);
  }

  /** Returns the first of {@link #batches}. */
  public ProducedBatch first() {
    return batches(1)[0];
  }

  /** Returns the records of the i-th batch. */
  SimpleRecord[] simpleRecords(int i) {
    SplittableRandom random = new SplittableRandom(SEED + i);
    ValueSource values = payload.values(random);
    SimpleRecord[] all = new SimpleRecord[records];
    long timeMs = FIRST_TIME_MS;
    for (int r = 0; r < records; r++) {
      timeMs += random.nextInt(TIME_STEP_MS);
      all[r] = shape.record(timeMs, values.next(valueBytes, timeMs), random);
    }
    return all;
  }
}
