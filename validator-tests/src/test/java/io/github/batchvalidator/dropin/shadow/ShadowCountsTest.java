// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.FailingLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.helpers.NOPLogger;

/** When differences are logged, and how many kinds and samples are kept. */
class ShadowCountsTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final ShadowCounts counts = new ShadowCounts(nanos::get, NOPLogger.NOP_LOGGER);

  private int differ(String kind) {
    return counts.addDifference(kind, () -> "text", () -> "sample of " + kind);
  }

  @Test
  void logsTheFirstOfEachKindAndThenOneAMinute() {
    assertEquals(1, differ("A"));
    assertEquals(0, differ("A"));
    assertEquals(1, differ("B"));
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
    assertEquals(0, differ("A"));
    nanos.addAndGet(1);
    assertEquals(1, differ("A"));
    assertEquals(0, differ("A"));
    assertEquals(Map.of("A", 5L, "B", 1L), counts.kinds());
    assertEquals(6, counts.differing());
  }

  @Test
  void sumsUpEveryTenMinutes() {
    assertEquals(0, counts.add());
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10) - 1);
    assertEquals(0, counts.add());
    nanos.addAndGet(1);
    assertEquals(1, counts.add());
    assertEquals(0, counts.add());
    assertEquals(4, counts.appends());
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aLogThatFailsChangesNoCount(Class<? extends Throwable> kind) {
    FailingLog log = new FailingLog(kind);
    ShadowCounts failing = new ShadowCounts(nanos::get, log.logger());
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
    assertEquals(0, failing.add());
    assertEquals(0, failing.addDifference("A", () -> "text", () -> null));
    assertEquals(List.of("info", "warn"), log.called());
    assertEquals(1, failing.appends());
    assertEquals(Map.of("A", 1L), failing.kinds());
  }

  @Test
  void keepsTheFirstSampleThatIsNotTooLong() {
    AtomicInteger made = new AtomicInteger();
    int[] lengths = {ShadowCounts.MAX_SAMPLE_CHARACTERS + 1, ShadowCounts.MAX_SAMPLE_CHARACTERS, 3};
    for (int i = 0; i < lengths.length; i++) {
      int length = lengths[i];
      counts.addDifference(
          "A",
          () -> "text",
          () -> {
            made.incrementAndGet();
            return "x".repeat(length);
          });
    }
    assertEquals(2, made.get(), "asked until there is one");
    assertEquals("x".repeat(ShadowCounts.MAX_SAMPLE_CHARACTERS), counts.samples().get("A"));
    counts.addDifference("B", () -> "text", () -> null);
    assertEquals(1, counts.samples().size());
  }

  @Test
  void keepsNoMoreKindsThanThereIsRoomFor() {
    for (int i = 0; i < 2 * ShadowCounts.MAX_KINDS; i++) {
      differ("kind " + i);
    }
    assertEquals(ShadowCounts.MAX_KINDS + 1, counts.kinds().size());
    assertEquals(ShadowCounts.MAX_KINDS, counts.kinds().get(ShadowCounts.OTHER));
    assertEquals(1, counts.kinds().get("kind 0"));
    differ("kind 0");
    assertEquals(2, counts.kinds().get("kind 0"));
  }

  @Test
  void pageExplainsEveryKind() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "metrics.md"));
    for (ShadowDifference kind : ShadowDifference.values()) {
      assertTrue(text.contains("`" + kind + "`"), kind::name);
    }
  }
}
