// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckSideTest {
  private static final String RULES = "topics.s.match=ruled\ntopics.s.codecs=lz4\n";
  private static final long BEYOND_ANY_PARTITION = 1L << 60;

  @TempDir private Path folder;

  private static byte[] batch() {
    byte[] data = {'v'};
    return Batches.of(Codec.NONE, new SimpleRecord(Batches.nowMs(), data, data)).array();
  }

  private static byte[] withWrongChecksum(byte[] batch) {
    batch[Batches.crcOffset(ByteBuffer.wrap(batch))] ^= 1;
    return batch;
  }

  private static byte[] unlikely() {
    return HeaderField.BASE_OFFSET.set(ByteBuffer.wrap(batch()), BEYOND_ANY_PARTITION).array();
  }

  /** The last segment has nothing that looks like a batch. */
  @Test
  void reportsAreThoseOfTheModel() throws Exception {
    Path file = Files.writeString(folder.resolve("policy.properties"), RULES);
    CheckSide side = new CheckSide(folder);
    side.add("usual", withWrongChecksum(batch()));
    side.add("usual", batch());
    side.add("ruled", unlikely());
    side.add("odd", withWrongChecksum(unlikely()));
    List<String> judged = new ArrayList<>();
    side.check(
        PolicyFile.load(file),
        PolicySection.KAFKA,
        new ModelPolicy(RULES, "", Map.of()),
        (stored, judgment) ->
            judged.add(stored.topic() + " " + judgment.outcome() + " " + judgment.difference()));
    assertEquals(
        List.of(
            "usual faults that brokers do not look for null",
            "usual sound null",
            "ruled faults null",
            "odd skipped null"),
        judged);
  }
}
