// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import java.util.Locale;

/** A formatter of byte counts in decimal units: 1 kB is 1000 B. */
public final class Sizes {
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  private static final int STEP = 1000;

  private Sizes() {}

  /** Formats a byte count with its unit, for example {@code 1.50 MB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= STEP && unit < UNITS.length - 1) {
      value /= STEP;
      unit++;
    }
    String format = unit == 0 ? "%.0f %s" : "%.2f %s";
    return String.format(Locale.ROOT, format, value, UNITS[unit]);
  }
}
