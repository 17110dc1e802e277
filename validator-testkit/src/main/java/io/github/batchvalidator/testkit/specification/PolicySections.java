// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Broker-wide settings as the section that a policy file inherits, in any class loader. */
final class PolicySections {
  private static final String ROOT = "io.github.batchvalidator.";

  private PolicySections() {}

  @SuppressWarnings({"unchecked", "rawtypes"})
  static Object brokerWide(ClassLoader loader, Map<String, String> settings)
      throws ReflectiveOperationException {
    Class<?> section = Class.forName(ROOT + "policy.PolicySection", true, loader);
    Class<?> limits = Class.forName(ROOT + "rule.Limits", true, loader);
    Class<?> rules = Class.forName(ROOT + "rule.TopicRules", true, loader);
    Class level = Class.forName(ROOT + "rule.Level", true, loader);
    String name = settings.getOrDefault("level", "kafka").toUpperCase(Locale.ROOT);
    String preset = settings.getOrDefault("limits", "generous");
    Class<?>[] types = {String.class, List.class, level, boolean.class, limits, rules};
    return section
        .getConstructor(types)
        .newInstance(
            "default",
            List.of(),
            Enum.valueOf(level, name),
            settings.getOrDefault("observe", "false").equals("true"),
            limits.getMethod("preset", String.class).invoke(null, preset),
            rules.getField("NONE").get(null));
  }
}
