// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check of the batches in a buffer: frame, CRC, decompressed structure and declared sizes. Not
 * thread-safe.
 */
final class BatchCheck {
  static final int PREFIX_BYTES = 17;

  /** No rule for stored batches uses the time. */
  private static final long NO_TIME = 0;

  /** The rules of {@link Effect}: the structure only, without limits. */
  static final Policy POLICY =
      Policy.builder(Origin.STORED).level(Level.STRICT).limits(Limits.UNBOUNDED_AS_KAFKA).build();

  private final BatchValidator validator = new BatchValidator();
  private final Verdict verdict = BatchValidator.newVerdict(0);
  private final StockRead stock = new StockRead();
  private final List<Fault> faults = new ArrayList<>();
  private final Map<Reason, Long> counted = new EnumMap<>(Reason.class);
  private long batches;
  private boolean isLost;

  /** Forgets what was found. */
  void clear() {
    faults.clear();
    counted.clear();
    batches = 0;
    isLost = false;
  }

  /** {@return how many batches were checked} */
  long batches() {
    return batches;
  }

  /** {@return the faults so far that stop compaction, in the order of the file} */
  List<Fault> faults() {
    return faults;
  }

  /** {@return how many batches have each other fault} */
  Map<Reason, Long> counted() {
    return counted;
  }

  /** {@return true after a batch without a sound frame: the start of the next one is unknown} */
  boolean isLost() {
    return isLost;
  }

  /**
   * Checks the batches of a buffer, as far as they are complete, and moves its position past them.
   *
   * @param buffer bytes of a file from the start of a batch on
   * @param position the position of the first one in the file
   * @param end the position after the last byte of the file that is checked
   * @return how many bytes the next batch needs at least
   */
  int check(ByteBuffer buffer, long position, long end) {
    int start = buffer.position();
    while (buffer.hasRemaining()) {
      long at = position + buffer.position() - start;
      validator.inspect(buffer, POLICY, NO_TIME, verdict);
      if (verdict.reason() == Reason.FRAMING_INCOMPLETE) {
        long needed = verdict.firstOperand();
        if (needed <= end - at) {
          return (int) needed;
        }
      }
      judge(buffer, at);
      if (verdict.batchBytes() <= 0) {
        isLost = true;
        return PREFIX_BYTES;
      }
      batches++;
      buffer.position(buffer.position() + verdict.batchBytes());
    }
    return PREFIX_BYTES;
  }

  private void judge(ByteBuffer buffer, long at) {
    Reason first = verdict.reason();
    if (first == null) {
      return;
    }
    Fault fault = judge(first, verdict.describe(), buffer, at);
    for (int i = 0; i < verdict.findings().count(); i++) {
      Reason finding = verdict.findings().reason(i);
      if (finding != first && fault == null) {
        fault = judge(finding, verdict.findings().describe(i), buffer, at);
      }
    }
    if (fault != null) {
      faults.add(fault);
    }
  }

  private @Nullable Fault judge(Reason reason, String sentence, ByteBuffer buffer, long at) {
    switch (Effect.of(reason)) {
      case STOPS -> {
        return fault(reason, sentence, buffer, at);
      }
      case TRIED -> {
        Throwable thrown = stock.failure(buffer.slice(buffer.position(), verdict.batchBytes()));
        if (thrown != null) {
          return fault(reason, sentence + "; Kafka fails with " + thrown, buffer, at);
        }
      }
      case COUNTED, NEVER -> {}
    }
    counted.merge(reason, 1L, Long::sum);
    return null;
  }

  private static Fault fault(Reason reason, String sentence, ByteBuffer buffer, long at) {
    boolean hasOffset = buffer.remaining() >= Long.BYTES;
    long offset = hasOffset ? buffer.getLong(buffer.position()) : -1;
    return new Fault(at, offset, reason, sentence);
  }
}
