// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.scrub.Scrub;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scrub with other rules than the one before checks everything again, once. */
class ScrubRulesTest {
  private static final int BATCHES = 20;

  @TempDir private Path directory;

  private Path data;

  @BeforeEach
  void createDirectory() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
  }

  /** Returns a scrub some hours after the first one. */
  private Scrubbed scrub(int hours) {
    return Scrubbed.of(data).state(directory.resolve("scrub.state")).later(Duration.ofHours(hours));
  }

  private Path partition(String name) throws IOException {
    return ScrubTest.partition(data.resolve(name), BATCHES);
  }

  /** Returns rules that limit the number of records of a batch. The largest batches have 7. */
  private static SegmentRules atMost(int records) {
    Limits limits = Limits.GENEROUS.with(Limit.RECORDS, records);
    return new SegmentRules(null, PolicySection.KAFKA.withLimits(limits));
  }

  private static void assertFull(Scrubbed scrubbed) {
    assertEquals(List.of(ScrubTest.SEGMENTS), ScrubTest.segments(scrubbed));
  }

  private static void assertLimit(Scrubbed scrubbed) {
    List<String> all = scrubbed.faults();
    assertTrue(all.stream().anyMatch(each -> each.startsWith("LIMIT_RECORDS ")), all::toString);
  }

  /** Stops a scrub when it has found a fault. */
  private static void stopAtTheFirstFault(Scrubbed scrubbed) {
    scrubbed
        .rate("1kB/s")
        .watched(
            scrub -> {
              if (!scrubbed.faults().isEmpty()) {
                scrub.stop();
              }
            })
        .once();
    assertEquals(List.of(), scrubbed.partitions(), "the damage is before the last segment");
  }

  @Test
  void unchangedSegmentsAreCheckedByNewRulesOnce() throws Exception {
    partition("orders-0");
    scrub(0).once();
    assertFull(scrub(1).skipping().rules(atMost(7)).once());
    assertEquals(List.of(), scrub(2).skipping().rules(atMost(7)).once().partitions());
    assertLimit(scrub(3).skipping().rules(atMost(6)).once());
  }

  @Test
  void nothingIsSkippedUntilACheckByNewRulesHasEnded() throws Exception {
    partition("orders-0");
    scrub(0).once();
    Scrubbed stopped = scrub(1).skipping().rules(atMost(7)).rate("1kB/s").watched(Scrub::stop);
    assertEquals(List.of(), stopped.once().partitions());
    assertFull(scrub(2).skipping().rules(atMost(7)).once());
    assertEquals(List.of(), scrub(3).skipping().rules(atMost(7)).once().partitions());
  }

  @Test
  void aCheckByOtherRulesIsNotContinued() throws Exception {
    ScrubTest.damage(partition("orders-0"), 2);
    stopAtTheFirstFault(scrub(0));
    assertFull(scrub(1).rules(atMost(7)).once());
  }

  @Test
  void aPassThatGoesOnChecksPartitionsByNewRulesAgain() throws Exception {
    partition("a-0");
    partition("b-0");
    Scrubbed first = scrub(0).rate("100kB/s");
    first.watched(
        scrub -> {
          if (first.partitions().size() == 2) {
            scrub.stop();
          }
        });
    assertEquals(List.of("a-0", "b-0"), first.once().names());
    assertEquals(List.of(), first.passes());
    Scrubbed second = scrub(3).rules(atMost(7)).once();
    assertEquals(List.of("b-0", "a-0"), second.names());
    assertEquals(List.of(ScrubTest.SEGMENTS, ScrubTest.SEGMENTS), ScrubTest.segments(second));
  }

  @Test
  void theOptionForCompactedPartitionsIsNoSignOfACompaction() throws Exception {
    ScrubTest.withGap(data.resolve("orders-0"));
    assertEquals(List.of(), scrub(0).compacted().once().faults());
    ScrubTest.assertMissing(scrub(1).skipping().once());
  }

  @Test
  void aCheckWithTheOptionForCompactedPartitionsIsNotContinuedWithoutIt() throws Exception {
    ScrubTest.damage(ScrubTest.withGap(data.resolve("orders-0")), 2);
    stopAtTheFirstFault(scrub(0).compacted());
    ScrubTest.assertMissing(scrub(1).once());
  }

  @Test
  void otherSchemaIdsOfAFileAreOtherRules() throws Exception {
    partition("orders-0");
    Path ids = Files.writeString(directory.resolve("ids"), "17\n");
    String rules =
        "default.observe=true\ndefault.value.schema=payload\ndefault.value.schema.ids=file:ids\n";
    Path policy = Files.writeString(directory.resolve("policy"), rules);
    scrub(0).rules(rules(policy)).once();
    assertEquals(List.of(), scrub(1).skipping().rules(rules(policy)).once().partitions());
    Files.writeString(ids, "18\n");
    assertFull(scrub(2).skipping().rules(rules(policy)).once());
  }

  private static SegmentRules rules(Path policy) throws Exception {
    return new SegmentRules(PolicyFile.load(policy), PolicySection.KAFKA);
  }
}
