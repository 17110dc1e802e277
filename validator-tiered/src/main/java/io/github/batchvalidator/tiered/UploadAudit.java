// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.TopicRules;
import java.util.List;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;

/**
 * An audit of the files of one upload, in the thread of the caller. Rejects what level {@code
 * KAFKA} rejects in a stored segment. Thread-safe.
 */
final class UploadAudit {
  /** The default number of threads in which a broker uploads. They share the memory of audits. */
  private static final int UPLOADERS = 10;

  private static final PolicySection RULES =
      new PolicySection(
          PolicySection.DEFAULT_NAME,
          List.of(),
          Level.KAFKA,
          false,
          Limits.UNBOUNDED_AS_KAFKA,
          TopicRules.NONE);

  private final Settings settings = Settings.standard(UPLOADERS, new SegmentRules(null, RULES));

  /** Audits an upload. A failure of the audit is part of the result. */
  UploadFindings audit(RemoteLogSegmentMetadata metadata, LogSegmentData data) {
    UploadPartition partition =
        new UploadPartition(metadata.topicIdPartition(), data.logSegment(), metadata.startOffset());
    UploadFindings found = new UploadFindings(partition.snapshotBefore().toString());
    try {
      UploadSegment segment = new UploadSegment(partition, metadata, data);
      SliceMerge merge = new SliceMerge(found, false);
      new CheckRun(settings, List.of(segment), merge, bytes -> {}).runHere();
      merge.end(0, false);
    } catch (RuntimeException | Error e) {
      found.failed(e);
    }
    return found;
  }
}
