// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.compare.CompareRun;
import io.github.batchvalidator.audit.compare.DigestRun;
import io.github.batchvalidator.audit.source.Directory;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that fault after they were mapped, which is an {@code InternalError}. */
class MappedCompareTest {
  private static final String BAD = "orders-3";
  private static final String SOUND = "payments-0";
  private static final String FAULT = "java.lang.InternalError: a fault";
  private static final int RANGE = 16;

  @TempDir private Path data;

  /** A segment with a fault where a batch is looked at again, rather than where it is read. */
  private static final class Faulty extends FileSegment {
    Faulty(Path path, Partition partition) {
      super(path, partition, true);
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      if (!target.isDirect()) {
        throw new InternalError("a fault");
      }
      super.read(target, position);
    }
  }

  /** Writes two copies of two partitions. One of them lacks a segment, so that it is looked at. */
  @BeforeEach
  void write() throws IOException {
    Path sample = SampleLog.write(data);
    for (String copy : List.of("a", "b")) {
      Files.createDirectory(data.resolve(copy));
      StoredLog.copy(sample, data.resolve(copy).resolve(BAD));
      StoredLog.copy(sample, data.resolve(copy).resolve(SOUND));
    }
    new StoredLog(data.resolve("b").resolve(BAD)).delete(2);
  }

  private PartitionDirectory sound(String copy, String name) {
    return open(new LocalDirectory(data.resolve(copy).resolve(name)));
  }

  private PartitionDirectory faulty() {
    Path copy = data.resolve("b").resolve(BAD);
    return open(
        new DirectoryOpenedBy(
            new LocalDirectory(copy),
            (name, partition) -> new Faulty(copy.resolve(name), partition)));
  }

  private static PartitionDirectory open(Directory directory) {
    return Objects.requireNonNull(PartitionDirectory.of(directory));
  }

  @Test
  void aComparisonGoesOnWithOtherPartitions() throws Exception {
    Compared found = new Compared();
    CompareRun run = new CompareRun(1, false, found, bytes -> {});
    run.add(sound("a", BAD));
    run.add(faulty());
    run.add(sound("a", SOUND));
    run.add(sound("b", SOUND));
    run.run();
    assertEquals(List.of(BAD + ": " + FAULT), found.errors());
    assertEquals(2, found.partitions().size());
    assertTrue(found.partitions().get(1).batches() > 90);
  }

  @Test
  void aDigestHasTheOtherPartitions() throws Exception {
    List<String> errors = new ArrayList<>();
    DigestRun run =
        new DigestRun(
            List.of(faulty(), sound("b", SOUND)),
            RANGE,
            0,
            Long.MAX_VALUE,
            (file, why) -> errors.add(why),
            bytes -> {});
    run.run(1, data.resolve("digest"));
    assertEquals(List.of(FAULT), errors);
    assertEquals(1, run.written());
  }
}
