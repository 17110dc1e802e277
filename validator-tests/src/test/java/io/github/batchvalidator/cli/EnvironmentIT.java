// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lack of the machine is an error, not a fault of a segment. */
class EnvironmentIT {
  private static final int SLOW_BATCHES = 16;
  private static final int SMALL_FILES = 250;

  @TempDir private Path directory;

  @Test
  void aCodecWithoutItsLibraryIsAnErrorOfTheFilesThatNeedIt()
      throws IOException, InterruptedException {
    Path zstd = segment("1.log", Codec.ZSTD);
    Path gzip = segment("2.log", Codec.GZIP);
    Run run = CheckProcess.runWithout("zstd-jni", directory, zstd, gzip);
    assertEquals(3, run.exitCode(), run.out());
    assertEquals(List.of(), run.faults());
    JsonNode error = run.objects("error").get(0);
    assertEquals(zstd.toString(), error.get("file").asText());
    String message = error.get("message").asText();
    assertTrue(
        message.startsWith("the library of ZSTD cannot be used: java.lang.NoClass"), message);
    assertEquals(5, run.objects("file").get(1).get("records").asInt());
  }

  /** Enough for what files are read with, and for no decoder of zstd. */
  @Test
  void aCodecWithoutDirectMemoryIsAnErrorOfTheFilesThatNeedIt()
      throws IOException, InterruptedException {
    Path zstd = segment("1.log", Codec.ZSTD);
    Path gzip = segment("2.log", Codec.GZIP);
    List<String> options = List.of("-XX:MaxDirectMemorySize=160k");
    Run run = CheckProcess.run(directory, options, "--threads=1", zstd, gzip);
    assertEquals(3, run.exitCode(), run.out() + run.err());
    assertEquals(List.of(), run.faults());
    JsonNode error = run.objects("error").get(0);
    assertEquals(zstd.toString(), error.get("file").asText());
    assertTrue(error.get("message").asText().startsWith("not enough memory; try"), run.out());
    assertEquals(5, run.objects("file").get(1).get("records").asInt());
  }

  /**
   * Stacks of a quarter of a gigabyte, of which the process may have a few: those do the work.
   * Threads that are done with small files wait for the slow one, so that no stack is freed early.
   */
  @Test
  void threadsThatCannotBeStartedAreNoFaults() throws IOException, InterruptedException {
    Path folder = slowFileAndSmallOnes();
    String limit = "ulimit -v 8000000 || exit 77; export MALLOC_ARENA_MAX=1; exec \"$@\"";
    List<String> limited = List.of("bash", "-c", limit, "limited");
    List<String> options =
        List.of(
            "-Xmx64m", "-Xss256m", "-XX:+UseSerialGC", "-Xlog:disable", "-Xlog:all=warning:stderr");
    Run run = CheckProcess.runWithin(limited, directory, options, "--threads=256", folder);
    assumeTrue(run.exitCode() != 77, "address space cannot be limited");
    assertTrue(run.err().contains("Failed to start thread"), run.err());
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(SLOW_BATCHES + SMALL_FILES, run.summary().get("records").asInt());
  }

  /**
   * One thread inflates a gigabyte; the other one is done with all small files meanwhile. The JVM
   * also opens each jar of the class path of the tests.
   */
  @Test
  void filesThatAreDoneAreNotKeptOpen() throws IOException, InterruptedException {
    Path folder = slowFileAndSmallOnes();
    String limit = "ulimit -n 150 || exit 77; exec \"$@\"";
    List<String> limited = List.of("bash", "-c", limit, "limited");
    Run run = CheckProcess.runWithin(limited, directory, List.of(), "--threads=2", folder);
    assumeTrue(run.exitCode() != 77, "open files cannot be limited");
    assertEquals("", run.err());
    assertEquals(0, run.exitCode(), run.out());
    assertEquals(1 + SMALL_FILES, run.summary().get("files").asInt());
  }

  /** Writes a file that inflates to a gigabyte, and after it many files of one record each. */
  private Path slowFileAndSmallOnes() {
    ByteBuffer zeros =
        Batches.of(Codec.GZIP, new SimpleRecord(Batches.nowMs(), null, new byte[64 << 20]));
    SegmentBytes slow = new SegmentBytes();
    for (int i = 0; i < SLOW_BATCHES; i++) {
      slow.add(zeros);
    }
    Path folder = directory.resolve("orders-0");
    SegmentBytes.write(folder, "0.log", slow.toByteArray());
    byte[] small = SegmentBytes.of(1, 1).toByteArray();
    for (int i = 1; i <= SMALL_FILES; i++) {
      SegmentBytes.write(folder, i + ".log", small);
    }
    return folder;
  }

  private Path segment(String name, Codec codec) {
    SegmentBytes bytes = new SegmentBytes().add(SegmentBytes.batch(codec, 5, 1));
    return SegmentBytes.write(directory, name, bytes.toByteArray());
  }
}
