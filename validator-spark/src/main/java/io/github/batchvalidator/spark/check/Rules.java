// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkFiles;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all tasks of an audit share.
 *
 * @param storage the file systems
 * @param level what is a fault
 * @param policyFile the name of the policy file that Spark copies to each executor, with its files
 *     of ids, or null
 * @param compacted true if all partitions are known to be compacted
 * @param profile true to profile the records
 * @param keys decrypt segments that are encrypted
 */
public record Rules(
    Storage storage,
    Level level,
    @Nullable String policyFile,
    boolean compacted,
    boolean profile,
    DataKeys keys)
    implements Serializable {
  /** Two slices and a large batch fit into the blocks of a segment. */
  private static final long SLICE_BYTES = 1L << 22;

  private static final int WINDOW_BYTES = 1 << 18;
  private static final int MAX_WINDOW_BYTES = 1 << 24;

  /** Returns the rules without a policy file. */
  public static PolicySection byDefault(Level level) {
    return new PolicySection(
        PolicySection.DEFAULT_NAME,
        List.of(),
        level,
        false,
        Limits.UNBOUNDED_AS_KAFKA,
        TopicRules.NONE);
  }

  /** Returns the settings of a task. Loads the policy file. */
  Settings settings() {
    PolicySection byDefault = byDefault(level);
    try {
      String name = policyFile;
      PolicyFile policies =
          name == null ? null : PolicyFile.load(Path.of(SparkFiles.get(name)), byDefault);
      SegmentRules rules = new SegmentRules(policies, byDefault);
      return new Settings(1, WINDOW_BYTES, MAX_WINDOW_BYTES, SLICE_BYTES, rules);
    } catch (PolicyFileException e) {
      throw new IllegalStateException("the policy file is invalid here, but not on the driver", e);
    }
  }
}
