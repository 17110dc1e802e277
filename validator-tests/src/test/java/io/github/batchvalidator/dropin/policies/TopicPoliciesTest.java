// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.policies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.batchvalidator.AllocationMeter;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicPoliciesTest {
  private final TopicPolicies policies = new TopicPolicies(PolicySection.KAFKA);

  @TempDir private Path folder;

  @BeforeEach
  void loadFile() throws Exception {
    policies.replace(load("topics.a.match=orders*", "topics.a.level=strict"));
  }

  private PolicyFile load(String... lines) throws Exception {
    return PolicyFile.load(Files.write(folder.resolve("p"), List.of(lines)));
  }

  private static Policy of(Policies policies) {
    return policies.of(
        AppendOrigin.CLIENT, TimestampType.CREATE_TIME, Long.MAX_VALUE, 1, false, (byte) 2);
  }

  @Test
  void withoutAFileAllTopicsHaveTheSamePolicies() {
    TopicPolicies none = new TopicPolicies(PolicySection.KAFKA);
    assertSame(none.of("a"), none.of("b"));
    assertEquals(Level.KAFKA, of(none.of("a")).level());
  }

  @Test
  void eachTopicHasThePoliciesOfItsSection() {
    assertEquals(Level.STRICT, of(policies.of("orders-1")).level());
    assertEquals(Level.KAFKA, of(policies.of("other")).level());
    assertSame(policies.of("orders-1"), policies.of("orders-2"));
    assertSame(of(policies.of("orders-1")), of(policies.of("orders-2")));
    assertEquals("a", of(policies.of("orders-1")).section());
    assertEquals(Policy.DEFAULT_SECTION, of(policies.of("other")).section());
  }

  @Test
  void internalTopicsHaveTheBrokerWideSettings() throws Exception {
    policies.replace(load("default.level=strict", "topics.a.match=__named"));
    assertEquals(Level.KAFKA, of(policies.of("__remote_log_metadata")).level());
    assertEquals(Policy.DEFAULT_SECTION, of(policies.of("__remote_log_metadata")).section());
    assertEquals("a", of(policies.of("__named")).section());
    assertEquals(Level.STRICT, of(policies.of("other")).level());
    assertEquals(List.of("default", "a"), policies.sections().stream().map(s -> s.name()).toList());
  }

  @Test
  void aNewFileReplacesAllRules() throws Exception {
    policies.of("orders-1");
    policies.replace(load("default.limits=broker-default", "topics.b.match=orders-1"));
    assertEquals(Level.KAFKA, of(policies.of("orders-1")).level());
    assertEquals(Limits.BROKER_DEFAULT, of(policies.of("orders-1")).limits());
    assertEquals(List.of("default", "b"), policies.sections().stream().map(s -> s.name()).toList());
  }

  @Test
  void aLookUpAllocatesNothing() {
    Runnable lookUp =
        () ->
            policies
                .of("orders-1")
                .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 2, 1, false, (byte) 2);
    assertEquals(0, AllocationMeter.bytesPerCall(lookUp));
  }

  /** The answers stay the same if the cache is emptied. */
  @Test
  void manyTopics() {
    for (int i = 0; i < TopicPolicies.MOST_TOPICS + 10; i++) {
      policies.of("other-" + i);
    }
    assertEquals(Level.STRICT, of(policies.of("orders-1")).level());
    assertEquals(Level.KAFKA, of(policies.of("other-5")).level());
  }
}
