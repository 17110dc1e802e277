// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.StoredLog.Batch;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Changes of single batches of a copy. */
final class BatchDivergence {
  private static final String DAMAGED = "COPY_DAMAGED";
  private static final String DIFFERS = "COPY_BATCH_DIFFERS";
  private static final int HEADER = 61;

  /** A batch of the first segment that is not compressed. */
  private static final int PLAIN = 3;

  private BatchDivergence() {}

  static Stream<Divergence> all() {
    return Stream.of(bitsOfFields(), bytes(), lengths(), baseOffsets(), epochs(), rewritten())
        .flatMap(each -> each);
  }

  private static Stream<Divergence> bitsOfFields() {
    return Arrays.stream(HeaderField.values())
        .filter(
            field ->
                field != HeaderField.BASE_OFFSET
                    && field != HeaderField.LENGTH
                    && field != HeaderField.PARTITION_LEADER_EPOCH)
        .flatMap(
            field ->
                IntStream.of(0, 7)
                    .mapToObj(
                        bit ->
                            new Divergence(
                                "bit " + bit + " of " + field + " is flipped",
                                log -> damaged(log, 0, 9, all -> flip(all, field, bit)))));
  }

  private static void flip(ByteBuffer batch, HeaderField field, int bit) {
    field.set(batch, field.get(batch) ^ (1L << bit));
  }

  private static void add(ByteBuffer batch, HeaderField field) {
    field.set(batch, field.get(batch) + 1000);
  }

  /** Changes the bytes of a batch, and leaves its checksum. */
  private static List<String> damaged(
      StoredLog log, int segment, int index, Consumer<ByteBuffer> change) throws Exception {
    Batch batch = log.batches(segment).get(index);
    log.edit(
        log.file(segment, ".log"),
        all -> change.accept(all.slice(batch.position(), batch.bytes())));
    return Divergence.at(DAMAGED, batch, "sds");
  }

  private static Stream<Divergence> bytes() {
    return Stream.of(
        new Divergence(
            "a bit of the first record is flipped",
            log -> damaged(log, 0, PLAIN, all -> all.put(HEADER, (byte) (all.get(HEADER) ^ 1)))),
        new Divergence(
            "the last byte of a batch is changed",
            log -> damaged(log, 0, 5, all -> all.put(all.limit() - 1, (byte) 0x5A))),
        new Divergence(
            "a byte of a compressed batch is changed",
            log ->
                damaged(log, 0, 14, all -> all.put(HEADER + 9, (byte) (all.get(HEADER + 9) ^ 9)))),
        new Divergence(
            "the records of a batch are zeros",
            log ->
                damaged(
                    log,
                    0,
                    8,
                    all ->
                        IntStream.range(HEADER, all.limit()).forEach(i -> all.put(i, (byte) 0)))),
        new Divergence(
            "the first batch of the partition is damaged",
            log -> damaged(log, 0, 0, all -> all.put(HEADER + 2, (byte) 0x77))),
        new Divergence(
            "the last batch of a segment is damaged",
            log ->
                damaged(
                    log, 0, log.batches(0).size() - 1, all -> all.put(HEADER + 2, (byte) 0x77))),
        new Divergence(
            "a marker of a transaction is damaged",
            log -> damaged(log, 1, 3, all -> all.put(HEADER + 2, (byte) 0x77))));
  }

  private static Stream<Divergence> lengths() {
    return Stream.of(
        new Divergence("a length is one too large", log -> length(log, 1)),
        new Divergence("a length is one too small", log -> length(log, -1)),
        new Divergence("a length is a gigabyte", log -> length(log, 1 << 30)),
        new Divergence("a length is negative", log -> length(log, 1 << 31)));
  }

  private static List<String> length(StoredLog log, int change) throws Exception {
    return damaged(log, 0, 9, all -> all.putInt(8, all.getInt(8) + change));
  }

  private static Stream<Divergence> baseOffsets() {
    return Stream.of(
        new Divergence("a base offset is one too large", log -> base(log, 0, 9, 1)),
        new Divergence("a base offset is a million too large", log -> base(log, 0, 9, 1_000_000)),
        new Divergence("a base offset is too small", log -> base(log, 0, 9, -3)),
        new Divergence("a base offset is negative", log -> base(log, 0, 9, Long.MIN_VALUE)),
        new Divergence(
            "the base offset of the first batch is wrong", log -> base(log, 0, 0, 1 << 20)),
        new Divergence(
            "the base offset of the last batch is wrong",
            log -> base(log, 5, log.batches(5).size() - 1, 1 << 20)));
  }

  private static List<String> base(StoredLog log, int segment, int index, long change)
      throws Exception {
    Batch batch = log.batches(segment).get(index);
    log.edit(
        log.file(segment, ".log"),
        all -> all.putLong(batch.position(), all.getLong(batch.position()) + change));
    return Divergence.at("COPY_BASE_OFFSET_DIFFERS", batch, "sps");
  }

  private static Stream<Divergence> epochs() {
    return Stream.of(
        new Divergence("a leader epoch is raised", log -> epoch(log, 1)),
        new Divergence("a leader epoch is negative", log -> epoch(log, 1 << 31)));
  }

  private static List<String> epoch(StoredLog log, int change) throws Exception {
    Batch batch = log.batches(0).get(9);
    log.edit(
        log.file(0, ".log"),
        all -> all.putInt(batch.position() + 12, all.getInt(batch.position() + 12) + change));
    return Divergence.at("COPY_LEADER_EPOCH_DIFFERS", batch, "sss");
  }

  private static Stream<Divergence> rewritten() {
    return Stream.of(
        new Divergence(
            "a producer id is changed, the checksum fits",
            log -> sound(log, 2, all -> flip(all, HeaderField.PRODUCER_ID, 3))),
        new Divergence(
            "a producer epoch is changed, the checksum fits",
            log -> sound(log, 2, all -> flip(all, HeaderField.PRODUCER_EPOCH, 3))),
        new Divergence(
            "a sequence is changed, the checksum fits",
            log -> sound(log, 2, all -> flip(all, HeaderField.BASE_SEQUENCE, 3))),
        new Divergence(
            "all timestamps are changed, the checksum fits",
            log ->
                sound(
                    log,
                    PLAIN,
                    all -> {
                      add(all, HeaderField.BASE_TIMESTAMP);
                      add(all, HeaderField.MAX_TIMESTAMP);
                    })),
        new Divergence(
            "a flag of a transaction is set, the checksum fits",
            log -> sound(log, 2, all -> flip(all, HeaderField.ATTRIBUTES, 4))),
        new Divergence(
            "a byte of a value is changed, the checksum fits",
            log ->
                sound(
                    log,
                    PLAIN,
                    all -> all.put(all.limit() - 2, (byte) (all.get(all.limit() - 2) ^ 1)))),
        new Divergence("a batch is compressed by another codec", BatchDivergence::otherCodec),
        new Divergence(
            "a batch with a right checksum has a wrong record count",
            log -> {
              Batch batch = log.batches(0).get(PLAIN);
              log.editBatch(0, batch, all -> flip(all, HeaderField.RECORD_COUNT, 0));
              return Divergence.at(DAMAGED, batch, "sds");
            }));
  }

  private static List<String> sound(StoredLog log, int index, Consumer<ByteBuffer> change)
      throws Exception {
    Batch batch = log.batches(0).get(index);
    log.editBatch(0, batch, change);
    return Divergence.at(DIFFERS, batch, "sss");
  }

  private static List<String> otherCodec(StoredLog log) throws Exception {
    Batch batch = log.batches(0).get(PLAIN);
    byte[] plain = log.bytes(0, batch);
    byte[] records = Arrays.copyOfRange(plain, HEADER, plain.length);
    byte[] compressed = Batches.compress(Codec.LZ4, records);
    ByteBuffer changed = ByteBuffer.allocate(HEADER + compressed.length);
    changed.put(plain, 0, HEADER).put(compressed);
    changed.putInt(8, changed.limit() - 12).put(22, (byte) Codec.LZ4.id());
    Path file = log.file(0, ".log");
    byte[] all = Files.readAllBytes(file);
    log.truncate(file, batch.position());
    log.append(file, Batches.fixCrc(changed.clear()).array());
    log.append(file, Arrays.copyOfRange(all, batch.position() + batch.bytes(), all.length));
    return Divergence.at(DIFFERS, batch, "sss");
  }
}
