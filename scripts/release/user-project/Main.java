// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Appends the first batch of a segment through the sample of docs/embedding.md, and a damaged copy. */
final class Main {
  private static final int LENGTH_POSITION = 8;
  private static final int OVERHEAD_BYTES = 12;
  private static final int RECORDS_POSITION = 57;

  private Main() {}

  public static void main(String[] args) throws Exception {
    ByteBuffer segment = ByteBuffer.wrap(Files.readAllBytes(Path.of(args[0])));
    int bytes = OVERHEAD_BYTES + segment.getInt(LENGTH_POSITION);
    int records = segment.getInt(RECORDS_POSITION);
    ByteBuffer batch = segment.limit(bytes).slice();
    Policy topic = Policy.builder(Origin.CLIENT).target(Target.of(Codec.ZSTD)).build();
    PartitionLog log = new PartitionLog(100, 7);
    long nowMs = System.currentTimeMillis();
    try (TwoPhaseAppend appends = new TwoPhaseAppend()) {
      require(appends.append(batch, topic, log, () -> nowMs) == 100 + records, "offsets");
      require(log.last().remaining() < bytes, "stored as ZSTD");
      batch.put(bytes - 1, (byte) ~batch.get(bytes - 1));
      try {
        appends.append(batch, topic, log, () -> nowMs);
        throw new AssertionError("a damaged batch was accepted");
      } catch (IllegalArgumentException e) {
        System.out.println(records + " records appended; a damaged batch rejected: " + e.getMessage());
      }
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
