// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shadow mode on each line: who answers, what is counted, what a sample is good for. */
class ShadowLineIT {
  private static final int RECORDS = 200;

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void validAppendsDoNotDiffer(KafkaLine line) {
    try (ShadowSide shadow = ShadowSide.on(line, line.ours())) {
      int asked = 0;
      for (Codec from : Codec.values()) {
        for (Codec to : Codec.values()) {
          for (int toMagic = from == Codec.ZSTD || to == Codec.ZSTD ? 2 : 1;
              toMagic <= 2;
              toMagic++) {
            Append append = append(valid(from), from, to, toMagic);
            Answer stock = LinePair.of(line).stock().ask(append);
            assertTrue(stock.accepted(), stock::toString);
            assertEquals(Set.of(), stock.differences(shadow.ask(append)), append::toLine);
            asked++;
          }
        }
      }
      assertEquals(41, asked);
      assertEquals(asked, shadow.appends());
      assertEquals(Map.of(), shadow.kinds());
      assertEquals(Map.of(), shadow.samples());
    }
  }

  private static byte[] valid(Codec codec) {
    SimpleRecord[] records = new SimpleRecord[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      records[i] = new SimpleRecord(Batches.nowMs(), new byte[] {(byte) i}, new byte[i]);
    }
    ByteBuffer batch = Batches.of(codec, records);
    byte[] bytes = new byte[batch.remaining()];
    batch.get(bytes);
    return bytes;
  }

  /** What stock crashes on is served: shadow mode changes nothing of what a broker does. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void aKnownDifferenceIsCountedAndSampledOnce(KafkaLine line) {
    byte[] record = new RecordBytes().offsetDelta(RecordBytes.varint(1, 1)).toBytes();
    byte[] batch = Batches.ofPlain(Codec.LZ4, 1, record).array();
    Append append = new Append(batch, BufferKind.HEAP, unlikely(1000, true));
    String kind = "KAFKA_CRASHED UnsupportedOperationException InvalidRecordException";
    try (ShadowSide shadow = ShadowSide.on(line, line.ours())) {
      for (int i = 0; i < 3; i++) {
        Answer served = shadow.ask(append);
        assertTrue(served.threw("UnsupportedOperationException"), served::toString);
      }
      shadow.ask(append(valid(Codec.LZ4), Codec.LZ4, Codec.LZ4, 2));
      assertEquals(4, shadow.appends());
      assertEquals(3, shadow.differing());
      assertEquals(Map.of(kind, 3L), shadow.kinds());
      assertEquals(Set.of(kind), shadow.samples().keySet());
      Outcome again = replay(line, shadow, kind);
      assertEquals(LineDifference.OFFSETS_NOT_SEQUENTIAL, LineDifference.of(again));
      boolean old = line.asksForBrokerVersion();
      int limit = line.hasRecordLimit() ? 1000 : Settings.NO_LIMIT;
      assertEquals(unlikely(limit, old), again.append().settings());
    }
  }

  /** None of the values is one that a forgotten word of a sample would have. */
  private static Settings unlikely(int recordLimit, boolean oldBrokers) {
    return new Settings(
        Settings.Entry.COMPRESSED,
        Codec.LZ4,
        Codec.LZ4,
        5,
        (byte) 2,
        TimestampType.CREATE_TIME,
        1111,
        2222,
        Batches.nowMs() + 5,
        false,
        "COORDINATOR",
        11,
        12_345,
        recordLimit,
        oldBrokers,
        true);
  }

  /** Both accept the append. The sample has the bytes from before the append. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void aKeptChecksumHasAKindOfItsOwn(KafkaLine line) {
    byte[] bytes = valid(Codec.GZIP);
    ByteBuffer batch = ByteBuffer.wrap(bytes);
    HeaderField.CRC.set(batch, HeaderField.CRC.get(batch) ^ 1);
    Settings settings = Settings.of(Codec.GZIP, Batches.nowMs());
    settings = SettingsChanges.type(settings, TimestampType.LOG_APPEND_TIME);
    settings = SettingsChanges.recordLimit(settings, 1000);
    Append append = new Append(bytes, BufferKind.DIRECT, settings);
    try (ShadowSide shadow = ShadowSide.on(line, line.ours())) {
      Answer served = shadow.ask(append);
      assertTrue(served.accepted(), served::toString);
      assertTrue(
          StoredBytes.spans(Objects.requireNonNull(served.result()).bytes())
              .get(0)
              .checksumIsRight());
      assertEquals(Map.of("WRONG_CHECKSUM_KEPT", 1L), shadow.kinds());
      Outcome again = replay(line, shadow, "WRONG_CHECKSUM_KEPT");
      assertEquals(LineDifference.WRONG_CHECKSUM_KEPT, LineDifference.of(again));
      assertEquals(BufferKind.DIRECT, again.append().placement());
      assertEquals(line.hasRecordLimit() ? 1000 : -1, again.append().settings().recordLimit());
    }
  }

  private static Outcome replay(KafkaLine line, ShadowSide shadow, String kind) {
    String sample = Objects.requireNonNull(shadow.samples().get(kind));
    return LinePair.of(line).ask(Append.parse(sample));
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void oursAnswersWhereKafkasClassIsMissing(KafkaLine line, @TempDir Path directory)
      throws IOException {
    List<Path> path = new ArrayList<>();
    for (Path jar : line.ours()) {
      boolean storage = jar.getFileName().toString().matches("kafka-storage-\\d.*");
      path.add(storage ? withoutLogValidator(jar, directory) : jar);
    }
    byte[] record = new RecordBytes().offsetDelta(RecordBytes.varint(1, 1)).toBytes();
    Append append = append(Batches.ofPlain(Codec.LZ4, 1, record).array(), Codec.LZ4, Codec.LZ4, 2);
    try (ShadowSide shadow = ShadowSide.on(line, path)) {
      assertFalse(shadow.isInTheShadow());
      assertTrue(shadow.ask(append).threw("InvalidRecordException"));
      Append valid = append(valid(Codec.ZSTD), Codec.ZSTD, Codec.GZIP, BatchLayout.MAGIC_V2);
      assertTrue(shadow.ask(valid).accepted());
    }
  }

  private static Path withoutLogValidator(Path jar, Path directory) throws IOException {
    Path copy = directory.resolve("cut.jar");
    int left = 0;
    try (ZipFile from = new ZipFile(jar.toFile());
        OutputStream file = Files.newOutputStream(copy);
        ZipOutputStream to = new ZipOutputStream(file)) {
      for (ZipEntry entry : Collections.list(from.entries())) {
        if (entry.getName().contains("/LogValidator")) {
          left++;
          continue;
        }
        to.putNextEntry(new ZipEntry(entry.getName()));
        try (InputStream in = from.getInputStream(entry)) {
          in.transferTo(to);
        }
      }
    }
    assertTrue(left >= 4, "classes left away: " + left);
    return copy;
  }

  private static Append append(byte[] bytes, Codec source, Codec target, int toMagic) {
    Settings settings = Settings.of(source, Batches.nowMs());
    settings = SettingsChanges.target(settings, target, toMagic);
    return new Append(bytes, BufferKind.HEAP, settings);
  }
}
