// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.lines.Answer.Part;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The stock validator of a line and another one, which has to answer the same. */
public final class LinePair {
  private static final Map<KafkaLine, LinePair> OPEN = new EnumMap<>(KafkaLine.class);

  private final KafkaLine line;
  private final LineSide stock;
  private final LineSide ours;

  public LinePair(KafkaLine line, LineSide stock, LineSide ours) {
    this.line = line;
    this.stock = stock;
    this.ours = ours;
  }

  /** Returns stock and ours of a line; both stay open as long as the JVM runs. */
  public static synchronized LinePair of(KafkaLine line) {
    return OPEN.computeIfAbsent(line, LinePair::open);
  }

  private static LinePair open(KafkaLine line) {
    try {
      return new LinePair(line, new LineSide(line, false), new LineSide(line, true));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  public KafkaLine line() {
    return line;
  }

  public LineSide stock() {
    return stock;
  }

  public LineSide ours() {
    return ours;
  }

  /** Both answers to an append, and where they differ. */
  public record Outcome(
      KafkaLine line, Append append, Answer stock, Answer ours, Set<Part> differences) {

    /** True if ours left the caller's memory as it was. */
    public boolean oursIsUntouched() {
      return Arrays.equals(LineSide.memory(append), ours.caller());
    }

    @Override
    public String toString() {
      return "Kafka "
          + line.version()
          + " differs in "
          + differences
          + "\n  stock "
          + stock
          + "\n  ours  "
          + ours
          + "\n  replay "
          + append.toLine();
    }
  }

  /** Asks both. */
  public Outcome ask(Append append) {
    Answer expected = stock.ask(append);
    Answer actual = ours.ask(append);
    Set<Part> differences = expected.differences(actual);
    if (differences.contains(Part.RESULT_BYTES) && writtenAnew(expected, actual)) {
      differences.remove(Part.RESULT_BYTES);
    }
    return new Outcome(line, append, expected, actual, differences);
  }

  /** True if only the compressors differ: the same plain bytes, and records that both can read. */
  private boolean writtenAnew(Answer expected, Answer actual) {
    if (expected.result() == null || actual.result() == null || expected.result().sameInstance()) {
      return false;
    }
    byte[] stored = expected.result().bytes();
    byte[] others = actual.result().bytes();
    return StoredBytes.same(stored, others) && stock.readAll(stored).equals(stock.readAll(others));
  }
}
