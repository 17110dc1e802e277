// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static io.github.batchvalidator.audit.report.PartitionReason.PARTITION_METADATA_UNREADABLE;
import static io.github.batchvalidator.audit.report.PartitionReason.QUORUM_STATE_UNREADABLE;

import io.github.batchvalidator.audit.report.PartitionReason;
import java.nio.file.Files;
import java.util.stream.Stream;

/** Damage of the files that a broker reads before the log. */
final class StateFileDamage {
  private StateFileDamage() {}

  static Stream<Planted> all() {
    return Stream.of(
        metadata("is empty", ""),
        metadata("is garbage", "\u0007\u00ff\u0001 garbage"),
        metadata("has another version", "version: 1\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"),
        metadata("has no id", "version: 0\n"),
        metadata("has a short id", "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAA"),
        metadata("has the id of no topic", "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA"),
        metadata("has an id with other letters", "version: 0\ntopic_id: AAAAAAAAAA*AAAAAAAAAAQ"),
        quorum("is empty", ""),
        quorum("is garbage", "\u0000\u0001garbage"),
        quorum("is cut", "{\"leaderId\":1,\"leaderEpoch\":5,\"vot"),
        quorum("has no version", "{\"leaderId\":1,\"leaderEpoch\":5,\"votedId\":-1}"),
        quorum(
            "has an unknown version",
            "{\"leaderId\":1,\"leaderEpoch\":5,\"votedId\":-1,\"data_version\":7}"),
        quorum("has no epoch", "{\"leaderId\":1,\"votedId\":-1,\"data_version\":1}"),
        quorum(
            "has a negative epoch",
            "{\"leaderId\":1,\"leaderEpoch\":-5,\"votedId\":-1,\"data_version\":1}"));
  }

  private static Planted metadata(String what, String content) {
    return file(PARTITION_METADATA_UNREADABLE, "partition.metadata", what, content);
  }

  private static Planted quorum(String what, String content) {
    return file(QUORUM_STATE_UNREADABLE, "quorum-state", what, content);
  }

  private static Planted file(PartitionReason reason, String name, String what, String content) {
    return new Planted(
        reason,
        name + " " + what,
        log -> {
          Files.writeString(log.file(name), content);
          return name + "@0";
        });
  }
}
