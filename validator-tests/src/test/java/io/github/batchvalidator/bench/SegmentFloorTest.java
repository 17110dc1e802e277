// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.workload.SegmentFiles;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentFloorTest {
  private static final String SAMPLE = "/io/github/batchvalidator/cli/sample/json-lz4.log";

  @TempDir private Path directory;

  @Test
  void decompressesWhatIsInspectedAndNumbersItOn() throws IOException {
    SegmentFiles.fill(directory, sample(), 2, 100_000);
    try (Stream<Path> files = Files.list(directory);
        BatchValidator validator = new BatchValidator()) {
      long offset = 0;
      for (Path file : files.sorted().toList()) {
        assertEquals("%020d.log".formatted(offset), file.getFileName().toString());
        byte[] segment = Files.readAllBytes(file);
        assertTrue(segment.length >= 100_000);
        MutableVerdict verdict = new MutableVerdict();
        ByteBuffer batches = ByteBuffer.wrap(segment);
        long plain = 0;
        while (batches.hasRemaining()) {
          assertTrue(validator.inspect(batches, Policy.STORED, 0, verdict), verdict::toString);
          assertEquals(offset, BatchLayout.baseOffsetAt(batches, batches.position()));
          offset += verdict.recordCount();
          plain += verdict.plainBytes();
          batches.position(batches.position() + verdict.batchBytes());
        }
        assertEquals(plain, SegmentFloor.decompress(segment));
      }
    }
  }

  private static byte[] sample() throws IOException {
    try (InputStream in = SegmentFloorTest.class.getResourceAsStream(SAMPLE)) {
      assertNotNull(in);
      return in.readAllBytes();
    }
  }
}
