// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A digest file that was checked when it was opened. The digest of a partition is read when it is
 * needed, so memory does not depend on the size of the file.
 */
public final class DigestFile {
  private static final int MAX_LINE = 1 << 20;
  private static final int RANGE_FIELDS = 6;
  private static final int OFFSET_FIELDS = 5;
  private static final int BUFFER_BYTES = 1 << 16;

  private final StoredFile file;

  /** The position of the first line of each partition. */
  private final Map<String, Long> partitions = new LinkedHashMap<>();

  private DigestFile(StoredFile file) {
    this.file = file;
  }

  /** Returns true if a file starts like a digest file, of any version. */
  public static boolean isDigest(StoredFile file) {
    int version = DigestWriter.FORMAT.lastIndexOf(' ') + 1;
    byte[] start = DigestWriter.FORMAT.substring(0, version).getBytes(StandardCharsets.UTF_8);
    try (InputStream in = file.open()) {
      return Arrays.equals(in.readNBytes(start.length), start);
    } catch (IOException e) {
      return false;
    }
  }

  /** Opens a file. Fails if the file is cut, was changed, or has another version. */
  public static DigestFile open(StoredFile file) throws IOException {
    DigestFile opened = new DigestFile(file);
    try (Lines lines = new Lines(file, 0)) {
      String format = lines.next();
      if (!DigestWriter.FORMAT.equals(format)) {
        throw new IOException("not a digest of version 1: " + format);
      }
      if (!DigestWriter.HASH.equals(lines.next())) {
        throw new IOException("the digest has a hash that this program does not know");
      }
      opened.index(lines);
    }
    return opened;
  }

  private void index(Lines lines) throws IOException {
    long position = lines.position;
    int sum = lines.sum();
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (line.startsWith(DigestWriter.SUM)) {
        String expected = DigestWriter.SUM + HexFormat.of().toHexDigits(sum);
        if (!line.equals(expected) || lines.next() != null) {
          throw new IOException("the digest was changed: its checksum is wrong");
        }
        return;
      }
      if (line.startsWith(DigestWriter.PARTITION)) {
        partitions.put(line.substring(DigestWriter.PARTITION.length()), position);
      }
      position = lines.position;
      sum = lines.sum();
    }
    throw new IOException("the digest is cut: its last line is missing");
  }

  /** Returns the digests of all partitions, which are not read yet. */
  public List<CopySource.InDigest> partitions() {
    List<CopySource.InDigest> all = new ArrayList<>();
    partitions.forEach((name, at) -> all.add(new CopySource.InDigest(file, name, at)));
    return all;
  }

  /** Reads the digest of a partition. Fails if the file has changed since it was opened. */
  static Digest read(CopySource.InDigest source) throws IOException {
    String partition = source.partition();
    try (Lines lines = new Lines(source.file(), source.position())) {
      if (!partition.equals(value(lines, DigestWriter.PARTITION))) {
        throw new IOException("the digest was changed: it has another partition there");
      }
      String origin = value(lines, DigestWriter.PATH);
      String id = value(lines, DigestWriter.TOPIC_ID);
      String[] offsets = value(lines, DigestWriter.OFFSETS).split(" ", -1);
      String epochs = value(lines, DigestWriter.EPOCHS);
      if (offsets.length != OFFSET_FIELDS) {
        throw new IOException("the digest has a line that cannot be read");
      }
      return new Digest(
          partition,
          source.name() + " (" + origin + ")",
          id.equals(DigestWriter.NONE) ? "" : id,
          Math.max(1, Long.parseLong(offsets[0])),
          Long.parseLong(offsets[1]),
          Long.parseLong(offsets[2]),
          Long.parseLong(offsets[3]),
          Boolean.parseBoolean(offsets[4]),
          epochs(epochs),
          ranges(lines));
    } catch (NumberFormatException e) {
      throw new IOException("the digest has a line that cannot be read", e);
    }
  }

  private static String value(Lines lines, String name) throws IOException {
    String line = lines.next();
    if (line == null || !line.startsWith(name)) {
      throw new IOException("the digest has no line with: " + name.trim());
    }
    return line.substring(name.length());
  }

  private static NavigableMap<Long, Integer> epochs(String text) {
    NavigableMap<Long, Integer> epochs = new TreeMap<>();
    if (!text.equals(DigestWriter.NONE)) {
      for (String entry : text.split(" ", -1)) {
        int colon = entry.indexOf(':');
        long offset = Long.parseLong(entry.substring(colon + 1));
        epochs.put(offset, Integer.parseInt(entry.substring(0, Math.max(0, colon))));
      }
    }
    return epochs;
  }

  private static List<Digest.Range> ranges(Lines lines) throws IOException {
    List<Digest.Range> ranges = new ArrayList<>();
    for (String line = lines.next();
        line != null && line.startsWith(DigestWriter.RANGE);
        line = lines.next()) {
      List<String> fields = List.of(line.substring(DigestWriter.RANGE.length()).split(" ", -1));
      if (fields.size() < RANGE_FIELDS) {
        throw new IOException("the digest has a range that cannot be read");
      }
      List<String> flags = fields.subList(RANGE_FIELDS, fields.size());
      ranges.add(
          new Digest.Range(
              Long.parseLong(fields.get(0)),
              Long.parseLong(fields.get(1)),
              Long.parseLong(fields.get(2)),
              Long.parseUnsignedLong(fields.get(3), 16),
              Integer.parseInt(fields.get(4)),
              Integer.parseInt(fields.get(5)),
              flags.contains(DigestWriter.DAMAGED),
              flags.contains(DigestWriter.GAPS)));
    }
    return ranges;
  }

  /** The lines of a file, with their checksum. */
  private static final class Lines implements AutoCloseable {
    private final InputStream in;
    private final CRC32C sum = new CRC32C();
    private byte[] line = new byte[128];
    private long position;

    Lines(StoredFile file, long from) throws IOException {
      in = new BufferedInputStream(file.open(), BUFFER_BYTES);
      in.skipNBytes(from);
      position = from;
    }

    /** Returns the checksum of all lines so far. */
    private int sum() {
      return (int) sum.getValue();
    }

    /** Returns the next line, or null at the end. A line without an end is no line. */
    private @Nullable String next() throws IOException {
      int size = 0;
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          return null;
        }
        if (size == MAX_LINE) {
          throw new IOException("the digest has a line that is too long");
        }
        if (size == line.length) {
          line = Arrays.copyOf(line, 2 * size);
        }
        line[size++] = (byte) next;
      }
      sum.update(line, 0, size);
      sum.update('\n');
      position += size + 1;
      return new String(line, 0, size, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
