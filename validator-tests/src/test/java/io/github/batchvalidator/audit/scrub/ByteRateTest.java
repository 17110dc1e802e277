// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts of {@code --rate}. */
class ByteRateTest {
  @ParameterizedTest
  @CsvSource({
    "1kB, 1000",
    "1 KB/s, 1000",
    "20MB/s, 20000000",
    "20 MB/s, 20000000",
    "1.5GB, 1500000000",
    "1KiB, 1024",
    "16MiB/s, 16777216",
    "0.5GiB/s, 536870912"
  })
  void decimalAndBinaryUnits(String text, long bytes) {
    assertEquals(new ByteRate(bytes), ByteRate.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "20",
        "0MB/s",
        "-1MB/s",
        "0.5kB",
        "20Mb/s",
        "20mb/s",
        "20M",
        "MB/s",
        "20MB/h",
        "1e3kB",
        "20 MB/s ",
        "9999999999kB",
        "999B"
      })
  void otherTextsAreRefused(String text) {
    assertNull(ByteRate.parse(text));
  }
}
