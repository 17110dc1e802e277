// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scrub in its own JVM: the signal that ends it, and its memory. */
class ScrubProcessIT {
  private static final int PARTITIONS = 100;
  private static final int SEGMENTS = 1000;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path directory;
  private Path data;

  @BeforeEach
  void nameTheData() {
    data = directory.resolve("data");
  }

  private Path segment(String partition, long offset, ByteBuffer batch) {
    ByteBuffer bytes = batch.duplicate();
    byte[] copy = new byte[bytes.remaining()];
    bytes.putLong(bytes.position(), offset).get(copy);
    return SegmentBytes.write(data.resolve(partition), String.format("%020d.log", offset), copy);
  }

  private String waitFor(Path file, Predicate<String> isReached) throws Exception {
    long end = System.nanoTime() + WAIT_NANOS;
    String text = "";
    while (!isReached.test(text)) {
      assertTrue(System.nanoTime() < end, file::toString);
      Thread.sleep(20);
      text = Files.exists(file) ? Files.readString(file) : "";
    }
    return text;
  }

  /**
   * The check is interrupted in or after its third segment, and does not start again. The third
   * segment takes eight seconds at this rate, which is the time that the signal has.
   */
  @Test
  void aSignalEndsItWithItsStateSaved() throws Exception {
    long offset = 0;
    for (int i = 0; i < 4; i++) {
      int records = i == 2 ? 10_000 : 2000;
      ByteBuffer batch = SegmentBytes.batch(Codec.NONE, records, i);
      if (i == 2) {
        batch.put(BatchLayout.HEADER_BYTES + 50, (byte) 0x55);
      }
      segment("orders-0", offset, batch);
      offset += records;
    }
    Path state = directory.resolve("state");
    Process process =
        CheckProcess.start(directory, "scrub", "--rate", "60kB/s", "--state", state, data);
    waitFor(directory.resolve("out"), out -> out.contains("BATCH_CRC_MISMATCH"));
    process.destroy();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it did not end");
    assertEquals(1, process.exitValue(), () -> "of the fault; err: " + err());
    String saved = Files.readString(state);
    assertTrue(saved.matches("(?s).*\t0{16}[24]000\\.log\t.*"), saved);
    assertFalse(Files.readString(directory.resolve("out")).contains("\"partition\""));
    Run rest = Run.json("scrub", "--once", "--state", state, data);
    assertEquals(1, rest.exitCode());
    int segments = rest.objects("partition").get(0).get("segments").asInt();
    assertTrue(segments == 2 || segments == 3, rest.out());
  }

  private String err() {
    try {
      return Files.readString(directory.resolve("err"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /**
   * Fills a partition with other names of the same files, because many files take long to write.
   */
  private static void link(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.createLink(to.resolve(file.getFileName()), file);
      }
    }
  }

  /** 100,000 segments in a heap, and an equally large direct memory, that hold none of them. */
  @Test
  void memoryDoesNotDependOnTheNumberOfSegments() throws Exception {
    ByteBuffer batch = SegmentBytes.batch(Codec.NONE, 1, 0);
    for (int offset = 0; offset < SEGMENTS; offset++) {
      Path segment = segment("orders-0", offset, batch);
      Files.setLastModifiedTime(segment, FileTime.from(Instant.now())); // the cache is faster
    }
    for (int partition = 1; partition < PARTITIONS; partition++) {
      link(data.resolve("orders-0"), Files.createDirectory(data.resolve("orders-" + partition)));
    }
    Path state = directory.resolve("state");
    Run run =
        CheckProcess.run(
            directory,
            List.of("-Xmx24m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            "scrub",
            "--once",
            "--rate",
            "10GB/s",
            "--state",
            state,
            data);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(PARTITIONS * SEGMENTS, run.summary().get("files").asInt());
    assertEquals(PARTITIONS, run.objects("partition").size());
  }
}
