// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The validator's share of a broker's profile. */
class ValidatorShareTest {
  private static final String VALIDATOR = "org/apache/kafka/storage/internals/log/LogValidator";
  private static final String ENTRY = VALIDATOR + ".validateMessagesAndAssignOffsets";

  private static double share(String... stacks) {
    return ValidatorShare.of(List.of(stacks)).part();
  }

  @Test
  void framesBelowTheEntryCountNativeOnesToo() {
    assertEquals(
        0.3,
        share(
            "java/lang/Thread.run;kafka/Handler.run;" + ENTRY + ";inflate_fast 30",
            "java/lang/Thread.run;kafka/Handler.run;" + ENTRY + " 10",
            "java/lang/Thread.run;kafka/Handler.run;" + ENTRY + "_[j];inflate 20",
            "java/lang/Thread.run;kafka/Handler.run;write 140"));
  }

  @Test
  void itsConstructorAndTheAgent() {
    assertEquals(
        0.2,
        share(
            "kafka/Log.append;" + VALIDATOR + ".<init>;java/lang/Object 5",
            "kafka/Log.append;io/github/batchvalidator/dropin/OffLock.enter_[j];inflate 10",
            "kafka/Log.append;io/github/batchvalidator/dropin/OffLock.leave 5",
            "kafka/Log.append;write 80"));
  }

  @Test
  void theForkBeforeAndUnderTheLock() {
    String fork = "kafka/Log.append;io/github/batchvalidator/fork/";
    assertEquals(
        0.25,
        share(
            fork + "EarlyAppends.begin_[j];inflate 15",
            fork + "EarlyAppend.assign 5",
            fork + "EarlyAppend.close;java/util/Deque.addFirst 5",
            "kafka/Log.append;write 75"));
  }

  @Test
  void aClassWithALongerNameIsNotCounted() {
    assertEquals(
        0, share("a;" + VALIDATOR + "Metrics.count 5", "a;org/apache/kafka/LogValidator.<init> 5"));
  }

  @Test
  void weightsAreSums() {
    assertEquals(
        new ValidatorShare(17, 7), ValidatorShare.of(List.of("a;" + ENTRY + " 7", "a;c 10", "")));
  }

  @Test
  void anEmptyProfileIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> ValidatorShare.of(List.of("")));
  }

  /** Seen once, although it is entered twice. */
  @Test
  void aRecursiveEntryIsCountedOnce() {
    assertEquals(0.5, share("a;" + ENTRY + ";" + ENTRY + ";b 7", "a;c 7"));
  }
}
