// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import io.github.batchvalidator.dropin.settings.Settings;
import io.github.batchvalidator.dropin.shadow.Shadow;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import java.nio.file.Path;
import org.apache.kafka.common.config.ConfigException;

/** The check of the settings, the policy file, and shadow mode. */
final class SettingsCheck {
  private static final String SETTINGS = "Settings";
  private static final String POLICY = "Policy";

  private SettingsCheck() {}

  static void check(BrokerStart start, Findings findings) {
    Settings settings;
    try {
      settings = Settings.read(System.getProperties());
    } catch (ConfigException e) {
      findings.fix(SETTINGS, "the broker would not start: " + e.getMessage());
      return;
    }
    findings.ok(
        SETTINGS, settings.describe().replace(" " + Settings.PREFIX, "\n" + Settings.PREFIX));
    if (!settings.ignored().isEmpty()) {
      findings.note(
          SETTINGS,
          "these names in the file of "
              + Settings.CONFIG
              + " have no effect: "
              + settings.ignored());
    }
    Path policy = settings.policy();
    if (policy == null) {
      recommendStrict(settings.byDefault(), findings);
    } else {
      checkPolicy(policy, settings, findings);
    }
    if (settings.shadow()) {
      checkShadow(findings);
    }
    if (AgentCheck.isUsed(start) && (settings.shadow() || !settings.offLock())) {
      findings.note(
          "Agent",
          "inspects nothing before the lock with batchvalidator.shadow or without offLock");
    }
  }

  private static void checkPolicy(Path policy, Settings settings, Findings findings) {
    try {
      PolicyFile file = PolicyFile.load(policy, settings.byDefault());
      findings.ok(POLICY, policy + " has " + file.sections().size() + " sections");
      file.warnings().forEach(warning -> findings.note(POLICY, warning));
      recommendStrict(file.sections().get(0), findings);
    } catch (PolicyFileException e) {
      findings.fix(
          POLICY,
          "the broker would refuse the file and use its broker-wide settings:\n" + e.getMessage());
    }
  }

  /** Some batches that level kafka accepts stop the compaction of their partition later. */
  private static void recommendStrict(PolicySection byDefault, Findings findings) {
    Policy compacted = Policy.CLIENT.toBuilder().compactedTopic(true).build();
    if (byDefault.applyTo(compacted).level() == Level.KAFKA && !byDefault.observing()) {
      findings.note(
          POLICY,
          "compacted topics have level kafka; default.compacted.level=strict is recommended:"
              + " docs/rollout.md");
    }
  }

  private static void checkShadow(Findings findings) {
    Shadow shadow = Shadow.link(SettingsCheck.class.getClassLoader());
    if (shadow.isLinked()) {
      findings.ok("Shadow mode", shadow.describe());
    } else {
      findings.fix("Shadow mode", shadow.describe());
    }
  }
}
