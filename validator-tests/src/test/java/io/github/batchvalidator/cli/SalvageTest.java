// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.salvage.Salvage;
import io.github.batchvalidator.audit.salvage.SalvagePlan;
import io.github.batchvalidator.audit.salvage.SoundRange;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.format.BatchLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sound batches of a damaged segment, in a new file. */
class SalvageTest {
  private static final String NAME = "00000000000000000000.log";
  private static final int BATCHES = 10;

  @TempDir private Path directory;

  private final SegmentBytes segment = SegmentBytes.of(BATCHES, 4);
  private final byte[] bytes = segment.toByteArray();

  @Test
  void damagedBatchesAreLeftOut() throws IOException {
    bytes[segment.position(3) - 1] ^= 1;
    bytes[segment.position(7) + BatchLayout.LENGTH_OFFSET] = -1;
    JsonNode salvaged = salvage();
    assertKept(0, 1, 3, 4, 5, 6, 8, 9);
    assertEquals(8, salvaged.get("keptBatches").asInt());
    assertEquals(1, salvaged.get("lostBatches").asInt());
    int lost = size(2) + size(7);
    assertEquals(lost, salvaged.get("lostBytes").asInt());
    assertEquals(bytes.length - lost, salvaged.get("keptBytes").asInt());
    String gaps =
        String.format(
            "[{\"from\":%d,\"to\":%d,\"firstOffset\":8,\"lastOffset\":11,"
                + "\"offsets\":[{\"first\":8,\"last\":11}]},"
                + "{\"from\":%d,\"to\":%d,\"firstOffset\":28,\"lastOffset\":31,"
                + "\"offsets\":[{\"first\":28,\"last\":31}]}]",
            segment.position(2), segment.position(3), segment.position(7), segment.position(8));
    assertEquals(gaps, salvaged.get("lost").toString());
  }

  /** After an unclean stop, without indexes, as a broker starts with the new file. */
  @Test
  void aLogOfABrokerLoadsTheNewFileAndCutsNothing() throws IOException {
    bytes[segment.position(3) - 1] ^= 1;
    bytes[segment.position(7) + BatchLayout.LENGTH_OFFSET] = -1;
    Path in = directory.resolve("orders-0");
    SegmentBytes.write(in, NAME, bytes);
    assertEquals(1, Run.of("salvage", "--into", out(), in.toString()).exitCode());
    Path partition = directory.resolve("out").resolve("orders-0");
    long size = Files.size(partition.resolve(NAME));
    UnifiedLog log =
        UnifiedLog.create(
            partition.toFile(),
            new LogConfig(Map.of()),
            0,
            0,
            new KafkaScheduler(1),
            new BrokerTopicStats(),
            Time.SYSTEM,
            300_000,
            new ProducerStateManagerConfig(86_400_000, false),
            600_000,
            new LogDirFailureChannel(1),
            false,
            Optional.empty());
    try {
      assertEquals(4L * BATCHES, log.logEndOffset());
      assertEquals(size, log.size());
    } finally {
      log.close();
    }
    assertEquals(size, Files.size(partition.resolve(NAME)));
  }

  @Test
  void aTornTailIsLeftOut() throws IOException {
    byte[] torn = Arrays.copyOf(bytes, bytes.length - 3);
    JsonNode salvaged = salvage(torn);
    assertKept(0, 1, 2, 3, 4, 5, 6, 7, 8);
    JsonNode gap = salvaged.get("lost").get(0);
    assertEquals(36, gap.get("firstOffset").asInt());
    assertTrue(gap.get("lastOffset").isNull());
  }

  /** No checksum covers a base offset: the batch that fits least is the wrong one. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3, 1L << 40, -1})
  void aWrongBaseOffsetCostsOneBatch(long offset) throws IOException {
    ByteBuffer.wrap(bytes).putLong(segment.position(5), offset);
    salvage();
    assertKept(0, 1, 2, 3, 4, 6, 7, 8, 9);
  }

  @Test
  void aBatchThatIsStoredTwiceIsKeptOnce() throws IOException {
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    twice.write(bytes, 0, segment.position(4));
    twice.write(bytes, segment.position(2), bytes.length - segment.position(2));
    salvage(twice.toByteArray());
    assertKept(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  /** Whatever one byte says, the rest is kept: the same as after a wrong base offset. */
  @Test
  void everyByteOfABatchDamaged() throws IOException {
    for (int at = segment.position(5); at < segment.position(6); at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) 0xA5;
      boolean isLeaderEpoch =
          at - segment.position(5) >= BatchLayout.PARTITION_LEADER_EPOCH_OFFSET
              && at - segment.position(5) < BatchLayout.MAGIC_OFFSET;
      if (!isLeaderEpoch) {
        salvage(damaged);
        assertBytes(0, 1, 2, 3, 4, 6, 7, 8, 9);
        Files.delete(target());
      }
    }
  }

  @Test
  void cleanSegmentsAreNotCopied() throws IOException {
    SegmentBytes.write(directory.resolve("in"), NAME, bytes);
    Run run = Run.json("salvage", "--into", directory.resolve("out"), directory.resolve("in"));
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(List.of(), run.objects("salvage"));
    assertFalse(Files.exists(directory.resolve("out")));
  }

  /** A reader that ends early, such as {@code head}, does not decide what is copied. */
  @Test
  void segmentsAreCopiedWithoutAReader() throws IOException {
    Path in = directory.resolve("in");
    SegmentBytes.write(in, "0.log", bytes);
    bytes[segment.position(3) - 1] ^= 1;
    SegmentBytes.write(in, NAME, bytes);
    Run run = Run.unwritten(true, "salvage", "--json", "--into", directory.resolve("out"), in);
    assertEquals(1, run.exitCode(), run.err());
    assertKept(0, 1, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void aBrokenLinkDoesNotPreventTheOthers() throws IOException {
    bytes[segment.position(3) - 1] ^= 1;
    Path in = SegmentBytes.write(directory.resolve("in"), NAME, bytes);
    Files.createSymbolicLink(in.resolveSibling("gone.log"), Path.of("nowhere"));
    Files.createSymbolicLink(in.resolveSibling("loop.log"), Path.of("loop.log"));
    Run run = Run.json("salvage", "--into", directory.resolve("out"), directory.resolve("in"));
    assertEquals(3, run.exitCode(), run.err());
    assertTrue(run.err().contains("gone.log: broken symbolic link"), run.err());
    assertTrue(run.err().contains("loop.log: "), run.err());
    assertKept(0, 1, 3, 4, 5, 6, 7, 8, 9);
  }

  /** No other file belongs to it. */
  @Test
  void aNamedFileWithAShortNameIsSalvaged() {
    bytes[segment.position(3) - 1] ^= 1;
    Path in = SegmentBytes.write(directory.resolve("in"), "a", bytes);
    Run run = Run.json("salvage", "--into", directory.resolve("out"), in);
    assertEquals(1, run.exitCode(), run.err());
    JsonNode salvaged = run.objects("salvage").get(0);
    assertEquals(BATCHES - 1, salvaged.get("keptBatches").asInt());
    assertTrue(Files.exists(directory.resolve("out").resolve("a")));
  }

  @Test
  void aFileWithoutSoundBatchesGivesNoFile() throws IOException {
    JsonNode salvaged = salvage("some text that is no segment".getBytes(UTF_8));
    assertTrue(salvaged.get("target").isNull());
    assertFalse(Files.exists(directory.resolve("out")));
    Run text = Run.of("salvage", "--into", out(), directory.resolve("in").toString());
    assertTrue(text.out().contains("nothing to salvage of "), text.out());
  }

  @Test
  void theTextNamesLostOffsets() {
    bytes[segment.position(3) - 1] ^= 1;
    Path in = directory.resolve("orders-0");
    SegmentBytes.write(in, NAME, bytes);
    Run run = Run.of("salvage", "--into", out(), in.toString());
    String gap = "bytes " + segment.position(2) + " to " + (segment.position(3) - 1);
    String expected =
        String.join(
            "\n",
            "salvaged " + directory.resolve("out/orders-0").resolve(NAME),
            "  kept 9 batches, " + (bytes.length - size(2)) + " bytes",
            "  lost 1 known batch, " + size(2) + " bytes",
            "    " + gap + ": offsets 8 to 11");
    assertTrue(run.out().contains(expected), run.out());
    assertEquals(1, run.exitCode());
  }

  /** The second of two exchanged batches is dropped, although nothing is missing around it. */
  @Test
  void offsetsOfExchangedBatchesAreLost() throws IOException {
    ByteArrayOutputStream exchanged = new ByteArrayOutputStream();
    exchanged.write(bytes, 0, segment.position(4));
    exchanged.write(bytes, segment.position(5), size(5));
    exchanged.write(bytes, segment.position(4), size(4));
    exchanged.write(bytes, segment.position(6), bytes.length - segment.position(6));
    JsonNode salvaged = salvage(exchanged.toByteArray());
    boolean keepsFirst = size(5) >= size(4);
    String offsets = keepsFirst ? "[{\"first\":16,\"last\":19}]" : "[{\"first\":20,\"last\":23}]";
    assertEquals(1, salvaged.get("lost").size());
    assertEquals(offsets, salvaged.get("lost").get(0).get("offsets").toString());
  }

  /** The names of two segments are exchanged: what is in one of the files is not lost. */
  @Test
  void offsetsInOtherFilesAreNotLost() throws IOException {
    Path in = directory.resolve("orders-0");
    int middle = segment.position(5);
    SegmentBytes.write(in, NAME, Arrays.copyOfRange(bytes, middle, bytes.length));
    SegmentBytes.write(in, "00000000000000000020.log", Arrays.copyOf(bytes, middle));
    Run run = Run.json("salvage", "--into", directory.resolve("out"), in);
    assertEquals(1, run.objects("salvage").size(), run.out());
    JsonNode gap = run.objects("salvage").get(0).get("lost").get(0);
    assertEquals(0, gap.get("firstOffset").asInt());
    assertEquals("{\"first\":0,\"last\":19}", gap.get("offsets").get(0).toString());
  }

  /** While bytes are copied, no file has the name that a broker would load. */
  @Test
  void aFileGetsItsNameWhenItIsComplete() throws Exception {
    Path out = directory.resolve("out");
    Path source = SegmentBytes.write(directory.resolve("in"), NAME, bytes);
    FileSegment sound = new FileSegment(source);
    sound.open();
    SalvagePlan plan =
        SalvagePlan.of(
            sound,
            List.of(new SoundRange(0, bytes.length, 0, 39, BATCHES)),
            List.of(),
            BATCHES,
            SalvageSummary.END);
    Salvage salvage = new Salvage(out, List.of(), Set.of());
    assertThrows(
        IOException.class,
        () ->
            salvage.write(
                plan,
                file -> {
                  assertFalse(Files.exists(target()));
                  assertTrue(Arrays.equals(bytes, Files.readAllBytes(file)));
                  throw new IOException("no space left");
                }));
    try (Stream<Path> left = Files.list(out)) {
      assertEquals(List.of(), left.toList());
    }
    assertEquals(target(), salvage.write(plan, file -> {}));
    assertTrue(Arrays.equals(bytes, Files.readAllBytes(target())));
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    bytes[segment.position(3) - 1] ^= 1;
    Path existing = SegmentBytes.write(directory.resolve("out"), NAME, new byte[] {1});
    Path in = SegmentBytes.write(directory.resolve("in"), NAME, bytes);
    Run run = Run.json("salvage", "--into", directory.resolve("out"), in);
    assertEquals(3, run.exitCode());
    String message = run.objects("error").get(0).get("message").asText();
    assertTrue(message.endsWith(NAME + " exists already and is not overwritten"), message);
    assertEquals(1, Files.size(existing));
  }

  /** An unset shell variable, rather than the current directory. */
  @Test
  void anEmptyPathIsRefused() throws IOException {
    damagedWithLinks();
    Run run = Run.of("salvage", directory.resolve("orders-0").toString(), "--into", "");
    assertEquals(2, run.exitCode(), run.out());
    assertTrue(run.err().contains("the path is empty"), run.err());
  }

  /** Below a named directory, or beside a named file, with links on both sides. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders-0 orders-0",
        "orders-0 orders-0/new/newer",
        ". new",
        "orders-0 link",
        "orders-0 link/new",
        "link orders-0",
        "link orders-0/new",
        "orders-0/" + NAME + " orders-0",
        "orders-0/" + NAME + " link",
        "linked.log orders-0",
        "linked.log .",
      })
  void inputIsNeverWrittenTo(String arguments) throws IOException {
    damagedWithLinks();
    List<Path> before = tree();
    String[] all = arguments.split(" ", -1);
    Run run =
        Run.of(
            "salvage",
            directory.resolve(all[0]).toString(),
            "--into",
            directory.resolve(all[1]).toString());
    assertEquals(2, run.exitCode(), run.out());
    assertTrue(run.err().startsWith("check: --into must name a directory without input: "));
    assertEquals(before, tree());
  }

  /** The directory of a partition below OUT_DIR may be a link, too. */
  @Test
  void linksBelowTheTargetAreFollowed() throws IOException {
    damagedWithLinks();
    Path out = Files.createDirectory(directory.resolve("out"));
    Files.createSymbolicLink(out.resolve("orders-0"), directory.resolve("orders-0"));
    List<Path> before = tree();
    Run run = Run.json("salvage", directory.resolve("orders-0"), "--into", out);
    assertEquals(3, run.exitCode(), run.out());
    assertTrue(run.err().contains("is inside of the input"), run.err());
    assertEquals(before, tree());
  }

  private void damagedWithLinks() throws IOException {
    bytes[segment.position(3) - 1] ^= 1;
    Path in = SegmentBytes.write(directory.resolve("orders-0"), NAME, bytes);
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("orders-0"));
    Files.createSymbolicLink(directory.resolve("linked.log"), in);
  }

  private List<Path> tree() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.sorted().toList();
    }
  }

  private String out() {
    return directory.resolve("out").toString();
  }

  private Path target() {
    return directory.resolve("out").resolve(NAME);
  }

  private int size(int batch) {
    return segment.position(batch + 1) - segment.position(batch);
  }

  private JsonNode salvage() {
    return salvage(bytes);
  }

  private JsonNode salvage(byte[] damaged) {
    Path in = SegmentBytes.write(directory.resolve("in"), NAME, damaged);
    Run run = Run.json("salvage", "--into", directory.resolve("out"), in);
    assertEquals(1, run.exitCode(), run.err() + run.out());
    assertTrue(Arrays.equals(damaged, read(in)));
    return run.objects("salvage").get(0);
  }

  private static byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Checks the new file: its bytes, with this program and with Kafka. */
  private void assertKept(int... batches) throws IOException {
    assertBytes(batches);
    List<Long> offsets = new ArrayList<>();
    for (int batch : batches) {
      for (int i = 0; i < 4; i++) {
        offsets.add(4L * batch + i);
      }
    }
    Run run = Run.json(target());
    assertEquals(0, run.exitCode(), run.out());
    List<Long> ofKafka = new ArrayList<>();
    try (FileRecords kafka = FileRecords.open(target().toFile(), false)) {
      for (RecordBatch batch : kafka.batches()) {
        batch.ensureValid();
        for (Record each : batch) {
          ofKafka.add(each.offset());
        }
      }
    }
    assertEquals(offsets, ofKafka);
  }

  private void assertBytes(int... batches) {
    byte[] original = segment.toByteArray();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int batch : batches) {
      expected.write(original, segment.position(batch), size(batch));
    }
    assertTrue(Arrays.equals(expected.toByteArray(), read(target())));
  }
}
