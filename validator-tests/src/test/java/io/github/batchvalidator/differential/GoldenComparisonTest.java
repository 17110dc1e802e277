// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoldenComparisonTest {
  private static final String END = " at 61/0, record 0 of 1, 0 plain bytes";
  private static final String CORRUPT =
      "7 damaged open KAFKA READ_ONLY: ZSTD CODEC_DATA_CORRUPT" + END;
  private static final String OTHER = "7 damaged open KAFKA READ_ONLY: ZSTD RECORD_TRUNCATED" + END;

  private static void expect(int damagedFrames, int differing, String here, String there) {
    GoldenComparison compared = GoldenComparison.of(List.of(here), List.of(there));
    assertEquals(1, compared.cases());
    assertEquals(damagedFrames, compared.damagedFrames());
    assertEquals(differing, compared.differing().size());
  }

  @Test
  void equalLinesDoNotDiffer() {
    expect(0, 0, OTHER, OTHER);
    expect(0, 0, CORRUPT, CORRUPT);
  }

  @Test
  void aDamagedFrameMayBeCorruptForOneProcessorOnly() {
    expect(1, 0, OTHER, CORRUPT);
    expect(1, 0, CORRUPT, OTHER);
  }

  @Test
  void anythingElseDiffers() {
    expect(0, 1, OTHER, OTHER.replace("record 0", "record 1"));
    expect(0, 1, CORRUPT, CORRUPT.replace("61", "62"));
    expect(0, 1, OTHER, CORRUPT.replace("7", "8"));
    expect(0, 1, OTHER.replace("damaged", "valid"), CORRUPT.replace("damaged", "valid"));
    expect(0, 1, OTHER.replace("ZSTD", "LZ4"), CORRUPT.replace("ZSTD", "LZ4"));
  }

  @Test
  void aMissingLineDiffers() {
    GoldenComparison compared = GoldenComparison.of(List.of(OTHER, CORRUPT), List.of(OTHER));
    assertEquals(1, compared.differing().size());
    assertEquals(0, compared.damagedFrames());
  }
}
