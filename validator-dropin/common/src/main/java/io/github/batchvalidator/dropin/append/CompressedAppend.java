// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.engine.AppendRules;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;

/**
 * An append of one batch that is compressed or that the topic stores compressed. Kafka's method for
 * such appends requires the offsets 0, 1, 2, ... of any batch that stays in place, also if a caller
 * passes neither codec.
 */
final class CompressedAppend {
  private CompressedAppend() {}

  /** Validates and stamps the batch, rebuilds it if necessary, or throws. */
  static void run(AppendContext append, Compression target) {
    long nowMs = append.parameters().time().milliseconds();
    byte magic = append.requireFirst(append.source());
    boolean control = append.source() == Codec.NONE && isControl(append, magic);
    boolean sameCodec = append.source() == append.target();
    boolean keepsControl = control && !sameCodec;
    if (!keepsControl && (!sameCodec || needsRebuild(append, magic, control))) {
      RebuildingAppend.run(append, target, nowMs);
      return;
    }
    append.select();
    boolean accepted = keepsControl ? inspectControl(append, nowMs) : append.inspect(true, nowMs);
    MutableVerdict verdict = append.engines().verdict();
    if (!accepted) {
      throw append.refusal(verdict, true);
    }
    if (verdict.needsRebuild()) {
      RebuildingAppend.run(append, target, nowMs);
    } else {
      stamp(append, verdict, nowMs);
    }
  }

  private static boolean needsRebuild(AppendContext append, byte magic, boolean control) {
    Target target = append.policy().target();
    return AppendRules.rebuildCause(target, append.source(), magic, control, true) != null;
  }

  /** A control batch stays in place and uncompressed, whatever codec the topic stores. */
  private static boolean inspectControl(AppendContext append, long nowMs) {
    return append.engines().inspect(append.buffer(), append.policy(), append.source(), true, nowMs);
  }

  private static void stamp(AppendContext append, MutableVerdict verdict, long nowMs) {
    append.stamp(append.buffer(), append.nextOffset(), nowMs);
    append.report(verdict);
    long maxTimestamp = append.isLogAppendTime() ? nowMs : verdict.maxTimestamp();
    append.outcome().setInPlace(nowMs, maxTimestamp, temporaryBytes(append, verdict));
  }

  /** {@return true for a control batch} A batch with an incomplete header is refused later. */
  private static boolean isControl(AppendContext append, byte magic) {
    BatchIterator batches = append.batches();
    ByteBuffer buffer = append.buffer();
    return magic == BatchLayout.MAGIC_V2
        && batches.sizeInBytes() >= BatchLayout.HEADER_BYTES
        && (buffer.get(batches.start() + BatchLayout.ATTRIBUTES_OFFSET + 1)
                & BatchLayout.CONTROL_MASK)
            != 0;
  }

  /** {@return the temporary bytes as an int that wraps, as in Kafka} */
  private static int temporaryBytes(AppendContext append, Verdict verdict) {
    byte magic = append.policy().target().magic();
    int headerBytes = BatchLayout.headerBytes(magic, verdict.codec() != Codec.NONE);
    return (int) (headerBytes + verdict.declaredBytes());
  }
}
