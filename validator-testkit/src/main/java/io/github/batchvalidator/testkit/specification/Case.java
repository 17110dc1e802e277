// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.Hostile;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.lines.Lz4Blocks;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.BufferKind;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A policy, and appends under it to one line. Confined to one thread. */
final class Case implements AutoCloseable {
  static final KafkaLine[] LINES = {
    KafkaLine.V4_3, KafkaLine.V4_4, KafkaLine.V3_9, KafkaLine.V4_1, KafkaLine.V4_2
  };

  /** Appends that are made of the same records. */
  private static final int VARIANTS = 8;

  private static final long[] EARLIER_MS = {0, 0, 0, 1, 50, 1000, 9_999, 10_000, 10_001, -1};

  private final Map<KafkaLine, DropInSide> sides = new EnumMap<>(KafkaLine.class);
  private final CheckSide check;
  private final LibrarySide library = new LibrarySide();
  private final PolicyFolder folder;
  private Tally tally = new Tally();
  private PolicyDraw.Drawn policy =
      new PolicyDraw.Drawn("default.observe=false\n", "17\n", Map.of());
  private ModelPolicy model = policy.model();
  private KafkaLine line = LINES[0];

  /**
   * Creates a case without policy.
   *
   * @param directory for policy files
   */
  Case(Path directory) {
    folder = new PolicyFolder(directory);
    folder.write(policy);
    check = new CheckSide(directory);
  }

  private DropInSide side() {
    return sides.computeIfAbsent(
        line,
        opened -> {
          try {
            return new DropInSide(opened, folder.file());
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Draws line and policy, which then apply to all appends. */
  void policy(Choices choices) {
    line = LINES[choices.below(LINES.length)];
    Map<String, String> brokerWide = PolicyDraw.brokerWide(choices);
    policy = PolicyDraw.draw(choices, brokerWide);
    model = policy.model();
    folder.write(policy);
    library.policy(folder.file(), brokerWide);
    folder.bring(policy, side(), choices);
  }

  /** Checks what was stored since the policy was drawn. */
  void check(Tally receiver) {
    tally = receiver;
    check.check(
        library.file(),
        library.byDefault(),
        model,
        (stored, judgment) -> {
          Append append =
              new Append(
                  stored.bytes(),
                  BufferKind.HEAP,
                  Settings.of(codec(stored.bytes()), RecordDraw.NOW_MS));
          count("check", append, stored.topic(), judgment);
        });
  }

  private static Codec codec(byte[] batch) {
    return Objects.requireNonNull(BatchDraw.codecOf(batch));
  }

  /** Draws records, and appends batches of them. */
  void appends(Choices choices, Tally receiver) {
    tally = receiver;
    side().newLog();
    String gate = choices.of("MEASURED", "OPEN", "SHUT", "OPEN");
    side().gate(gate);
    library.gate(gate);
    BatchDraw draw = new BatchDraw(choices, line);
    for (int i = 0; i < VARIANTS; i++) {
      append(draw.next(), choices);
    }
  }

  private void count(String entry, Append append, String topic, Judgment judgment) {
    tally.add(entry, append, judgment);
    if (judgment.difference() != null) {
      tally.example(
          entry
              + " of Kafka "
              + line.version()
              + ", topic "
              + topic
              + ": "
              + judgment.difference()
              + "\n  append "
              + append.toLine()
              + "\n  broker "
              + policy.brokerWide()
              + "\n"
              + policy.text()
              + "ids.txt "
              + policy.ids());
    }
  }

  private void append(BatchDraw.Drawn drawn, Choices choices) {
    Append append = drawn.append();
    String topic = PolicyDraw.TOPICS[choices.below(PolicyDraw.TOPICS.length)];
    int entry = choices.below(8);
    long earlier = choices.of(EARLIER_MS);
    if (drawn.isDamaged() && (Hostile.isHostile(append) || Lz4Blocks.anyDecodesByChance(append))) {
      tally.skip();
      return;
    }
    Answer stock = side().stock(append, topic);
    if (stock.ranOut()) {
      tally.skip();
      return;
    }
    Answer.Result stored = stock.result();
    if (stored != null && !drawn.isDamagedStream() && isOneModernBatch(stored.bytes())) {
      check.add(topic, stored.bytes());
    }
    Expectation expected = expected(append, topic, stock, drawn.isDamagedStream());
    if (entry < 3 && isForLibrary(append)) {
      count("library", append, topic, judge(append, topic, entry == 2, stock, expected));
      return;
    }
    boolean isEarly = entry > 5;
    if (isEarly && earlier == 50) {
      side().replaceRulesDuring(append, topic);
    }
    DropInSide.Counted before = side().counted(expected.section);
    Answer ours = isEarly ? side().early(append, topic, earlier) : side().ours(append, topic);
    DropInSide.Added counted = side().counted(expected.section).since(before);
    Judgment judgment = new DropInJudge(side(), expected, append, stock, ours, counted).judge();
    count(isEarly ? "agent" : "drop-in", append, topic, judgment);
  }

  private Judgment judge(
      Append append, String topic, boolean isSmall, Answer stock, Expectation expected) {
    try {
      LibrarySide.Result ours = library.append(append, topic, isSmall, mostRecordBytes(append));
      boolean isStamped = ours.stored() != null && append.bytes()[16] == 2;
      return isStamped && !mayHaveOffsets(append)
          ? Judgment.differs("difference", "the library stamps offsets that do not exist")
          : new LibraryJudge(side(), expected, append, stock, ours).judge();
    } catch (IllegalArgumentException e) {
      return mayHaveOffsets(append)
          ? Judgment.differs("difference", "the library threw " + e)
          : Judgment.explained(
              "refused by the stamp", SpecificationDifference.NO_OFFSETS_LEFT.name());
    } catch (RuntimeException e) {
      return Judgment.differs("difference", "the library threw " + e);
    }
  }

  /** "Throws if the log end offset after the batch would exceed Long.MAX_VALUE." */
  private static boolean mayHaveOffsets(Append append) {
    ModelBatch batch = new ModelBatch(append.bytes(), 0);
    int count = batch.magic() == 2 ? batch.count() : BatchDraw.MOST_MESSAGES;
    return append.settings().firstOffset() <= Long.MAX_VALUE - count;
  }

  /** The header takes room while a batch is rebuilt, also if no bytes are stored in the end. */
  private static int rebuiltBytes(Settings settings, Answer.@Nullable Result stored) {
    if (stored == null || stored.sameInstance()) {
      return 0;
    }
    boolean isWrapped = settings.target() != Codec.NONE;
    int header =
        switch (settings.toMagic()) {
          case 0 -> isWrapped ? 26 : 0;
          case 1 -> isWrapped ? 34 : 0;
          default -> 61;
        };
    return Math.max(header, stored.bytes().length);
  }

  /** Kafka 4.4 bounds records of compressed batches, by default by the largest array. */
  private int mostRecordBytes(Append append) {
    Settings settings = append.settings();
    return line != KafkaLine.V4_4
        ? Integer.MAX_VALUE
        : settings.recordLimit() == Settings.NO_LIMIT
            ? Integer.MAX_VALUE - 8
            : settings.appliedRecordLimit();
  }

  private static boolean isOneModernBatch(byte[] bytes) {
    List<StoredBytes.Span> spans = StoredBytes.spans(bytes);
    return spans.size() == 1
        && spans.get(0).size() == bytes.length
        && spans.get(0).magic() == 2
        && BatchDraw.codecOf(bytes) != null;
  }

  /** A host inspects one batch, and says itself which codec it has. */
  private boolean isForLibrary(Append append) {
    List<StoredBytes.Span> spans = StoredBytes.spans(append.bytes());
    return !spans.isEmpty()
        && (spans.get(0).magic() == 2 || spans.get(0).size() == append.bytes().length)
        && BatchDraw.codecOf(append.bytes()) == append.settings().source();
  }

  private Expectation expected(Append append, String topic, Answer stock, boolean isDamagedStream) {
    Answer.Result stored = stock.result();
    Settings settings = append.settings();
    ModelStrict.Situation situation =
        new ModelStrict.Situation(
            settings.client(),
            false,
            settings.type() == TimestampType.LOG_APPEND_TIME,
            rebuiltBytes(settings, stored));
    return Expectation.of(
        model.sectionOf(topic).ofTopic(settings.compacted()),
        new ModelBatch(append.bytes(), 0),
        settings.client(),
        situation,
        isDamagedStream);
  }

  @Override
  public void close() {
    library.close();
  }
}
