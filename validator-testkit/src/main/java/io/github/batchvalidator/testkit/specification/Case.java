// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.Hostile;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.BufferKind;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A policy, and appends under it to one line. Confined to one thread. */
final class Case implements AutoCloseable {
  /** All lines; the first is the simplest choice. */
  private static final KafkaLine[] LINES =
      Stream.concat(Stream.of(KafkaLine.V4_3), Stream.of(KafkaLine.values()))
          .distinct()
          .toArray(KafkaLine[]::new);

  /** Appends that are made of the same records. */
  private static final int VARIANTS = 8;

  private static final int ENTRIES = 8;
  private static final int SMALL_LIBRARY = 2;
  private static final int EARLY = 7;

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
  private String topic = PolicyDraw.TOPICS[0];
  private int entry;

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
    entry = 0;
    for (int i = 0; i < VARIANTS; i++) {
      append(draw, choices);
    }
  }

  private void count(String place, Append append, String ofTopic, Judgment judgment) {
    tally.add(place, append, judgment);
    if (judgment.difference() != null) {
      tally.example(
          place
              + " of Kafka "
              + line.version()
              + ", topic "
              + ofTopic
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

  /** After an early inspection, the log often gets another append with the same settings. */
  private void append(BatchDraw draw, Choices choices) {
    boolean repeats = entry == EARLY && choices.below(3) > 0;
    BatchDraw.Drawn drawn = draw.next(repeats);
    if (!repeats) {
      topic = PolicyDraw.TOPICS[choices.below(PolicyDraw.TOPICS.length)];
      entry = choices.below(ENTRIES);
    }
    Append append = placed(drawn.append(), choices);
    long earlier = choices.of(EARLIER_MS);
    if (drawn.isDamaged() && Hostile.isHostile(append)) {
      tally.skip();
      return;
    }
    Answer stock = side().stock(append, topic);
    if (stock.ranOut()) {
      tally.skip();
      return;
    }
    Answer.Result stored = stock.result();
    boolean isUsualStream = !drawn.isDamagedStream() && drawn.ofStream() == null;
    if (stored != null && isUsualStream && isOneModernBatch(stored.bytes())) {
      check.add(topic, stored.bytes());
    }
    Expectation expected = expected(append, stock, drawn);
    boolean isLibrary = entry <= SMALL_LIBRARY && isForLibrary(append);
    Judgment judgment =
        isLibrary ? ofLibrary(append, stock, expected) : ofDropIn(append, stock, expected, earlier);
    String place = isLibrary ? "library" : entry == EARLY ? "agent" : "drop-in";
    count(place, append, topic, judgment);
    tally.count("Kafka " + line.version());
    if (judgment.explained() != null) {
      tally.seen(judgment.explained() + ", " + place + crash(stock));
    }
  }

  /**
   * Puts some appends into read-only memory, which Kafka cannot stamp. A section that enforces may
   * refuse its appends before the stamp, so these stay as they are. LZ4 batches do, too: lz4-java
   * decodes read-only memory in Java, and crashes with some sound blocks.
   */
  private Append placed(Append append, Choices choices) {
    boolean isReadOnly = choices.oneIn(8);
    ModelSection section = model.sectionOf(topic).ofTopic(append.settings().compacted());
    boolean hasLz4 =
        StoredBytes.spans(append.bytes()).stream().anyMatch(span -> span.codec() == Codec.LZ4);
    return isReadOnly && !section.enforces() && !hasLz4
        ? new Append(append.bytes(), BufferKind.READ_ONLY, append.settings())
        : append;
  }

  /** Returns the method of Kafka or of a codec in which stock crashes, as the end of a name. */
  private static String crash(Answer stock) {
    Answer.Thrown thrown = stock.thrown();
    if (thrown == null || !stock.crashed()) {
      return "";
    }
    for (StackTraceElement frame : thrown.thrown().getStackTrace()) {
      String name = frame.getClassName();
      if (name.startsWith("org.")) {
        return ", " + name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName();
      }
    }
    return "";
  }

  private Judgment ofDropIn(Append append, Answer stock, Expectation expected, long earlier) {
    if (entry == EARLY && earlier == 50) {
      side().replaceRulesDuring(append, topic);
    }
    DropInSide.Counted before = side().counted(expected.section);
    Answer ours =
        entry == EARLY ? side().early(append, topic, earlier) : side().ours(append, topic);
    DropInSide.Added counted = side().counted(expected.section).since(before);
    return new DropInJudge(side(), expected, append, stock, ours, counted).judge();
  }

  private Judgment ofLibrary(Append append, Answer stock, Expectation expected) {
    boolean isSmall = entry == SMALL_LIBRARY;
    try {
      LibrarySide.Result ours = library.append(append, topic, isSmall, mostRecordBytes(append));
      Reason reason = ours.reason();
      if (reason != null && reason.isLimit()) {
        tally.count("library refuses for " + reason.name());
      }
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
  static boolean mayHaveOffsets(Append append) {
    ModelBatch batch = new ModelBatch(append.bytes(), 0);
    int count = batch.magic() == 2 ? batch.count() : BatchDraw.MOST_MESSAGES;
    return append.settings().firstOffset() <= Long.MAX_VALUE - Math.max(0, count);
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

  /** Kafka 4.2.2 and 4.4 bound records of compressed batches, by default by the largest array. */
  private int mostRecordBytes(Append append) {
    Settings settings = append.settings();
    return !line.hasRecordLimit()
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

  /** A host inspects one batch, says itself which codec it has, and stamps what it stores. */
  private boolean isForLibrary(Append append) {
    List<StoredBytes.Span> spans = StoredBytes.spans(append.bytes());
    return append.placement() != BufferKind.READ_ONLY
        && !spans.isEmpty()
        && (spans.get(0).magic() == 2 || spans.get(0).size() == append.bytes().length)
        && BatchDraw.codecOf(append.bytes()) == append.settings().source();
  }

  private Expectation expected(Append append, Answer stock, BatchDraw.Drawn drawn) {
    Answer.Result stored = stock.result();
    Settings settings = append.settings();
    ModelStrict.Situation situation =
        new ModelStrict.Situation(
            settings.client(),
            false,
            settings.type() == TimestampType.LOG_APPEND_TIME,
            rebuiltBytes(settings, stored),
            drawn.ofStream());
    return Expectation.of(
        model.sectionOf(topic).ofTopic(settings.compacted()),
        new ModelBatch(append.bytes(), 0),
        settings.client(),
        situation,
        drawn.isDamagedStream());
  }

  /** Returns the number of appends that were only stamped, after an early verdict. */
  long earlyVerdicts() {
    return sides.values().stream().mapToLong(DropInSide::stamped).sum();
  }

  @Override
  public void close() {
    library.close();
  }
}
