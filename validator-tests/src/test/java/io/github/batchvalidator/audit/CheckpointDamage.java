// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static io.github.batchvalidator.audit.report.PartitionReason.EPOCH_CHECKPOINT_MISMATCH;
import static io.github.batchvalidator.audit.report.PartitionReason.EPOCH_CHECKPOINT_OUT_OF_ORDER;
import static io.github.batchvalidator.audit.report.PartitionReason.EPOCH_CHECKPOINT_UNREADABLE;

import io.github.batchvalidator.audit.report.PartitionReason;
import java.nio.file.Files;
import java.util.stream.Stream;

/** Damage of the checkpoint of leader epochs. The sample has {@code 0 0, 1 75, 3 143, 4 234}. */
final class CheckpointDamage {
  private static final String FILE = "leader-epoch-checkpoint";

  private CheckpointDamage() {}

  static Stream<Planted> all() {
    return Stream.of(
        text(EPOCH_CHECKPOINT_UNREADABLE, "is empty", ""),
        text(EPOCH_CHECKPOINT_UNREADABLE, "has another version", "1\n1\n0 0\n"),
        text(EPOCH_CHECKPOINT_UNREADABLE, "has no count", "0\n"),
        text(
            EPOCH_CHECKPOINT_UNREADABLE,
            "has more entries than it says",
            "0\n3\n0 0\n1 75\n3 143\n4 234\n"),
        text(
            EPOCH_CHECKPOINT_UNREADABLE,
            "has fewer entries than it says",
            "0\n4\n0 0\n1 75\n3 143\n"),
        text(EPOCH_CHECKPOINT_UNREADABLE, "has a word", "0\n2\n0 0\none 75\n"),
        text(EPOCH_CHECKPOINT_UNREADABLE, "has a third column", "0\n2\n0 0\n1 75 2\n"),
        text(
            EPOCH_CHECKPOINT_OUT_OF_ORDER,
            "has two entries exchanged",
            "0\n4\n0 0\n3 143\n1 75\n4 234\n"),
        text(
            EPOCH_CHECKPOINT_OUT_OF_ORDER,
            "has an entry twice",
            "0\n5\n0 0\n1 75\n1 75\n3 143\n4 234\n"),
        text(
            EPOCH_CHECKPOINT_OUT_OF_ORDER,
            "has offsets that decrease",
            "0\n4\n0 0\n1 75\n3 43\n4 234\n"),
        text(EPOCH_CHECKPOINT_MISMATCH, "has another epoch", "0\n4\n0 0\n2 75\n3 143\n4 234\n"),
        text(
            EPOCH_CHECKPOINT_MISMATCH, "has another last epoch", "0\n4\n0 0\n1 75\n3 143\n5 234\n"),
        text(
            EPOCH_CHECKPOINT_MISMATCH,
            "has an epoch that starts too early",
            "0\n4\n0 0\n1 70\n3 143\n4 234\n"),
        text(
            EPOCH_CHECKPOINT_MISMATCH,
            "has an epoch that starts too late",
            "0\n4\n0 0\n1 75\n3 152\n4 234\n"),
        text(
            EPOCH_CHECKPOINT_MISMATCH,
            "starts with a too early epoch",
            "0\n3\n0 80\n3 143\n4 234\n"),
        text(EPOCH_CHECKPOINT_MISMATCH, "lacks an entry", "0\n3\n0 0\n3 143\n4 234\n"));
  }

  private static Planted text(PartitionReason reason, String what, String content) {
    return new Planted(
        reason,
        "the checkpoint " + what,
        log -> {
          Files.writeString(log.file(FILE), content);
          return FILE + "@0";
        });
  }
}
