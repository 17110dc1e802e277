// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.testkit.specification.PolicyDraw.Drawn;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyDrawTest {
  private static final List<Drawn> POLICIES =
      LongStream.range(0, 2000).mapToObj(PolicyDrawTest::policy).toList();

  @TempDir private Path folder;

  private static Drawn policy(long seed) {
    Choices choices = new SeededChoices(seed);
    return PolicyDraw.draw(choices, PolicyDraw.brokerWide(choices));
  }

  @Test
  void everyPolicyIsValid() throws Exception {
    ClassLoader loader = Objects.requireNonNull(PolicyFile.class.getClassLoader());
    PolicyFolder files = new PolicyFolder(folder);
    for (Drawn policy : POLICIES) {
      files.write(policy);
      PolicySection inherited =
          (PolicySection) PolicySections.brokerWide(loader, policy.brokerWide());
      assertNotNull(PolicyFile.load(files.file(), inherited), policy::text);
    }
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void everyLimitIsDrawn(Limit limit) {
    String key = "limits\\." + limit.label() + "=\\d+";
    assertTrue(POLICIES.stream().anyMatch(policy -> has(policy, "default\\." + key)));
    assertTrue(POLICIES.stream().anyMatch(policy -> has(policy, "topics\\.s\\d\\." + key)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"headers.required", "headers.forbidden", "key.starts", "value.starts"})
  void emptyListsRemoveInheritedOnes(String key) {
    assertTrue(
        POLICIES.stream()
            .anyMatch(
                policy ->
                    has(policy, "default\\." + key + "=.+")
                        && has(policy, "topics\\.s\\d\\." + key + "=")));
  }

  @Test
  void sectionsSetLevelOrObserveAlone() {
    assertTrue(POLICIES.stream().anyMatch(policy -> setsAlone(policy, "level", "observe")));
    assertTrue(POLICIES.stream().anyMatch(policy -> setsAlone(policy, "observe", "level")));
  }

  private static boolean has(Drawn policy, String line) {
    return policy.text().lines().anyMatch(each -> each.matches(line));
  }

  private static boolean setsAlone(Drawn policy, String key, String other) {
    return policy
        .text()
        .lines()
        .filter(line -> line.matches("topics\\.s\\d\\." + key + "=.*"))
        .map(line -> line.substring(0, line.indexOf(key)) + other + "=")
        .anyMatch(line -> !policy.text().contains(line));
  }
}
