// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check of the batches of one segment at a time: frame, CRC, decompressed structure and declared
 * sizes. Reads a window per call, so that the caller can stop or slow down in between. Not
 * thread-safe.
 */
final class SegmentCheck {
  private static final int PREFIX_BYTES = 17;

  /** No rule for stored batches uses the time. */
  private static final long NO_TIME = 0;

  /** The rules of {@link Effect}: the structure only, without limits. */
  static final Policy POLICY =
      Policy.builder(Origin.STORED).level(Level.STRICT).limits(Limits.UNBOUNDED_AS_KAFKA).build();

  private final BatchValidator validator = new BatchValidator();
  private final Verdict verdict = BatchValidator.newVerdict(0);
  private final BatchWindow window = new BatchWindow();
  private final StockRead stock = new StockRead();
  private final List<Fault> faults = new ArrayList<>();
  private final Map<Reason, Long> counted = new EnumMap<>(Reason.class);
  private @Nullable FileChannel channel;
  private long position;
  private long end;
  private int need;
  private long batches;

  /**
   * Starts a segment.
   *
   * @param file the file
   * @param bytes how many bytes to check
   */
  void open(Path file, long bytes) throws IOException {
    close();
    channel = FileChannel.open(file, StandardOpenOption.READ);
    position = 0;
    end = bytes;
    need = PREFIX_BYTES;
    batches = 0;
    faults.clear();
    counted.clear();
  }

  /** {@return true if there is nothing left to check} */
  boolean isDone() {
    return position >= end;
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

  /**
   * Reads the next window and checks the batches that end in it. After a batch without a sound
   * frame, nothing is left to check.
   *
   * @return how many bytes were read
   */
  int advance() throws IOException {
    FileChannel file = channel;
    if (file == null) {
      throw new IllegalStateException("no segment is open");
    }
    int least = (int) Math.min(need, end - position);
    ByteBuffer buffer = window.read(file, position, least, end);
    int read = buffer.limit();
    need = PREFIX_BYTES;
    while (buffer.hasRemaining()) {
      validator.inspect(buffer, POLICY, NO_TIME, verdict);
      if (verdict.reason() == Reason.FRAMING_INCOMPLETE) {
        long needed = verdict.firstOperand();
        if (needed <= end - position) {
          need = (int) needed;
          return read;
        }
      }
      judge(buffer);
      if (verdict.batchBytes() <= 0) {
        position = end; // without a frame, the start of the next batch is unknown
        return read;
      }
      batches++;
      position += verdict.batchBytes();
      buffer.position(buffer.position() + verdict.batchBytes());
    }
    return read;
  }

  private void judge(ByteBuffer buffer) {
    Reason first = verdict.reason();
    if (first == null) {
      return;
    }
    Fault fault = judge(first, verdict.describe(), buffer);
    for (int i = 0; i < verdict.findings().count(); i++) {
      Reason finding = verdict.findings().reason(i);
      if (finding != first && fault == null) {
        fault = judge(finding, verdict.findings().describe(i), buffer);
      }
    }
    if (fault != null) {
      faults.add(fault);
    }
  }

  private @Nullable Fault judge(Reason reason, String sentence, ByteBuffer buffer) {
    switch (Effect.of(reason)) {
      case STOPS -> {
        return fault(reason, sentence, buffer);
      }
      case TRIED -> {
        Throwable thrown = stock.failure(buffer.slice(buffer.position(), verdict.batchBytes()));
        if (thrown != null) {
          return fault(reason, sentence + "; Kafka fails with " + thrown, buffer);
        }
      }
      case COUNTED, NEVER -> {}
    }
    counted.merge(reason, 1L, Long::sum);
    return null;
  }

  private Fault fault(Reason reason, String sentence, ByteBuffer buffer) {
    boolean hasOffset = buffer.remaining() >= Long.BYTES;
    long offset = hasOffset ? buffer.getLong(buffer.position()) : -1;
    return new Fault(position, offset, reason, sentence);
  }

  /** {@return why the library of a codec cannot be used, or null} */
  @Nullable Throwable unavailableCause(Codec codec) {
    return validator.unavailableCause(codec);
  }

  /** Closes the file. The check can be used again. */
  void close() throws IOException {
    window.shrink();
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
