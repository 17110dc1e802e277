// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class CollapsedStacksTest {
  private static final String VALIDATOR = "org/apache/kafka/storage/internals/log/LogValidator";
  private static final String ENTRY = VALIDATOR + ".validateMessagesAndAssignOffsets";

  @Test
  void countsWhatIsBelowTheEntryNativeCodeToo() {
    List<String> stacks =
        List.of(
            "java/lang/Thread.run;kafka/Handler.run;" + ENTRY + ";inflate_fast 30",
            "java/lang/Thread.run;kafka/Handler.run;" + ENTRY + " 10",
            "java/lang/Thread.run;kafka/Handler.run;" + ENTRY + "_[j];inflate 20",
            "java/lang/Thread.run;kafka/Handler.run;write 140");
    assertEquals(0.3, CollapsedStacks.validatorShare(stacks));
  }

  @Test
  void countsItsConstructorAndTheAgent() {
    List<String> stacks =
        List.of(
            "kafka/Log.append;" + VALIDATOR + ".<init>;java/lang/Object 5",
            "kafka/Log.append;io/github/batchvalidator/dropin/OffLock.enter_[j];inflate 10",
            "kafka/Log.append;io/github/batchvalidator/dropin/OffLock.leave 5",
            "kafka/Log.append;write 80");
    assertEquals(0.2, CollapsedStacks.validatorShare(stacks));
  }

  @Test
  void aNameThatOnlyBeginsLikeItIsNotIt() {
    assertEquals(
        0,
        CollapsedStacks.validatorShare(
            List.of(
                "a;" + VALIDATOR + "Metrics.count 5", "a;org/apache/kafka/LogValidator.<init> 5")));
  }

  @Test
  void anEmptyProfileIsNoProfile() {
    assertThrows(IllegalArgumentException.class, () -> CollapsedStacks.validatorShare(List.of("")));
  }
}
