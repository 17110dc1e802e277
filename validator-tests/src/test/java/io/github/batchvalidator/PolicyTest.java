// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Defaults and ranges of what a batch is judged by. */
class PolicyTest {

  @ParameterizedTest
  @EnumSource(Origin.class)
  void theDefaultsRefuseNothing(Origin origin) {
    Policy policy = Policy.builder(origin).build();
    assertEquals(origin, policy.origin());
    assertEquals(Level.KAFKA, policy.level());
    assertFalse(policy.observing());
    assertFalse(policy.looksStrictly());
    assertSame(Limits.GENEROUS, policy.limits());
    assertEquals(TimestampType.CREATE_TIME, policy.target().timestampType());
    assertEquals(Long.MAX_VALUE, policy.timestampBeforeMaxMs());
    assertEquals(Long.MAX_VALUE, policy.timestampAfterMaxMs());
    assertEquals(Integer.MAX_VALUE, policy.maxBatchBytes());
    assertFalse(policy.compactedTopic());
    assertFalse(policy.checkedByHost());
    assertEquals(2, policy.target().magic());
  }

  /** Needs one policy per field: the count fails when a field is added. */
  @Test
  void everySettingIsCopiedAndCompared() {
    Policy base = Policy.CLIENT;
    List<Policy> others =
        List.of(
            Policy.STORED,
            base.toBuilder().section("orders").build(),
            base.toBuilder().level(Level.STRICT).build(),
            base.toBuilder().observing(true).build(),
            base.toBuilder().limits(Limits.BROKER_DEFAULT).build(),
            base.toBuilder().topicRules(TopicRules.NONE.with(TopicRule.KEY_REQUIRED, true)).build(),
            base.toBuilder().target(Target.of(Codec.LZ4)).build(),
            base.toBuilder().timestampWindowMs(3, Long.MAX_VALUE).build(),
            base.toBuilder().timestampWindowMs(Long.MAX_VALUE, 3).build(),
            base.toBuilder().maxBatchBytes(3).build(),
            base.toBuilder().compactedTopic(true).build(),
            base.toBuilder().checkedByHost(true).build());
    long fields =
        Stream.of(Policy.class.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .count();
    assertEquals(fields, others.size());
    assertEquals(base, base.toBuilder().build());
    for (Policy other : others) {
      assertNotEquals(base, other);
      assertEquals(other, other.toBuilder().build());
      assertEquals(other.hashCode(), other.toBuilder().build().hashCode());
    }
  }

  @Test
  void theTextNamesWhatIsNotTheDefault() {
    assertEquals("Policy{CLIENT}", Policy.CLIENT.toString());
    Policy policy =
        Policy.builder(Origin.STORED)
            .level(Level.STRICT)
            .limits(Limits.BROKER_DEFAULT)
            .timestampWindowMs(3, Long.MAX_VALUE)
            .maxBatchBytes(1000)
            .build();
    assertEquals(
        "Policy{STORED, level=STRICT, limits=broker-default, timestampBeforeMaxMs=3,"
            + " maxBatchBytes=1000}",
        policy.toString());
  }

  @Test
  void aBuiltPolicyHasItsSettings() {
    Limits limits = Limits.BROKER_DEFAULT.with(Limit.PLAIN_BYTES, 5);
    Policy policy =
        Policy.builder(Origin.COORDINATOR)
            .level(Level.STRICT)
            .observing(true)
            .limits(limits)
            .target(
                Target.PRODUCER
                    .withMagic((byte) 1)
                    .withTimestampType(TimestampType.LOG_APPEND_TIME))
            .timestampWindowMs(3, 4)
            .maxBatchBytes(0)
            .compactedTopic(true)
            .checkedByHost(true)
            .build();
    assertEquals(Level.STRICT, policy.level());
    assertTrue(policy.observing());
    assertEquals(1, policy.target().magic());
    assertSame(limits, policy.limits());
    assertEquals(TimestampType.LOG_APPEND_TIME, policy.target().timestampType());
    assertEquals(3, policy.timestampBeforeMaxMs());
    assertEquals(4, policy.timestampAfterMaxMs());
    assertEquals(0, policy.maxBatchBytes());
    assertTrue(policy.compactedTopic());
    assertTrue(policy.checkedByHost());
  }

  @Test
  void strictAndObservingPoliciesLookStrictly() {
    assertTrue(Policy.builder(Origin.CLIENT).level(Level.STRICT).build().looksStrictly());
    assertTrue(Policy.builder(Origin.CLIENT).observing(true).build().looksStrictly());
  }

  @Test
  void aBuiltPolicyDoesNotChange() {
    Policy.Builder builder = Policy.builder(Origin.CLIENT);
    Policy policy = builder.build();
    builder.maxBatchBytes(1).compactedTopic(true);
    assertEquals(Integer.MAX_VALUE, policy.maxBatchBytes());
    assertFalse(policy.compactedTopic());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void aNegativeSizeIsRefused(int size) {
    Policy.Builder builder = Policy.builder(Origin.CLIENT);
    assertThrows(IllegalArgumentException.class, () -> builder.maxBatchBytes(size));
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without null checks may do
  void nullIsRefused() {
    Policy.Builder builder = Policy.builder(Origin.CLIENT);
    assertThrows(NullPointerException.class, () -> Policy.builder(null));
    assertThrows(NullPointerException.class, () -> builder.level(null));
    assertThrows(NullPointerException.class, () -> builder.limits(null));
    assertThrows(NullPointerException.class, () -> builder.target(null));
  }

  @ParameterizedTest
  @ValueSource(bytes = {-1, 3, Byte.MAX_VALUE})
  void anUnknownMagicIsRefused(byte magic) {
    assertThrows(IllegalArgumentException.class, () -> Target.PRODUCER.withMagic(magic));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void codecsAreFoundByTheirId(Codec codec) {
    assertSame(codec, Codec.byId(codec.id()));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7})
  void threeIdsHaveNoCodec(int id) {
    assertNull(Codec.byId(id));
    assertEquals(5, Codec.count());
  }

  @Test
  void framingIsCheckedWhateverTheOrigin() {
    for (Origin origin : Origin.values()) {
      assertTrue(Reason.FRAMING_INCOMPLETE.appliesTo(origin));
      assertTrue(Reason.BATCH_CRC_MISMATCH.appliesTo(origin));
      assertEquals(origin == Origin.STORED, Reason.RECORD_OFFSET_OUT_OF_ORDER.appliesTo(origin));
      assertEquals(origin == Origin.CLIENT, Reason.BATCH_COUNT_MISMATCH.appliesTo(origin));
      assertEquals(origin != Origin.STORED, Reason.RECORD_KEY_MISSING.appliesTo(origin));
    }
  }
}
