// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.testkit.specification.Specification;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * A fixed share of the executable specification: policies, batches, codecs, walks, origins, levels,
 * lines, library, jar and agent, mixed. {@code scripts/specification} runs it for hours.
 */
class SpecificationIT {
  private static final int SEEDS = 16_000;
  private static final Specification SPECIFICATION = open();

  private static Specification open() {
    try {
      return new Specification(Files.createTempDirectory("specification"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Example
  void answersAreThoseOfKafkaAndOfTheModel() {
    SPECIFICATION.restart();
    SPECIFICATION.seeds(1, SEEDS);
    assertEquals(0, SPECIFICATION.differences(), SPECIFICATION::report);
    assertTrue(SPECIFICATION.appends() > 6 * SEEDS, SPECIFICATION::report);
  }

  /**
   * Pairs of faults that longer runs have found: a batch that takes a byte of the next one, a
   * producer that magic 0 cannot store, a second message after a cut one or with an unknown codec,
   * a broken Snappy stream and a record, and a record beyond the limit that Kafka has since 4.4.
   */
  @Example
  void rarePairsOfFaultsAreExplained() {
    long[] seeds = {
      825_781, 186_230, 2_155_364, 2_979_561, 3_279_484, 5_598_105, 5_675_640, 6_383_022, 6_725_179,
      6_777_179, 7_853_286
    };
    for (long seed : seeds) {
      SPECIFICATION.restart();
      SPECIFICATION.seeds(seed, 1);
      assertEquals(0, SPECIFICATION.differences(), SPECIFICATION::report);
    }
  }

  @Property(tries = 600, seed = "20261127")
  void answersToAnyChoicesAre(
      @ForAll @Size(max = 1500) List<@IntRange(min = 0, max = 1 << 20) Integer> choices) {
    SPECIFICATION.draw(choices);
    assertEquals(0, SPECIFICATION.differences(), SPECIFICATION::report);
  }

  @AfterContainer
  static void close() {
    SPECIFICATION.close();
  }
}
