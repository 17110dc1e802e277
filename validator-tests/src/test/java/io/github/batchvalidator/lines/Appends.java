// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordArbitraries;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Drafts of appends over the whole input space of the validator, to compare the lines. */
final class Appends {
  private static final int MOST_RECORDS = 2000;

  private Appends() {}

  /** Returns drafts, most of them of few records, all magics, codecs and settings. */
  static Arbitrary<Draft> drafts() {
    return Combinators.combine(
            records(),
            Arbitraries.of(2, 2, 2, 2, 1, 1, 0),
            RecordArbitraries.codecs(),
            settings(),
            Arbitraries.frequencyOf(
                Tuple.of(20, Arbitraries.of(BufferKind.HEAP, BufferKind.SLICED)),
                Tuple.of(10, Arbitraries.of(BufferKind.POSITIONED, BufferKind.DIRECT)),
                Tuple.of(1, Arbitraries.just(BufferKind.READ_ONLY))),
            Arbitraries.longs())
        .as(Draft::new);
  }

  private static Arbitrary<List<SimpleRecord>> records() {
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.just(List.of())),
        Tuple.of(60, RecordArbitraries.fewRecords()),
        Tuple.of(8, RecordArbitraries.records().list().ofMinSize(9).ofMaxSize(60)),
        Tuple.of(
            1,
            Combinators.combine(
                    RecordArbitraries.fewRecords(),
                    Arbitraries.integers().between(61, MOST_RECORDS))
                .as(Appends::repeat)));
  }

  private static List<SimpleRecord> repeat(List<SimpleRecord> records, int count) {
    List<SimpleRecord> all = new ArrayList<>(count);
    while (all.size() < count) {
      all.addAll(records.subList(0, Math.min(records.size(), count - all.size())));
    }
    return Collections.unmodifiableList(all);
  }

  private record Topic(
      Codec source, Codec target, int level, byte toMagic, TimestampType type, boolean compacted) {}

  private record Window(long beforeMs, long afterMs, long nowMs) {}

  private record Place(
      Settings.Entry entry, String origin, int leaderEpoch, long firstOffset, int recordLimit) {}

  private static Arbitrary<Settings> settings() {
    return Combinators.combine(topics(), windows(), places(), Arbitraries.integers().between(0, 39))
        .as(Appends::settings);
  }

  private static Settings settings(Topic topic, Window window, Place place, int switches) {
    return new Settings(
        place.entry,
        topic.source,
        topic.target,
        topic.target == Codec.NONE || topic.target == Codec.SNAPPY
            ? Settings.DEFAULT_LEVEL
            : topic.level,
        topic.toMagic,
        topic.type,
        window.beforeMs,
        window.afterMs,
        window.nowMs,
        topic.compacted,
        place.origin,
        place.leaderEpoch,
        place.firstOffset,
        place.recordLimit,
        switches == 0,
        switches % 3 != 0);
  }

  private static Arbitrary<Topic> topics() {
    return Combinators.combine(
            RecordArbitraries.codecs(),
            RecordArbitraries.codecs(),
            Arbitraries.of(Settings.DEFAULT_LEVEL, Settings.DEFAULT_LEVEL, 1, 3),
            Arbitraries.of((byte) 2, (byte) 2, (byte) 2, (byte) 2, (byte) 2, (byte) 1, (byte) 0),
            Arbitraries.of(TimestampType.class),
            Arbitraries.of(false, false, false, true))
        .as(Topic::new);
  }

  private static Arbitrary<Window> windows() {
    long now = Batches.nowMs();
    Arbitrary<Long> spans =
        Arbitraries.of(
            Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 200_000_000L, 1000L, 50L, 0L);
    return Combinators.combine(
            spans, spans, Arbitraries.of(now, now, now, now + 60, now - 60, now + 100_000_000L))
        .as(Window::new);
  }

  private static Arbitrary<Place> places() {
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(18, Arbitraries.just(Settings.Entry.VALIDATE)),
                Tuple.of(1, Arbitraries.just(Settings.Entry.COMPRESSED)),
                Tuple.of(1, Arbitraries.just(Settings.Entry.NON_COMPRESSED))),
            Arbitraries.of(
                "CLIENT",
                "CLIENT",
                "CLIENT",
                "CLIENT",
                "COORDINATOR",
                "COORDINATOR",
                "REPLICATION",
                "RAFT_LEADER"),
            Arbitraries.of(-1, 0, 7, Integer.MAX_VALUE, Integer.MIN_VALUE),
            Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.of(0L, 1000L, 1L << 33)),
                Tuple.of(1, Arbitraries.longs().between(Long.MAX_VALUE - 4, Long.MAX_VALUE)),
                Tuple.of(1, Arbitraries.of(-1L, -3L, Long.MIN_VALUE, Integer.MAX_VALUE - 1L))),
            Arbitraries.of(
                Settings.NO_LIMIT, Settings.NO_LIMIT, Integer.MAX_VALUE - 8, 100_000, 100, 30, 1))
        .as(Place::new);
  }
}
