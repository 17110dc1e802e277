// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** A snapshot of the producers of a partition, as Kafka writes it beside the segments. */
public final class ProducerSnapshot {
  private static final short VERSION = 1;
  private static final int ENTRY_BYTES = 46;
  private static final int HEAD_BYTES = Short.BYTES + Integer.BYTES + Integer.BYTES;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The format of a snapshot is invalid. */
  static final class InvalidException extends IOException {
    private static final long serialVersionUID = 1;

    InvalidException(String message) {
      super(message);
    }
  }

  /**
   * The state of a producer.
   *
   * @param producerId the producer id
   * @param epoch its epoch
   * @param lastSequence its last sequence number, or -1
   * @param lastOffset the last offset of its last batch, or -1
   * @param offsetDelta the last offset of that batch minus its first one
   * @param lastTimestamp the largest timestamp of its last batch or marker, or -1
   * @param coordinatorEpoch the epoch of the coordinator of its last transaction, or -1
   * @param transactionStart the first offset of its open transaction, or -1
   */
  public record Entry(
      long producerId,
      int epoch,
      int lastSequence,
      long lastOffset,
      int offsetDelta,
      long lastTimestamp,
      int coordinatorEpoch,
      long transactionStart) {
    private static Entry read(ByteBuffer from) {
      return new Entry(
          from.getLong(),
          from.getShort(),
          from.getInt(),
          from.getLong(),
          from.getInt(),
          from.getLong(),
          from.getInt(),
          from.getLong());
    }

    private ByteBuffer put(ByteBuffer to) {
      to.clear().putLong(producerId).putShort((short) epoch).putInt(lastSequence);
      to.putLong(lastOffset).putInt(offsetDelta).putLong(lastTimestamp);
      return to.putInt(coordinatorEpoch).putLong(transactionStart).flip();
    }
  }

  /** A receiver of the bytes of a snapshot, in their order. */
  @FunctionalInterface
  public interface Output {
    /** Takes the bytes between position and limit. */
    void write(ByteBuffer bytes) throws IOException;
  }

  private ProducerSnapshot() {}

  /**
   * Reads a snapshot twice: first its checksum, then its producers. Looks again at an invalid one.
   * Memory does not depend on the number of producers.
   *
   * @param entries receives the producers
   * @throws IOException if the file is no snapshot, its checksum is wrong, or it cannot be read
   */
  public static void read(StoredFile file, Consumer<Entry> entries) throws IOException {
    try {
      check(file);
    } catch (InvalidException | EOFException incomplete) { // a broker may be writing the file
      LockSupport.parkNanos(PAUSE_NANOS);
      check(file);
    }
    scan(file, file.size(), entries);
  }

  private static void check(StoredFile file) throws IOException {
    long size = file.size();
    if (size == 0) {
      throw new InvalidException(
          "the file is empty, as it may be after a crash; a broker ignores it and reads an older"
              + " one");
    }
    if (size < HEAD_BYTES) {
      throw new InvalidException(
          "the file has " + size + " bytes, a snapshot has at least " + HEAD_BYTES);
    }
    scan(file, size, entry -> {});
  }

  private static void scan(StoredFile file, long size, Consumer<Entry> entries) throws IOException {
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(file.open()))) {
      int version = in.readShort();
      if (version != VERSION) {
        throw new InvalidException("the version is " + version + ", not " + VERSION);
      }
      int stored = in.readInt();
      CRC32C crc = new CRC32C();
      byte[] bytes = new byte[ENTRY_BYTES];
      in.readFully(bytes, 0, Integer.BYTES);
      crc.update(bytes, 0, Integer.BYTES);
      int count = ByteBuffer.wrap(bytes).getInt();
      if (count < 0 || size != HEAD_BYTES + (long) count * ENTRY_BYTES) {
        throw new InvalidException(count + " producers do not fit into " + size + " bytes");
      }
      for (int i = 0; i < count; i++) {
        in.readFully(bytes);
        crc.update(bytes, 0, bytes.length);
        entries.accept(Entry.read(ByteBuffer.wrap(bytes)));
      }
      if ((int) crc.getValue() != stored) {
        throw new InvalidException("the checksum is wrong");
      }
    }
  }

  /** Writes a snapshot, in one pass for its checksum and one for its bytes. */
  public static void write(Collection<Entry> entries, Output output) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(ENTRY_BYTES);
    CRC32C crc = new CRC32C();
    crc.update(bytes.putInt(entries.size()).flip());
    entries.forEach(entry -> crc.update(entry.put(bytes)));
    bytes.clear().putShort(VERSION).putInt((int) crc.getValue()).putInt(entries.size());
    output.write(bytes.flip());
    for (Entry entry : entries) {
      output.write(entry.put(bytes));
    }
  }
}
