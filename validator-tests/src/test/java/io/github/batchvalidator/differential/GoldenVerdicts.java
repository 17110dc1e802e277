// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * Prints what this processor makes of batches, one line a case, for {@code scripts/architectures}.
 * The output has to be the same on every processor.
 *
 * <p>The batches come from a file, because compressors do not write the same bytes everywhere.
 */
final class GoldenVerdicts {
  private static final int MOST_PLAIN_BYTES = 40_000;
  private static final int BATCHES_PER_VALID_ONE = 4;
  private static final int MOST_RECORDS = 100;
  private static final int MOST_VALUE_BYTES = 1000;
  private static final long FIRST_OFFSET = 1_234_567_890_123L;
  private static final int LEADER_EPOCH = 0x01020304;
  private static final List<Codec> CODECS = List.of(Codec.values());
  private static final List<BufferKind> KINDS = List.of(BufferKind.values());
  private static final Target APPEND_TIME =
      Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME);

  private final PrintStream out;
  private final Verdict verdict = BatchValidator.newVerdict();

  private GoldenVerdicts(PrintStream out) {
    this.out = out;
  }

  /**
   * Writes batches to a file, prints their verdicts, or compares what two processors printed.
   *
   * @param args {@code write FILE BATCHES SEED}, {@code print FILE} or {@code compare HERE THERE}
   */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[1]);
    switch (args[0]) {
      case "write" -> write(file, Integer.parseInt(args[2]), Long.parseLong(args[3]));
      case "print" -> print(file);
      default -> {
        GoldenComparison compared =
            GoldenComparison.of(Files.readAllLines(file), Files.readAllLines(Path.of(args[2])));
        System.out.println(compared);
        System.exit(compared.differing().isEmpty() ? 0 : 1);
      }
    }
  }

  private static void print(Path file) throws IOException {
    PrintStream out =
        new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      new GoldenVerdicts(out).print(in);
    }
    out.flush();
  }

  private static void write(Path file, int batches, long seed) throws IOException {
    RandomBatches random = new RandomBatches(seed);
    try (DataOutputStream to =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      to.writeInt(batches);
      for (int i = 0; i < batches; i++) {
        Codec codec = CODECS.get(i / 100 % CODECS.size());
        byte[] batch =
            isValid(i) ? valid(codec, new Random(seed + i)) : random.next(codec, MOST_PLAIN_BYTES);
        to.writeInt(batch.length);
        to.write(batch);
      }
    }
  }

  private static boolean isValid(int batch) {
    return batch % BATCHES_PER_VALID_ONE == 0;
  }

  private static byte[] valid(Codec codec, Random random) {
    SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(MOST_RECORDS)];
    for (int i = 0; i < records.length; i++) {
      byte[] value = new byte[random.nextInt(MOST_VALUE_BYTES)];
      for (int k = 0; k < value.length; k++) {
        value[k] = (byte) ('a' + random.nextInt(1 + i));
      }
      records[i] = new SimpleRecord(Batches.nowMs() - random.nextInt(1000), value);
    }
    return Batches.of(codec, records).array();
  }

  private void print(DataInputStream in) throws IOException {
    int batches = in.readInt();
    try (BatchValidator jdk = new BatchValidator(GzipInflater.JDK);
        BatchValidator java = new BatchValidator(GzipInflater.JAVA);
        BatchRebuilder rebuilder = new BatchRebuilder(GzipInflater.JAVA)) {
      for (int i = 0; i < batches; i++) {
        byte[] batch = in.readNBytes(in.readInt());
        String name = i + (isValid(i) ? " valid" : " damaged");
        for (Level level : Level.values()) {
          Policy policy = Policy.builder(Origin.CLIENT).level(level).build();
          WalkGates.open();
          inspect(name + " open", java, batch, policy);
          WalkGates.shut();
          inspect(name + " shut", jdk, batch, policy);
          inspect(name + " time", jdk, batch, policy.toBuilder().target(APPEND_TIME).build());
        }
        rebuild(name + " rebuilt", rebuilder, batch);
      }
    }
  }

  private void inspect(String name, BatchValidator validator, byte[] batch, Policy policy) {
    for (BufferKind kind : KINDS) {
      ByteBuffer buffer = kind.holding(batch, (byte) 0x5A);
      boolean accepted = validator.inspect(buffer, policy, Batches.nowMs(), verdict);
      String stamped = "";
      if (accepted && !verdict.needsRebuild() && !buffer.isReadOnly()) {
        new OffsetStamp()
            .firstOffset(FIRST_OFFSET)
            .leaderEpoch(LEADER_EPOCH)
            .nowMs(Batches.nowMs())
            .assign(buffer, verdict);
        stamped = " stamped " + checksum(buffer);
      }
      line(name + " " + policy.level() + " " + kind, stamped);
    }
  }

  private void rebuild(String name, BatchRebuilder rebuilder, byte[] batch) {
    boolean rebuilt =
        rebuilder
            .firstOffset(FIRST_OFFSET)
            .rebuild(
                ByteBuffer.wrap(batch),
                Batches.storing(Policy.CLIENT, Codec.NONE),
                Batches.nowMs(),
                verdict);
    line(name, rebuilt ? " as " + checksum(rebuilder.batch()) : "");
  }

  private static String checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return Long.toHexString(crc.getValue());
  }

  private void line(String name, String bytes) {
    out.println(
        name
            + ": "
            + verdict.codec()
            + " "
            + (verdict.accepted() ? "accepted" : verdict.reason())
            + " at "
            + verdict.position()
            + "/"
            + verdict.plainPosition()
            + ", record "
            + verdict.recordIndex()
            + " of "
            + verdict.recordCount()
            + ", "
            + verdict.plainBytes()
            + " plain bytes"
            + bytes);
  }
}
