// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** Writes what a fuzzer starts from: honest inputs of each target, a few hundred bytes each. */
final class SeedCorpus {
  private static final int RECORDS = 3;

  /** The header of xerial's framing. */
  private static final int SNAPPY_HEADER_BYTES = 16;

  private final Path directory;

  private SeedCorpus(Path directory) {
    this.directory = directory;
  }

  /**
   * Writes all.
   *
   * @param args the directory
   */
  public static void main(String[] args) throws IOException {
    SeedCorpus corpus = new SeedCorpus(Path.of(args[0]));
    for (FuzzTarget target : FuzzTarget.values()) {
      corpus.write(target);
    }
  }

  private void write(FuzzTarget target) throws IOException {
    switch (target) {
      case DECODE_STORED -> writeStreams(target, Codec.NONE);
      case DECODE_GZIP_JDK, DECODE_GZIP_JAVA -> writeStreams(target, Codec.GZIP);
      case DECODE_SNAPPY -> writeStreams(target, Codec.SNAPPY);
      case DECODE_LZ4 -> writeStreams(target, Codec.LZ4);
      case DECODE_ZSTD -> writeStreams(target, Codec.ZSTD);
      case WALK_SNAPPY -> {
        byte[] blocks = Batches.compress(Codec.SNAPPY, Bytes.repeat(200, plainRecords()));
        byte[] chunks = Arrays.copyOfRange(blocks, SNAPPY_HEADER_BYTES, blocks.length);
        write(target, "stream", choices(0, 2, 0, 50, 0, 10, 0), chunks);
        write(target, "blocks", choices(1, 2, 0, 100, 0, 40, 1, 1, 255, 20), plainRecords());
        write(target, "tags", choices(2, 2, 0, 9, 1, 90, 1, 3, 15, 1, 30, 0, 0, 0), plainRecords());
        write(target, "records", choices(3, 2, 0, 7, 1, 200, 2, 9, 3, 1, 2, 3, 7), plainRecords());
      }
      case INSPECT_KAFKA, INSPECT_STRICT -> writeBatches(target, FuzzPolicy.CHOICES);
      case REBUILD -> writeBatches(target, FuzzPolicy.CHOICES + RebuildFuzz.CHOICES);
      case DROP_IN -> writeBatches(target, 3);
    }
  }

  private void writeStreams(FuzzTarget target, Codec codec) throws IOException {
    write(target, "empty", choices(0, 0), Batches.compress(codec, new byte[0]));
    write(target, "records", choices(0, 0), Batches.compress(codec, plainRecords()));
    write(target, "repeated", choices(0, 0), Batches.compress(codec, new byte[3000]));
  }

  private void writeBatches(FuzzTarget target, int zeros) throws IOException {
    for (Codec codec : Codec.values()) {
      String name = codec.name().toLowerCase(Locale.ROOT);
      byte[] head = new byte[zeros + FuzzBatch.CHOICES];
      head[zeros + 1] = (byte) codec.id();
      byte[] batch = Batches.ofPlain(codec, RECORDS, plainRecords()).array();
      write(target, name, head, batch);
      head[zeros] = FuzzBatch.COMPRESSED;
      write(
          target,
          name + "-plain",
          head,
          Batches.ofPlain(Codec.NONE, RECORDS, plainRecords()).array());
      head[zeros] = FuzzBatch.WRAPPED;
      head[zeros + 2] = 1;
      write(target, name + "-magic1", head, messages(1));
    }
    byte[] head = new byte[zeros + FuzzBatch.CHOICES];
    head[zeros] = FuzzBatch.SOUND;
    byte[] batch = Batches.ofPlain(Codec.NONE, RECORDS, plainRecords()).array();
    write(target, "header-cut", head, Arrays.copyOf(batch, BatchLayout.HEADER_BYTES - 1));
    write(target, "magic0", new byte[zeros + FuzzBatch.CHOICES], messages(0));
  }

  private static byte[] plainRecords() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < RECORDS; i++) {
      byte[] value = ("value " + i).getBytes(StandardCharsets.UTF_8);
      RecordBytes record =
          new RecordBytes()
              .offsetDelta(RecordBytes.varint(i, 1))
              .value(RecordBytes.varint(value.length, 1), value);
      if (i == 1) {
        record.headerCount(RecordBytes.varint(1, 1)).header(new byte[] {'h'}, new byte[] {1, 2});
      }
      out.writeBytes(record.toBytes());
    }
    return out.toByteArray();
  }

  private static byte[] messages(int magic) {
    return LegacyMessage.join(LegacyMessage.several(magic, RECORDS));
  }

  private static byte[] choices(int... choices) {
    byte[] bytes = new byte[choices.length];
    for (int i = 0; i < choices.length; i++) {
      bytes[i] = (byte) choices[i];
    }
    return bytes;
  }

  private void write(FuzzTarget target, String name, byte[] choices, byte[] rest)
      throws IOException {
    Path file = directory.resolve(target.label()).resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, Bytes.concat(choices, rest));
  }
}
