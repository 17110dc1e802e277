// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.line;

import io.github.batchvalidator.dropin.policies.Policies;
import org.apache.kafka.common.__recordsPackage__.CompressionType;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.server.common.MetadataVersion;

/** The last parameter of Kafka's constructor in 3.9: the version that brokers speak. */
public final class ProtocolVersion {
  /** The newest version. */
  public static final MetadataVersion DEFAULT = MetadataVersion.latestProduction();

  private ProtocolVersion() {}

  /** {@return the policies of a topic: no version changes them} */
  static Policies apply(MetadataVersion unused, Policies ofTopic) {
    return ofTopic;
  }

  /** {@return false if the topic stores zstd, and the version is older than zstd} */
  static boolean clusterReads(Compression target, MetadataVersion version) {
    return target.type() != CompressionType.ZSTD || version.isAtLeast(MetadataVersion.IBP_2_1_IV0);
  }
}
