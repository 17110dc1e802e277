// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.SectionCounts;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Meters by section of a policy file. */
class SectionMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SectionCounts counts = new SectionCounts();
  private final BatchValidator validator = new BatchValidator().listener(counts);
  private final Verdict verdict = BatchValidator.newVerdict();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    validator.close();
    registry.close();
  }

  private PolicyFile load(String text) throws Exception {
    return PolicyFile.load(Files.writeString(folder.resolve("policy.properties"), text));
  }

  /** Inspects a batch whose record has no headers. */
  private void inspect(PolicyFile file, String topic) {
    Policy policy = file.sectionOf(topic).applyTo(Policy.CLIENT);
    validator.inspect(
        Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().toBytes()),
        policy,
        Batches.nowMs(),
        verdict);
  }

  private Map<String, Double> meters() {
    Map<String, Double> found = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      String name = meter.getId().getName().substring("batchvalidator.batches.".length());
      found.put(name + " " + meter.getId().getTag("section"), ((FunctionCounter) meter).count());
    }
    return found;
  }

  @Test
  void everySectionHasMeters() throws Exception {
    PolicyFile file =
        load(
            """
            topics.orders.match=orders*
            topics.orders.headers.required=trace
            topics.watched.match=watched
            topics.watched.headers.required=trace
            topics.watched.observe=true
            """);
    new SectionMeters(counts, file).bindTo(registry);
    inspect(file, "orders-1");
    inspect(file, "orders-2");
    inspect(file, "watched");
    inspect(file, "other");
    assertEquals(
        Map.of(
            "refused.sections default", 0.0,
            "refused.sections orders", 2.0,
            "refused.sections watched", 0.0,
            "refused.sections (others)", 0.0,
            "found.sections default", 0.0,
            "found.sections orders", 0.0,
            "found.sections watched", 1.0,
            "found.sections (others)", 0.0),
        meters());
  }

  @Test
  void countsContinueWithAnotherFile() throws Exception {
    PolicyFile first = load("topics.a.match=a\ntopics.a.headers.required=trace\n");
    SectionMeters meters = new SectionMeters(counts, first, Tags.of("broker", "7"));
    meters.bindTo(registry);
    inspect(first, "a");
    meters.close();
    assertTrue(registry.getMeters().isEmpty());
    PolicyFile second = load("topics.b.match=b\ntopics.a.match=x\n");
    new SectionMeters(counts, second, Tags.of("broker", "7")).bindTo(registry);
    assertEquals(1.0, meters().get("refused.sections a"));
    assertEquals(0.0, meters().get("refused.sections b"));
    assertEquals(
        8,
        registry.find(SectionMeters.REFUSED).tag("broker", "7").meters().size()
            + registry.find(SectionMeters.FOUND).tag("broker", "7").meters().size());
  }

  @Test
  void everyNameIsDocumented() throws Exception {
    String text = Files.readString(Path.of("..", "docs", "metrics.md"));
    assertTrue(text.contains("`" + SectionMeters.REFUSED + "`"));
    assertTrue(text.contains("`" + SectionMeters.FOUND + "`"));
  }
}
