// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number of bytes per second.
 *
 * @param bytesPerSecond the number, at least {@value #LEAST}
 */
public record ByteRate(long bytesPerSecond) {
  /** The legal texts, for a sentence such as "--rate must be ...". */
  public static final String LEGAL_TEXTS =
      "a number with kB, MB, GB, KiB, MiB or GiB, at least 1kB/s, such as 20MB/s";

  /** One buffer of a slower scrub would take more than eight minutes. */
  private static final long LEAST = 1000;

  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,3})?) ?(kB|KB|MB|GB|KiB|MiB|GiB)(?:/s)?");
  private static final Map<String, Long> UNITS =
      Map.of(
          "kB", 1000L,
          "KB", 1000L,
          "MB", 1_000_000L,
          "GB", 1_000_000_000L,
          "KiB", 1L << 10,
          "MiB", 1L << 20,
          "GiB", 1L << 30);

  /**
   * Returns the rate that a text states, or null if it is not legal. {@code Mb} is not legal,
   * because it may mean bits.
   */
  public static @Nullable ByteRate parse(String text) {
    Matcher parts = TEXT.matcher(text);
    Long unit = parts.matches() ? UNITS.get(parts.group(2)) : null;
    if (unit == null) {
      return null;
    }
    long bytes = new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit)).longValue();
    return bytes < LEAST ? null : new ByteRate(bytes);
  }
}
