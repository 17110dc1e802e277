// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.hostile.HostileInput.Look;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.ProcessMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every hostile input at level KAFKA, at level STRICT and with limits, on and off the heap, by both
 * kinds of validator, in a JVM of 64 MiB heap and 256 KiB stack: the answer is the one that is
 * told, and work, memory and time stay within bounds. Beside it what becomes of it in Kafka.
 *
 * <p>{@code -Dhostile.update=true} updates the table of {@code validator-bench/results/hostile.md}.
 */
class HostileInputsIT {
  private static final Path DOCUMENT = Path.of("..", "validator-bench", "results", "hostile.md");

  /** A limit on plain bytes takes effect after the window that exceeds it. */
  private static final long WINDOW_BYTES = 64 << 10;

  /** Of what a format can at most make of a byte: zstd repeats one 128 Ki times by four. */
  private static final long LARGEST_RATIO = 32 << 10;

  /** Heap, the largest zstd window that Kafka takes, and what a JVM is without both. */
  private static final long PEAK_KIB = (64 + 128 + 160) << 10;

  /** One Snappy block of the largest batch here, an lz4 block and its input, a zstd window. */
  private static final long HELD_BYTES = (24 + 8 + 8) << 20;

  private static final long LEAST_NANOS = 2_000_000_000;
  private static final long NANOS_PER_BYTE = 200;

  @TempDir private static Path folder;

  private static final List<HostileInput> INPUTS = HostileInputs.all();
  private static List<OurAnswer> ours = List.of();
  private static List<StockOutcome> stock = List.of();

  @BeforeAll
  static void run() throws Exception {
    Runs runs = new Runs(folder, INPUTS);
    ours = runs.ours();
    stock = runs.stock();
  }

  private static void check(String what, Predicate<OurAnswer> holds) {
    List<String> failures = new ArrayList<>();
    for (OurAnswer answer : ours) {
      if (!holds.test(answer)) {
        failures.add(INPUTS.get(answer.index()) + ": " + answer);
      }
    }
    assertEquals(List.of(), failures, what);
  }

  @Test
  void everyInputIsReadInEveryWay() {
    int ways = Look.values().length * 2 * 2;
    assertEquals(INPUTS.size() * ways, ours.size());
    assertTrue(ours.stream().anyMatch(answer -> answer.kind() == BufferKind.DIRECT));
    assertEquals(INPUTS.stream().map(Object::toString).distinct().count(), INPUTS.size());
  }

  @Test
  void answersAreTheListedOnes() {
    check(
        "answer", answer -> answer.reason() == INPUTS.get(answer.index()).expected(answer.look()));
  }

  @Test
  void workIsBoundedByTheLimits() throws Exception {
    long[] sizes = sizes();
    check(
        "work",
        answer ->
            answer.look() != Look.LIMITED
                || answer.plainBytes() <= allowed(sizes[answer.index()]) + WINDOW_BYTES);
  }

  private static long allowed(long batchBytes) {
    Limits limits = HostileInput.LIMITS;
    return Math.min(limits.plainBytes(), limits.ratioBytes((int) batchBytes));
  }

  @Test
  void workIsBoundedByTheFormatWithoutLimits() throws Exception {
    long[] sizes = sizes();
    check("work", answer -> answer.plainBytes() <= sizes[answer.index()] * LARGEST_RATIO);
    check(
        "time",
        answer ->
            answer.nanos()
                <= LEAST_NANOS + (sizes[answer.index()] + answer.plainBytes()) * NANOS_PER_BYTE);
  }

  private static long[] sizes() throws IOException {
    long[] sizes = new long[INPUTS.size()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = InputFolder.read(folder, i).length;
    }
    return sizes;
  }

  @Test
  void memoryIsBoundedWhateverABatchDeclares() {
    check("held", answer -> answer.heldBytes() <= HELD_BYTES);
    assumeTrue(
        ours.get(0).peakKib() != ProcessMemory.UNKNOWN, "this system tells no resident size");
    check("peak", answer -> answer.peakKib() <= PEAK_KIB);
  }

  /** Where Kafka gives an answer at all. */
  @Test
  void levelKafkaAcceptsWhatKafkaStores() {
    for (int i = 0; i < INPUTS.size(); i++) {
      HostileInput input = INPUTS.get(i);
      StockOutcome outcome = stock.get(i);
      boolean answered = !outcome.isFelled() && outcome != StockOutcome.CRASH;
      if (answered && !input.isUnlikeStock()) {
        assertEquals(
            outcome.isStored(), input.expected(Look.KAFKA) == null, input + ": " + outcome);
      }
    }
  }

  @Test
  void levelStrictAcceptsNothingThatConsumersCannotRead() {
    int unreadable = 0;
    for (int i = 0; i < INPUTS.size(); i++) {
      if (stock.get(i) == StockOutcome.UNREADABLE) {
        unreadable++;
        assertFalse(INPUTS.get(i).expected(Look.STRICT) == null, INPUTS.get(i).toString());
      }
    }
    assertTrue(unreadable > Codec.values().length);
  }

  /** In the JVM of the other tests it could harm them. */
  @Test
  void onlyMarkedInputsCrashStock() {
    for (int i = 0; i < INPUTS.size(); i++) {
      boolean alone = INPUTS.get(i).isFellingStock();
      assertTrue(alone || !stock.get(i).isFelled(), INPUTS.get(i).toString());
    }
  }

  @Test
  void documentHasTheTable() throws Exception {
    String document = Files.readString(DOCUMENT);
    String updated = new SecurityTable(INPUTS, stock).updated(document);
    if (Boolean.getBoolean("hostile.update")) {
      Files.writeString(DOCUMENT, updated);
    }
    assertEquals(Files.readString(DOCUMENT), updated, "run with -Dhostile.update=true");
  }
}
