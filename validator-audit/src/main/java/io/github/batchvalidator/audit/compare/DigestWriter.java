// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Messages;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.StringJoiner;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * A writer of a digest file, which is a text.
 *
 * <p>Its first lines name the format, its version and the hash. Each partition has a line with its
 * name, lines with what is known of the copy, and a line for each range. The last line has the
 * CRC-32C of all bytes before it, so a file that is cut or changed is refused.
 */
final class DigestWriter implements Closeable {
  /** The first line of a file. */
  static final String FORMAT = "batch-validator digest 1";

  /** The second line of a file. */
  static final String HASH = "hash crc32-crc32c";

  /** Starts the lines of a partition. */
  static final String PARTITION = "partition ";

  static final String PATH = "path ";
  static final String TOPIC_ID = "topic-id ";
  static final String OFFSETS = "range-size start high-watermark end compacted ";
  static final String EPOCHS = "epochs ";

  /** Starts the line of a range: its index, batches, bytes, hash, epochs and flags. */
  static final String RANGE = "range ";

  /** Starts the last line. */
  static final String SUM = "sum ";

  /** Stands for a value that is not known. */
  static final String NONE = "-";

  /** A flag of a range with damaged bytes. */
  static final String DAMAGED = "damaged";

  /** A flag of a range in which offsets are missing, or that the cleaner has changed. */
  static final String GAPS = "gaps";

  private final CRC32C sum = new CRC32C();
  private final Writer out;

  /** Creates a writer, and writes the first lines. */
  DigestWriter(OutputStream file) throws IOException {
    out = new OutputStreamWriter(new CheckedOutputStream(file, sum), StandardCharsets.UTF_8);
    line(FORMAT);
    line(HASH);
  }

  private void line(String text) throws IOException {
    out.write(text);
    out.write('\n');
  }

  /** Writes a digest. */
  void write(Digest digest) throws IOException {
    line(PARTITION + digest.partition());
    line(PATH + Messages.printable(digest.path()));
    line(TOPIC_ID + (digest.topicId().isEmpty() ? NONE : digest.topicId()));
    StringJoiner offsets = new StringJoiner(" ", OFFSETS, "");
    offsets.add(Long.toString(digest.rangeSize())).add(Long.toString(digest.start()));
    offsets.add(Long.toString(digest.highWatermark())).add(Long.toString(digest.end()));
    line(offsets.add(Boolean.toString(digest.compacted())).toString());
    StringJoiner epochs = new StringJoiner(" ", EPOCHS, "").setEmptyValue(EPOCHS + NONE);
    digest.epochs().forEach((offset, epoch) -> epochs.add(epoch + ":" + offset));
    line(epochs.toString());
    for (Digest.Range range : digest.ranges()) {
      line(text(range));
    }
  }

  private static String text(Digest.Range range) {
    StringJoiner text = new StringJoiner(" ", RANGE, "");
    text.add(Long.toString(range.index())).add(Long.toString(range.batches()));
    text.add(Long.toString(range.bytes())).add(HexFormat.of().toHexDigits(range.hash()));
    text.add(Integer.toString(range.minEpoch())).add(Integer.toString(range.maxEpoch()));
    if (range.damaged()) {
      text.add(DAMAGED);
    }
    if (range.gaps()) {
      text.add(GAPS);
    }
    return text.toString();
  }

  /** Writes the last line. */
  void end() throws IOException {
    out.flush();
    line(SUM + HexFormat.of().toHexDigits((int) sum.getValue()));
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
