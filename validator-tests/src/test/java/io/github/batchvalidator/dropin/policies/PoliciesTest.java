// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.policies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TopicRules;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.junit.jupiter.api.Test;

/** The cache returns the right policy, whatever it contains. */
class PoliciesTest {
  private final Policies policies =
      new Policies(section(Level.KAFKA, false, Limits.UNBOUNDED_AS_KAFKA));

  private static PolicySection section(Level level, boolean observe, Limits limits) {
    return new PolicySection(
        PolicySection.DEFAULT_NAME, List.of(), level, observe, limits, TopicRules.NONE);
  }

  @Test
  void makesOnePolicyForTheSameSettings() {
    assertSame(client(7, 8), client(7, 8));
    assertSame(policies.withRecordBytes(9), policies.withRecordBytes(9));
  }

  /** A broker has topics of several kinds; taking turns would cost an object per append. */
  @Test
  void keepsThoseOfTheUsualTopicsBesideEachOther() {
    List<Supplier<Policy>> usual =
        List.of(
            () -> of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, false),
            () -> of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, true),
            () -> of(AppendOrigin.CLIENT, TimestampType.LOG_APPEND_TIME, false),
            () -> of(AppendOrigin.COORDINATOR, TimestampType.CREATE_TIME, true));
    List<Policy> first = usual.stream().map(Supplier::get).toList();
    for (int i = 0; i < usual.size(); i++) {
      assertSame(first.get(i), usual.get(i).get());
    }
    Policies small = policies.withRecordBytes(1 << 20);
    Policies large = policies.withRecordBytes(1 << 21);
    assertSame(small, policies.withRecordBytes(1 << 20));
    assertSame(large, policies.withRecordBytes(1 << 21));
  }

  /** Sizes of 512 MiB and of Kafka's default share a place, and so do some of so many windows. */
  @Test
  void keepsThoseThatShareAPlace() {
    Policies largest = policies.withRecordBytes(Integer.MAX_VALUE - 8);
    Policies large = policies.withRecordBytes(1 << 29);
    assertSame(largest, policies.withRecordBytes(Integer.MAX_VALUE - 8));
    assertSame(large, policies.withRecordBytes(1 << 29));
    List<Policy> windows = LongStream.range(0, 16).mapToObj(i -> client(i, 7)).toList();
    for (int i = 0; i < windows.size(); i++) {
      assertSame(windows.get(i), client(i, 7));
    }
  }

  /** More than there are places for. */
  @Test
  void findsTheRightOneWhereAllPlacesAreDisputed() {
    for (int i = 0; i < 1_000; i++) {
      assertEquals(i % 300, client(i % 300, 7).timestampBeforeMaxMs());
      Policies bounded = policies.withRecordBytes(1 + i % 300);
      assertEquals(
          1 + i % 300,
          bounded
              .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, false, (byte) 2)
              .limits()
              .recordBytes());
    }
  }

  @Test
  void theLevelOfCompactedTopicsStaysWithABound() {
    PolicySection section =
        new PolicySection(
            PolicySection.DEFAULT_NAME,
            List.of(),
            Level.KAFKA,
            Level.STRICT,
            false,
            Limits.UNBOUNDED_AS_KAFKA,
            TopicRules.NONE);
    Policies bounded = new Policies(section).withRecordBytes(1 << 20);
    for (boolean compacted : new boolean[] {false, true}) {
      Policy policy =
          bounded.of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, compacted, (byte) 2);
      assertEquals(compacted ? Level.STRICT : Level.KAFKA, policy.level());
      assertEquals(1 << 20, policy.limits().recordBytes());
    }
  }

  private Policy of(AppendOrigin origin, TimestampType type, boolean compacted) {
    return policies.of(origin, type, Long.MAX_VALUE, 3_600_000, compacted, (byte) 2);
  }

  @Property
  void aPolicyHasTheSettingsOfTheAppend(
      @ForAll AppendOrigin origin,
      @ForAll TimestampType type,
      @ForAll long before,
      @ForAll long after,
      @ForAll boolean compacted) {
    for (byte toMagic = 0; toMagic <= 2; toMagic++) {
      Policy policy = policies.of(origin, type, before, after, compacted, toMagic);
      assertEquals(origin == AppendOrigin.CLIENT, policy.origin() == Origin.CLIENT);
      assertEquals(
          type == TimestampType.LOG_APPEND_TIME,
          policy.target().timestampType()
              == io.github.batchvalidator.rule.TimestampType.LOG_APPEND_TIME);
      assertEquals(before, policy.timestampBeforeMaxMs());
      assertEquals(after, policy.timestampAfterMaxMs());
      assertEquals(compacted, policy.compactedTopic());
      assertEquals(toMagic, policy.target().magic());
      assertTrue(policy.checkedByHost());
    }
  }

  @Property
  void boundsARecordAsAsked(@ForAll int bytes) {
    Policy policy =
        policies
            .withRecordBytes(bytes)
            .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, false, (byte) 2);
    int nearest = Math.max(1, Math.min(bytes, Integer.MAX_VALUE - 8));
    assertEquals(nearest, policy.limits().recordBytes());
    assertEquals(Limits.UNLIMITED, client(1, 2).limits().recordBytes());
  }

  /** Broker and operator both bound a record: the tighter bound holds. */
  @Test
  void aBrokersBoundDoesNotLoosenThatOfTheSettings() {
    Policies own =
        new Policies(
            section(Level.KAFKA, false, Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORD_BYTES, 1000)));
    for (int bytes : new int[] {Integer.MAX_VALUE, 1001, 1000, 999}) {
      Policy policy =
          own.withRecordBytes(bytes)
              .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, false, (byte) 2);
      assertEquals(Math.min(bytes, 1000), policy.limits().recordBytes());
    }
  }

  @Test
  void judgesAsTheOperatorSays() {
    Policy plain = client(1, 2);
    assertEquals(Level.KAFKA, plain.level());
    assertFalse(plain.looksStrictly());
    for (boolean observe : new boolean[] {false, true}) {
      Level level = observe ? Level.KAFKA : Level.STRICT;
      Policy policy =
          new Policies(section(level, observe, Limits.UNBOUNDED_AS_KAFKA))
              .withRecordBytes(9)
              .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, false, (byte) 2);
      assertEquals(level, policy.level());
      assertEquals(observe, policy.observing());
    }
  }

  private Policy client(long before, long after) {
    return policies.of(
        AppendOrigin.CLIENT, TimestampType.CREATE_TIME, before, after, false, (byte) 2);
  }
}
