// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.internal.check.InPlaceRules;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.scan.BatchIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

/** An append of one batch that is compressed or that the topic stores compressed. */
final class CompressedAppend {
  private final AppendContext append;
  private final RebuildingAppend rebuilding;

  CompressedAppend(AppendContext append, RebuildingAppend rebuilding) {
    this.append = append;
    this.rebuilding = rebuilding;
  }

  /** Validates and stamps the batch, rebuilds it if necessary, or throws. */
  void run() {
    append.parameters().beforeCompressed();
    long nowMs = append.parameters().time().milliseconds();
    byte magic = append.requireFirst(append.source());
    append.rewind().next();
    boolean control = append.source() == Codec.NONE && isControl(magic);
    boolean sameCodec = append.source() == append.target();
    boolean keepsControl = control && !sameCodec;
    if (!keepsControl && (!sameCodec || needsRebuild(magic, control))) {
      rebuilding.run(nowMs);
      return;
    }
    append.select();
    boolean accepted = keepsControl ? inspectControl(nowMs) : append.inspect(offsetsCodec(), nowMs);
    MutableVerdict verdict = append.engines().verdict();
    if (!accepted) {
      throw append.refusal(verdict, true);
    }
    if (verdict.needsRebuild()) {
      rebuilding.run(nowMs);
    } else {
      stamp(verdict, nowMs);
    }
  }

  private boolean needsRebuild(byte magic, boolean control) {
    return InPlaceRules.beforeRecords(append.policy().target(), offsetsCodec(), magic, control)
        != null;
  }

  /** A control batch stays in place and uncompressed, whatever codec the topic stores. */
  private boolean inspectControl(long nowMs) {
    return append
        .engines()
        .inspect(append.buffer(), append.storingPolicy(), append.source(), nowMs);
  }

  /**
   * Returns the codec by which the core decides whether offsets must be 0, 1, 2, ... Kafka's method
   * for compressed records requires such offsets of uncompressed records too, so any compressed
   * codec stands in for {@code NONE}.
   */
  private Codec offsetsCodec() {
    return append.source() == Codec.NONE ? Codec.GZIP : append.source();
  }

  private void stamp(MutableVerdict verdict, long nowMs) {
    append.stamp(append.buffer(), append.nextOffset(), nowMs);
    append.report(verdict);
    long maxTimestamp = append.isLogAppendTime() ? nowMs : verdict.maxTimestamp();
    append.outcome().setInPlace(nowMs, maxTimestamp, temporaryBytes(verdict));
  }

  /** {@return true for a control batch} A batch with an incomplete header is refused later. */
  private boolean isControl(byte magic) {
    BatchIterator batches = append.batches();
    ByteBuffer buffer = append.buffer();
    return magic == BatchLayout.MAGIC_V2
        && batches.sizeInBytes() >= BatchLayout.HEADER_BYTES
        && (buffer.get(batches.start() + BatchLayout.ATTRIBUTES_OFFSET + 1)
                & BatchLayout.CONTROL_MASK)
            != 0;
  }

  /** {@return the temporary bytes as an int that wraps, as in Kafka} */
  private int temporaryBytes(Verdict verdict) {
    byte magic = append.policy().target().magic();
    int headerBytes = BatchLayout.headerBytes(magic, verdict.codec() != Codec.NONE);
    return (int) (headerBytes + verdict.declaredBytes());
  }
}
