// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import io.github.batchvalidator.rule.Codec;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** What properties are tried with: the shapes of records, batches, buffers and policies. */
public final class RecordArbitraries {
  private static final int MOST_RECORDS = 1000;
  private static final int LARGEST_VALUE_BYTES = 20_000;
  private static final int MOST_HEADERS = 5;

  private RecordArbitraries() {}

  /** Returns each codec, plain batches included. */
  public static Arbitrary<Codec> codecs() {
    return Arbitraries.of(Codec.class);
  }

  /** Returns lists of 0 to 1000 records, most of them short. */
  public static Arbitrary<List<SimpleRecord>> recordLists() {
    return records()
        .list()
        .ofMaxSize(MOST_RECORDS)
        .withSizeDistribution(RandomDistribution.biased());
  }

  /** Returns lists of 1 to 8 records. */
  public static Arbitrary<List<SimpleRecord>> fewRecords() {
    return records().list().ofMinSize(1).ofMaxSize(8);
  }

  /** Returns records of all shapes: null, empty, short and long fields; any timestamp. */
  public static Arbitrary<SimpleRecord> records() {
    return Combinators.combine(timestamps(), fields(), fields(), headers())
        .as(
            (timestamp, key, value, headers) ->
                new SimpleRecord(timestamp, key.bytes(), value.bytes(), headers));
  }

  /** Returns none, the time of the batch, around it, and negative ones. */
  private static Arbitrary<Long> timestamps() {
    long now = Batches.nowMs();
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.just(now)),
        Tuple.of(4, Arbitraries.longs().between(now - 100, now + 100)),
        Tuple.of(2, Arbitraries.longs().between(now - 100_000_000L, now + 100_000_000L)),
        Tuple.of(1, Arbitraries.just(-1L)),
        Tuple.of(1, Arbitraries.longs().between(-1000L, 1000L)),
        Tuple.of(1, Arbitraries.of(0L, -2L, Long.MIN_VALUE, Long.MAX_VALUE, now + Long.MIN_VALUE)));
  }

  /** The bytes of a key or value; half of all seeds give bytes that compress well. */
  private record Field(int size, int seed) {
    byte @Nullable [] bytes() {
      if (size < 0) {
        return null;
      }
      byte[] bytes = new byte[size];
      int state = seed | 1;
      for (int i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (byte) (seed < 0 ? state >>> 24 : 'a' + i % 20);
      }
      return bytes;
    }
  }

  /** Returns null and fields whose length takes a varint of 1, 2 and 3 bytes. */
  private static Arbitrary<Field> fields() {
    Arbitrary<Integer> sizes =
        Arbitraries.frequencyOf(
            Tuple.of(20, Arbitraries.just(-1)),
            Tuple.of(20, Arbitraries.just(0)),
            Tuple.of(80, Arbitraries.integers().between(1, 20)),
            Tuple.of(10, Arbitraries.of(63, 64, 127, 128, 129, 300)),
            Tuple.of(2, Arbitraries.integers().between(1000, 9000)),
            Tuple.of(1, Arbitraries.of(8191, 8192, LARGEST_VALUE_BYTES)));
    return Combinators.combine(sizes, Arbitraries.integers()).as(Field::new);
  }

  private static Arbitrary<Header[]> headers() {
    Arbitrary<String> keys = Arbitraries.of("", "a", "trace-id", "ключ", "鍵", "k".repeat(130));
    Arbitrary<Integer> sizes = Arbitraries.of(-1, 0, 1, 8, 64, 200);
    Arbitrary<Header> header =
        Combinators.combine(keys, sizes, Arbitraries.integers())
            .as((key, size, seed) -> new RecordHeader(key, new Field(size, seed).bytes()));
    return header.array(Header[].class).ofMaxSize(MOST_HEADERS);
  }

  /** Returns what a damaged header field may hold: small, large, near both ends, anything. */
  public static Arbitrary<Long> fieldValues() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.longs().between(-5, 20)),
        Tuple.of(2, Arbitraries.longs().between(Long.MAX_VALUE - 12, Long.MAX_VALUE)),
        Tuple.of(2, Arbitraries.longs().between(Long.MIN_VALUE, Long.MIN_VALUE + 12)),
        Tuple.of(2, Arbitraries.longs().between(Integer.MAX_VALUE - 14L, Integer.MAX_VALUE + 3L)),
        Tuple.of(3, Arbitraries.longs().between(0, 255)),
        Tuple.of(1, Arbitraries.of(Batches.nowMs(), Batches.nowMs() + Long.MIN_VALUE)),
        Tuple.of(2, Arbitraries.longs()));
  }
}
