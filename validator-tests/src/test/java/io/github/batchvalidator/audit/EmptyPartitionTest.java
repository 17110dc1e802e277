// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.cli.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A partition that no batch was written to yet, as a broker creates it. */
class EmptyPartitionTest {
  @TempDir private Path folder;

  /** A follower has such a file until it fetches the first batch. */
  @Test
  void anEmptyCheckpointOfEpochsIsNoFault() throws Exception {
    Path partition = Files.createDirectory(folder.resolve("orders-0"));
    Files.createFile(partition.resolve("00000000000000000000.log"));
    Files.createFile(partition.resolve("leader-epoch-checkpoint"));
    Run check = Run.of(partition.toString());
    assertEquals(0, check.exitCode(), check.out());
  }
}
