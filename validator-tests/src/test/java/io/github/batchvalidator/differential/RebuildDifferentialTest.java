// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Metric;
import io.github.batchvalidator.differential.KafkaOracle.Place;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rebuild.BatchRebuilder;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordArbitraries;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link BatchRebuilder} answers and writes is what Kafka's {@code LogValidator} does. */
final class RebuildDifferentialTest {
  /** Fixed: once in some 40,000 tries Kafka meets SNAPPY_CHUNK_BEHIND_DAMAGED_HEADER. */
  private static final String SEED = "20261121";

  private static final int MOST_FAILURES = 5000;
  private static final int EPOCH = 77;
  private static BatchRebuilder rebuilder = new BatchRebuilder();

  private final KafkaOracle kafka = new KafkaOracle();
  private final Verdict verdict = new Verdict(MOST_FAILURES);

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
    rebuilder = new BatchRebuilder();
  }

  @AfterContainer
  static void close() {
    rebuilder.close();
  }

  /** What a batch is rebuilt for. */
  record Task(Policy policy, Codec target, long firstOffset) {}

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
            .as(RebuildDifferentialTest::policy);
    return Combinators.combine(
            policies,
            Arbitraries.of(Codec.class),
            Arbitraries.of(0L, 5L, 1L << 40, Long.MAX_VALUE - 2))
        .as(Task::new);
  }

  private static Policy policy(
      Origin origin, TimestampType type, long window, int bits, int magic) {
    return Policy.builder(origin)
        .timestampType(type)
        .timestampWindowMs(window, window)
        .compactedTopic(bits == 0)
        .callerChecks(false)
        .toMagic((byte) magic)
        .build();
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
    judge(task, kind, Batches.ofAny(codec, records).array());
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
    judge(task, BufferKind.HEAP, Batches.copy(batch).array());
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
    judge(task, BufferKind.HEAP, batch);
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
    judge(task, BufferKind.HEAP, bytes);
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
        Task task = new Task(policy(Origin.CLIENT, type, Long.MAX_VALUE, 1, magic), target, 9);
        for (Codec codec : Codec.values()) {
          rebuilt += judge(task, BufferKind.SLICED, Batches.ofAny(codec, List.of(records)).array());
          if (codec != Codec.ZSTD) {
            for (int from = 0; from <= 1; from++) {
              rebuilt += judge(task, BufferKind.DIRECT, legacy(from, codec));
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
    byte[] golden = MutationSweepTest.golden(codec);
    Task task =
        new Task(
            policy(Origin.CLIENT, TimestampType.CREATE_TIME, 1000, 1, 2),
            codec == Codec.LZ4 ? Codec.GZIP : Codec.LZ4,
            3);
    for (int at = BatchLayout.CRC_OFFSET; at < golden.length; at++) {
      for (int value : new int[] {0, 1, golden[at] ^ 0x10, golden[at] ^ 0x80, 0xFF}) {
        byte[] changed = golden.clone();
        changed[at] = (byte) value;
        judge(task, BufferKind.HEAP, changed);
      }
    }
  }

  // ---- the comparison

  /** Returns 1 if both rebuilt the batch. */
  private int judge(Task task, BufferKind kind, byte[] bytes) {
    try {
      Place place = new Place(task.firstOffset(), EPOCH, Batches.nowMs());
      if (isInPlace(task, bytes)) {
        return 0;
      }
      KafkaAnswer theirs = kafka.ask(bytes, task.policy(), place, task.target());
      boolean inPlace = theirs.accepted() && !theirs.rebuilt();
      if (inPlace) {
        return 0;
      }
      ByteBuffer source = kind.holding(bytes, (byte) 0xFF);
      boolean accepted =
          rebuilder.rebuild(
              source,
              task.policy(),
              Target.of(task.target()),
              task.firstOffset(),
              Batches.nowMs(),
              verdict);
      compare(theirs, accepted, task);
      return accepted ? 1 : 0;
    } catch (AssertionError | RuntimeException e) {
      String what = e.getMessage() + "\n  " + describe(task) + "\n  ours " + verdict;
      throw new AssertionError(what + "\n  batch " + Batches.base64(bytes), e);
    }
  }

  private static String describe(Task task) {
    Policy policy = task.policy();
    return policy.origin()
        + " "
        + policy.timestampType()
        + " "
        + policy.timestampBeforeMaxMs()
        + " compacted "
        + policy.compactedTopic()
        + " magic "
        + policy.toMagic()
        + " "
        + task;
  }

  /** Where Kafka starts out to keep the batch, the rebuilder is not asked. */
  private static boolean isInPlace(Task task, byte[] bytes) {
    if (bytes.length < BatchLayout.PREFIX_BYTES) {
      return false;
    }
    byte magic = bytes[BatchLayout.MAGIC_OFFSET];
    boolean v2 = magic == BatchLayout.MAGIC_V2;
    int attributes = bytes[v2 ? BatchLayout.ATTRIBUTES_OFFSET + 1 : LegacyLayout.ATTRIBUTES_OFFSET];
    int codec = attributes & BatchLayout.CODEC_MASK;
    boolean sameMagic = magic == task.policy().toMagic();
    if (!v2) {
      return codec == 0 && task.target() == Codec.NONE && sameMagic;
    }
    boolean control = codec == 0 && (attributes & BatchLayout.CONTROL_MASK) != 0;
    boolean plain = codec == 0 && task.target() == Codec.NONE;
    return plain ? sameMagic : control || (sameMagic && codec == task.target().id());
  }

  private void compare(KafkaAnswer theirs, boolean accepted, Task task) {
    String both = "Kafka " + theirs.thrown() + ", metrics " + theirs.metrics();
    assertEquals(theirs.accepted(), accepted, both);
    if (!accepted) {
      Reason why = verdict.reason();
      assertNotNull(why);
      // Of a batch shorter than its header Kafka checks the fields that are there.
      if (!theirs.crashed() && why != Reason.BATCH_HEADER_INCOMPLETE) {
        assertEquals(theirs.answer(), why.answer(), both);
        assertEquals(theirs.failingRecords(), failingRecords(), both);
        assertEquals(theirs.metrics(), metrics(why), both);
      }
    } else {
      compareResult(theirs, task);
    }
    assertEquals(theirs.nextOffset(), task.firstOffset() + rebuilder.offsetsTaken(), both);
  }

  private List<Integer> failingRecords() {
    List<Integer> failing = new ArrayList<>();
    for (int i = 0; verdict.decidedByRecords() && i < verdict.failureCount(); i++) {
      failing.add(verdict.failureIndex(i));
    }
    return failing;
  }

  private List<Metric> metrics(Reason decisive) {
    List<Metric> counted = new ArrayList<>();
    for (int i = 0; i < verdict.failureCount(); i++) {
      add(counted, metric(verdict.failureReason(i)));
    }
    if (!verdict.decidedByRecords()) {
      add(counted, metric(decisive));
    }
    return counted;
  }

  private static void add(List<Metric> counted, @Nullable Metric metric) {
    if (metric != null) {
      counted.add(metric);
    }
  }

  private static @Nullable Metric metric(Reason reason) {
    return switch (reason) {
      case REBUILD_MAGIC_MISMATCH, RECORD_MAGIC_MISMATCH -> Metric.MAGIC;
      case BATCH_OFFSET_RANGE_INVALID,
          BATCH_COUNT_NOT_POSITIVE,
          BATCH_COUNT_MISMATCH,
          BATCH_CONTROL_NOT_ALLOWED ->
          Metric.OFFSET;
      case BATCH_SEQUENCE_INVALID -> Metric.SEQUENCE;
      case RECORD_CRC_MISMATCH -> Metric.CHECKSUM;
      case RECORD_KEY_MISSING -> Metric.NO_KEY;
      default -> null;
    };
  }

  private void compareResult(KafkaAnswer theirs, Task task) {
    assertEquals(theirs.maxTimestamp(), rebuilder.maxTimestamp(), "max timestamp");
    assertEquals(
        theirs.temporaryBytes(), rebuilder.temporaryMemoryBytes(verdict), "temporary bytes");
    byte[] ours = bytes(rebuilder.batch(EPOCH));
    byte[] kafkas = bytes(theirs.bytes());
    if (task.target() == Codec.NONE || kafkas.length == 0) {
      assertArrayEquals(kafkas, ours);
      return;
    }
    int payloadAt = payloadAt(task.policy().toMagic());
    assertArrayEquals(head(kafkas, payloadAt), head(ours, payloadAt), "head");
    assertArrayEquals(plain(task, kafkas, payloadAt), plain(task, ours, payloadAt), "payload");
    MutableRecordBatch batch =
        MemoryRecords.readableRecords(ByteBuffer.wrap(ours)).batches().iterator().next();
    batch.ensureValid();
    assertEquals(ours.length, batch.sizeInBytes());
    int records = 0;
    for (Record record : batch) {
      record.ensureValid();
      records++;
    }
    assertEquals(rebuilder.recordCount(), records);
  }

  private static int payloadAt(byte magic) {
    return magic == BatchLayout.MAGIC_V2
        ? BatchLayout.HEADER_BYTES
        : LegacyLayout.keySizeOffset(magic) + 2 * Integer.BYTES;
  }

  /** All in front of the payload but what depends on its size or its bytes. */
  private static byte[] head(byte[] batch, int payloadAt) {
    byte[] head = Arrays.copyOf(batch, payloadAt);
    boolean v2 = head[BatchLayout.MAGIC_OFFSET] == BatchLayout.MAGIC_V2;
    int crcAt = v2 ? BatchLayout.CRC_OFFSET : LegacyLayout.CRC_OFFSET;
    Arrays.fill(head, BatchLayout.LENGTH_OFFSET, BatchLayout.LOG_OVERHEAD, (byte) 0);
    Arrays.fill(head, crcAt, crcAt + Integer.BYTES, (byte) 0);
    if (!v2) {
      assertEquals(
          batch.length - payloadAt,
          ByteBuffer.wrap(batch).getInt(payloadAt - Integer.BYTES),
          "size of the value");
      Arrays.fill(head, payloadAt - Integer.BYTES, payloadAt, (byte) 0);
    }
    return head;
  }

  private static byte[] plain(Task task, byte[] batch, int payloadAt) {
    ByteBuffer payload = ByteBuffer.wrap(batch, payloadAt, batch.length - payloadAt).slice();
    try (InputStream in =
        Batches.compression(task.target())
            .wrapForInput(payload, task.policy().toMagic(), BufferSupplier.NO_CACHING)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
