// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, and their form as text. */
final class Latencies {
  private static final int DIGITS = 3;
  private static final double NANOS_PER_MS = 1e6;

  private Latencies() {}

  /** Returns an empty histogram, which takes values of any size. */
  static Histogram empty() {
    return new Histogram(DIGITS);
  }

  static double ms(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / NANOS_PER_MS;
  }

  static String encode(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static Histogram decode(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
    } catch (DataFormatException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("no histogram", e);
    }
  }
}
