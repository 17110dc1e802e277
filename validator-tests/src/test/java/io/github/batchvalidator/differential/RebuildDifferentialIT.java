// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.differential.RebuildReferee.Task;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordArbitraries;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link RebuildEngine} answers and writes is what Kafka's {@code LogValidator} does. */
final class RebuildDifferentialIT {
  /** Fixed: once in some 40,000 tries Kafka meets SNAPPY_CHUNK_BEHIND_DAMAGED_HEADER. */
  private static final String SEED = "20261121";

  private static RebuildReferee referee = new RebuildReferee();

  @BeforeEach
  void openForTest() {
    open();
  }

  @AfterEach
  void closeForTest() {
    close();
  }

  @BeforeContainer
  static void open() {
    referee = new RebuildReferee();
  }

  @AfterContainer
  static void close() {
    referee.close();
  }

  @Provide
  Arbitrary<Task> tasks() {
    Arbitrary<Policy> policies =
        Combinators.combine(
                Arbitraries.of(
                    Origin.CLIENT, Origin.CLIENT, Origin.COORDINATOR, Origin.REPLICATION),
                Arbitraries.of(TimestampType.class),
                Arbitraries.of(Long.MAX_VALUE, Long.MAX_VALUE, 1000L, 200_000_000L),
                Arbitraries.integers().between(0, 7),
                Arbitraries.of(2, 2, 2, 1, 0))
            .as(Task::policy);
    return Combinators.combine(
            policies,
            Arbitraries.of(Codec.class),
            Arbitraries.of(0L, 5L, 1L << 40, Long.MAX_VALUE - 2))
        .as(Task::new);
  }

  @Provide
  Arbitrary<Codec> codecs() {
    return RecordArbitraries.codecs();
  }

  @Provide
  Arbitrary<BufferKind> kinds() {
    return RecordArbitraries.bufferKinds();
  }

  @Provide
  Arbitrary<List<SimpleRecord>> records() {
    Arbitrary<SimpleRecord> positive =
        RecordArbitraries.records().filter(record -> record.timestamp() >= -1);
    return Arbitraries.frequencyOf(
        Tuple.of(4, positive.list().ofMaxSize(20)),
        Tuple.of(1, RecordArbitraries.records().list().ofMaxSize(20)),
        Tuple.of(1, RecordArbitraries.recordLists()));
  }

  /** A header field and what it is set to. */
  record Change(HeaderField field, long value) {}

  @Provide
  Arbitrary<List<Change>> changes() {
    return Combinators.combine(
            Arbitraries.of(HeaderField.class),
            Arbitraries.oneOf(
                RecordArbitraries.fieldValues(),
                Arbitraries.longs().between(-1, 80),
                RecordArbitraries.timestamps()))
        .as(Change::new)
        .list()
        .ofMaxSize(3);
  }

  @Property(seed = SEED)
  void honestBatches(
      @ForAll("tasks") Task task,
      @ForAll("codecs") Codec codec,
      @ForAll("kinds") BufferKind kind,
      @ForAll("records") List<SimpleRecord> records) {
    referee.judge(task, kind, Batches.ofAny(codec, records).array());
  }

  @Property(seed = SEED)
  void changedHeaders(
      @ForAll("tasks") Task task,
      @ForAll("codecs") Codec codec,
      @ForAll("records") List<SimpleRecord> records,
      @ForAll("changes") List<Change> changes) {
    ByteBuffer batch = Batches.ofAny(codec, records);
    for (Change change : changes) {
      change.field().set(batch, change.value());
    }
    referee.judge(task, BufferKind.HEAP, Batches.copy(batch).array());
  }

  @Provide
  Arbitrary<List<Damage>> damages() {
    return Arbitraries.frequencyOf(
            Tuple.of(5, Arbitraries.just(Damage.NONE)), Tuple.of(1, Arbitraries.of(Damage.class)))
        .list()
        .ofMaxSize(8);
  }

  @Property(seed = SEED)
  void damagedRecords(
      @ForAll("tasks") Task task,
      @ForAll("codecs") Codec codec,
      @ForAll("damages") List<Damage> damages) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < damages.size(); i++) {
      RecordBytes record = new RecordBytes().offsetDelta(varint(i, 1)).timestampDelta(varint(i, 1));
      plain.writeBytes(damages.get(i).apply(record, i).toBytes());
    }
    byte[] batch = Batches.ofPlain(codec, damages.size(), plain.toByteArray()).array();
    referee.judge(task, BufferKind.HEAP, batch);
  }

  /** One message of magic 0 or 1, and what is wrong with it. */
  record Message(int size, long timestamp, int fault) {
    LegacyMessage of(int magic, int index) {
      LegacyMessage message =
          LegacyMessage.of(magic)
              .offset(index)
              .timestamp(timestamp)
              .key(size % 3 == 0 ? null : new byte[size % 7])
              .value(size % 5 == 0 ? null : new byte[size]);
      return switch (fault) {
        case 0 -> message.crcError(1);
        case 1 -> message.keySizeError(3);
        case 2 -> message.valueSizeError(-1);
        case 3 -> message.cut(2);
        case 4 -> message.magicByte(1 - magic);
        case 5 -> message.attributes(magic == 0 ? 0 : BatchLayout.TIMESTAMP_TYPE_MASK);
        case 6 -> message.attributes(Codec.GZIP.id());
        case 7 -> message.offset(index * 2L);
        default -> message;
      };
    }
  }

  @Provide
  Arbitrary<List<Message>> messages() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 300),
            RecordArbitraries.timestamps(),
            Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.just(99)),
                Tuple.of(1, Arbitraries.integers().between(0, 7))))
        .as(Message::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(6);
  }

  @Property(seed = SEED)
  void messagesOfMagic0And1(
      @ForAll("tasks") Task task,
      @ForAll("codecs") Codec codec,
      @ForAll("messages") List<Message> messages,
      @ForAll boolean magic1) {
    int magic = magic1 ? 1 : 0;
    LegacyMessage[] all = new LegacyMessage[messages.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = messages.get(i).of(magic, i);
    }
    byte[] bytes =
        codec == Codec.NONE || codec == Codec.ZSTD
            ? LegacyMessage.join(all)
            : LegacyMessage.holding(magic, codec, all).timestamp(Batches.nowMs()).toBytes();
    referee.judge(task, BufferKind.HEAP, bytes);
  }

  /** Each codec and magic to each other; the batch is one that all of them can hold. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyWay(Codec target) {
    SimpleRecord[] records = {
      new SimpleRecord(Batches.nowMs() + 5, new byte[] {1}, new byte[3000]),
      new SimpleRecord(Batches.nowMs() + 2, new byte[] {1}, null),
      new SimpleRecord(Batches.nowMs() + 9, new byte[] {2}, new byte[70_000])
    };
    int rebuilt = 0;
    for (TimestampType type : TimestampType.values()) {
      for (int magic = 0; magic <= 2; magic++) {
        Task task = new Task(Task.policy(Origin.CLIENT, type, Long.MAX_VALUE, 1, magic), target, 9);
        for (Codec codec : Codec.values()) {
          rebuilt +=
              referee.judge(
                  task, BufferKind.SLICED, Batches.ofAny(codec, List.of(records)).array());
          if (codec != Codec.ZSTD) {
            for (int from = 0; from <= 1; from++) {
              rebuilt += referee.judge(task, BufferKind.DIRECT, legacy(from, codec));
            }
          }
        }
      }
    }
    assertTrue(rebuilt > (target == Codec.ZSTD ? 20 : 40), rebuilt + " of 78");
  }

  private static byte[] legacy(int magic, Codec codec) {
    LegacyMessage[] several = LegacyMessage.several(magic, 4);
    return codec == Codec.NONE
        ? LegacyMessage.join(several)
        : LegacyMessage.holding(magic, codec, several).toBytes();
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyByte(Codec codec) {
    byte[] golden = MutationSweepIT.golden(codec);
    Task task =
        new Task(
            Task.policy(Origin.CLIENT, TimestampType.CREATE_TIME, 1000, 1, 2),
            codec == Codec.LZ4 ? Codec.GZIP : Codec.LZ4,
            3);
    for (int at = BatchLayout.CRC_OFFSET; at < golden.length; at++) {
      for (int value : new int[] {0, 1, golden[at] ^ 0x10, golden[at] ^ 0x80, 0xFF}) {
        byte[] changed = golden.clone();
        changed[at] = (byte) value;
        referee.judge(task, BufferKind.HEAP, changed);
      }
    }
  }
}
