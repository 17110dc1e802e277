// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.gzip.GzipDecoder;
import io.github.batchvalidator.rule.Limits;

/**
 * A gzip decoder with Kafka's portions. {@code GZIPInputStream} reads its input in pieces of 8 KiB.
 * A portion ends early at the end of a member.
 */
final class ChunkedGzipDecoder extends GzipDecoder {
  private static final int INPUT_BYTES = 8 * 1024;
  private static final int CHUNK_BYTES = 16 * 1024;

  private final ChunkedReads portions = new ChunkedReads(CHUNK_BYTES);

  ChunkedGzipDecoder() {
    super(CHUNK_BYTES, INPUT_BYTES);
  }

  @Override
  protected void start(Limits limits, ByteWindow target) {
    portions.start();
    super.start(limits, target);
  }

  @Override
  protected int portion(ByteWindow target) {
    return portions.next(target);
  }

  @Override
  protected void produced(int bytes, boolean isWhole) {
    portions.took(isWhole ? bytes : ChunkedReads.THE_LAST);
  }
}
